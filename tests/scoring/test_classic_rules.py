"""Rules of the classic game that the conformance cases do not reach."""

from __future__ import annotations

from typing import Any

import pytest
from scripts import STOP, Action, do, keep, played, refusal, roll, start_refusal, view
from scripts import start as begin

EXACT = "TC TD TS 9C 9H 2S 3H 4D 6C"
NEAR = "TC TD 5H 9C KH 2S 3H 4D 6C"
FINISHED = "TC TD TS 9C 9H AS KD JD QC"
KINGS = "KC KD KS 2H 2D 4S 6C 7H 9D"
NOTHING = "2S 3H 4D 5C 7S 8H 9D TC QS"


def draw(player: str, card: str) -> Action:
    return do("draw", player=player, card=card)


def card(player: str, kind: str) -> Action:
    return do("play_card", player=player, card=kind)


def turn(player: str, target: str, faces: str) -> list[Action]:
    return [draw(player, target), roll(faces), STOP]


def doubled(**options: Any) -> dict[str, Any]:
    """Ann wins exact on roll 2 with a Double-Down, Bob has a Quick-Draw on it."""
    quick = [draw("Bob", "QD1"), *turn("Bob", "T17", NOTHING)]
    play = played(
        "classic",
        begin("Ann", "Bob", **options),
        draw("Ann", "DD1"),
        *turn("Ann", "T01", NOTHING),
        *quick,
        draw("Ann", "T18"),
        roll(NEAR),
        keep(0, 1, 3),
        card("Ann", "double_down"),
        card("Bob", "quick_draw"),
        roll(FINISHED),
        STOP,
    )
    return view(play)


def test_cl_22_quick_draw_receives_the_doubled_number() -> None:
    assert doubled()["scores"] == {"Ann": 20, "Bob": 20}


def test_cl_22_option_quick_draw_receives_the_number_before_doubling() -> None:
    assert doubled(quick_draw_doubled=False)["scores"] == {"Ann": 20, "Bob": 10}


def test_cl_20_option_the_bonus_is_not_doubled() -> None:
    shown = doubled(double_down_bonus=False)
    assert shown["result"]["total"] == 18
    assert shown["result"]["bonus"] == 2


def test_cl_20_one_double_down_a_turn() -> None:
    play = played(
        "classic",
        begin("Ann", "Bob"),
        draw("Ann", "DD1"),
        draw("Ann", "DD2"),
        draw("Ann", "T18"),
        roll(NEAR),
        keep(),
        card("Ann", "double_down"),
    )
    assert refusal(play, card("Ann", "double_down")) == "CL-20"


def test_cl_21_a_player_who_stops_at_once_leaves_no_gap() -> None:
    play = played(
        "classic",
        begin("Ann", "Bob"),
        draw("Ann", "QD1"),
        *turn("Ann", "T01", NOTHING),
        draw("Bob", "T18"),
        roll(EXACT),
    )
    assert refusal(play, card("Ann", "quick_draw")) == "CL-21"


def test_cl_22_one_quick_draw_a_player_a_turn() -> None:
    play = played(
        "classic",
        begin("Ann", "Bob"),
        draw("Ann", "QD1"),
        draw("Ann", "QD2"),
        *turn("Ann", "T01", NOTHING),
        draw("Bob", "T18"),
        roll(NEAR),
        keep(0),
        card("Ann", "quick_draw"),
    )
    assert refusal(play, card("Ann", "quick_draw")) == "CL-22"


def test_cl_23_another_keep_is_allowed_after_roll_2() -> None:
    play = played(
        "classic",
        begin("Ann", "Bob"),
        draw("Ann", "DD1"),
        draw("Ann", "T18"),
        roll(NEAR),
        keep(0),
        card("Ann", "double_down"),
        roll("TC 3D 4C 5S 7H 8D 9C TS QH"),
        keep(0, 6),
    )
    assert view(play)["phase"] == "decide"


def test_cl_24_two_joker_cards_in_one_turn() -> None:
    play = played(
        "classic",
        begin("Ann", "Bob"),
        draw("Ann", "JC1"),
        draw("Ann", "JC2"),
        draw("Ann", "T18"),
        card("Ann", "joker"),
        roll("TC TD TS 2H 4C 2S 3H 4D 6C"),
        card("Ann", "joker"),
        STOP,
    )
    assert view(play)["result"]["kind"] == "exact"
    assert view(play)["result"]["bonus"] == 0
    assert view(play)["discards"] == 3


