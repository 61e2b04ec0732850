"""Readings at the table: which roll counts, which waits, which cannot be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.refusals import RuleError
from vision.reading import Status
from vision.reading_json import reading_record
from vision.unmoved import Change, change_of
from web_ui.table.advance import make_room
from web_ui.table.needs import Need, lay_out, with_set_aside
from web_ui.table.shown import Shown, Use
from web_ui.table.state import Notice

if TYPE_CHECKING:
    from scoring.cards import Face
    from vision.reading import Reading
    from web_ui.table.pen import Pen
    from web_ui.table.state import TableState

MOST_HELD = 8
"""Readings that may wait behind an unanswered one."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A roll that came to rest.

    Attributes:
        reading: what was read.
        width_px: width of the picture; 0 without one.
        height_px: its height.
        picture: SHA-256 of the picture, hex; empty without one.
        elapsed_ms: how long the last look took.
        moved: places in the reading of dice that lie elsewhere than before.
    """

    reading: Reading
    width_px: int = 0
    height_px: int = 0
    picture: str = ""
    elapsed_ms: float = 0.0
    moved: tuple[int, ...] = ()


def settle(pen: Pen, settled: Settled) -> Notice | None:
    """Judge a roll that came to rest. Never fails: what cannot count is shown so.

    Args:
        pen: writes what comes of it.
        settled: the roll.

    Returns:
        What people should know besides.
    """
    state = pen.state
    current = state.current
    if current is not None and _lies_as_before(current, settled.reading):
        return _seen_again(pen, current, settled)
    if current is not None and current.use is Use.WAITING:
        if not pen.house.demo:
            return _hold(pen, current, settled)
        pen.write("dismissed", {"reading": current.id})
        dropped = f"Reading {current.id} was dropped: nobody answered it."
        consider(pen, bring(pen, settled))
        return Notice(dropped)
    if pen.house.demo:
        make_room(pen)
    return consider(pen, bring(pen, settled), settled.moved)


def bring(pen: Pen, settled: Settled) -> Shown:
    """Write down that a roll was read; it is held until it is considered."""
    reading = settled.reading
    need = pen.state.need
    if need is not None and reading.status is not Status.REFUSE:
        reading = with_set_aside(reading, need)
    order = _order(reading, need)
    number = pen.state.next_reading
    pen.write(
        "read",
        {
            "reading": number,
            "use": Use.HELD.value,
            "record": reading_record(reading, "", settled.elapsed_ms),
            "picture": settled.picture or None,
            "width_px": settled.width_px,
            "height_px": settled.height_px,
            "order": [*order],
        },
    )
    return _newest(pen.state, number)


def _newest(state: TableState, number: int) -> Shown:
    for item in (state.current, state.refused, *state.held):
        if item is not None and item.id == number:
            return item
    raise AssertionError("a reading was written and is not there")


def _order(reading: Reading, need: Need | None) -> tuple[int, ...]:
    faces = tuple(die.face for die in reading.dice)
    if need is None:
        return tuple(range(len(faces)))
    return lay_out(faces, reading.dice, need)


def placed(item: Shown, need: Need | None) -> Shown:
    """Put the dice of a reading into the places of the game, answers with them."""
    if need is None:
        return item
    dice = item.reading.dice
    answers = dict(zip(item.order, item.answers, strict=True))
    faces = tuple(answers[die] or dice[die].face for die in range(len(dice)))
    order = lay_out(faces, dice, need)
    return replace(item, order=order, answers=tuple(answers[die] for die in order))


def _lies_as_before(current: Shown, reading: Reading) -> bool:
    """Whether nothing was thrown in between; dice typed in by hand lie nowhere."""
    if not current.width_px or not reading.dice:
        return False
    return change_of(current.reading.dice, reading.dice) is Change.NOTHING


def _seen_again(pen: Pen, current: Shown, settled: Settled) -> Notice | None:
    """The same dice, still there: a better reading of them may settle a doubt."""
    waiting = current.use is Use.WAITING
    better = settled.reading.status is Status.SURE and not any(current.answers)
    if waiting and better:
        pen.write("dismissed", {"reading": current.id})
        return consider(pen, bring(pen, settled))
    if pen.state.refused is not None:
        pen.write("dismissed", {"reading": pen.state.refused.id})
    return None


def _hold(pen: Pen, current: Shown, settled: Settled) -> Notice:
    """Keep a roll until the one before is answered; what is no roll is not kept."""
    if settled.reading.status is Status.REFUSE:
        sentence = f"Reading {current.id} still waits. {_why(settled.reading)}"
        return Notice(sentence, warn=True)
    if len(pen.state.held) < MOST_HELD:
        bring(pen, settled)
    return Notice(
        f"A new roll lies there, but reading {current.id} still waits: confirm "
        "or correct it, or say that it does not count.",
        warn=True,
    )


def consider(pen: Pen, item: Shown, moved: tuple[int, ...] = ()) -> Notice | None:
    """Count a reading, let it wait for an answer, or show why it cannot count."""
    no = _judge(pen, item)
    need = pen.state.need
    if no is not None or need is None:
        refuse(pen, item, *(no or _too_late(pen)))
        return None
    item = placed(item, need)
    if item.reading.status is not Status.SURE:
        _mark(pen, item, Use.WAITING)
        return _pushed(item, need, moved)
    try:
        take(pen, item)
    except RuleError as error:
        refuse(pen, item, error.sentence, error.rule)
        return None
    return _pushed(item, need, moved)


def _mark(pen: Pen, item: Shown, use: Use, sentence: str = "", rule: str = "") -> None:
    pen.write(
        "considered",
        {
            "reading": item.id,
            "use": use.value,
            "order": [*item.order],
            "rule": rule,
            "sentence": sentence,
        },
    )


def _pushed(item: Shown, need: Need, moved: tuple[int, ...]) -> Notice | None:
    """Tell that dice which were kept do not lie where they lay."""
    faces = [item.faces[p] for p in need.kept if item.order[p] in moved]
    codes = [face.code for face in faces if face is not None]
    if not codes:
        return None
    verb = "was" if len(codes) == 1 else "were"
    return Notice(f"Kept dice were touched: {', '.join(codes)} {verb} moved.", "CM-17")


def _why(reading: Reading) -> str:
    sentences = [problem.sentence for problem in reading.problems]
    return " ".join(sentences) or "This cannot be a roll."


def _too_late(pen: Pen) -> tuple[str, str]:
    """Say why a roll cannot count now."""
    game = pen.state.game
    if game is None:
        return "No game is on the table: start one.", "CM-03"
    if game.state.over:
        return "The game is over.", "CM-07"
    turn = game.desk.turn(game.state)
    if turn is not None and len(turn.rolls) >= turn.rolls_max:
        return "The turn has three rolls, and they are made.", "CM-18"
    if turn is not None and turn.rolls and turn.kept:
        return "All dice are kept: nothing to roll. Stop instead.", "CM-20"
    return f"No roll is expected now. {game.desk.hint(game.state)}", "CM-06"


def refuse(pen: Pen, item: Shown, sentence: str, rule: str = "") -> None:
    """Show a reading that does not count."""
    _mark(pen, item, Use.REFUSED, sentence, rule)


def _judge(pen: Pen, item: Shown) -> tuple[str, str] | None:
    """Why a reading cannot count, and the rule that says so; None if it may."""
    if item.reading.status is Status.REFUSE:
        return _why(item.reading), ""
    if pen.state.frozen:
        return f"The table is frozen: {pen.state.frozen}", "TB-01"
    return _too_late(pen) if pen.state.need is None else None


def take(pen: Pen, item: Shown) -> None:
    """Count a reading as a roll of the game.

    Raises:
        RuleError: the rules refuse it; the pen stays as it was.
    """
    fork = pen.fork()
    game = fork.state.game
    if game is None:
        raise RuleError("CM-03", "No game is on the table: start one.")
    if None in item.faces:
        raise RuleError("CM-14", "One die is unreadable: say what it shows.")
    faces: tuple[Face, ...] = item.known
    need = game.need
    if need is not None and len(faces) != need.dice_set.dice_count:
        wanted = need.dice_set.dice_count
        raise RuleError("CM-13", f"{wanted} dice are expected, not {len(faces)}.")
    actions = game.desk.rolled(game.state, faces)
    if not actions:
        raise RuleError("CM-06", f"No roll is expected. {game.desk.hint(game.state)}")
    every = tuple(range(len(faces)))
    for action in actions:
        player = action.get("player")
        places = every
        if need is not None and player in need.places:
            places = (need.places.index(str(player)),)
        fork.act(dict(action), item, places=places)
    pen.join(fork)


def take_held(pen: Pen) -> None:
    """Consider the readings that came meanwhile, up to the next that must wait."""
    while pen.state.held:
        current = pen.state.current
        if current is not None and current.use is Use.WAITING:
            break
        consider(pen, pen.state.held[0])
