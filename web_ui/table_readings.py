"""Readings at the table: which roll counts, which waits, which cannot be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.classic_turn import Kept, Phase, Rolled, can_roll
from scoring.refusals import RuleError
from vision.reading import Status
from vision.unmoved import Change, change_of
from web_ui.shown import Shown, Use, lay_out
from web_ui.table_state import Notice
from web_ui.table_turns import draw_target, is_over, pass_on, record, stop_turn

if TYPE_CHECKING:
    from scoring.cards import Face
    from vision.reading import Reading
    from web_ui.table_state import House, TableState

MOST_HELD = 8
"""Readings that may wait behind an unanswered one."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A roll that came to rest.

    Attributes:
        reading: what was read.
        width_px: width of the picture.
        height_px: its height.
        elapsed_ms: how long the last look took.
    """

    reading: Reading
    width_px: int
    height_px: int
    elapsed_ms: float = 0.0


def settle(house: House, state: TableState, settled: Settled) -> TableState:
    """Judge a roll that came to rest. Never fails: what cannot count is shown so.

    Args:
        house: the fixed part of the table.
        state: the table before.
        settled: the roll.
    """
    reading = settled.reading
    shown = Shown(
        id=state.next_reading,
        reading=reading,
        width_px=settled.width_px,
        height_px=settled.height_px,
        order=tuple(range(len(reading.dice))),
        answers=(None,) * len(reading.dice),
        use=Use.REFUSED,
        elapsed_ms=settled.elapsed_ms,
    )
    state = replace(state, next_reading=state.next_reading + 1)
    current = state.current
    if current is not None and _lies_as_before(current, shown):
        return _seen_again(house, state, current, shown)
    if current is not None and current.use is Use.WAITING:
        if not house.demo:
            return _hold(state, current, shown)
        dropped = f"Reading {current.id} was dropped: nobody answered it."
        state = replace(state, current=None)
        return _with_notice(consider(house, state, shown), dropped)
    return consider(house, state, shown)


def _lies_as_before(current: Shown, shown: Shown) -> bool:
    """Whether nothing was thrown in between; dice typed in by hand lie nowhere."""
    if not current.width_px or not shown.reading.dice:
        return False
    change = change_of(current.reading.dice, shown.reading.dice)
    return change is Change.NOTHING


def _seen_again(
    house: House, state: TableState, current: Shown, shown: Shown
) -> TableState:
    """The same dice, still there: a better reading of them may settle a doubt."""
    waiting = current.use is Use.WAITING
    if waiting and shown.reading.status is Status.SURE and not any(current.answers):
        return consider(house, replace(state, current=None), shown)
    return replace(state, refused=None)


def _hold(state: TableState, current: Shown, shown: Shown) -> TableState:
    """Keep a roll until the one before is answered; what is no roll is not kept."""
    if shown.reading.status is Status.REFUSE:
        sentence = f"Reading {current.id} still waits. {_why(shown.reading)}"
        return replace(state, notice=Notice(sentence, warn=True))
    if len(state.held) < MOST_HELD:
        state = replace(state, held=(*state.held, shown))
    sentence = (
        f"A new roll lies there, but reading {current.id} still waits: confirm "
        "or correct it, or say that it does not count."
    )
    return replace(state, notice=Notice(sentence, warn=True))


def consider(house: House, state: TableState, shown: Shown) -> TableState:
    """Count a reading, let it wait for an answer, or show why it cannot count."""
    reading = shown.reading
    if reading.status is Status.REFUSE:
        return refuse(state, shown, _why(reading))
    if house.demo:
        state = make_room(house, state)
    elif state.turn is None or not can_roll(state.turn):
        return _too_late(state, shown)
    shown = place(house, state, shown)
    if reading.status is Status.ASK:
        waiting = replace(shown, use=Use.WAITING)
        return replace(state, current=waiting, refused=None, notice=None)
    try:
        return count(house, state, shown)
    except RuleError as error:
        return refuse(state, shown, error.sentence, error.rule)


def _why(reading: Reading) -> str:
    sentences = [problem.sentence for problem in reading.problems]
    return " ".join(sentences) or "This cannot be a roll."


def _too_late(state: TableState, shown: Shown) -> TableState:
    """Say by which rule a roll cannot count now."""
    if is_over(state.turn):
        sentence = "This turn is over: go to the next turn, then roll."
        return refuse(state, shown, sentence, "CM-06")
    faces = tuple(face for face in shown.faces if face is not None)
    try:
        record(state, Rolled(faces))
    except RuleError as error:
        return refuse(state, shown, error.sentence, error.rule)
    raise AssertionError("a roll was refused and then accepted")


def refuse(
    state: TableState, shown: Shown, sentence: str, rule: str = ""
) -> TableState:
    """Show a reading that does not count."""
    refused = replace(shown, use=Use.REFUSED, rule=rule, sentence=sentence)
    return replace(state, refused=refused, notice=None)


def make_room(house: House, state: TableState) -> TableState:
    """In the demo: have a turn in which a roll can count, with its target."""
    if state.turn is not None and not can_roll(state.turn):
        state = pass_on(state)
    return draw_target(house, state, None) if state.turn is None else state


def place(house: House, state: TableState, shown: Shown) -> Shown:
    """Put the dice of a reading into the places of the turn."""
    kept: dict[int, Face] = {}
    if state.turn is not None:
        lying = state.turn.faces
        kept = {index: lying[index] for index in state.turn.kept}
    by_die = tuple(shown.reading.dice)
    answers = dict(zip(shown.order, shown.answers, strict=True))
    read = tuple(answers[die] or by_die[die].face for die in range(len(by_die)))
    order = lay_out(read, kept, house.dice_set.dice_count)
    return replace(shown, order=order, answers=tuple(answers[die] for die in order))


def count(house: House, state: TableState, shown: Shown) -> TableState:
    """Count a reading as a roll of the turn.

    Raises:
        RuleError: the rules refuse it.
    """
    faces = tuple(face for face in shown.faces if face is not None)
    state = _release_in_demo(house, state, faces)
    state = record(state, Rolled(faces))
    taken = replace(shown, use=Use.TAKEN, rule="", sentence="")
    state = replace(state, current=taken, refused=None, notice=None)
    if house.demo and state.turn and state.turn.phase is Phase.STOP:
        return stop_turn(state)
    return state


def _release_in_demo(
    house: House, state: TableState, faces: tuple[Face, ...]
) -> TableState:
    """In the demo every throw takes all dice: a keep it contradicts is let go."""
    if not house.demo or state.turn is None:
        return state
    lying = state.turn.faces
    if all(lying[index] in faces for index in state.turn.kept):
        return state
    return record(state, Kept(()))


def take_held(house: House, state: TableState) -> TableState:
    """Consider the readings that came meanwhile, up to the next that must wait."""
    while state.held:
        if state.current is not None and state.current.use is Use.WAITING:
            break
        first, *rest = state.held
        state = consider(house, replace(state, held=tuple(rest)), first)
    return state


def _with_notice(state: TableState, sentence: str) -> TableState:
    return state if state.notice else replace(state, notice=Notice(sentence))
