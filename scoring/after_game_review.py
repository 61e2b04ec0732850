"""A game reviewed: its turns judged, and added up for each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.after_game import TIE, Turn, TurnReview, Worth, review_turn
from scoring.after_game_classic import classic_turns
from scoring.after_game_odds import ClassicWorth
from scoring.cards import ScoringError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.dice_sets import DiceSet
    from scoring.play import Play

NOT_TOLD: dict[str, str] = {
    "best_hand": "what a hand is worth depends on what the others roll after it",
    "rummy": "there are no exact odds of Rummy points",
    "squint": "the die only names an item, and nobody keeps it",
    "straight_shooter": "it has no dice, and the hands need not be known",
}
"""Games without a review, and why."""


class ReviewError(ScoringError, ValueError):
    """A game that cannot be reviewed; the message says why."""


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """What became of a player; chips = start + luck - loss + cards + other.

    Attributes:
        player: the name.
        chips: what the game counts for this player.
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
        turns: every turn in order, the running one last.
        players: everybody in seat order.
    """

    game: str
    turns: tuple[TurnReview, ...]
    players: tuple[PlayerReview, ...]


def review_game(play: Play[Any], dice_set: DiceSet | None = None) -> GameReview:
    """Judge all turns of a game.

    Args:
        play: the game, over or not.
        dice_set: the dice it was played with, if the game itself does not know their
            layout.

    Raises:
        ReviewError: this game, or one with dice of unknown layout, has no review.
    """
    turns = tuple(iter_reviews(play, dice_set))
    return GameReview(play.game.name, turns, _players(play, turns))


def iter_reviews(play: Play[Any], dice_set: DiceSet | None) -> Iterator[TurnReview]:
    """Judge the turns one after the other (a second or so each with nine dice).

    Raises:
        ReviewError: as `review_game` does, before the first turn.
    """
    for turn, worth in _judged(play, dice_set):
        yield review_turn(turn, worth)


def _judged(play: Play[Any], dice_set: DiceSet | None) -> list[tuple[Turn, Worth]]:
    name = play.game.name
    if play.state is None:
        raise ReviewError("the game was not started")
    if name in NOT_TOLD:
        raise ReviewError(f"{name} has no review: {NOT_TOLD[name]}")
    options = play.state.options
    dice = _known_dice(options.dice_set, dice_set)
    return [
        (turn, ClassicWorth(dice, options, target, turn.player in options.kids))
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


def _players(
    play: Play[Any], turns: tuple[TurnReview, ...]
) -> tuple[PlayerReview, ...]:
    assert play.state is not None
    found = []
    for name, chips in zip(play.state.players, play.state.scores, strict=True):
        own = [
            review
            for review in turns
            if review.turn.player == name and review.judged and review.turn.ended
        ]
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
                other=float(chips - sum(review.turn.chips for review in own)),
                decisions=len(decisions),
                best=sum(step.loss <= TIE for step in decisions),
            )
        )
    return tuple(found)
