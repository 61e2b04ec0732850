"""Actions of a game script: what was done at the table, as written in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, TypeVar, cast

from scoring.refusals import RuleError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

Hands = tuple[tuple[str, tuple[str, ...]], ...]
"""Who holds which cards: (player, codes) in the order given."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action; a field that it does not use or name is None.

    Attributes:
        do: what is done, as in `roll`.
        player: who does it.
        players: `start`: names in seat order.
        options: `start`: as JSON gives them; each game reads its own.
        faces: `roll`, `correct`: face codes in place order, as written.
        face: `toss`: the face code.
        dice: `keep`: places from 0.
        die: `draft`, `toss`: number of the die.
        card: a card's id, kind or code.
        opponent: `duel`: who is challenged.
        hands: `deal`: the cards dealt.
        row: `choose`: row of the score card.
        item: `choose`: item of the Squint card.
        correct: `guess`: whether it was right.
        roll: `correct`: number of the roll, from 0.
    """

    do: str
    player: str | None = None
    players: tuple[str, ...] | None = None
    options: Mapping[str, object] | None = field(default=None, hash=False)
    faces: tuple[str, ...] | None = None
    face: str | None = None
    dice: tuple[int, ...] | None = None
    die: int | None = None
    card: str | None = None
    opponent: str | None = None
    hands: Hands | None = None
    row: str | None = None
    item: int | None = None
    correct: bool | None = None
    roll: int | None = None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...] | None:
    return _all(value, _text)


def _numbers(value: object) -> tuple[int, ...] | None:
    return _all(value, _number)


def _all(value: object, read: Callable[[object], T | None]) -> tuple[T, ...] | None:
    if not isinstance(value, list | tuple):
        return None
    items = [read(item) for item in value]
    return tuple(item for item in items if item is not None) if _full(items) else None


def _full(items: list[T | None]) -> bool:
    return all(item is not None for item in items)


def _object(value: object) -> Mapping[str, object] | None:
    return value if isinstance(value, Mapping) else None


def _hands(value: object) -> Hands | None:
    if not isinstance(value, Mapping):
        return None
    hands = [(str(player), _texts(cards)) for player, cards in value.items()]
    known = [(player, cards) for player, cards in hands if cards is not None]
    return tuple(known) if len(known) == len(hands) else None


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a field is read from JSON, and how to say what was expected."""

    read: Callable[[object], object]
    words: str


_KINDS: dict[str, _Kind] = {
    "player": _Kind(_text, "a text"),
    "players": _Kind(_texts, "a list of texts"),
    "options": _Kind(_object, "an object"),
    "faces": _Kind(_texts, "a list of face codes"),
    "face": _Kind(_text, "a face code"),
    "dice": _Kind(_numbers, "a list of places"),
    "die": _Kind(_number, "a whole number"),
    "card": _Kind(_text, "a text"),
    "opponent": _Kind(_text, "a text"),
    "hands": _Kind(_hands, "an object of card lists"),
    "row": _Kind(_text, "a text"),
    "item": _Kind(_number, "a whole number"),
    "correct": _Kind(_truth, "true or false"),
    "roll": _Kind(_number, "a whole number"),
}

_FIELDS: dict[str, tuple[str, ...]] = {
    "start": ("players", "options?"),
    "roll": ("faces",),
    "keep": ("dice",),
    "stop": (),
    "draw": ("card?",),
    "play_card": ("card",),
    "duel": ("opponent?",),
    "draft": ("die",),
    "toss": ("face", "die?"),
    "deal": ("hands?",),
    "play": ("card",),
    "choose": ("row?", "item?"),
    "pass": (),
    "start_timer": (),
    "guess": ("correct?",),
    "time_up": (),
    "undo": (),
    "redo": (),
    "correct": ("roll", "faces"),
}
"""Fields of each action beside `player?`; `?` marks those that may be left out."""

NEEDS_PLAYER = frozenset(
    {"play_card", "draft", "toss", "play", "start_timer", "guess"},
)


def read_action(record: object) -> Action:
    """Read an action as JSON gives it; extra fields are ignored, null means left out.

    Raises:
        RuleError: CM-04 (CM-03 for `start`): not an action, or a field is missing or
            malformed.
    """
    if not isinstance(record, Mapping):
        raise RuleError("CM-04", f"An action is an object, not {shown(record)}.")
    do = record.get("do")
    if not isinstance(do, str) or do not in _FIELDS:
        raise RuleError("CM-04", f"There is no action {shown(do)}.")
    rule = "CM-03" if do == "start" else "CM-04"
    known: dict[str, object] = {}
    player = "player" if do in NEEDS_PLAYER else "player?"
    for entry in (player, *_FIELDS[do]):
        name = entry.removesuffix("?")
        value = record.get(name)
        if value is None:
            if name == entry:
                raise RuleError(rule, f"The action {do} must name {name!r}.")
            continue
        read = _KINDS[name].read(value)
        if read is None:
            words = _KINDS[name].words
            raise RuleError(
                rule, f"{name!r} of {do} must be {words}, not {shown(value)}."
            )
        known[name] = read
    return Action(do, **known)  # type: ignore[arg-type]  # each read by its kind


def action_record(action: Action) -> dict[str, object]:
    """Write an action as JSON, fields left out that it does not name."""
    record: dict[str, object] = {}
    for known in fields(action):
        value = cast("object", getattr(action, known.name))
        if value is None:
            continue
        if known.name == "hands":
            hands = cast("Hands", value)
            value = {player: list(cards) for player, cards in hands}
        record[known.name] = list(value) if isinstance(value, tuple) else value
    return record
