from __future__ import annotations

from random import Random

import pytest

from scoring.cards import CARD_DICE_FACES, Face
from scoring.classic_turn import (
    Event,
    Kept,
    Phase,
    Rolled,
    RuleError,
    Stopped,
    Turn,
    TurnOptions,
    can_keep,
    can_roll,
    can_stop,
    decide,
    new_turn,
    replay,
)
from scoring.dice_sets import bundled_dice_set
from scoring.hands import parse_faces
from scoring.rolling import Throws
from scoring.target_deck import Target, builtin_deck, builtin_targets
from scoring.target_score import Match, PayRules

EXACT = "TC TD TS 9C 9H 2S 3H 4D 6C"
NEAR = "TC TD 5H 9C KH 2S 3H 4D 6C"
OTHER = "2H 3D 4C 5S 7H 8D 9C TS QH"


def rolled(text: str) -> Rolled:
    return Rolled(parse_faces(text.split()))


def tens_over_nines() -> Target:
    return next(target for target in builtin_targets() if target.id == "T18")


def played(*events: Event) -> Turn:
    return replay(new_turn(tens_over_nines()), events)


def refused(turn: Turn, event: Event) -> str:
    with pytest.raises(RuleError) as refusal:
        decide(turn, event)
    assert refusal.value.sentence.endswith(".")
    return refusal.value.rule


def test_turn_begins_waiting_for_a_roll() -> None:
    turn = new_turn(tens_over_nines())
    assert (turn.phase, turn.faces, turn.roll_number) == (Phase.ROLL, (), 0)
    assert (can_roll(turn), can_keep(turn), can_stop(turn)) == (True, False, False)


def test_cl_10_exact_after_roll_1_earns_the_bonus() -> None:
    result = played(rolled(EXACT), Stopped()).result
    assert result is not None
    assert (result.kind, result.chips, result.bonus) == (Match.EXACT, 8, 2)


def test_cl_07_exact_after_roll_3_earns_the_chips_only() -> None:
    result = played(rolled(NEAR), rolled(OTHER), rolled(EXACT), Stopped()).result
    assert result is not None
    assert (result.kind, result.total) == (Match.EXACT, 8)


def test_cl_16_nothing_met_earns_nothing() -> None:
    result = played(rolled(OTHER), Stopped()).result
    assert result is not None
    assert (result.kind, result.total) == (Match.NONE, 0)


def test_earns_says_what_stopping_now_would_give() -> None:
    assert new_turn(tens_over_nines()).earns is None
    turn = played(rolled(EXACT))
    assert turn.earns == decide(turn, Stopped()).result


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("TC TD TS 9C 9H 2S 3H 4D", "CM-13", id="eight-dice"),
        pytest.param("TC TC TS 9C 9H 2S 3H 4D 6C", "CM-15", id="a-face-twice"),
        pytest.param("RJ RJ TS 9C 9H 2S 3H 4D 6C", "CM-15", id="a-joker-twice"),
    ],
)
def test_impossible_roll_is_refused(text: str, rule: str) -> None:
    assert refused(new_turn(tens_over_nines()), rolled(text)) == rule


def test_cm_14_face_of_other_dice_is_refused() -> None:
    faces = (
        *parse_faces(["TC", "TD", "TS", "9C", "9H", "2S", "3H", "4D"]),
        *poker_faces(),
    )
    assert refused(new_turn(tens_over_nines()), Rolled(faces)) == "CM-14"


def poker_faces() -> tuple[Face, ...]:
    return bundled_dice_set("poker-dice").faces[:1]


def test_cm_16_two_faces_of_one_die_are_refused_under_a_known_layout() -> None:
    known = Throws(bundled_dice_set("square-shooters-reference"))
    faces = rolled("AS 3C AD AC 2H 2C 3S 3H 5D")
    assert refused(new_turn(tens_over_nines(), None, known), faces) == "CM-16"
    assert decide(new_turn(tens_over_nines()), faces).roll_number == 1


def test_cm_17_kept_die_that_changed_is_refused() -> None:
    turn = played(rolled(NEAR), Kept((0, 1)))
    assert refused(turn, rolled(OTHER)) == "CM-17"


def test_cm_18_fourth_roll_is_refused() -> None:
    turn = played(rolled(NEAR), rolled(OTHER), rolled(NEAR))
    assert (turn.phase, can_roll(turn), can_keep(turn)) == (Phase.STOP, False, False)
    assert refused(turn, rolled(EXACT)) == "CM-18"
    assert refused(turn, Kept((0,))) == "CM-06"


