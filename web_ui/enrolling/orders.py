"""What can be asked of an enrolment, parsed from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import CARD_DICE_FACES, FaceCodeError, parse_face
from scoring.dice_sets import CARD_DICE_COUNT, FACES_A_DIE
from web_ui.enrolling.refusals import OrderError

if TYPE_CHECKING:
    from scoring.cards import Face

NEEDS: dict[str, tuple[str, ...]] = {
    "begin": ("name",),
    "forget": ("name",),
    "leave": (),
    "go": ("die",),
    "undo": (),
    "new_side": (),
    "retake": ("die", "side"),
    "retake_die": ("die",),
    "say": ("die", "side", "face"),
    "unsay": ("die", "side"),
    "learn": (),
    "cancel": (),
    "try": (),
    "correct": ("roll", "place", "face"),
    "right": ("roll",),
    "pass": ("roll",),
    "finish": (),
}
"""Each order, and what it needs beside its name."""
MOST_ROLLS = 1_000_000
_RANGES = {
    "die": (1, CARD_DICE_COUNT),
    "side": (1, FACES_A_DIE),
    "roll": (1, MOST_ROLLS),
    "place": (0, CARD_DICE_COUNT - 1),
}
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class EnrolmentOrder:
    """One order; only what it needs counts.

    Attributes:
        do: which, one of `NEEDS`.
        name: of a set.
        die: number of a die, from 1.
        side: number of a side, from 1.
        face: what a side or die shows.
        roll: number of a roll that is tried.
        place: of a die in it, from 0.
    """

    do: str
    name: str = ""
    die: int = 1
    side: int = 1
    face: Face | None = None
    roll: int = 1
    place: int = 0


def parse_enrolment_order(record: object) -> EnrolmentOrder:
    """Parse an order.

    Raises:
        OrderError: it is none; says what was expected.
    """
    if not isinstance(record, dict):
        raise OrderError("an order must be an object")
    do = record.get("do")
    if not isinstance(do, str) or do not in NEEDS:
        raise OrderError(f"do must be one of {', '.join(NEEDS)}, not {do!r:.40}")
    strange = sorted(str(key) for key in record if key not in ("do", *NEEDS[do]))
    if strange:
        raise OrderError(f"{do} has no {strange[0]:.40}")
    found: dict[str, object] = {}
    for key in NEEDS[do]:
        if key not in record:
            raise OrderError(f"{do} needs {', '.join(NEEDS[do])}")
        found[key] = _value(key, record[key])
    return EnrolmentOrder(do, **found)  # type: ignore[arg-type]  # by _value


def _value(key: str, value: object) -> object:
    if key == "name":
        if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_NAME:
            raise OrderError(f"name must be a text of 1 to {LONGEST_NAME} signs")
        return value
    if key == "face":
        return _face(value)
    low, high = _RANGES[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise OrderError(f"{key} must be a whole number, not {value!r:.40}")
    if not low <= value <= high:
        raise OrderError(f"{key} must be {low}..{high}, not {value!r:.40}")
    return value


def _face(value: object) -> Face:
    try:
        face = parse_face(value) if isinstance(value, str) else None
    except FaceCodeError:
        face = None
    if face not in CARD_DICE_FACES or face is None:
        raise OrderError(f"face must be a card or joker such as QH, not {value!r:.40}")
    return face
