"""Commands: what people and boxes may ask of the table, as posted to the table.

They are the actions of the game script, and what a live table needs besides: answers to
a reading (`confirm`, `name`, `dismiss`), the timer, advice, and the referee's orders.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.action import Action, read_action
from scoring.cards import FaceCodeError, parse_face
from scoring.refusals import RuleError
from web_ui.settings import check_players

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.cards import Face

GAME_ACTIONS = frozenset(
    {
        *("roll", "keep", "stop", "draw", "play_card", "duel", "draft", "toss"),
        *("deal", "play", "choose", "pass", "start_timer", "guess", "time_up"),
        *("undo", "redo", "correct"),
    }
)
"""Actions of the game script that are posted as they are; `start` names a game too."""
REFEREES = frozenset({"rule", "freeze", "thaw", "sign_off", "reopen"})
"""What only a referee may do."""
PLAYERS = frozenset({"keep", "claim", "guess", "play", "choose", "play_card", "duel"})
"""What a player may do from a phone, where it is that player's to do."""
MOST_WORDS = 240
LONGEST_ID = 64
MOST_NUMBER = 2**53
"""Largest whole number that every JSON reader keeps exactly."""


class CommandError(ValueError):
    """A command that is malformed, so that no rule can judge it."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game (CM-03); the one on the table is closed.

    Attributes:
        game: which; None for that of the settings.
        players: names in seat order.
        options: what departs from the defaults.
        dice_set: the card dice that are rolled; None for those of the settings.
    """

    game: str | None
    players: tuple[str, ...]
    options: Mapping[str, object] = field(hash=False)
    dice_set: str | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the game script."""

    action: Action
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The reading is right as shown."""

    reading: int


@dataclass(frozen=True, slots=True)
class Name:
    """One die of a reading shows this face.

    Attributes:
        reading: id of the reading.
        die: its place, from 0.
        face: what it shows; may be what was read, which answers the question too.
        reason: why a roll that counted is corrected.
    """

    reading: int
    die: int
    face: Face
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Dismiss:
    """The reading does not count: the dice were only touched."""

    reading: int


@dataclass(frozen=True, slots=True)
class SetTimer:
    """The timer: `start` (seconds, or where it stands), `stop` or `clear`."""

    do: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SetAdvice:
    """Whether the table shows what to keep."""

    on: bool


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """Somebody doubts a score."""

    words: str
    by: str
    reading: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """The referee's word on a claim: `upheld` or `rejected`, with a reason."""

    claim: int
    ruling: str
    reason: str


@dataclass(frozen=True, slots=True)
class Freeze:
    """Nothing may be done but by a referee, until the table is thawed."""

    reason: str


@dataclass(frozen=True, slots=True)
class Thaw:
    """Play goes on."""


@dataclass(frozen=True, slots=True)
class SignOff:
    """The referee signs the result of a game that is over."""

    name: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """A signed result may be corrected again."""

    reason: str


Command = (
    Start
    | Act
    | Confirm
    | Name
    | Dismiss
    | SetTimer
    | SetAdvice
    | MakeClaim
    | Rule
    | Freeze
    | Thaw
    | SignOff
    | Reopen
)


@dataclass(frozen=True, slots=True)
class Order:
    """A command with what its sender saw and who that is.

    Attributes:
        command: what to do.
        do: its word.
        step: how much had been done in the game when it was sent; None for whatever.
            Keeps a button pressed twice, or late, from doing something else.
        id: the sender's own name for it; the same id is carried out once.
        by: who asks, as the log names them.
        referee: whether a referee asks.
        seat: the player who asks, if it is a player's phone.
        game: the game that the seat belongs to.
    """

    command: Command
    do: str
    step: int | None = None
    id: str = ""
    by: str = "operator"
    referee: bool = True
    seat: str | None = None
    game: str | None = None


def parse_order(
    data: object,
    by: str = "operator",
    *,
    referee: bool = True,
    seat: str | None = None,
    game: str | None = None,
) -> Order:
    """Turn posted JSON into an order. Fields not known are ignored, as in scripts.

    Raises:
        CommandError: not an object, an unknown action, a field missing or malformed.
    """
    if not isinstance(data, dict):
        raise CommandError(f"a command must be an object, not {_shown(data)}")
    do = data.get("do")
    if not isinstance(do, str) or (do not in _PARSERS and do not in GAME_ACTIONS):
        raise CommandError(f"do must be one of {', '.join(ACTIONS)}, not {_shown(do)}")
    step = None if data.get("step") is None else _number(data, "step")
    name = data.get("id", "")
    if not isinstance(name, str) or len(name) > LONGEST_ID:
        raise CommandError(f"id must be a text of at most {LONGEST_ID} signs")
    # a die of a reading is corrected by its place, a roll of the script by its number
    parse = _name if do == "correct" and "reading" in data else _PARSERS.get(do, _act)
    return Order(parse(data), do, step, name, by, referee, seat, game)


