"""War: two players toss die against die until one has none left (WR-01 to WR-15)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.cards import Card, Colour, Face
from scoring.game import Record, check_actor, not_now
from scoring.refusals import RuleError
from scoring.rolling import CARD_DICE, read_faces
from scoring.war_state import MOST_NUMBER, OPTIONS, Phase, Toss, WarState, begin_war
from scoring.war_state import new_game as new_war_game

if TYPE_CHECKING:
    from scoring.action import Action

DICE_EACH = 4
JOKER_RANK = 15
ACE_RANK = 14


class WarGame:
    """The rules of `war.md`."""

    name = "war"
    options = OPTIONS
    actions = frozenset({"draft", "toss"})

    def begin(self, players: tuple[str, ...], options: Record) -> WarState:
        """Start a game (WR-01 to WR-03, WR-14)."""
        return begin_war(players, options)

    def decide(self, state: WarState, action: Action) -> tuple[WarState, Record | None]:
        """Judge an action and let it happen."""
        if action.do == "draft":
            return _draft(state, action), None
        return _toss(state, action)

    def fields(self, state: WarState) -> Record:
        """What can be seen of the state."""
        names = state.players
        return {
            "phase": state.phase.value,
            "next_player": None if state.over else names[state.actor],
            "scores": dict(zip(names, state.scores, strict=True)),
            "winners": [] if state.winner is None else [names[state.winner]],
            "dice": {n: len(d) for n, d in zip(names, state.dice, strict=True)},
            "die_numbers": {n: [*d] for n, d in zip(names, state.dice, strict=True)},
            "pot": len(state.pot),
            "game": state.game,
        }


def _draft(state: WarState, action: Action) -> WarState:
    """WR-02: the players pick in turn until each has four."""
    if state.phase is not Phase.DRAFT:
        raise not_now(action, state.phase)
    check_actor(action, state.players[state.actor])
    die = action.die or 0
    if not 1 <= die <= MOST_NUMBER:
        raise RuleError("WR-02", f"Dice are numbered 1 to {MOST_NUMBER}, not {die}.")
    if any(die in dice for dice in state.dice):
        raise RuleError("WR-02", f"Die {die} is taken already.")
    dice = list(state.dice)
    dice[state.actor] = tuple(sorted((*dice[state.actor], die)))
    state = replace(state, dice=tuple(dice))
    ready = all(len(own) == DICE_EACH for own in dice)
    return replace(state, phase=Phase.TOSS) if ready else state


def _toss(state: WarState, action: Action) -> tuple[WarState, Record]:
    """WR-04, WR-05: a player tosses one of the own dice."""
    if state.phase is not Phase.TOSS:
        raise not_now(action, state.phase)
    assert action.player is not None
    seat = state.players.index(action.player)
    if state.tosses[seat] is not None:
        raise RuleError("WR-04", "Wait for the other player's toss.")
    die = _die(state, seat, action.die)
    (face,) = read_faces(CARD_DICE, (action.face or "",))
    other = state.tosses[1 - seat]
    if other is not None and other.face == face:
        raise RuleError("CM-15", f"A face cannot show twice: {face.code}.")
    if not isinstance(face, Card) and not state.options.joker_high:  # WR-11
        return _with(state, seat, None, again=die), {"case": "joker"}
    state = _with(state, seat, Toss(die, face), again=None)
    if other is None:
        return state, {"case": None}
    return _battle(state)


def _die(state: WarState, seat: int, named: int | None) -> int:
    again = state.again[seat]
    if again is not None:
        if named is not None and named != again:
            rule = "WR-10" if state.tied else "WR-11"
            raise RuleError(rule, f"The same die, {again}, is tossed again.")
        return again
    die = state.dice[seat][0] if named is None else named
    if die not in state.dice[seat]:
        raise RuleError("WR-05", f"{state.players[seat]} does not have die {die}.")
    return die


def _with(state: WarState, seat: int, toss: Toss | None, again: int | None) -> WarState:
    """Set a player's toss, and which die that player must toss again."""
    tosses, dice = list(state.tosses), list(state.again)
    tosses[seat], dice[seat] = toss, again
    return replace(state, tosses=(tosses[0], tosses[1]), again=(dice[0], dice[1]))


def _battle(state: WarState) -> tuple[WarState, Record]:
    """WR-06 to WR-11: compare the two tosses."""
    red, black = state.options.red, 1 - state.options.red
    tosses = state.tosses
    first, second = tosses[red], tosses[black]
    assert first is not None
    assert second is not None
    shows_red = _colour(first.face, Colour.RED) is Colour.RED
    shows_black = _colour(second.face, Colour.BLACK) is Colour.BLACK
    if shows_red is shows_black:
        if _rank(first.face) == _rank(second.face):
            again = tuple(toss.die if toss else None for toss in tosses)
            tied = replace(
                state, tosses=(None, None), again=(again[0], again[1]), tied=True
            )
            return tied, {"case": "tie"}
        case = "a" if shows_red else "b"
        winner = red if _rank(first.face) > _rank(second.face) else black
    else:
        case, winner = ("d", red) if shows_red else ("c", black)
    return _move_dice(state, case, winner)


def _colour(face: Face, own: Colour) -> Colour:
    """WR-15; WR-11: a joker that is high counts as its tosser's colour."""
    return face.colour if isinstance(face, Card) else own


def _rank(face: Face) -> int:
    if not isinstance(face, Card):
        return JOKER_RANK
    return ACE_RANK if face.rank == 1 else face.rank


def _move_dice(state: WarState, case: str, winner: int) -> tuple[WarState, Record]:
    loser = 1 - winner
    toss = state.tosses[loser]
    assert toss is not None
    lost = toss.die
    dice = list(state.dice)
    dice[loser] = tuple(die for die in dice[loser] if die != lost)
    pot: tuple[int, ...] = (*state.pot, lost)
    gained = 0
    if case == "a":  # WR-12: only this case wins the pot
        dice[winner] = tuple(sorted((*dice[winner], *pot)))
        gained, pot = len(pot), ()
    state = replace(
        state,
        dice=tuple(dice),
        pot=pot,
        tosses=(None, None),
        again=(None, None),
        tied=False,
    )
    name = state.players[winner]
    result: dict[str, object] = {"case": case, "winner": name, "gained": gained}
    if dice[loser]:
        return state, result
    return _win_game(state, winner), {**result, "game_won": name}


def _win_game(state: WarState, winner: int) -> WarState:
    """WR-13, WR-14."""
    scores = list(state.scores)
    scores[winner] += 1
    state = replace(state, scores=tuple(scores))
    if scores[winner] * 2 > state.options.best_of:
        return replace(state, phase=Phase.OVER, winner=winner)
    return new_war_game(replace(state, game=state.game + 1))
