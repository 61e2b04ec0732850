"""Rules of Straight Shooter and Squint that the cases do not reach."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from scripts import Action, do, played, refusal, roll, start_refusal, view
from scripts import start as begin

if TYPE_CHECKING:
    from scoring.play import Play
from scoring.straight_state import PACK, StraightState, pack_rank

FOUR = ("Ann", "Bob", "Cid", "Dan")
SUITS = "SHDC"
WHOLE_SUITS = {
    name: [rank + suit for rank in "AKQJT9"]
    for name, suit in zip(FOUR, SUITS, strict=True)
}


def play_out(play: Play[Any], hands: dict[str, list[str]]) -> None:
    """Play the hands card by card, each the first that may be played."""
    left = {name: list(cards) for name, cards in hands.items()}
    for _ in range(sum(map(len, hands.values()))):
        player = view(play)["next_player"]
        trick = view(play)["trick"]
        led = trick[0][1][1] if trick else ""
        held = left[player]
        card = next((code for code in held if code[1] == led), held[0])
        held.remove(card)
        play.act(do("play", player=player, card=card))


def test_ss_02_the_pack_is_24_cards_from_nine_to_ace() -> None:
    assert len(PACK) == 24
    low_to_high = sorted((c for c in PACK if c.suit == "S"), key=pack_rank)
    assert "".join(card.code[0] for card in low_to_high) == "9TJQKA"


def test_ss_01_five_are_too_many() -> None:
    assert start_refusal("straight_shooter", *FOUR, "Eva") == "SS-01"


def test_ss_04_option_dealer_and_the_next_deal() -> None:
    play = played("straight_shooter", begin(*FOUR, dealer="Bob"))
    assert refusal(play, do("deal", player="Ann")) == "CM-05"
    play.act(do("deal", hands=WHOLE_SUITS))
    assert view(play)["next_player"] == "Cid"
    play_out(play, WHOLE_SUITS)
    assert view(play)["scores"]["Cid"] == 12
    assert view(play)["dealer"] == "Cid"


@pytest.mark.parametrize(
    ("hands", "rule"),
    [
        pytest.param({**WHOLE_SUITS, "Dan": ["8C"]}, "SS-03", id="eight"),
        pytest.param({"Ann": WHOLE_SUITS["Ann"]}, "SS-04", id="one-hand"),
        pytest.param({**WHOLE_SUITS, "Eva": []}, "SS-04", id="stranger"),
        pytest.param({**WHOLE_SUITS, "Dan": "AC"}, "CM-04", id="text"),
    ],
)
def test_ss_04_wrong_deal_is_refused(hands: object, rule: str) -> None:
    play = played("straight_shooter", begin(*FOUR))
    assert refusal(play, do("deal", hands=hands)) == rule


def shootout() -> Play[Any]:
    """Ann and Bob have taken three tricks each: level at the target."""
    hands = {
        "Ann": ["AS", "KS", "QS", "9H", "9D", "9C"],
        "Bob": ["AH", "AD", "TH", "JS", "TS", "9S"],
        "Cid": ["KH", "QH", "JH", "KD", "QD", "JD"],
        "Dan": ["TD", "AC", "KC", "QC", "JC", "TC"],
    }
    play = played("straight_shooter", begin(*FOUR, target=3))
    play.act(do("deal", hands=hands))
    play_out(play, hands)
    return play


def test_ss_11_ss_13_points_stay_and_the_most_tricks_win() -> None:
    play = shootout()
    assert view(play)["phase"] == "shootout_draw"
    before = view(play)["scores"]
    for player, card in (("Bob", "AS"), ("Ann", "9S")):
        play.act(do("draw", player=player, card=card))
    assert view(play)["result"] == {"dealer": "Ann"}
    hands = {
        "Ann": ["9S", "9H", "9D", "9C", "TS", "TH", "TD"],
        "Bob": ["AS", "AH", "AD", "AC", "KS", "KH", "KD"],
    }
    play.act(do("deal", hands=hands))
    play_out(play, hands)
    assert view(play)["result"]["deal"] == {"Ann": 0, "Bob": 7}
    assert view(play)["winners"] == ["Bob"]
    assert view(play)["scores"] == before


@pytest.mark.parametrize(("count", "cards"), [(2, 7), (3, 7), (4, 6)])
def test_ss_13_cards_each_in_a_shootout(count: int, cards: int) -> None:
    state = begin_four()
    tied = replace(state, shootout=True, contenders=tuple(range(count)))
    assert tied.cards_each == cards


def begin_four() -> StraightState:
    state = played("straight_shooter", begin(*FOUR)).state
    assert isinstance(state, StraightState)
    return state


def play_cards(play: Play[Any], cards: str) -> None:
    for card in cards.split():
        play.act(do("play", player=view(play)["next_player"], card=card))


def test_ss_14_level_again_is_a_whole_new_shootout() -> None:
    play = played("straight_shooter", begin(*FOUR, target=2), do("deal"))
    play_cards(play, "AS 9S TS JS  KS QS 9D 9C  9H AH TH JH")  # Ann, Ann, Bob
    play_cards(play, "KH QH TC TD  JD AD QD KD  AC KC QC JC")  # Bob, Cid, Cid
    assert view(play)["contenders"] == ["Ann", "Bob", "Cid"]
    for player, card in (("Ann", "9S"), ("Bob", "TS"), ("Cid", "AS")):
        play.act(do("draw", player=player, card=card))
    play.act(do("deal"))
    play_cards(play, "AS 9S TS  KS JS QS  AH 9H TH")  # Bob three times
    play_cards(play, "JH KH QH  AD 9D TD  KD JD QD  9C AC TC")  # Cid thrice, Ann
    assert view(play)["result"]["deal"] == {"Ann": 1, "Bob": 3, "Cid": 3}
    assert view(play)["phase"] == "shootout_draw"
    assert view(play)["contenders"] == ["Bob", "Cid"]
    assert view(play)["winners"] == []


def test_ss_12_cards_just_drawn_and_drawing_twice_are_refused() -> None:
    play = shootout()
    play.act(do("draw", player="Ann", card="KS"))
    assert refusal(play, do("draw", player="Ann", card="QS")) == "SS-12"
    assert refusal(play, do("draw", player="Bob", card="KS")) == "SS-12"
    assert refusal(play, do("draw", player="Bob", card="8S")) == "SS-03"
    assert refusal(play, do("draw", player="Bob")) == "CM-04"
    play.act(do("draw", player="Bob", card="KH"))
    # the full pack again: the card drawn before may come again
    play.act(do("draw", player="Ann", card="KS"))


THREE = begin("Ann", "Bob", "Cid", rounds=1)


def build(die: int, timer: str, *guesses: Action) -> list[Action]:
    return [roll(str(die)), do("draw"), do("start_timer", player=timer), *guesses]


def guess(player: str) -> Action:
    return do("guess", player=player)


def test_sq_09_sq_11_chips_of_a_whole_game() -> None:
    play = played(
        "squint",
        THREE,
        *build(1, "Bob", guess("Bob")),
        *build(3, "Cid", guess("Cid")),
        *build(2, "Ann", do("time_up")),
    )
    assert view(play)["scores"] == {"Ann": 1, "Bob": 4, "Cid": 3}
    assert view(play)["winners"] == ["Bob"]


@pytest.mark.parametrize(
    ("count", "rounds"), [(3, 4), (4, 4), (5, 3), (6, 3), (7, 2), (8, 2)]
)
def test_sq_11_rounds_by_the_number_of_players(count: int, rounds: int) -> None:
    play = played("squint", begin(*"ABCDEFGH"[:count]))
    assert view(play)["rounds"] == rounds


def tie_breaker() -> Play[Any]:
    """Ann and Bob are level; Cid and Dan are not."""
    return played(
        "squint",
        begin("Ann", "Bob", "Cid", "Dan", rounds=1),
        *build(2, "Bob", guess("Bob")),
        *build(1, "Cid", do("time_up")),
        *build(1, "Dan", do("time_up")),
        *build(1, "Ann", do("time_up")),
    )


def test_sq_13_the_next_untied_player_builds_when_nobody_guessed() -> None:
    play = tie_breaker()
    assert view(play)["builder"] == "Cid"
    for action in build(3, "Dan", do("time_up")):
        play.act(action)
    assert (view(play)["builder"], view(play)["timer_holder"]) == ("Dan", "Ann")
    for action in build(3, "Ann", guess("Ann")):
        play.act(action)
    assert view(play)["result"] == {"guess": "right", "chips": 0}
    assert view(play)["scores"]["Ann"] == 2
    assert view(play)["winners"] == ["Ann"]


def test_sq_14_new_player_rounds_count_up_to_zero() -> None:
    play = played("squint", begin("Ann", "Bob", "Cid", new_player_rounds=2))
    assert view(play)["round"] == -1
    for _ in range(6):
        play.act(do("draw"))
        play.act(do("pass"))
    assert (view(play)["round"], view(play)["phase"]) == (1, "roll")
    assert view(play)["timer_holder"] == "Bob"
    assert refusal(play, do("pass")) == "SQ-14"
    assert refusal(play, do("choose", item=1)) == "SQ-14"


def test_sq_14_no_timer_in_new_player_rounds_and_items_are_1_to_3() -> None:
    play = played("squint", begin("Ann", "Bob", "Cid", new_player_rounds=1))
    for action in (do("time_up"), do("start_timer", player="Bob"), roll("1")):
        assert refusal(play, action) == "SQ-14"
    play.act(do("draw"))
    for item in (0, 4, None):
        assert refusal(play, do("choose", item=item)) == "CM-04"


def test_sq_03_the_squint_die_is_one_die() -> None:
    play = played("squint", THREE)
    assert refusal(play, roll("1 2")) == "CM-13"
    assert refusal(play, roll("A")) == "CM-14"
    assert refusal(play, do("roll", faces=["1"], player="Bob")) == "CM-05"
