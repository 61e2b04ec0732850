"""Commands: what a person may ask of the table, as posted to `/api/v1/commands`.

They are the actions of the game script (`draw`, `keep`, `stop`, `start`, `roll`) and
what a live table needs besides: `next`, and answers to a reading (`confirm`,
`correct`, `dismiss`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.cards import FaceCodeError, parse_face
from web_ui.settings import check_players

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.cards import Face


class CommandError(ValueError):
    """A command that is malformed, so that no rule can judge it (rules CM-04)."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin anew with these players and no chips (rules CM-03)."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the target of the turn (rules CL-04).

    Attributes:
        card: id of the card that was drawn; None lets the program draw.
    """

    card: str | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll typed in by hand.

    Attributes:
        faces: all faces, in place order.
    """

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice for the next roll (rules CM-19).

    Attributes:
        dice: places from 0; whether they are legal is for the rules to say.
    """

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """Score the turn (rules CM-22)."""


@dataclass(frozen=True, slots=True)
class Next:
    """Pass to the next player and draw that turn's target."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The reading is right as shown."""

    reading: int


@dataclass(frozen=True, slots=True)
class Correct:
    """One die of a reading shows this face.

    Attributes:
        reading: id of the reading.
        die: its place, from 0.
        face: what it shows; may be what was read, which answers the question too.
    """

    reading: int
    die: int
    face: Face


@dataclass(frozen=True, slots=True)
class Dismiss:
    """The reading does not count: the dice were only touched."""

    reading: int


Command = Start | Draw | Roll | Keep | Stop | Next | Confirm | Correct | Dismiss


@dataclass(frozen=True, slots=True)
class Order:
    """A command with what its sender saw.

    Attributes:
        command: what to do.
        turn: number of the turn it is meant for; None for whichever it is. Keeps a
            button pressed twice from skipping a player.
    """

    command: Command
    turn: int | None = None


MOST_DICE = 32
MOST_NUMBER = 2**53
"""Largest whole number that every JSON reader keeps exactly."""


def parse_order(data: object) -> Order:
    """Turn posted JSON into an order. Fields not known are ignored, as in scripts.

    Raises:
        CommandError: not an object, an unknown action, a field missing or malformed.
    """
    if not isinstance(data, dict):
        raise CommandError(f"a command must be an object, not {_shown(data)}")
    do = data.get("do")
    parse = _PARSERS.get(do) if isinstance(do, str) else None
    if parse is None:
        names = ", ".join(_PARSERS)
        raise CommandError(f"do must be one of {names}, not {_shown(do)}")
    turn = None if data.get("turn") is None else _number(data, "turn")
    return Order(parse(data), turn)


def _start(data: Mapping[str, Any]) -> Start:
    players = data.get("players")
    if not isinstance(players, list) or not all(isinstance(p, str) for p in players):
        raise CommandError(f"players must be a list of names, not {_shown(players)}")
    names = tuple(name.strip() for name in players)
    try:
        check_players(names)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return Start(names)


def _draw(data: Mapping[str, Any]) -> Draw:
    card = data.get("card")
    if card is not None and not isinstance(card, str):
        raise CommandError(f"card must be the id of a card, not {_shown(card)}")
    return Draw(card)


def _roll(data: Mapping[str, Any]) -> Roll:
    faces = data.get("faces")
    if not isinstance(faces, list) or len(faces) > MOST_DICE:
        raise CommandError(f"faces must be a list of face codes, not {_shown(faces)}")
    return Roll(tuple(_face(code) for code in faces))


def _keep(data: Mapping[str, Any]) -> Keep:
    dice = data.get("dice")
    if not isinstance(dice, list) or len(dice) > MOST_DICE:
        raise CommandError(f"dice must be a list of places, not {_shown(dice)}")
    return Keep(tuple(_number({"dice": place}, "dice") for place in dice))


def _confirm(data: Mapping[str, Any]) -> Confirm:
    return Confirm(_number(data, "reading"))


def _correct(data: Mapping[str, Any]) -> Correct:
    face = _face(data.get("face"))
    return Correct(_number(data, "reading"), _number(data, "die"), face)


def _dismiss(data: Mapping[str, Any]) -> Dismiss:
    return Dismiss(_number(data, "reading"))


_PARSERS: dict[str, Callable[[Mapping[str, Any]], Command]] = {
    "start": _start,
    "draw": _draw,
    "roll": _roll,
    "keep": _keep,
    "stop": lambda _: Stop(),
    "next": lambda _: Next(),
    "confirm": _confirm,
    "correct": _correct,
    "dismiss": _dismiss,
}
ACTIONS = tuple(_PARSERS)
"""Every action that `do` may name."""


def _number(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    # True is an int to Python, but not to the person who posted it
    if not isinstance(value, int) or isinstance(value, bool):
        raise CommandError(f"{key} must be a whole number, not {_shown(value)}")
    if abs(value) > MOST_NUMBER:
        raise CommandError(f"{key} must be a whole number of 16 digits at most")
    return value


def _face(code: object) -> Face:
    if not isinstance(code, str):
        raise CommandError(f"a face must be its code, not {_shown(code)}")
    try:
        return parse_face(code[:40])
    except FaceCodeError as error:
        raise CommandError(str(error)) from error


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
