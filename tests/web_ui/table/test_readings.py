"""Which rolls count at the table, which wait for a person, which cannot be."""

from __future__ import annotations

import pytest
from table_makers import FIRST, SECOND, THIRD, reading
from table_rounds import Round

from vision.reading import ProblemCode, Status

ASK = Status.ASK
OTHER = "2C 3C 4D 5S 6D 7H 8S JS QC"


def faces(record: dict[str, object]) -> list[str]:
    shown = record["reading"]
    assert isinstance(shown, dict)
    return [die["face"]["code"] for die in shown["dice"]]


def test_table_invites_to_draw_before_anything_is_rolled() -> None:
    told = Round().record()
    assert told["reading"] is None
    assert told["turn"]["phase"] == "draw"
    assert told["verdict"]["kind"] == "idle"
    assert [choice["command"]["do"] for choice in told["choices"]] == ["draw"]


def test_sure_roll_counts_at_once_with_its_hand_and_pay() -> None:
    table = Round()
    table.order("draw")
    told = table.settle(reading(THIRD))
    assert told["verdict"]["kind"] == "sure"
    assert told["reading"]["use"] == "taken"
    assert told["hand"]["title"] == "Full house, tens over nines"
    assert set(told["hand"]["uses"]) == {"TC", "TD", "TS", "9C", "9H"}
    pays = told["turn"]["pays"]
    assert (pays["kind"], pays["chips"], pays["bonus"]) == ("exact", 8, 2)
    assert [card["have"] for card in told["turn"]["target"]["cards"]] == [True] * 5
    assert [die["in_hand"] for die in told["reading"]["dice"]] == [True] * 5 + [
        False
    ] * 4


def test_roll_before_the_target_is_drawn_does_not_count() -> None:
    told = Round().settle(reading(FIRST))
    assert told["verdict"]["kind"] == "refuse"
    assert told["reading"]["rule"] == "CM-06"
    assert told["turn"]["rolls"] == 0


def test_kept_dice_stay_at_their_tiles_in_the_next_roll() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    table.order("keep", dice=[0, 1, 7])
    seen = "AS 3D TD 2H 8H TC KS 9C TH"
    told = table.settle(reading(seen, 2))
    assert told["turn"]["rolls"] == 2
    assert faces(told) == SECOND.split()
    assert told["turn"]["kept"] == []


def test_roll_that_contradicts_the_kept_dice_is_refused_and_can_be_released() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    table.order("keep", dice=[0])
    told = table.settle(reading(OTHER, 2))
    assert told["reading"]["rule"] == "CM-17"
    assert told["turn"]["rolls"] == 1
    assert told["can"]["release"]
    told = table.order("keep", dice=[])
    assert told["turn"]["rolls"] == 2
    assert faces(told) == OTHER.split()
    assert not told["can"]["release"]


def test_fourth_roll_is_refused_by_its_rule() -> None:
    table = Round()
    table.order("draw")
    for seed, codes in enumerate((FIRST, SECOND, THIRD), start=1):
        table.settle(reading(codes, seed))
    told = table.settle(reading(OTHER, 4))
    assert told["reading"]["rule"] == "CM-18"
    assert told["turn"]["rolls"] == 3
    assert told["turn"]["phase"] == "stop"


def test_roll_after_the_turn_is_over_waits_for_the_next_turn() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    table.order("stop")
    told = table.settle(reading(OTHER, 2))
    assert told["verdict"]["kind"] == "refuse"
    assert "Bob: draw a card" in told["verdict"]["sentence"]
    assert told["reading"]["rule"] == "CM-06"


def test_doubtful_roll_waits_and_counts_when_confirmed() -> None:
    table = Round()
    table.order("draw")
    told = table.settle(reading(FIRST, 1, ASK, (2,)))
    assert told["verdict"]["kind"] == "ask"
    assert told["turn"]["rolls"] == 0
    assert [die["doubtful"] for die in told["reading"]["dice"]].index(True) == 2
    assert told["can"]["confirm"]
    told = table.order("confirm", reading=told["reading"]["id"])
    assert told["verdict"]["kind"] == "sure"
    assert told["turn"]["rolls"] == 1
    assert not any(die["doubtful"] for die in told["reading"]["dice"])
    assert [die["answered"] for die in told["reading"]["dice"]].index(True) == 2


def test_roll_after_an_unanswered_one_is_held_and_not_lost() -> None:
    table = Round()
    table.order("draw")
    first = table.settle(reading(FIRST, 1, ASK, (2,)))["reading"]["id"]
    told = table.settle(reading(SECOND, 2))
    assert told["reading"]["id"] == first
    assert "still waits" in table.told
    told = table.order("confirm", reading=first)
    assert told["turn"]["rolls"] == 2
    assert faces(told) == SECOND.split()


