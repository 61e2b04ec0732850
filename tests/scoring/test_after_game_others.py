"""After a game of Showdown or War: the same sums, other counts."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from scripts import do, keep, played, roll, start, view

from scoring.after_game import Rolled, Stopped
from scoring.after_game_review import ReviewError, review_game
from scoring.after_game_showdown import ShowdownWorth
from scoring.cards import POKER_DICE_FACES
from scoring.dice_sets import bundled_dice_set, reference_dice_set
from scoring.showdown_odds import showdown_odds
from scoring.showdown_rows import POINTS, ROWS, fits

if TYPE_CHECKING:
    from scoring.after_game_review import GameReview
    from scoring.play import Play

REFERENCE = reference_dice_set()
LAYOUT = [[face.code for face in die] for die in REFERENCE.dice or ()]


def check_sums(review: GameReview) -> None:
    for one in review.players:
        total = one.start + one.luck - one.loss + one.cards + one.other
        assert total == pytest.approx(one.chips, abs=1e-9)
    for judged in review.turns:
        total = judged.start + judged.luck - judged.loss
        assert not judged.turn.ended or total == pytest.approx(judged.turn.chips)
        assert all(step.loss >= -1e-9 for step in judged.steps)


def showdown(random: Random, turns: int, **options: Any) -> Play[Any]:
    """A game of players who keep, choose and pass by chance."""
    play = played("showdown", start("Ann", "Bob", **options))
    for _ in range(turns):
        state: Any = play.state
        if state.over:
            break
        rolled = [random.choice(POKER_DICE_FACES).code for _ in range(5)]
        play.act(roll(" ".join(rolled)))
        for _ in range(random.randrange(3)):
            kept = random.sample(range(5), random.randrange(5))
            rolled = [
                face if place in kept else random.choice(POKER_DICE_FACES).code
                for place, face in enumerate(rolled)
            ]
            play.act(keep(*kept))
            play.act(roll(" ".join(rolled)))
        state = play.state
        taken = {one.row for one in state.card}
        open_rows = [
            row for row in ROWS if row not in taken and fits(row, state.throws.faces)
        ]
        choose = open_rows and random.random() < 0.9
        play.act(do("choose", row=random.choice(open_rows)) if choose else do("pass"))
    return play


@pytest.mark.parametrize("options", [{}, {"triple": True, "games": 2}])
def test_showdown_points_are_expectation_and_luck_less_losses(
    options: dict[str, Any],
) -> None:
    play = showdown(Random(1), 30, **options)
    review = review_game(play)
    check_sums(review)
    assert review.counted == "points"
    assert [one.chips for one in review.players] == list(view(play)["scores"].values())
    assert all(one.other == 0 for one in review.players)
    assert all(judged.judged for judged in review.turns)
    assert any(judged.loss > 0 for judged in review.turns)


def test_showdown_turn_is_worth_what_the_odds_say() -> None:
    rows = tuple((row, POINTS[row]) for row in ("aces", "maiden", "big_straight"))
    worth = ShowdownWorth(rows)
    names = [row for row, _ in rows]
    assert worth.start(()) == pytest.approx(float(showdown_odds(names).points.value))
    by_code = {face.code: face for face in POKER_DICE_FACES}
    for text, number in (("A A K 9 T", 1), ("9 T J Q K", 2), ("A A A Q 9", 1)):
        faces = tuple(by_code[code] for code in text.split())
        odds = showdown_odds(names, faces, 3 - number).points
        best = worth.best(faces, number, ())
        assert best.value == pytest.approx(float(odds.value))
        if not best.stop:
            assert sorted(best.keep, key=lambda face: face.code) in [
                sorted(kept, key=lambda face: face.code) for kept in odds.keeps
            ]
            assert odds.roll is not None
            again = worth.keep(faces, best.keep, number, ())
            assert again == pytest.approx(float(odds.roll))


def test_showdown_row_of_few_points_is_a_decision_that_costs() -> None:
    play = played("showdown", start("Ann", "Bob"), roll("A A A A K"))
    play.act(do("choose", row="one_pair"))
    (judged,) = review_game(play).turns
    last = judged.steps[-1]
    assert isinstance(last.moment, Stopped)
    assert last.best is not None
    assert last.best.choice == "four_of_a_kind"
    assert last.loss == pytest.approx(8 - 2)
    play.act(do("undo"))
    play.act(do("choose", row="four_of_a_kind"))
    (judged,) = review_game(play).turns
    assert judged.loss == 0


def test_passing_with_nothing_to_choose_after_the_last_roll_is_no_decision() -> None:
    play = played("showdown", start("Ann", "Bob"))
    for _ in range(3):
        play.act(roll("A K T J 9"))
    play.act(do("pass"))
    (judged,) = review_game(play).turns
    assert judged.steps[-1].best is None


@pytest.mark.parametrize("joker", ["reroll", "high"])
def test_war_battles_won_are_their_chances_and_luck(joker: str) -> None:
    random = Random(2)
    play = played("war", start("Ann", "Bob", best_of=99, joker=joker))
    for _ in range(120):
        state: Any = play.state
        seat = state.actor
        number = state.again[seat] or random.choice(state.dice[seat])
        face = random.choice(LAYOUT[number - 1])
        name = state.players[seat]
        play.act(do("toss", player=name, face=face, die=number))
    review = review_game(play, REFERENCE)
    check_sums(review)
    assert review.counted == "battles won"
    won = sum(one.chips for one in review.players)
    assert won == review.players[0].turns == review.players[1].turns > 20
    assert sum(one.start for one in review.players) == pytest.approx(won)
    assert review.players[0].luck == pytest.approx(-review.players[1].luck)
    assert all(one.loss == one.cards == 0 for one in review.players)


def test_war_needs_the_layout() -> None:
    play = played("war", start("Ann", "Bob"))
    with pytest.raises(ReviewError, match="layout of the dice is not known"):
        review_game(play)
    with pytest.raises(ReviewError, match="layout of the dice is not known"):
        review_game(play, bundled_dice_set("square-shooters"))
    assert review_game(play, REFERENCE).turns == ()


def test_war_battle_of_one_die_against_itself_is_not_judged() -> None:
    one, other = LAYOUT[0][0], LAYOUT[0][1]  # of one die of that layout
    play = played("war", start("Ann", "Bob"))
    play.act(do("toss", player="Ann", face=one))
    play.act(do("toss", player="Bob", face=other))
    reviews = review_game(play, REFERENCE).turns
    assert isinstance(reviews[0].turn.moments[0], Rolled)
    assert not any(judged.judged for judged in reviews)
