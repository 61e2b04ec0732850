"""A game reviewed: its turns judged, and added up for each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.after_game import TIE, TurnReview, review_turn
from scoring.after_game_classic import classic_turns
from scoring.after_game_odds import ClassicWorth
from scoring.after_game_showdown import showdown_turns
from scoring.after_game_war import war_battles
from scoring.cards import ScoringError
from scoring.rolling import CARD_DICE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.classic_state import ClassicState
    from scoring.dice_sets import DiceSet
    from scoring.play import Play

NOT_TOLD: dict[str, str] = {
    "best_hand": "what a hand is worth depends on what the others roll after it",
    "rummy": "there are no exact odds of Rummy points",
    "squint": "the die only names an item, and nobody keeps it",
    "straight_shooter": "it has no dice, and the hands need not be known",
}
"""Games without a review, and why."""


COUNTED: dict[str, str] = {
    "classic": "chips",
    "showdown": "points",
    "war": "battles won",
}
"""What is counted in the games that have a review."""


class ReviewError(ScoringError, ValueError):
    """A game that cannot be reviewed; the message says why."""


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """What became of a player; chips = start + luck - loss + cards + other.

    Attributes:
        player: the name.
        chips: what the game counts for this player (`GameReview.counted`).
        turns: turns judged.
        start: what these turns were worth before their first rolls.
        luck: chips won against the expectation of the rolls.
        loss: chips that decisions cost against the best ones.
        cards: chips that cards added to the expectation when they were played.
        other: chips from elsewhere: Showdowns, Quick-Draws, turns not judged.
        decisions: how often there was something to decide.
        best: how many of these decisions were as good as the best.
    """

    player: str
    chips: int
    turns: int
    start: float
    luck: float
    loss: float
    cards: float
    other: float
    decisions: int
    best: int


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game judged.

    Attributes:
        game: its name.
        counted: what its figures count, as in `chips`.
        turns: every turn in order, the running one last.
        players: everybody in seat order.
    """

    game: str
    counted: str
    turns: tuple[TurnReview, ...]
    players: tuple[PlayerReview, ...]


def review_game(play: Play[Any], dice_set: DiceSet | None = None) -> GameReview:
    """Judge all turns of a game, a second or less each.

    Args:
        play: the game, over or not.
        dice_set: the dice it was played with, if the game itself does not know their
            layout.

    Raises:
        ReviewError: this game, or one with dice of unknown layout, has no review.
    """
    name = play.game.name
    if play.state is None:
        raise ReviewError("the game was not started")
    match name:
        case "classic":
            turns = _classic(play, dice_set)
        case "showdown":
            turns = [review_turn(*both) for both in showdown_turns(play)]
        case "war":
            turns = war_battles(play, _known_dice(CARD_DICE, dice_set))
        case _:
            raise ReviewError(f"{name} has no review: {NOT_TOLD[name]}")
    return GameReview(name, COUNTED[name], tuple(turns), _players(play, turns))


def _classic(play: Play[ClassicState], dice_set: DiceSet | None) -> list[TurnReview]:
    assert play.state is not None
    options = play.state.options
    dice = _known_dice(options.dice_set, dice_set)
    return [
        review_turn(
            turn, ClassicWorth(dice, options, target, turn.player in options.kids)
        )
        for turn, target in classic_turns(play)
    ]


def _known_dice(own: DiceSet, given: DiceSet | None) -> DiceSet:
    if own.dice is not None:
        return own
    if given is None or given.dice is None:
        raise ReviewError(
            "the layout of the dice is not known: exact odds need the option 'layout'"
            " of the game, or a dice set whose layout is known"
        )
    if set(given.faces) != set(own.faces):
        raise ReviewError(f"the game was not played with the dice of {given.name!r}")
    return given


def _players(play: Play[Any], turns: Sequence[TurnReview]) -> tuple[PlayerReview, ...]:
    assert play.state is not None
    found = []
    for name, score in zip(play.state.players, play.state.scores, strict=True):
        own = [
            review
            for review in turns
            if review.turn.player == name and review.judged and review.turn.ended
        ]
        paid = sum(review.turn.chips for review in own)
        # the score of War counts games, not battles
        chips = paid if play.game.name == "war" else score
        decisions = [step for review in own for step in review.decisions]
        found.append(
            PlayerReview(
                player=name,
                chips=chips,
                turns=len(own),
                start=sum(review.start for review in own),
                luck=sum(review.luck for review in own),
                loss=sum(review.loss for review in own),
                cards=sum(review.cards for review in own),
                other=float(chips - paid),
                decisions=len(decisions),
                best=sum(step.loss <= TIE for step in decisions),
            )
        )
    return tuple(found)
