"""The Showdown card of the classic game (CL-25 to CL-29)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.classic_state import ClassicState, Phase, clear_turn, finish_turn
from scoring.hands import best_hand, hand_record, strength
from scoring.refusals import RuleError, shown
from scoring.rolling import Throws, check_stop

if TYPE_CHECKING:
    from scoring.game import Record


def challenge(state: ClassicState, opponent: str | None) -> ClassicState:
    """The drawer chooses whom to face (CL-25).

    Raises:
        RuleError: CL-25 nobody, oneself or somebody out of the game; CM-04 a stranger.
    """
    if opponent is not None and opponent not in state.players:
        raise RuleError("CM-04", f"There is no player {shown(opponent)}.")
    if opponent is None or opponent == state.actor_name:
        raise RuleError("CL-25", "Choose another player to face in the Showdown.")
    seat = state.players.index(opponent)
    if seat not in state.contenders:
        raise RuleError("CL-25", f"{opponent} does not play this extra round.")
    return replace(
        state,
        phase=Phase.DUEL_ROLL,
        drawer=state.actor,
        opponent=seat,
        drawer_hand=None,
    )


def stop_duel(state: ClassicState) -> tuple[ClassicState, Record]:
    """The one rolling in a Showdown stops (CL-26, CL-27).

    Raises:
        RuleError: CM-22, nothing was rolled.
    """
    check_stop(state.throws)
    drawer, opponent = state.drawer, state.opponent
    assert drawer is not None
    assert opponent is not None
    drawing = state.actor == drawer
    hand = best_hand(
        state.throws.faces,
        state.options.pay.jokers_wild,
        six_of_a_kind=state.options.six_of_a_kind,
        hand_order=state.options.hand_order,
        joker_cards=state.joker_cards if drawing else 0,
    )
    fresh = Throws(state.options.dice_set)
    if state.drawer_hand is None:
        turned = replace(
            state,
            phase=Phase.DUEL_ROLL,
            throws=fresh,
            drawer_hand=hand,
            actor=opponent,
        )
        return turned, hand_record(hand)
    hands = {
        state.players[drawer]: hand_record(state.drawer_hand),
        state.players[opponent]: hand_record(hand),
    }
    order = state.options.hand_order
    first, second = strength(state.drawer_hand, order), strength(hand, order)
    if first == second:
        again = replace(
            state,
            phase=Phase.DUEL_ROLL,
            throws=fresh,
            drawer_hand=None,
            actor=drawer,
        )
        return again, {"duel": "tie", "chips": 0, "hands": hands}
    winner, loser = (drawer, opponent) if first > second else (opponent, drawer)
    chips = min(state.options.duel_stake, state.scores[loser])  # CL-28
    scores = list(state.scores)
    scores[winner] += chips
    scores[loser] -= chips
    won = replace(state, scores=tuple(scores), actor=drawer)
    result = {"duel": state.players[winner], "chips": chips, "hands": hands}
    return _finish_duel(won), result


def _finish_duel(state: ClassicState) -> ClassicState:
    """CL-29: the Showdown was the turn; CL-35: unless one target is drawn for all."""
    if state.options.same_target:
        return replace(clear_turn(state), phase=Phase.DRAW)
    return finish_turn(state)
