"""The battles of a War game: nothing is decided but which die, the rest is luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.after_game import NotJudgedError, Rolled, Step, Stopped, Turn, TurnReview
from scoring.cards import Face, ScoringError, parse_face
from scoring.war_odds import battle_odds

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet
    from scoring.play import Entry, Play
    from scoring.war_state import WarState


def war_battles(play: Play[WarState], dice: DiceSet) -> list[TurnReview]:
    """Every battle, once for each player: its chance, and whether it was won.

    Which dice were tossed is told by the faces, so no numbers need be agreed.

    Args:
        play: the game.
        dice: the dice, their layout known.
    """
    found: list[TurnReview] = []
    for before, entry in zip(play.entries, play.entries[1:], strict=False):
        winner = (entry.result or {}).get("winner")
        if winner is not None:
            found += _battle(before.state, entry, str(winner), dice)
    return found


def _battle(
    state: WarState, entry: Entry[WarState], winner: str, dice: DiceSet
) -> list[TurnReview]:
    seat = state.players.index(entry.action.player or "")
    other = state.tosses[1 - seat]
    assert other is not None
    faces = [other.face, other.face]
    faces[seat] = parse_face(entry.action.face or "")
    red = state.options.red
    reviews = []
    for own, name in enumerate(state.players):
        won = int(name == winner)
        shown = (faces[own], faces[1 - own])
        aim = f"{shown[0].code} against {shown[1].code}"
        turn = Turn(name, state.game, aim, (Rolled(shown), Stopped(won)))
        try:
            odds = battle_odds(
                _die(dice, faces[red]),
                _die(dice, faces[1 - red]),
                joker_high=state.options.joker_high,
            )
        except ScoringError as why:
            reviews.append(TurnReview(turn, why_not=str(why)))
            continue
        chance = float(odds.red if own == red else odds.black)
        steps = (
            Step(turn.moments[0], chance, chance, float(won)),
            Step(turn.moments[1], float(won), float(won), float(won)),
        )
        reviews.append(TurnReview(turn, chance, steps))
    return reviews


def _die(dice: DiceSet, face: Face) -> tuple[Face, ...]:
    for die in dice.dice or ():
        if face in die:
            return die
    raise NotJudgedError(f"no die of {dice.name} shows {face.code}")