def _start(data: Mapping[str, Any]) -> Start:
    players = data.get("players")
    if not isinstance(players, list) or not all(isinstance(p, str) for p in players):
        raise CommandError(f"players must be a list of names, not {_shown(players)}")
    names = tuple(name.strip() for name in players)
    try:
        check_players(names)
    except ValueError as error:
        raise CommandError(str(error)) from error
    game = data.get("game")
    if game is not None and not isinstance(game, str):
        raise CommandError(f"game must be the name of a game, not {_shown(game)}")
    options = data.get("options") or {}
    if not isinstance(options, dict):
        raise CommandError(f"options must be an object, not {_shown(options)}")
    dice_set = data.get("dice_set")
    if dice_set is not None and not isinstance(dice_set, str):
        raise CommandError(f"dice_set must be a name, not {_shown(dice_set)}")
    return Start(game, names, options, dice_set)


def _act(data: Mapping[str, Any]) -> Act:
    try:
        return Act(read_action(data), _words(data, "reason", needed=False))
    except RuleError as error:
        raise CommandError(error.sentence) from error


def _confirm(data: Mapping[str, Any]) -> Confirm:
    return Confirm(_number(data, "reading"))


def _name(data: Mapping[str, Any]) -> Name:
    return Name(
        _number(data, "reading"),
        _number(data, "die"),
        _face(data.get("face")),
        _words(data, "reason", needed=False),
    )


def _dismiss(data: Mapping[str, Any]) -> Dismiss:
    return Dismiss(_number(data, "reading"))


def _timer(data: Mapping[str, Any]) -> SetTimer:
    word = data.get("timer")
    if word not in ("start", "stop", "clear"):
        raise CommandError(f"timer must be start, stop or clear, not {_shown(word)}")
    seconds = data.get("seconds")
    if seconds is None:
        return SetTimer(word)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        raise CommandError(f"seconds must be a number, not {_shown(seconds)}")
    return SetTimer(word, float(seconds))


def _advice(data: Mapping[str, Any]) -> SetAdvice:
    on = data.get("on")
    if not isinstance(on, bool):
        raise CommandError(f"on must be true or false, not {_shown(on)}")
    return SetAdvice(on)


def _claim(data: Mapping[str, Any]) -> MakeClaim:
    reading = None if data.get("reading") is None else _number(data, "reading")
    return MakeClaim(_words(data, "words"), _words(data, "player"), reading)


def _rule(data: Mapping[str, Any]) -> Rule:
    ruling = data.get("ruling")
    if ruling not in ("upheld", "rejected"):
        raise CommandError(f"ruling must be upheld or rejected, not {_shown(ruling)}")
    return Rule(_number(data, "claim"), ruling, _words(data, "reason"))


_PARSERS: dict[str, Callable[[Mapping[str, Any]], Command]] = {
    "start": _start,
    "confirm": _confirm,
    "name": _name,
    "dismiss": _dismiss,
    "timer": _timer,
    "advice": _advice,
    "claim": _claim,
    "rule": _rule,
    "freeze": lambda data: Freeze(_words(data, "reason")),
    "thaw": lambda _: Thaw(),
    "sign_off": lambda data: SignOff(_words(data, "name")),
    "reopen": lambda data: Reopen(_words(data, "reason")),
}
ACTIONS = (*sorted(GAME_ACTIONS), *_PARSERS)
"""Every action that `do` may name."""


def _words(data: Mapping[str, Any], key: str, *, needed: bool = True) -> str:
    value = data.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or not value.strip() or len(value) > MOST_WORDS:
        raise CommandError(
            f"{key} must be a text of 1..{MOST_WORDS} signs, not {_shown(value)}"
        )
    text = " ".join(value.split())
    if not text.isprintable():
        raise CommandError(f"{key} must be printable text, not {_shown(value)}")
    return text


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