@pytest.mark.parametrize("places", [(9,), (-1,), (3, 3)])
def test_cm_19_wrong_place_is_refused(places: tuple[int, ...]) -> None:
    assert refused(played(rolled(NEAR)), Kept(places)) == "CM-19"


def test_cm_19_new_keep_replaces_the_old_one() -> None:
    turn = played(rolled(NEAR), Kept((0, 1)), Kept((3,)))
    assert turn.kept == (3,)
    assert played(rolled(NEAR), Kept((0,)), Kept(())).kept == ()


def test_cm_19_keeping_before_the_first_roll_is_refused() -> None:
    assert refused(new_turn(tens_over_nines()), Kept(())) == "CM-06"


def test_cm_20_rolling_nothing_is_refused() -> None:
    turn = played(rolled(NEAR), Kept(tuple(range(9))))
    assert not can_roll(turn)
    assert refused(turn, rolled(NEAR)) == "CM-20"


def test_cm_21_keep_holds_for_one_roll_only() -> None:
    turn = played(rolled(NEAR), Kept((0, 1, 3)), rolled("TC TD 2C 9C 9S 2H 3S 5D 6H"))
    assert turn.kept == ()
    assert decide(turn, rolled(OTHER)).roll_number == 3


def test_cm_22_stop_needs_a_roll() -> None:
    assert refused(new_turn(tens_over_nines()), Stopped()) == "CM-22"


def test_cl_17_after_stop_the_turn_is_over() -> None:
    turn = played(rolled(EXACT), Stopped())
    assert turn.phase is Phase.OVER
    for event in (rolled(OTHER), Kept(()), Stopped()):
        assert refused(turn, event) == "CM-06"
    assert not (can_roll(turn))
    assert not (can_keep(turn))
    assert not (can_stop(turn))


def test_cl_24_joker_card_fills_a_gap_without_bonus() -> None:
    options = TurnOptions(joker_cards=1)
    turn = new_turn(tens_over_nines(), options)
    result = replay(turn, [rolled("TC TD TS 9C 2H 2S 3H 4D 6C"), Stopped()]).result
    assert result is not None
    assert (result.kind, result.chips, result.bonus) == (Match.EXACT, 8, 0)


def test_cl_24_option_leaves_the_bonus_if_cards_fill_every_gap() -> None:
    options = TurnOptions(PayRules(joker_card_bonus=True), joker_cards=1)
    turn = new_turn(tens_over_nines(), options)
    by_card = replay(turn, [rolled("TC TD TS 9C 2H 2S 3H 4D 6C"), Stopped()]).result
    assert by_card is not None
    assert by_card.bonus == 2
    by_die = replay(turn, [rolled("TC TD TS RJ 2H 2S 3H 4D 6C"), Stopped()]).result
    assert by_die is not None
    assert (by_die.kind, by_die.bonus) == (Match.EXACT, 0)


def test_random_turns_end_and_the_questions_agree_with_decide() -> None:
    random = Random(5)
    for _ in range(400):
        turn = new_turn(random.choice(builtin_targets()))
        while turn.phase is not Phase.OVER:
            lying = turn.faces
            faces: list[Face] = list(random.sample(CARD_DICE_FACES, 9))
            if turn.kept:
                free = [f for f in CARD_DICE_FACES if f not in lying]
                fresh = iter(random.sample(free, 9))
                faces = [lying[p] if p in turn.kept else next(fresh) for p in range(9)]
            places = tuple(random.sample(range(9), random.randint(0, 9)))
            event: Event = random.choice(
                (Rolled(tuple(faces)), Kept(places), Stopped())
            )
            allowed = {
                Rolled: can_roll(turn),
                Kept: can_keep(turn),
                Stopped: can_stop(turn),
            }
            before = turn
            try:
                turn = decide(turn, event)
            except RuleError:
                assert not allowed[type(event)]
                assert turn == before
            else:
                assert allowed[type(event)]


def test_cl_02_builtin_deck_has_34_targets_and_8_shootout_cards_of_four_kinds() -> None:
    kinds = [card.kind.value for card in builtin_deck()]
    assert len(kinds) == 42
    assert [kinds.count(kind) for kind in dict.fromkeys(kinds)] == [34, 2, 2, 2, 2]
    assert len({target.hand for target in builtin_targets()}) == 7
