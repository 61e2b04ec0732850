"""Options of a game: read from JSON, checked, unknown ones refused (CM-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scoring.dice_sets import DiceSet, DiceSetError, check_card_faces, parse_layout
from scoring.refusals import RuleError, shown
from scoring.rolling import CARD_DICE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class OptionReader:
    """Reads the options of one `start`, each at most once.

    Raises everywhere:
        RuleError: CM-03, naming the option, its value and what was expected.
    """

    def __init__(self, options: Mapping[str, object], known: Sequence[str]) -> None:
        unknown = [name for name in options if name not in known]
        if unknown:
            raise RuleError(
                "CM-03",
                f"There is no option {shown(unknown[0])}: expected {', '.join(known)}.",
            )
        self._options = options

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._options.get(name, default)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str, default: int, least: int) -> int:
        """A whole number that is at least `least`."""
        value = self._options.get(name, default)
        if not _is_number(value) or cast("int", value) < least:
            raise self.wrong(name, f"a whole number >= {least}")
        return cast("int", value)

    def number_or_none(self, name: str, least: int) -> int | None:
        """A whole number that is at least `least`; None if null or left out."""
        if self._options.get(name) is None:
            return None
        return self.number(name, least, least)

    def choice(self, name: str, default: str, choices: Sequence[str]) -> str:
        """One of some words."""
        value = self._options.get(name, default)
        if not isinstance(value, str) or value not in choices:
            raise self.wrong(name, " or ".join(repr(word) for word in choices))
        return value

    def texts(self, name: str, default: Sequence[str]) -> tuple[str, ...]:
        """A list of texts, none twice."""
        value = self._options.get(name, list(default))
        if not isinstance(value, list) or not all(isinstance(t, str) for t in value):
            raise self.wrong(name, "a list of texts")
        if len(set(value)) < len(value):
            raise self.wrong(name, "a list without repetition")
        return tuple(value)

    def player(self, name: str, players: Sequence[str], default: int) -> int:
        """The seat of a player who is named; `default` if null or left out."""
        value = self._options.get(name)
        if value is None:
            return default
        if value not in players:
            raise self.wrong(name, "one of the players")
        return players.index(cast("str", value))

    def raw(self, name: str, default: object = None) -> object:
        """The value as it is."""
        return self._options.get(name, default)

    def card_dice(self) -> DiceSet:
        """Option `layout` (CM-16): the nine dice, with their layout if it is given."""
        value = self._options.get("layout")
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
        value = self._options.get(name)
        return RuleError(
            "CM-03", f"The option {name!r} must be {expected}, not {shown(value)}."
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
