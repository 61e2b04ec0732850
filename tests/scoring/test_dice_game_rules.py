"""Rules of best hand, rummy, Showdown and War that the cases do not reach."""

from __future__ import annotations

import pytest
from scripts import STOP, Action, do, keep, played, refusal, roll, start_refusal, view
from scripts import start as begin

KINGS = "KC KD KS 2H 2D 4S 6C 7H 9D"
NOTHING = "2S 3H 4D 5C 7S 8H 9D TC QS"
LEVEL = "2H 3D 4C 5S 7H 8D 9C TS QH"


def rolled(*faces: str) -> list[Action]:
    return [action for text in faces for action in (roll(text), STOP)]


def test_bh_01_one_player_is_too_few() -> None:
    assert start_refusal("best_hand", "Ann") == "BH-01"


def test_bh_04_jokers_are_blanks_by_agreement() -> None:
    wild = "KC KD RJ 2H 3D 4S 6C 7H 9D"
    plain = begin("Ann", "Bob", jokers_wild=False)
    play = played("best_hand", plain, *rolled(wild))
    assert view(play)["result"]["hand"] == "pair"


def test_bh_05_those_level_roll_again_in_the_same_round() -> None:
    three = begin("Ann", "Bob", "Cid", jokers_wild=False)
    lower = "2C 3S 4H 5D 7C 8S 9H RJ QC"
    play = played("best_hand", three, *rolled(NOTHING, lower, LEVEL))
    assert view(play)["result"]["round"] == ["Ann", "Cid"]
    assert view(play)["contenders"] == ["Ann", "Cid"]
    assert (view(play)["round"], view(play)["winners"]) == (1, [])
    for action in rolled(NOTHING, KINGS):
        play.act(action)
    assert view(play)["winners"] == ["Cid"]


def test_bh_05_option_share_gives_a_point_to_each() -> None:
    shared = begin("Ann", "Bob", tie="share")
    play = played("best_hand", shared, *rolled(NOTHING, LEVEL))
    assert view(play)["scores"] == {"Ann": 1, "Bob": 1}
    assert view(play)["winners"] == ["Ann", "Bob"]


def test_bh_06_each_round_is_begun_by_the_next_to_the_left() -> None:
    play = played("best_hand", begin("Ann", "Bob", rounds=2), *rolled(KINGS, NOTHING))
    shown = view(play)
    assert (shown["round"], shown["next_player"]) == (2, "Bob")
    assert shown["contenders"] == ["Bob", "Ann"]


def test_rm_01_nobody_cannot_play() -> None:
    assert start_refusal("rummy") == "RM-01"


def test_rm_06_option_jokers_count_nothing() -> None:
    joker = "KC KD RJ 2H 3D 5S 6C 8H 9D"
    assert view(played("rummy", begin("Ann"), *rolled(joker)))["scores"] == {"Ann": 30}
    blank = begin("Ann", jokers="nothing")
    assert view(played("rummy", blank, *rolled(joker)))["scores"] == {"Ann": 0}


def test_rm_08_the_round_is_completed_and_the_highest_wins() -> None:
    to = begin("Ann", "Bob", to=20)
    aces = "AS AH AD 2C 4C 6H 8C TC QD"
    play = played("rummy", to, *rolled("KC KD KS 2H 3D 5S 6C 8H 9D"))
    assert view(play)["phase"] == "roll"
    for action in rolled(aces):
        play.act(action)
    assert view(play)["winners"] == ["Bob"]


def test_rm_08_reaching_the_sum_exactly_is_enough() -> None:
    play = played("rummy", begin("Ann", to=30), *rolled("KC KD KS 2H 3D 5S 6C 8H 9D"))
    assert view(play)["scores"] == {"Ann": 30}
    assert view(play)["winners"] == ["Ann"]


def test_rm_09_the_tied_play_extra_rounds() -> None:
    dull = "2S 4H 6D 8C TS QH AD 3C 5S"
    play = played("rummy", begin("Ann", "Bob", rounds=1), *rolled(dull, dull))
    assert view(play)["round"] == 2
    for action in rolled("KC KD KS 2H 3D 5S 6C 8H 9D", dull):
        play.act(action)
    assert view(play)["winners"] == ["Ann"]


PAIR = begin("Ann", "Bob")
ACES, TENS = roll("A A A K 9"), roll("T T T K 9")


def test_sh_03_dice_kept_may_be_rolled_later() -> None:
    play = played(
        "showdown", PAIR, ACES, keep(0, 1), roll("A A 9 9 9"), roll("9 T J Q K")
    )
    play.act(do("choose", row="big_straight"))
    assert view(play)["scores"] == {"Ann": 7, "Bob": 0}


def test_sh_08_pass_needs_a_roll() -> None:
    assert refusal(played("showdown", PAIR), do("pass")) == "CM-22"


def test_cm_04_choose_must_name_the_row() -> None:
    assert refusal(played("showdown", PAIR, ACES), do("choose")) == "CM-04"


