"""Orders at the table: what people ask for, carried out or refused with a rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from scoring.classic_turn import Kept, Rolled
from scoring.refusals import RuleError
from vision.reading import DieReading, Reading, Status
from web_ui.commands import (
    Confirm,
    Correct,
    Dismiss,
    Draw,
    Keep,
    Next,
    Roll,
    Start,
    Stop,
)
from web_ui.shown import Shown, Use
from web_ui.table_readings import consider, count, place, take_held
from web_ui.table_state import new_table
from web_ui.table_turns import (
    draw_target,
    is_over,
    pass_on,
    record,
    retell,
    stop_turn,
)

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.classic_turn import Event
    from web_ui.commands import Order
    from web_ui.table_state import House, TableState

BY_HAND = "typed in by hand"
"""The model of a reading that no model read."""
_NOWHERE = ((0.0, 0.0),) * 4


def obey(house: House, state: TableState, order: Order) -> TableState:
    """Carry out an order.

    Args:
        house: the fixed part of the table.
        state: the table before; its pile not empty.
        order: what to do.

    Raises:
        RuleError: a rule refuses it; the table stays as it was.
    """
    if order.turn is not None and order.turn != state.turn_number:
        sentence = (
            f"That was meant for turn {order.turn}; turn {state.turn_number} is on."
        )
        raise RuleError("CM-06", sentence)
    match order.command:
        case Start(players):
            return _start(state, players)
        case Draw(card):
            return draw_target(house, state, card)
        case Roll(faces):
            return _roll(house, state, faces)
        case Keep(dice):
            return _keep(house, state, dice)
        case Stop():
            _nothing_waits(state)
            return replace(stop_turn(state), refused=None)
        case Next():
            if not is_over(state.turn):
                raise RuleError("CM-06", "This turn is not over yet.")
            return draw_target(house, pass_on(state), None)
        case Confirm(reading):
            return _confirm(house, state, _waiting(state, reading))
        case Correct(reading, die, face):
            return _correct(house, state, _find(state, reading), die, face)
        case Dismiss(reading):
            return _dismiss(house, state, reading)
        case _:
            assert_never(order.command)


def _start(state: TableState, players: tuple[str, ...]) -> TableState:
    fresh = new_table(players, state.pile)
    return replace(
        fresh,
        camera=state.camera,
        watch=state.watch,
        next_reading=state.next_reading,
        # a form of the game before must not act on this one
        turn_number=state.turn_number + 1,
    )


def _nothing_waits(state: TableState) -> None:
    if state.current is not None and state.current.use is Use.WAITING:
        raise RuleError("CM-06", "A reading still waits for your answer.")


def _roll(house: House, state: TableState, faces: tuple[Face, ...]) -> TableState:
    _nothing_waits(state)
    reading = Reading(
        dice_set=house.dice_set.name,
        status=Status.SURE,
        confidence=1.0,
        dice=tuple(DieReading(face, 1.0, _NOWHERE) for face in faces),
        problems=(),
        model=BY_HAND,
    )
    order = tuple(range(len(faces)))
    shown = Shown(
        state.next_reading, reading, 0, 0, order, (None,) * len(faces), Use.REFUSED
    )
    return count(house, replace(state, next_reading=state.next_reading + 1), shown)


def _keep(house: House, state: TableState, dice: tuple[int, ...]) -> TableState:
    _nothing_waits(state)
    state = replace(record(state, Kept(dice)), notice=None)
    refused = state.refused
    if refused is None or refused.rule != "CM-17":
        return state
    # the roll that contradicted the keep may be right now
    return consider(house, replace(state, refused=None), refused)


def _find(state: TableState, reading: int) -> Shown:
    for shown in (state.refused, state.current):
        if shown is not None and shown.id == reading:
            return shown
    raise RuleError("CM-10", f"Reading {reading} is not the one on the table.")


def _waiting(state: TableState, reading: int) -> Shown:
    shown = _find(state, reading)
    if shown.use is not Use.WAITING:
        raise RuleError("CM-06", f"Reading {reading} does not wait for an answer.")
    return shown


def _confirm(house: House, state: TableState, shown: Shown) -> TableState:
    if None in shown.faces:
        raise RuleError("CM-14", "One die is unreadable: say what it shows.")
    doubtful, faces = shown.doubtful, shown.faces
    answers = tuple(
        faces[index] if index in doubtful else answer
        for index, answer in enumerate(shown.answers)
    )
    vouched = place(house, state, replace(shown, answers=answers))
    return take_held(house, count(house, replace(state, current=None), vouched))


def _dismiss(house: House, state: TableState, reading: int) -> TableState:
    shown = _find(state, reading)
    if shown.use is Use.TAKEN:
        raise RuleError("CM-06", "This roll was counted: correct it instead.")
    if shown.use is Use.REFUSED:
        return replace(state, refused=None, notice=None)
    return take_held(house, replace(state, current=None, notice=None))


def _correct(
    house: House, state: TableState, shown: Shown, die: int, face: Face
) -> TableState:
    if not 0 <= die < len(shown.order):
        raise RuleError("CM-10", f"There is no die at place {die}.")
    if face not in house.dice_set.faces:
        raise RuleError("CM-14", f"{face.code} is not a face of these dice.")
    answers = (*shown.answers[:die], face, *shown.answers[die + 1 :])
    answered = replace(shown, answers=answers)
    if shown.use is Use.TAKEN:
        return _correct_taken(house, state, answered, die, face)
    if len(answered.order) != house.dice_set.dice_count:
        raise RuleError("CM-13", "Not all dice are in the picture: roll again.")
    if not answered.doubtful:
        return _confirm(house, replace(state, refused=None), answered)
    if shown.use is Use.REFUSED:
        return replace(state, refused=answered, notice=None)
    return replace(state, current=answered, notice=None)


def _correct_taken(
    house: House, state: TableState, answered: Shown, die: int, face: Face
) -> TableState:
    """Correct the last roll of the running or just scored turn (rules CM-10, CM-12)."""
    events = correct_last_roll(state.events, die, face)
    return replace(retell(house, state, events), current=answered, notice=None)


def correct_last_roll(
    events: tuple[Event, ...], die: int, face: Face
) -> tuple[Event, ...]:
    """Put another face into the last roll, and into those since which the die lay kept.

    Args:
        events: the turn; holds a roll.
        die: place of the die.
        face: what it shows.
    """
    corrected = list(events)
    kept_since = True
    kept: tuple[int, ...] = ()
    for index in range(len(corrected) - 1, -1, -1):
        event = corrected[index]
        if isinstance(event, Rolled):
            if not kept_since:
                break
            faces = (*event.faces[:die], face, *event.faces[die + 1 :])
            corrected[index] = Rolled(faces)
            # before this roll: did the die lie there already?
            before = corrected[index - 1] if index else None
            kept = before.places if isinstance(before, Kept) else ()
            kept_since = die in kept
    return tuple(corrected)