def test_cl_24_joker_card_needs_a_target() -> None:
    play = played("classic", begin("Ann", "Bob"), draw("Ann", "JC1"))
    assert refusal(play, card("Ann", "joker")) == "CL-24"


def duel(*more: Action, **options: Any) -> list[Action]:
    return [
        begin("Ann", "Bob", **options),
        draw("Ann", "JC1"),
        draw("Ann", "SD1"),
        do("duel", opponent="Bob"),
        *more,
    ]


def test_cl_24_the_drawer_plays_a_joker_card_in_a_showdown() -> None:
    play = played(
        "classic", *duel(roll(KINGS), card("Ann", "joker"), STOP, roll(NOTHING), STOP)
    )
    hands = view(play)["result"]["hands"]
    assert hands["Ann"] == {"hand": "four_of_a_kind", "ranks": ["K", "9"]}
    assert view(play)["discards"] == 2


def test_cl_27_the_joker_card_stays_in_force_when_a_tie_is_rolled_again() -> None:
    tie = [roll("KC KD QS 2H 3D 4S 6C 7H 9D"), card("Ann", "joker"), STOP]
    level = [roll("KH KS QC 3C 4H 5D 6D 7S 9H"), STOP]
    again = [roll(NOTHING), STOP, roll(NOTHING), STOP]
    play = played("classic", *duel(*tie, *level, *again))
    assert view(play)["result"]["duel"] == "Ann"
    assert view(play)["result"]["hands"]["Ann"]["hand"] == "straight"


def test_cl_24_option_nobody_plays_a_joker_card_in_a_showdown() -> None:
    play = played("classic", *duel(roll(KINGS), duel_joker_card="nobody"))
    assert refusal(play, card("Ann", "joker")) == "CL-24"


def test_cl_24_the_opponent_plays_no_joker_card_in_a_showdown() -> None:
    play = played(
        "classic",
        begin("Ann", "Bob"),
        *turn("Ann", "T01", NOTHING),
        draw("Bob", "JC1"),
        *turn("Bob", "T02", NOTHING),
        draw("Ann", "SD1"),
        do("duel", opponent="Bob"),
        roll(KINGS),
        STOP,
        roll(NOTHING),
    )
    assert refusal(play, card("Bob", "joker")) == "CL-24"


@pytest.mark.parametrize("opponent", [None, "Ann"])
def test_cl_25_nobody_and_oneself_cannot_be_faced(opponent: str | None) -> None:
    play = played("classic", begin("Ann", "Bob"), draw("Ann", "SD1"))
    assert refusal(play, do("duel", opponent=opponent)) == "CL-25"
    assert refusal(play, do("duel", opponent="Zoe")) == "CM-04"
    assert refusal(play, roll(KINGS)) == "CM-06"


def extra_round(*more: Action) -> list[Action]:
    """Ann and Bob are level after the only round; Cid, with a Quick-Draw, is out."""
    return [
        begin("Ann", "Bob", "Cid", rounds=1),
        *turn("Ann", "T18", KINGS),
        *turn("Bob", "T17", KINGS),
        draw("Cid", "QD1"),
        *turn("Cid", "T01", NOTHING),
        *more,
    ]


def test_cl_32_who_is_out_plays_no_quick_draw_and_is_not_chosen() -> None:
    play = played("classic", *extra_round(draw("Ann", "T22"), roll(NEAR), keep(0)))
    assert refusal(play, card("Cid", "quick_draw")) == "CL-32"
    play = played("classic", *extra_round(draw("Ann", "SD1")))
    assert refusal(play, do("duel", opponent="Cid")) == "CL-25"


def test_cl_32_those_still_level_go_on() -> None:
    level = [*turn("Ann", "T22", NOTHING), *turn("Bob", "T19", NOTHING)]
    shown = view(played("classic", *extra_round(*level)))
    assert (shown["phase"], shown["round"]) == ("draw", 3)
    assert shown["contenders"] == ["Ann", "Bob"]


