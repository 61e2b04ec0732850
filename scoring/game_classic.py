"""The classic game: eight rounds of target hands, with every card (CL-01 to CL-36)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.classic_duel import challenge, stop_duel
from scoring.classic_options import OPTIONS
from scoring.classic_state import (
    DUEL_PHASES,
    ClassicState,
    Phase,
    begin_classic,
    finish_turn,
    phase_after_roll,
)
from scoring.game import Record, check_actor, not_now
from scoring.refusals import RuleError, shown
from scoring.rolling import check_stop, keep, read_faces, roll
from scoring.target_deck import CardKind, GameCard, Target
from scoring.target_score import score_target

if TYPE_CHECKING:
    from scoring.action import Action

ROLLING = frozenset({*Phase} - {Phase.DRAW, Phase.DUEL_OPPONENT, Phase.OVER})
TARGET_PHASES = frozenset({Phase.ROLL, Phase.DECIDE, Phase.STOP})


class ClassicGame:
    """The rules of `classic.md`."""

    name = "classic"
    options = OPTIONS
    actions = frozenset({"draw", "roll", "keep", "stop", "play_card", "duel"})

    def begin(self, players: tuple[str, ...], options: Record) -> ClassicState:
        """Start a game (CL-01, CM-03)."""
        return begin_classic(players, options)

    def decide(
        self, state: ClassicState, action: Action
    ) -> tuple[ClassicState, Record | None]:
        """Judge an action and let it happen."""
        match action.do:
            case "draw":
                return _draw(state, action)
            case "roll":
                return _roll(state, action), None
            case "keep":
                return _keep(state, action), None
            case "stop":
                return _stop(state, action)
            case "play_card":
                return _play_card(state, action), None
            case _:
                check_actor(action, state.actor_name)
                if state.phase is not Phase.DUEL_OPPONENT:
                    raise not_now(action, state.phase)
                return challenge(state, action.opponent), None

    def fields(self, state: ClassicState) -> Record:
        """What can be seen of the state."""
        names = state.players
        return {
            "phase": state.phase.value,
            "next_player": None if state.over else state.actor_name,
            "scores": dict(zip(names, state.scores, strict=True)),
            "winners": [names[seat] for seat in state.winners],
            "round": state.round,
            "extra_round": state.round > state.options.rounds,
            "contenders": [names[seat] for seat in state.contenders],
            "cards": {
                name: sorted(card.kind.value for card in held)
                for name, held in zip(names, state.held, strict=True)
            },
            "target": None if state.target is None else state.target.id,
            "roll_number": state.throws.count,
            "pile": len(state.pile),
            "discards": len(state.discards),
        }


def _draw(state: ClassicState, action: Action) -> tuple[ClassicState, Record]:
    """CL-04, CL-05, CL-18: draw the top card, whose name the log gives."""
    if action.player is None or action.card is None:
        raise RuleError("CM-04", "A draw names the player and the card.")
    if state.phase is not Phase.DRAW:
        raise not_now(action, state.phase)
    check_actor(action, state.actor_name)
    if not state.pile:
        state = replace(state, pile=state.discards, discards=())
    card = next((card for card in state.pile if card.id == action.card), None)
    if card is None:
        raise RuleError("CL-04", f"The card {shown(action.card)} is not in the pile.")
    pile = tuple(other for other in state.pile if other is not card)
    return _take(replace(state, pile=pile), card), {"drawn": card.kind.value}


def _take(state: ClassicState, card: GameCard) -> ClassicState:
    if isinstance(card, Target):
        return replace(state, target=card, phase=Phase.ROLL)
    if card.kind is not CardKind.SHOWDOWN:
        held = list(state.held)
        held[state.actor] = (*held[state.actor], card)
        return replace(state, held=tuple(held))
    if len(state.players) == 1:  # CL-33: nobody to face
        return replace(state, discards=(*state.discards, card))
    return replace(state, used=(*state.used, card), phase=Phase.DUEL_OPPONENT)


def _roll(state: ClassicState, action: Action) -> ClassicState:
    if state.phase not in ROLLING:
        raise not_now(action, state.phase)
    check_actor(action, state.actor_name)
    faces = read_faces(state.options.dice_set, action.faces or ())
    throws = roll(state.throws, faces)
    duel = state.phase in DUEL_PHASES
    return replace(state, throws=throws, phase=phase_after_roll(throws, duel))


def _keep(state: ClassicState, action: Action) -> ClassicState:
    if state.phase not in ROLLING:
        raise not_now(action, state.phase)
    check_actor(action, state.actor_name)
    if state.throws.count == 1 and (state.doubled or state.quick_draws):
        raise RuleError("CL-23", "A card was played on this selection: it stands.")
    return replace(state, throws=keep(state.throws, action.dice or ()))


def _stop(state: ClassicState, action: Action) -> tuple[ClassicState, Record]:
    if state.phase not in ROLLING:
        raise not_now(action, state.phase)
    check_actor(action, state.actor_name)
    if state.phase in DUEL_PHASES:
        return stop_duel(state)
    check_stop(state.throws)
    assert state.target is not None
    earned = score_target(
        state.target,
        state.throws.faces,
        state.throws.count,
        state.options.pay,
        kid=state.actor_name in state.options.kids,
        joker_cards=state.joker_cards,
    )
    total = earned.total
    if state.doubled:  # CL-20
        bonus = earned.bonus * (2 if state.options.double_down_bonus else 1)
        total = earned.chips * 2 + bonus
    quick = total if state.options.quick_draw_doubled else earned.total  # CL-22
    scores = list(state.scores)
    scores[state.actor] += total
    for seat in state.quick_draws:
        scores[seat] += quick
    result = {
        "kind": earned.kind.value,
        "chips": earned.chips,
        "bonus": earned.bonus,
        "doubled": state.doubled,
        "total": total,
        "quick_draw": {state.players[seat]: quick for seat in state.quick_draws},
    }
    return finish_turn(replace(state, scores=tuple(scores))), result


PLAYABLE = (CardKind.DOUBLE_DOWN, CardKind.QUICK_DRAW, CardKind.JOKER)


def _play_card(state: ClassicState, action: Action) -> ClassicState:
    """CL-18 to CL-26, CL-36: play a card held."""
    if action.card not in PLAYABLE:
        words = ", ".join(PLAYABLE)
        raise RuleError("CM-04", f"Cards played are {words}, not {shown(action.card)}.")
    assert action.player is not None
    seat = state.players.index(action.player)
    kind = CardKind(action.card)
    card = next((card for card in state.held[seat] if card.kind is kind), None)
    if card is None:
        raise RuleError("CL-36", f"{action.player} holds no {kind.value} card.")
    match kind:
        case CardKind.DOUBLE_DOWN:
            _check_double_down(state, seat)
            state = replace(state, doubled=True)
        case CardKind.QUICK_DRAW:
            _check_quick_draw(state, seat)
            state = replace(state, quick_draws=(*state.quick_draws, seat))
        case _:
            _check_joker(state, seat)
            state = replace(state, joker_cards=state.joker_cards + 1)
    held = list(state.held)
    held[seat] = tuple(other for other in held[seat] if other is not card)
    return replace(state, held=tuple(held), used=(*state.used, card))


def _check_double_down(state: ClassicState, seat: int) -> None:
    if state.phase in DUEL_PHASES:
        raise RuleError("CL-26", "There is no Double-Down in a Showdown.")
    if seat != state.actor or not state.selected_after_roll_1:
        raise RuleError(
            "CL-19",
            "Double-Down is for your own turn: after roll 1 and choosing what to keep.",
        )
    if state.doubled:
        raise RuleError("CL-20", "One Double-Down a turn.")


def _check_quick_draw(state: ClassicState, seat: int) -> None:
    if state.phase in DUEL_PHASES:
        raise RuleError("CL-26", "There is no Quick-Draw in a Showdown.")
    if seat == state.actor or not state.selected_after_roll_1:
        raise RuleError(
            "CL-21",
            "Quick-Draw is for an opponent's turn: after roll 1 and the choice of what"
            " to keep.",
        )
    if seat not in state.contenders:
        raise RuleError("CL-32", "Who is out of the extra round plays no Quick-Draw.")
    if seat in state.quick_draws:
        raise RuleError("CL-22", "One Quick-Draw a player a turn.")


def _check_joker(state: ClassicState, seat: int) -> None:
    own = seat == state.actor
    if own and state.phase in TARGET_PHASES:
        return
    fighting = state.phase in DUEL_PHASES and state.phase is not Phase.DUEL_OPPONENT
    if own and fighting and seat == state.drawer and state.options.drawer_plays_jokers:
        return
    raise RuleError(
        "CL-24", "A Joker card is for your own turn, while the target lies there."
    )