def test_what_is_no_roll_does_not_wait_behind_an_unanswered_one() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1, ASK, (2,)))
    few = reading("TC TD", 2, Status.REFUSE, (), ProblemCode.TOO_FEW_DICE)
    told = table.settle(few)
    assert told["verdict"]["kind"] == "ask"
    assert "Look at this roll again." in table.told
    told = table.order("confirm", reading=1)
    assert told["verdict"]["kind"] == "sure"
    assert told["turn"]["rolls"] == 1


def test_dismissed_reading_does_not_count_but_the_held_one_does() -> None:
    table = Round()
    table.order("draw")
    first = table.settle(reading(FIRST, 1, ASK, (2,)))["reading"]["id"]
    table.settle(reading(SECOND, 2))
    told = table.order("dismiss", reading=first)
    assert told["turn"]["rolls"] == 1
    assert faces(told) == SECOND.split()


def test_same_dice_seen_again_are_no_new_roll() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    assert table.settle(reading(FIRST, 1))["turn"]["rolls"] == 1


def test_better_look_at_the_same_dice_answers_the_doubt() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1, ASK, (2,)))
    told = table.settle(reading(FIRST, 1))
    assert told["verdict"]["kind"] == "sure"
    assert told["turn"]["rolls"] == 1


def test_refused_reading_with_dice_missing_leaves_the_roll_before_on_the_tiles() -> (
    None
):
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    few = reading("TC TD", 2, Status.REFUSE, (), ProblemCode.TOO_FEW_DICE)
    told = table.settle(few)
    assert told["verdict"]["kind"] == "refuse"
    assert faces(told) == FIRST.split()
    assert len(told["seen"]["dice"]) == 2
    assert told["turn"]["rolls"] == 1


@pytest.mark.parametrize("count", [0, 1, 8, 10])
def test_any_number_of_dice_is_shown_without_a_failure(count: int) -> None:
    codes = " ".join([*FIRST.split(), "KC"][:count])
    refused = reading(codes, 1, Status.REFUSE, (), ProblemCode.TOO_FEW_DICE)
    told = Round().settle(refused)
    assert len(told["reading"]["dice"]) == count
    assert told["hand"] is None


def test_demo_draws_scores_and_goes_on_by_itself() -> None:
    table = Round(demo=True)
    assert table.record()["turn"]["target"]["id"] == "T18"
    for seed, codes in enumerate((FIRST, SECOND, THIRD), start=1):
        told = table.settle(reading(codes, seed))
    assert told["game"]["result"]["total"] == 8
    assert table.scores() == [8, 0]
    told = table.settle(reading(OTHER, 4))
    assert told["turn"]["player"] == "Bob"
    assert told["turn"]["rolls"] == 1
    assert told["turn"]["target"]["id"] != "T18"


def test_demo_drops_an_unanswered_reading_when_the_next_roll_settles() -> None:
    table = Round(demo=True)
    table.settle(reading(FIRST, 1, ASK, (2,)))
    told = table.settle(reading(SECOND, 2))
    assert told["turn"]["rolls"] == 1
    assert faces(told) == SECOND.split()
    assert "dropped" in table.told


def test_rolled_dice_alone_are_a_roll_when_the_kept_ones_were_set_aside() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    table.order("keep", dice=[0, 1, 7])
    told = table.settle(reading("AS 3D 2H 8H KS TH", 2))
    assert told["turn"]["rolls"] == 2
    assert faces(told) == ["TC", "TD", "AS", "3D", "2H", "8H", "KS", "9C", "TH"]
    assert [die["quad"] is None for die in told["reading"]["dice"]] == [
        place in (0, 1, 7) for place in range(9)
    ]


def test_kept_die_that_was_pushed_is_told() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    table.order("keep", dice=[0])
    table.settle(reading(SECOND, 2), moved=(0, 5))
    assert table.told == "Kept dice were touched: TC was moved."


def test_pushed_die_that_was_not_kept_is_not_worth_a_word() -> None:
    table = Round()
    table.order("draw")
    table.settle(reading(FIRST, 1))
    table.order("keep", dice=[0])
    table.settle(reading(SECOND, 2), moved=(5,))
    assert table.told == ""


def test_frozen_table_counts_no_roll() -> None:
    table = Round()
    table.order("draw")
    table.order("freeze", reason="a dispute")
    told = table.settle(reading(FIRST, 1))
    assert told["reading"]["rule"] == "TB-01"
    assert told["verdict"]["kind"] == "frozen"
    assert told["turn"]["rolls"] == 0
    table.order("thaw")
    assert table.settle(reading(SECOND, 2))["turn"]["rolls"] == 1


def test_demo_draws_targets_only() -> None:
    table = Round(demo=True)
    for seed in range(1, 40):
        table.settle(reading(FIRST if seed % 2 else OTHER, seed))
    drawn = [
        item
        for event in table.events
        if event.kind == "acted"
        and isinstance(item := event.body["action"], dict)
        and item["do"] == "draw"
    ]
    assert len(drawn) > 10
    assert all(str(item["card"]).startswith("T") for item in drawn)