def test_cl_33_one_player_alone_never_plays_an_extra_round() -> None:
    play = played("classic", begin("Ann", rounds=1), *turn("Ann", "T18", NOTHING))
    assert view(play)["winners"] == ["Ann"]
    assert view(play)["scores"] == {"Ann": 0}


def test_cl_34_drawing_moves_to_the_next_tied_player_in_extra_rounds() -> None:
    same = begin("Ann", "Bob", "Cid", rounds=1, same_target=True)
    rolls = [roll(KINGS), STOP, roll(NOTHING), STOP, roll(KINGS), STOP]
    play = played("classic", same, draw("Ann", "T18"), *rolls)
    assert view(play)["contenders"] == ["Ann", "Cid"]
    assert view(play)["next_player"] == "Cid"
    for action in (draw("Cid", "T22"), roll(KINGS), STOP):
        play.act(action)
    assert view(play)["next_player"] == "Ann"
    assert view(play)["target"] == "T22"


def test_cl_35_showdown_in_the_variation_costs_no_turn() -> None:
    same = begin("Ann", "Bob", rounds=1, same_target=True)
    fought = [do("duel", opponent="Bob"), roll(KINGS), STOP, roll(NOTHING), STOP]
    play = played("classic", same, draw("Ann", "SD1"), *fought, draw("Ann", "T18"))
    assert view(play)["phase"] == "roll"
    assert view(play)["discards"] == 1


def test_cl_05_with_nothing_left_no_card_can_be_drawn() -> None:
    play = played("classic", begin("Ann", deck=["DD1"]), draw("Ann", "DD1"))
    assert refusal(play, draw("Ann", "DD1")) == "CL-04"


FLUSH = {
    "id": "X1",
    "kind": "target",
    "hand": "flush",
    "cards": ["3H", "4H", "7H", "8H", "9H"],
    "chips_exact": 7,
    "chips_type": 3,
}


@pytest.mark.parametrize(
    ("deck", "rule"),
    [
        pytest.param([], "CM-03", id="empty"),
        pytest.param(["T99"], "CM-03", id="unknown-id"),
        pytest.param(["T18", "T18"], "CL-02", id="id-twice"),
        pytest.param([FLUSH, FLUSH], "CL-02", id="own-id-twice"),
        pytest.param([{**FLUSH, "chips_type": None}], "CL-12", id="odd-no-half"),
        pytest.param([{**FLUSH, "hand": "straight"}], "CM-03", id="not-that-hand"),
        pytest.param([{**FLUSH, "cards": ["3H", "3H"]}], "CM-03", id="card-twice"),
        pytest.param([{**FLUSH, "cards": ["RJ"]}], "CM-03", id="joker-pictured"),
        pytest.param([{**FLUSH, "cards": []}], "CM-03", id="no-cards"),
        pytest.param([{**FLUSH, "chips_exact": -2}], "CM-03", id="negative"),
        pytest.param([{"id": "X2", "kind": "ace"}], "CM-03", id="unknown-kind"),
        pytest.param([{"kind": "joker"}], "CM-03", id="no-id"),
        pytest.param([7], "CM-03", id="number"),
    ],
)
def test_wrong_deck_is_refused(deck: list[object], rule: str) -> None:
    assert start_refusal("classic", "Ann", "Bob", deck=deck) == rule


def test_cl_12_both_numbers_given_may_be_odd() -> None:
    play = played("classic", begin("Ann", deck=[FLUSH]), draw("Ann", "X1"))
    assert view(play)["target"] == "X1"


def test_hd_06_option_hand_order_decides_a_showdown() -> None:
    order = (
        *("high_card", "pair", "two_pair", "straight", "three_of_a_kind", "flush"),
        *("full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
        *("five_of_a_kind", "six_of_a_kind"),
    )
    three = [roll("AS AH AD 2C 4D 6H 8S TC QD"), STOP]
    straight = [roll("5S 6H 7D 8C 9S JH QH 2D 3C"), STOP]
    fight = [draw("Ann", "SD1"), do("duel", opponent="Bob"), *three, *straight]
    play = played("classic", begin("Ann", "Bob"), *fight)
    assert view(play)["result"]["duel"] == "Bob"
    play = played("classic", begin("Ann", "Bob", hand_order=list(order)), *fight)
    assert view(play)["result"]["duel"] == "Ann"
    assert start_refusal("classic", "Ann", hand_order=list(order[1:])) == "CM-03"
