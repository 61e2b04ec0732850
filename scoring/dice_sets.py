"""Dice sets: which dice there are, which faces they show, and how they are cut."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, cast

from scoring.cards import (
    CARD_DICE_FACES,
    CARDS,
    JOKERS,
    POKER_DICE_FACES,
    SQUINT_FACES,
    Card,
    Face,
    FaceCodeError,
    Joker,
    PokerFace,
    ScoringError,
    Suit,
    parse_face,
)
from scoring.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FACES_A_DIE = 6
CARD_DICE_COUNT = 9
MOST_DICE = 99
"""More dice than this in one set is a mistake in the file."""

Layout = tuple[tuple[Face, ...], ...]
"""The six faces of each die, in the order of the dice."""


class DiceSetError(ScoringError, ValueError):
    """A dice set that cannot be: unreadable file, unknown name or wrong faces."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """Which dice lie on the table.

    Attributes:
        name: what the set is called, as in `square-shooters`.
        faces: every face the set can show, each once.
        dice_count: how many dice there are, >= 1.
        dice: the six faces of each die; None if the layout is not known.
    """

    name: str
    faces: tuple[Face, ...]
    dice_count: int
    dice: Layout | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise DiceSetError("a dice set needs a name that is not empty")
        if not 1 <= self.dice_count <= MOST_DICE:
            raise DiceSetError(
                f"{self.name}: dice_count must be 1..{MOST_DICE}, not {self.dice_count}"
            )
        if not self.faces:
            raise DiceSetError(f"{self.name}: a dice set needs faces, there are none")
        if twice := repeated(self.faces):
            raise DiceSetError(f"{self.name}: listed twice in faces: {codes(twice)}")
        if self.dice is not None:
            _check_dice(self.name, self.faces, self.dice_count, self.dice)

    @property
    def unique_faces(self) -> bool:
        """Whether no face can show on two dice at once (CM-15)."""
        if self.dice is None:
            return all(isinstance(face, Card | Joker) for face in self.faces)
        return not repeated(face for die in self.dice for face in set(die))


def codes(faces: Iterable[Face]) -> str:
    """Write faces for an error message: `AS KH RJ`."""
    return " ".join(face.code for face in faces)


def repeated(faces: Iterable[Face]) -> tuple[Face, ...]:
    """The faces that occur more than once, in the order of first sight."""
    return tuple(face for face, count in Counter(faces).items() if count > 1)


def _check_dice(
    name: str, faces: tuple[Face, ...], dice_count: int, dice: Layout
) -> None:
    """Check that the layout fits the other fields of a set."""
    if len(dice) != dice_count:
        raise DiceSetError(f"{name}: {dice_count} dice expected, {len(dice)} listed")
    for number, die in enumerate(dice, start=1):
        if len(die) != FACES_A_DIE:
            raise DiceSetError(
                f"{name}: die {number} must have {FACES_A_DIE} faces, not {len(die)}"
                f" ({codes(die)})"
            )
    on_dice = {face for die in dice for face in die}
    if odd := tuple(face for face in faces if face not in on_dice):
        raise DiceSetError(f"{name}: on no die: {codes(odd)}")
    if strange := sorted(face.code for face in on_dice - set(faces)):
        raise DiceSetError(f"{name}: not faces of this set: {' '.join(strange)}")


def straight_flushes() -> Iterator[tuple[Card, ...]]:
    """The 40 straight flushes, the ace low and high, royal ones last of each suit."""
    for suit in Suit:
        cards = [card for card in CARDS if card.suit is suit]
        run = [*cards, cards[0]]
        for start in range(10):
            yield tuple(run[start : start + 5])


def check_card_faces(dice: Layout) -> None:
    """Check that nine dice carry the 54 faces once each.

    Raises:
        DiceSetError: naming the faces missing, repeated or not of card dice.
    """
    if len(dice) != CARD_DICE_COUNT or any(len(die) != FACES_A_DIE for die in dice):
        sizes = ", ".join(str(len(die)) for die in dice)
        raise DiceSetError(
            f"card dice must be {CARD_DICE_COUNT} dice of {FACES_A_DIE} faces,"
            f" not {len(dice)} dice ({sizes} faces)"
        )
    shown = [face for die in dice for face in die]
    known = set(CARD_DICE_FACES)
    if strange := [face for face in shown if face not in known]:
        raise DiceSetError(f"not a face of card dice: {codes(strange)}")
    missing = [face for face in CARD_DICE_FACES if face not in shown]
    twice = repeated(shown)
    if missing or twice:
        raise DiceSetError(
            "each of the 54 faces must be there once;"
            f" missing: {codes(missing) or 'none'}; repeated: {codes(twice) or 'none'}"
        )


def check_card_layout(dice: Layout) -> None:
    """Check everything published about the nine dice of Square Shooters.

    54 faces once each; every four of a kind and every straight flush can be rolled,
    so their cards are on different dice; the jokers are on different dice.

    Raises:
        DiceSetError: naming all faces at fault and the die they share.
    """
    check_card_faces(dice)
    die_of = {face: number for number, die in enumerate(dice, 1) for face in die}
    faults: dict[tuple[Face, ...], str] = {}

    def note(cards: tuple[Face, ...], what: str) -> None:
        for number in sorted({die_of[card] for card in cards}):
            together = tuple(card for card in cards if die_of[card] == number)
            if len(together) > 1:
                faults.setdefault(
                    together, f"{codes(together)} share die {number}: {what}"
                )

    note(JOKERS, "the two jokers must be on different dice")
    for rank in range(1, 14):
        four = tuple(card for card in CARDS if card.rank == rank)
        note(four, f"the four of a kind {codes(four)} cannot be rolled")
    for run in straight_flushes():
        note(run, f"the straight flush {codes(run)} cannot be rolled")
    if faults:
        raise DiceSetError("; ".join(faults.values()))


def parse_layout(value: object) -> Layout:
    """Read lists of face codes as dice.

    Args:
        value: as JSON gives it: a list with one list of codes for each die.

    Raises:
        DiceSetError: not lists of lists of face codes.
    """
    if not isinstance(value, list) or not all(isinstance(die, list) for die in value):
        raise DiceSetError("dice must be a list with one list of faces for each die")
    return tuple(_parse_faces(die, f"die {n}") for n, die in enumerate(value, start=1))


def _parse_faces(value: object, what: str) -> tuple[Face, ...]:
    if not isinstance(value, list):
        raise DiceSetError(f"{what} must be a list of face codes, not {value!r}")
    faces = []
    for code in value:
        if not isinstance(code, str):
            raise DiceSetError(f"{what}: a face must be a text, not {code!r}")
        try:
            faces.append(parse_face(code))
        except FaceCodeError as error:
            raise DiceSetError(f"{what}: {error}") from error
    return tuple(faces)


def dice_set_from_record(record: object) -> DiceSet:
    """Make a dice set from what its JSON file holds.

    With `dice` (lists of six codes) the layout is known; card dice must then obey
    `check_card_layout`. Without it `faces` and `dice_count` say what can show.

    Raises:
        DiceSetError: a field is missing or of the wrong type, or the faces are wrong.
    """
    if not isinstance(record, dict):
        raise DiceSetError(f"a dice set must be a JSON object, not {record!r}")
    fields = cast("dict[str, object]", record)
    name = fields.get("name")
    if not isinstance(name, str):
        raise DiceSetError(f"name must be a text, not {name!r}")
    if fields.get("dice") is not None:
        dice = parse_layout(fields["dice"])
        faces = tuple(dict.fromkeys(face for die in dice for face in die))
        if any(isinstance(face, Card | Joker) for face in faces):
            check_card_layout(dice)
            faces = CARD_DICE_FACES
        elif len({isinstance(face, PokerFace) for face in faces}) > 1:
            raise DiceSetError(f"{name}: faces of different kinds: {codes(faces)}")
        return DiceSet(name, faces, len(dice), dice)
    count = fields.get("dice_count")
    if not isinstance(count, int) or isinstance(count, bool):
        raise DiceSetError(f"dice_count must be a whole number, not {count!r}")
    return DiceSet(name, _parse_faces(fields.get("faces"), "faces"), count)


def load_dice_set(path: Path) -> DiceSet:
    """Read a dice set from a JSON file (see `dice_set_from_record`).

    Raises:
        DiceSetError: not an ordinary file, not readable or no dice set; the path is
            named.
    """
    try:
        return dice_set_from_record(read_json(path))
    except JsonFileError as error:
        raise DiceSetError(str(error)) from error
    except DiceSetError as error:
        raise DiceSetError(f"{path}: {error}") from error


def dice_set_text(dice_set: DiceSet) -> str:
    """Write a dice set as the JSON that `load_dice_set` reads."""
    record: dict[str, object] = {"name": dice_set.name}
    if dice_set.dice is None:
        record["dice_count"] = dice_set.dice_count
        record["faces"] = [face.code for face in dice_set.faces]
    else:
        record["dice"] = [[face.code for face in die] for die in dice_set.dice]
    return json.dumps(record, indent=1) + "\n"


def reference_dice_set() -> DiceSet:
    """Our own layout of the nine dice, for simulation and tests only (CM-16)."""
    bundled = resources.files("scoring").joinpath("reference_layout.json")
    loaded = dice_set_from_record(json.loads(bundled.read_text("utf-8")))
    return replace(loaded, name="square-shooters-reference")


def bundled_names() -> tuple[str, ...]:
    """Names that `bundled_dice_set` knows."""
    return ("square-shooters", "square-shooters-reference", "poker-dice", "squint-die")


def bundled_dice_set(name: str) -> DiceSet:
    """The dice set of that name that comes with Tableside.

    Raises:
        DiceSetError: no such name.
    """
    match name:
        case "square-shooters":
            return DiceSet(name, CARD_DICE_FACES, CARD_DICE_COUNT)
        case "square-shooters-reference":
            return reference_dice_set()
        case "poker-dice":
            return DiceSet(name, POKER_DICE_FACES, 5, (POKER_DICE_FACES,) * 5)
        case "squint-die":
            return DiceSet(name, SQUINT_FACES, 1, (SQUINT_FACES * 2,))
        case _:
            names = ", ".join(bundled_names())
            raise DiceSetError(f"{name!r} is not a bundled dice set: expected {names}")
