"""Squint: die, timer, roles and chips of the picture game (SQ-01 to SQ-14)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.dice_sets import bundled_dice_set
from scoring.game import Record, check_actor, not_now
from scoring.refusals import RuleError
from scoring.rolling import check_faces, read_faces
from scoring.squint_state import OPTIONS, Phase, SquintState, begin_squint

if TYPE_CHECKING:
    from scoring.action import Action

DIE = bundled_dice_set("squint-die")
ITEMS = (1, 2, 3)


class SquintGame:
    """The rules of `squint.md`."""

    name = "squint"
    options = OPTIONS
    actions = frozenset(
        {"roll", "draw", "start_timer", "choose", "guess", "time_up", "pass"}
    )

    def begin(self, players: tuple[str, ...], options: Record) -> SquintState:
        """Start a game (SQ-01, SQ-02)."""
        return begin_squint(players, options)

    def decide(
        self, state: SquintState, action: Action
    ) -> tuple[SquintState, Record | None]:
        """Judge an action and let it happen."""
        match action.do:
            case "roll":
                return _roll(state, action), None
            case "draw":
                return _draw(state, action), None
            case "start_timer":
                return _start_timer(state, action), None
            case "choose":
                return _choose(state, action), None
            case "guess":
                return _guess(state, action)
            case "time_up":
                return _time_up(state, action)
            case _:
                return _give_up(state, action)

    def fields(self, state: SquintState) -> Record:
        """What can be seen of the state."""
        names = state.players
        timer = state.practice or state.over
        turning = state.phase is Phase.TIMER
        actor = state.timer_holder if turning else state.builder
        return {
            "phase": state.phase.value,
            "next_player": None if state.over else names[actor],
            "scores": dict(zip(names, state.scores, strict=True)),
            "winners": [names[seat] for seat in state.winners],
            "builder": names[state.builder],
            "timer_holder": None if timer else names[state.timer_holder],
            "round": None if state.tied else state.round,
            "rounds": state.options.rounds,
            "die": state.die,
            "tie_breaker": bool(state.tied),
        }


def _no_practice(state: SquintState, action: Action) -> None:
    if state.practice:
        raise RuleError(
            "SQ-14", f"New-player rounds go without die and timer: no {action.do!r}."
        )


def _only_practice(state: SquintState, action: Action) -> None:
    if not state.practice:
        raise RuleError("SQ-14", f"{action.do!r} is for new-player rounds only.")


def _roll(state: SquintState, action: Action) -> SquintState:
    """SQ-03: the number is the item, its difficulty and its chips."""
    _no_practice(state, action)
    if state.phase is not Phase.ROLL:
        raise not_now(action, state.phase)
    check_actor(action, state.players[state.builder])
    faces = read_faces(DIE, action.faces or ())
    check_faces(DIE, faces)
    return replace(state, die=int(faces[0].code), phase=Phase.DRAW)


def _draw(state: SquintState, action: Action) -> SquintState:
    """SQ-04: the builder takes the next card."""
    if state.phase is not Phase.DRAW:
        raise not_now(action, state.phase)
    check_actor(action, state.players[state.builder])
    phase = Phase.CHOOSE if state.practice else Phase.TIMER
    return replace(state, phase=phase)


def _start_timer(state: SquintState, action: Action) -> SquintState:
    """SQ-05: the builder's left neighbour, nobody else."""
    _no_practice(state, action)
    holder = state.players[state.timer_holder]
    if action.player != holder:
        raise RuleError("SQ-05", f"Only {holder} turns the timer.")
    if state.phase is not Phase.TIMER:
        raise not_now(action, state.phase)
    return replace(state, phase=Phase.BUILD)


def _choose(state: SquintState, action: Action) -> SquintState:
    """SQ-14: the builder of a new-player round chooses the item."""
    _only_practice(state, action)
    if state.phase is not Phase.CHOOSE:
        raise not_now(action, state.phase)
    check_actor(action, state.players[state.builder])
    if action.item not in ITEMS:
        raise RuleError("CM-04", f"A card has the items 1 to 3, not {action.item}.")
    return replace(state, item=action.item, phase=Phase.BUILD)


def _guess(state: SquintState, action: Action) -> tuple[SquintState, Record]:
    """SQ-07, SQ-09, SQ-12: everybody but the builder guesses."""
    assert action.player is not None
    seat = state.players.index(action.player)
    if seat == state.builder:
        raise RuleError("SQ-07", "The builder does not guess.")
    if state.tied and seat not in state.tied:
        raise RuleError("SQ-12", "Only the tied players guess in the tie-breaker.")
    if state.phase is not Phase.BUILD:
        raise not_now(action, state.phase)
    if action.correct is False:
        return state, {"guess": "wrong"}
    if state.tied:
        over = replace(state, phase=Phase.OVER, winners=(seat,))
        return over, {"guess": "right", "chips": 0}
    chips = state.die or 0
    if state.practice and state.options.new_player_chips:
        chips = state.item or 0
    scores = list(state.scores)
    for winner in (state.builder, seat):
        scores[winner] += chips
    after = _next_turn(replace(state, scores=tuple(scores)))
    return after, {"guess": "right", "chips": chips}


def _time_up(state: SquintState, action: Action) -> tuple[SquintState, Record]:
    """SQ-08, SQ-13: no chips, the turn is over."""
    _no_practice(state, action)
    if state.phase is not Phase.BUILD:
        raise not_now(action, state.phase)
    return _next_turn(state), {"chips": 0}


def _give_up(state: SquintState, action: Action) -> tuple[SquintState, Record]:
    """SQ-14: a builder may give up in a new-player round."""
    _only_practice(state, action)
    if state.phase is Phase.DRAW:
        raise not_now(action, state.phase)
    check_actor(action, state.players[state.builder])
    return _next_turn(state), {"chips": 0}


def _next_turn(state: SquintState) -> SquintState:
    """SQ-10, SQ-11, SQ-13: pass the tray, or end the rounds."""
    state = replace(state, die=None, item=None)
    if state.tied:
        return replace(state, builder=_untied(state), phase=Phase.ROLL)
    turns = state.turns + 1
    rounds = state.options.rounds + state.options.new_player_rounds
    if turns == rounds * len(state.players):
        return _finish(replace(state, turns=turns))
    state = replace(
        state, turns=turns, builder=(state.builder + 1) % len(state.players)
    )
    return replace(state, phase=Phase.DRAW if state.practice else Phase.ROLL)


def _finish(state: SquintState) -> SquintState:
    """SQ-11 to SQ-13: most chips win; a tie is broken by those who are not in it."""
    most = max(state.scores)
    top = tuple(seat for seat, score in enumerate(state.scores) if score == most)
    if len(top) == 1 or len(top) == len(state.players):
        return replace(state, phase=Phase.OVER, winners=top)
    state = replace(state, tied=top)
    return replace(state, builder=_untied(state), phase=Phase.ROLL)


def _untied(state: SquintState) -> int:
    """The next player left of the builder who is not tied."""
    count = len(state.players)
    around = ((state.builder + step) % count for step in range(1, count + 1))
    return next(seat for seat in around if seat not in state.tied)