def test_sh_12_a_section_counts_at_most_three_times() -> None:
    triple = begin("Ann", "Bob", triple=True)
    play = played("showdown", triple)
    points = []
    for row, code in (("aces", "A"), ("kings", "K"), ("queens", "Q"), ("jacks", "J")):
        play.act(roll(f"{code} {code} {code} {code} 9"))
        play.act(do("choose", row=row))
        points.append(view(play)["result"]["points"])
        play.act(roll("9 T J Q Q"))
        play.act(do("pass"))
    play.act(roll("9 9 9 9 A"))
    play.act(do("choose", row="four_of_a_kind"))
    assert points == [3, 6, 9, 9]
    assert view(play)["result"]["points"] == 8


def test_sh_11_scores_of_all_games_are_summed() -> None:
    series = begin("Ann", "Bob", games=2, turn_cap=1)
    nothing = [roll("9 T T J Q"), do("pass")]
    play = played("showdown", series, ACES, do("choose", row="aces"), *nothing)
    assert view(play)["next_player"] == "Bob"
    for action in (TENS, do("choose", row="tens"), *nothing):
        play.act(action)
    assert view(play)["scores"] == {"Ann": 3, "Bob": 3}
    assert view(play)["winners"] == ["Ann", "Bob"]


def toss(player: str, face: str, die: int | None = None) -> Action:
    known = {} if die is None else {"die": die}
    return do("toss", player=player, face=face, **known)


def test_wr_02_dice_may_be_dealt_at_random() -> None:
    dealt = {"Ann": [9, 2, 4, 6], "Bob": [1, 3, 5, 7]}
    play = played("war", begin("Ann", "Bob", assign=dealt))
    assert view(play)["die_numbers"] == {"Ann": [2, 4, 6, 9], "Bob": [1, 3, 5, 7]}


@pytest.mark.parametrize(
    ("assign", "rule"),
    [
        pytest.param({"Ann": [1, 2, 3, 4], "Bob": [4, 5, 6, 7]}, "WR-02", id="twice"),
        pytest.param({"Ann": [0, 2, 3, 4], "Bob": [5, 6, 7, 8]}, "WR-02", id="zero"),
        pytest.param({"Ann": [1, 2, 3], "Bob": [5, 6, 7, 8]}, "CM-03", id="three"),
        pytest.param({"Ann": [1, 2, 3, 4]}, "CM-03", id="one-player"),
        pytest.param("random", "CM-03", id="word"),
    ],
)
def test_wr_02_wrong_deal_is_refused(assign: object, rule: str) -> None:
    assert start_refusal("war", "Ann", "Bob", assign=assign) == rule


def test_wr_03_two_of_one_colour_are_refused() -> None:
    colours = {"Ann": "red", "Bob": "red"}
    assert start_refusal("war", "Ann", "Bob", colours=colours) == "WR-03"


def test_wr_02_picking_out_of_turn_and_tossing_meanwhile_are_refused() -> None:
    play = played("war", begin("Ann", "Bob", assign="draft"))
    assert refusal(play, do("draft", player="Bob", die=1)) == "CM-05"
    assert refusal(play, do("draft", player="Ann", die=10)) == "WR-02"
    assert refusal(play, toss("Ann", "KH")) == "CM-06"


def test_wr_11_after_a_joker_another_die_is_refused() -> None:
    play = played("war", PAIR, toss("Ann", "BJ", 2))
    assert refusal(play, toss("Ann", "KH", 3)) == "WR-11"
    play.act(toss("Ann", "KH"))
    play.act(toss("Bob", "2H"))
    assert view(play)["die_numbers"]["Ann"] == [1, 2, 3, 4]


def test_wr_11_joker_against_joker_is_a_tie_when_jokers_are_high() -> None:
    play = played("war", begin("Ann", "Bob", joker="high"), toss("Ann", "BJ"))
    assert refusal(play, toss("Bob", "BJ")) == "CM-15"
    play.act(toss("Bob", "RJ"))
    assert view(play)["result"] == {"case": "tie"}


def test_wr_14_the_first_pick_changes_hands_each_game() -> None:
    play = played("war", begin("Ann", "Bob", assign="draft", best_of=3))
    for die in range(1, 9):
        player = view(play)["next_player"]
        play.act(do("draft", player=player, die=die))
    for _ in range(4):
        play.act(toss("Ann", "2H"))
        play.act(toss("Bob", "3D"))
    assert view(play)["result"]["game_won"] == "Ann"
    assert (view(play)["phase"], view(play)["next_player"]) == ("draft", "Bob")


def test_cm_11_a_corrected_toss_that_shows_the_other_face_is_refused() -> None:
    play = played("war", PAIR, toss("Ann", "KH"), toss("Bob", "QS"))
    assert refusal(play, do("correct", roll=1, faces=["KH"])) == "CM-15"
    assert refusal(play, do("correct", roll=0, faces=["QS"])) == "CM-11"
    assert refusal(play, do("correct", roll=0, faces=["QS", "AS"])) == "CM-13"
