"""Turns at the table: drawing, recording what happened, paying, passing on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.classic_turn import Phase, Stopped, TurnOptions, decide, new_turn, replay
from scoring.refusals import RuleError
from scoring.rolling import Throws
from scoring.target_score import PayRules

if TYPE_CHECKING:
    from scoring.classic_turn import Event, Turn
    from scoring.target_deck import Target
    from web_ui.table_state import House, TableState


def begin(house: House, target: Target) -> Turn:
    """Give the turn in which the target lies there and nothing is rolled."""
    pay = PayRules(jokers_wild=house.game.jokers_wild, bonus=house.game.bonus)
    return new_turn(target, TurnOptions(pay), Throws(house.dice_set))


def is_over(turn: Turn | None) -> bool:
    """Whether there is a turn and it was scored."""
    return turn is not None and turn.phase is Phase.OVER


def draw_target(house: House, state: TableState, card: str | None) -> TableState:
    """Begin the turn with a target.

    Args:
        house: the fixed part of the table.
        state: no target drawn yet; the pile not empty.
        card: id of the card drawn; None takes the next of the pile.

    Raises:
        RuleError: CM-06 if a target lies there, CL-04 if the card is not in the pile.
    """
    if state.turn is not None:
        raise RuleError("CM-06", "The target of this turn lies there already.")
    target = _find(state.pile, card)
    return replace(
        state,
        turn=begin(house, target),
        events=(),
        pile=tuple(other for other in state.pile if other.id != target.id),
        current=None,
        refused=None,
        notice=None,
    )


def _find(pile: tuple[Target, ...], card: str | None) -> Target:
    if card is None:
        return pile[0]
    for target in pile:
        if target.id.casefold() == card.strip().casefold():
            return target
    raise RuleError("CL-04", f"The card {card[:20]!r} is not in the pile.")


def record(state: TableState, event: Event) -> TableState:
    """Let an event happen in the running turn, and pay if it ends it.

    Raises:
        RuleError: the rules refuse it, or no target is drawn (CM-06).
    """
    if state.turn is None:
        raise RuleError("CM-06", "Draw a target first.")
    turn = decide(state.turn, event)
    return _pay(replace(state, turn=turn, events=(*state.events, event)), state.turn)


def retell(house: House, state: TableState, events: tuple[Event, ...]) -> TableState:
    """Replace what happened in the running turn; chips follow (CM-10, CM-11).

    Raises:
        RuleError: the rules refuse one of the events.
    """
    if state.turn is None:
        raise RuleError("CM-06", "Draw a target first.")
    turn = replay(begin(house, state.turn.target), events)
    return _pay(replace(state, turn=turn, events=events), state.turn)


def stop_turn(state: TableState) -> TableState:
    """Score the turn (CM-22).

    Raises:
        RuleError: nothing was rolled yet, or it is over.
    """
    return record(state, Stopped())


def _pay(state: TableState, before: Turn) -> TableState:
    """Give the player what the turn earned beyond what it had earned `before`."""
    after = state.turn
    earned = after.result.total if after is not None and after.result else 0
    had = before.result.total if before.result else 0
    player = replace(
        state.player,
        chips=state.player.chips + earned - had,
        turns=state.player.turns + int(is_over(after)) - int(is_over(before)),
    )
    seat = state.seat
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return replace(state, players=players)


def pass_on(state: TableState) -> TableState:
    """Go to the next player's turn, before its target is drawn (CL-03)."""
    return replace(
        state,
        seat=(state.seat + 1) % len(state.players),
        turn_number=state.turn_number + 1,
        turn=None,
        events=(),
        current=None,
        refused=None,
        held=(),
        notice=None,
    )
