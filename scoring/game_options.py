"""Options of a game: listed, read from JSON, unknown ones refused (CM-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from scoring.dice_sets import DiceSet, DiceSetError, check_card_faces, parse_layout
from scoring.refusals import RuleError, shown
from scoring.rolling import CARD_DICE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class GameOption:
    """Something that players may agree on before a game.

    Attributes:
        name: as game scripts call it.
        default: its value if nothing is said, as JSON gives it.
        meaning: what it decides, and which values it takes, in one line.
        rule: number of the rule that has it.
    """

    name: str
    default: object
    meaning: str
    rule: str


class OptionTable(Mapping[str, object]):
    """All options of a game: a mapping of their names to their defaults.

    Attributes:
        listed: the options, as the rules list them.
    """

    def __init__(self, *listed: GameOption) -> None:
        self.listed = listed
        self._defaults = {option.name: option.default for option in listed}

    def __getitem__(self, name: str) -> object:
        return self._defaults[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._defaults)

    def __len__(self) -> int:
        return len(self._defaults)


LAYOUT = GameOption(
    "layout", None, "the six faces of each of the nine dice, if they are known", "CM-16"
)
SIX_OF_A_KIND = GameOption(
    "six_of_a_kind", True, "whether six of a kind counts as a hand", "HD-11"
)


class OptionReader:
    """Reads the options of one `start`, each at most once.

    Raises everywhere:
        RuleError: CM-03, naming the option, its value and what was expected.
    """

    def __init__(self, options: Mapping[str, object], table: OptionTable) -> None:
        unknown = [name for name in options if name not in table]
        if unknown:
            raise RuleError(
                "CM-03",
                f"There is no option {shown(unknown[0])}: expected {', '.join(table)}.",
            )
        self._options = {**table, **options}

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._options[name]
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str, least: int) -> int:
        """A whole number that is at least `least`."""
        value = self._options[name]
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.wrong(name, f"a whole number >= {least}")
        return value

    def number_or_none(self, name: str, least: int) -> int | None:
        """A whole number that is at least `least`; None if null or left out."""
        return None if self._options[name] is None else self.number(name, least)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """One of some words."""
        value = self._options[name]
        if not isinstance(value, str) or value not in choices:
            raise self.wrong(name, " or ".join(repr(word) for word in choices))
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, none twice."""
        value = self._options[name]
        if not isinstance(value, list) or not all(isinstance(t, str) for t in value):
            raise self.wrong(name, "a list of texts")
        if len(set(value)) < len(value):
            raise self.wrong(name, "a list without repetition")
        return tuple(value)

    def player(self, name: str, players: Sequence[str], seat: int) -> int:
        """The seat of a player who is named; `seat` if null or left out."""
        value = self._options[name]
        if value is None:
            return seat
        if value not in players:
            raise self.wrong(name, "one of the players")
        return players.index(cast("str", value))

    def raw(self, name: str) -> object:
        """The value as it is."""
        return self._options[name]

    def card_dice(self) -> DiceSet:
        """Option `layout` (CM-16): the nine dice, with their layout if it is given."""
        value = self._options["layout"]
        if value is None:
            return CARD_DICE
        try:
            dice = parse_layout(value)
            check_card_faces(dice)
        except DiceSetError as error:
            raise RuleError("CM-03", f"The option 'layout': {error}.") from error
        return DiceSet(CARD_DICE.name, CARD_DICE.faces, CARD_DICE.dice_count, dice)

    def wrong(self, name: str, expected: str) -> RuleError:
        """The refusal of an option's value."""
        value = self._options[name]
        return RuleError(
            "CM-03", f"The option {name!r} must be {expected}, not {shown(value)}."
        )
