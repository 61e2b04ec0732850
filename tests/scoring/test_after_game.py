"""After a game: chips = expectation at the start + luck - loss + cards, exactly."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from scripts import STOP, do, keep, played, roll, start

from scoring.action import action_record
from scoring.after_game import Option, Played
from scoring.after_game_review import NOT_TOLD, ReviewError, review_game
from scoring.dice_sets import bundled_dice_set, reference_dice_set
from scoring.games import GAMES
from scoring.play import Play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.after_game_review import GameReview

REFERENCE = reference_dice_set()
LAYOUT = [[face.code for face in die] for die in REFERENCE.dice or ()]
PAIR = ["AS", "AH"]
EASY = {"id": "X", "kind": "target", "hand": "pair", "cards": PAIR, "chips_exact": 8}
SHOOTOUT = [
    {"id": "DD", "kind": "double_down"},
    {"id": "QD", "kind": "quick_draw"},
    {"id": "J", "kind": "joker"},
    {"id": "SD", "kind": "showdown"},
]
NO_PAIR = "QH KH JH 2D 8H 9D TS 7C 5S"


def dice(random: Random, before: Sequence[str] = (), kept: Sequence[int] = ()) -> str:
    """A roll of the reference layout."""
    return " ".join(
        before[place] if place in kept else random.choice(die)
        for place, die in enumerate(LAYOUT)
    )


def opened(*players: str, **options: Any) -> Play[Any]:
    """A game whose only target is a pair, so that its odds are told once."""
    again = [{**EASY, "id": f"X{number}"} for number in range(20)]
    deck = [*again, *SHOOTOUT]
    return played("classic", start(*players, deck=deck, layout=LAYOUT, **options))


def turn(
    play: Play[Any], random: Random, player: str, rolls: int = 3, target: str = "X1"
) -> None:
    """A turn that keeps dice at random."""
    play.act(do("draw", player=player, card=target))
    faces, kept = dice(random).split(), []
    play.act(roll(" ".join(faces)))
    for _ in range(rolls - 1):
        kept = random.sample(range(9), random.randint(0, 8))
        play.act(keep(*kept))
        faces = dice(random, faces, kept).split()
        play.act(roll(" ".join(faces)))
    play.act(STOP)


def check_sums(review: GameReview) -> None:
    for one in review.players:
        total = one.start + one.luck - one.loss + one.cards + one.other
        assert total == pytest.approx(one.chips, abs=1e-9)
    for judged in review.turns:
        if judged.judged and judged.turn.ended:
            total = judged.start + judged.luck - judged.loss + judged.cards
            assert total == pytest.approx(judged.turn.chips, abs=1e-9)
        assert all(step.loss >= -1e-9 for step in judged.steps)
        for before, after in itertools.pairwise(judged.steps):
            assert after.before == before.after


@pytest.fixture(scope="module")
def two_rounds() -> Play[Any]:
    random, play = Random(1), opened("Ann", "Bob", rounds=2)
    for number, (player, rolls) in enumerate(
        [("Ann", 3), ("Bob", 2), ("Ann", 1), ("Bob", 3)]
    ):
        turn(play, random, player, rolls, f"X{number}")
    return play


def test_chips_are_expectation_and_luck_less_what_decisions_cost(
    two_rounds: Play[Any],
) -> None:
    review = review_game(two_rounds)
    check_sums(review)
    assert [one.turns for one in review.players] == [2, 2]
    assert [one.decisions for one in review.players] == [3, 4]
    assert all(one.other == 0 and one.cards == 0 for one in review.players)
    first = review.turns[0]
    assert first.start == review.turns[1].start > 0  # the same target
    assert first.luck != 0


def test_best_play_loses_nothing() -> None:
    random, play = Random(2), opened("Ann", rounds=1)
    play.act(do("draw", player="Ann", card="X0"))
    faces = dice(random).split()
    play.act(roll(" ".join(faces)))
    for _ in range(2):
        (running,) = review_game(play).turns
        assert not running.turn.ended
        best = play_best(play)
        if best.stop:
            break
        kept = [faces.index(face.code) for face in best.keep]
        play.act(keep(*kept))
        faces = dice(random, faces, kept).split()
        play.act(roll(" ".join(faces)))
    play.act(STOP)
    review = review_game(play)
    check_sums(review)
    assert review.players[0].loss == pytest.approx(0, abs=1e-9)
    assert review.players[0].best == review.players[0].decisions > 0


def play_best(play: Play[Any]) -> Option:
    """What the review of a stop would have called better."""
    play.act(STOP)
    step = review_game(play).turns[-1].steps[-1]
    play.act(do("undo"))
    assert step.best is not None
    return step.best


def test_undone_and_corrected_rolls_count_as_the_log_finally_says(
    two_rounds: Play[Any],
) -> None:
    clean = [action_record(action) for action in two_rounds.journal]
    messy: list[Any] = []
    rolls = 0
    for action in clean:
        if action["do"] != "roll" or rolls:
            messy += [action]
            rolls += action["do"] == "roll"
            continue
        shown = list(cast("list[str]", action["faces"]))
        shown[0] = next(face for face in LAYOUT[0] if face != shown[0])
        messy += [{"do": "roll", "faces": shown}, STOP, do("undo")]
        messy += [do("correct", roll=0, faces=action["faces"]), do("undo"), do("redo")]
        rolls += 1
    other = Play(GAMES["classic"])
    for action in messy:
        other.act(action)
    assert review_game(other) == review_game(two_rounds)


def test_double_down_is_worth_what_it_doubles() -> None:
    random, play = Random(5), opened("Ann", "Bob", rounds=1)
    for card in ("DD", "X1"):
        play.act(do("draw", player="Ann", card=card))
    faces = dice(random).split()
    play.act(roll(" ".join(faces)))
    play.act(keep(0, 1))
    play.act(do("play_card", player="Ann", card="double_down"))
    play.act(roll(dice(random, faces, (0, 1))))
    play.act(STOP)
    review = review_game(play)
    check_sums(review)
    first, doubled, second, _ = review.turns[0].steps
    assert isinstance(doubled.moment, Played)
    assert doubled.gain == pytest.approx(first.after)
    assert second.before == pytest.approx(2 * first.after)
    assert review.turns[0].cards == doubled.gain


def test_double_down_without_bonus_doubles_the_chips_only() -> None:
    play = opened("Ann", rounds=1, double_down_bonus=False)
    for card in ("DD", "X1"):
        play.act(do("draw", player="Ann", card=card))
    play.act(roll(" ".join(exact_roll())))
    play.act(keep())
    play.act(do("play_card", player="Ann", card="double_down"))
    play.act(STOP)
    review = review_game(play)
    check_sums(review)
    assert review.players[0].chips == 18  # twice eight, and two for being quick
    assert review.turns[0].cards == pytest.approx(8)


def exact_roll() -> list[str]:
    """Both aces of the target, and whatever the other dice begin with."""
    return [next((f for f in die if f in PAIR), die[0]) for die in LAYOUT]


def test_joker_card_after_the_last_roll_is_judged_and_before_it_is_not() -> None:
    for early in (False, True):
        random, play = Random(8), opened("Ann", rounds=1)
        for card in ("J", "X1"):
            play.act(do("draw", player="Ann", card=card))
        if early:
            play.act(do("play_card", player="Ann", card="joker"))
        for _ in range(3):
            play.act(roll(dice(random)))
        if not early:
            play.act(do("play_card", player="Ann", card="joker"))
        play.act(STOP)
        review = review_game(play)
        check_sums(review)
        assert review.turns[0].judged is not early
        if early:
            assert review.players[0].other == review.players[0].chips > 0
            assert "Joker" in review.turns[0].why_not


def test_quick_draw_and_showdown_chips_are_from_elsewhere() -> None:
    random, play = Random(9), opened("Ann", "Bob", rounds=1)
    for card in ("QD", "X1"):
        play.act(do("draw", player="Ann", card=card))
    play.act(roll(" ".join(exact_roll())))
    play.act(STOP)
    play.act(do("draw", player="Bob", card="X2"))
    play.act(roll(" ".join(exact_roll())))
    play.act(keep(*range(8)))
    play.act(do("play_card", player="Ann", card="quick_draw"))
    play.act(STOP)
    review = review_game(play)
    check_sums(review)
    assert [one.other for one in review.players] == [10, 0]
    play = opened("Ann", "Bob", rounds=2)
    turn(play, random, "Ann")
    play.act(do("draw", player="Bob", card="SD"))
    play.act(do("duel", opponent="Ann"))
    for _ in range(2):
        play.act(roll(dice(random)))
        play.act(STOP)
    review = review_game(play)
    check_sums(review)
    assert len(review.turns) == 1


def test_younger_player_is_judged_by_what_the_type_pays_there() -> None:
    random, play = Random(11), opened("Ann", "Kid", rounds=1, kids=["Kid"])
    turn(play, random, "Ann", target="X0")
    turn(play, random, "Kid")
    review = review_game(play)
    check_sums(review)
    assert review.turns[1].start > review.turns[0].start


def test_running_turn_is_told_and_not_counted(two_rounds: Play[Any]) -> None:
    play = Play(GAMES["classic"])
    for action in two_rounds.journal[:-1]:
        play.act(action_record(action))
    review = review_game(play)
    check_sums(review)
    assert not review.turns[-1].turn.ended
    assert review.turns[-1].judged
    assert [one.turns for one in review.players] == [2, 1]


def test_dice_of_unknown_layout_have_no_review_unless_they_are_told() -> None:
    play = played("classic", start("Ann", rounds=1))
    play.act(do("draw", player="Ann", card="T18"))
    play.act(roll(NO_PAIR))
    with pytest.raises(ReviewError, match="layout of the dice is not known"):
        review_game(play)
    with pytest.raises(ReviewError, match="not played with the dice of 'poker-dice'"):
        review_game(play, bundled_dice_set("poker-dice"))
    (judged,) = review_game(play, REFERENCE).turns
    assert "die 8 shows one of" in judged.why_not  # those dice cannot show that


@pytest.mark.parametrize("game", [*NOT_TOLD])
def test_games_without_a_review_say_why(game: str) -> None:
    play = played(game, start("Ann", "Bob", "Cid"))
    with pytest.raises(ReviewError, match=NOT_TOLD[game]):
        review_game(play)


def test_every_game_has_a_review_or_says_why_not() -> None:
    assert set(GAMES) == {*NOT_TOLD, "classic", "showdown", "war"}


def test_game_that_was_not_started_has_no_review() -> None:
    with pytest.raises(ReviewError, match="not started"):
        review_game(Play(GAMES["classic"]))
