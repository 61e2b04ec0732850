"""Orders at the table: each action, and the rule that refuses each wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from table_makers import FIRST, SECOND, THIRD, reading
from table_rounds import Round

from scoring.refusals import RuleError
from vision.reading import ProblemCode, Status
from web_ui.table.fold import replay
from web_ui.table.records import Surroundings, state_record

if TYPE_CHECKING:
    from collections.abc import Callable


def rolled(codes: str = FIRST) -> Round:
    table = Round()
    table.order("draw", card="T18")
    table.settle(reading(codes, 1))
    return table


def waiting(doubtful: tuple[int, ...] = (2,)) -> Round:
    table = Round()
    table.order("draw", card="T18")
    table.settle(reading(FIRST, 1, Status.ASK, doubtful))
    return table


def test_card_that_was_drawn_can_be_named() -> None:
    told = Round().order("draw", card="t24")
    assert told["turn"]["target"]["id"] == "T24"
    assert told["turn"]["target"]["title"] == "Four of a kind"


def test_stop_pays_and_the_next_player_draws_another_card() -> None:
    table = rolled(THIRD)
    told = table.order("stop")
    assert told["game"]["result"]["total"] == 10
    assert table.scores() == [10, 0]
    assert told["game"]["hint"] == "Bob: draw a card."
    told = table.order("draw")
    assert told["turn"]["player"] == "Bob"
    assert told["turn"]["target"]["id"] != "T18"
    assert told["reading"] is None


def test_roll_can_be_typed_in() -> None:
    table = Round()
    table.order("draw", card="T18")
    told = table.order("roll", faces=THIRD.split())
    assert told["turn"]["pays"]["total"] == 10
    assert told["reading"]["picture"] is None


def test_keep_marks_the_dice() -> None:
    told = rolled().order("keep", dice=[1, 0])
    assert told["turn"]["kept"] == [0, 1]
    assert [die["kept"] for die in told["reading"]["dice"]][:3] == [True, True, False]


def test_correction_of_the_only_doubtful_die_makes_the_roll_count() -> None:
    told = waiting().order("correct", reading=1, die=2, face="TS")
    assert told["verdict"]["kind"] == "sure"
    assert told["turn"]["rolls"] == 1
    assert told["reading"]["dice"][2]["face"]["code"] == "TS"
    assert told["reading"]["dice"][2]["read"] == "5H"
    assert told["reading"]["dice"][2]["answered"]


def test_roll_counts_when_the_last_of_several_doubtful_dice_is_answered() -> None:
    table = waiting((2, 5))
    told = table.order("correct", reading=1, die=2, face="5H")
    assert told["verdict"]["kind"] == "ask"
    assert [die["doubtful"] for die in told["reading"]["dice"]].count(True) == 1
    told = table.order("correct", reading=1, die=5, face="KC")
    assert told["turn"]["rolls"] == 1


def test_unreadable_die_must_be_named_before_the_roll_can_be_confirmed() -> None:
    table = Round()
    table.order("draw")
    codes = FIRST.replace("5H", "?")
    told = table.settle(reading(codes, 1, Status.ASK, (2,)))
    assert not told["can"]["confirm"]
    with pytest.raises(RuleError, match="unreadable"):
        table.order("confirm", reading=1)
    assert table.order("correct", reading=1, die=2, face="5H")["turn"]["rolls"] == 1


def test_refused_roll_can_be_corrected_into_one_that_counts() -> None:
    table = Round()
    table.order("draw")
    codes = FIRST.replace("TD", "TC")
    twice = reading(codes, 1, Status.REFUSE, (0, 1), ProblemCode.DUPLICATE_FACE)
    assert table.settle(twice)["verdict"]["kind"] == "refuse"
    table.order("correct", reading=1, die=0, face="TC")
    told = table.order("correct", reading=1, die=1, face="TD")
    assert told["verdict"]["kind"] == "sure"
    assert told["turn"]["rolls"] == 1


def test_counted_roll_can_be_corrected_and_the_pay_follows() -> None:
    table = rolled(THIRD)
    table.order("stop")
    assert table.scores() == [10, 0]
    table.order("correct", reading=1, die=0, face="TH", reason="misread")
    assert table.scores() == [4, 0]
    assert "misread" in table.record()["log"][0]["words"]
    table.order("correct", reading=1, die=0, face="TC")
    assert table.scores() == [10, 0]
    told = table.order("undo")
    assert table.scores() == [4, 0]
    assert told["reading"]["dice"][0]["face"]["code"] == "TH"


def test_corrected_kept_die_is_corrected_in_the_roll_before_too() -> None:
    table = rolled()
    table.order("keep", dice=[0, 1, 7])
    table.settle(reading(SECOND, 2))
    told = table.order("correct", reading=2, die=0, face="TS")
    assert told["reading"]["dice"][0]["face"]["code"] == "TS"
    history = table.record()["turn"]["history"]
    assert [roll[0]["code"] for roll in history] == ["TS", "TS"]


def test_correction_of_a_rolled_die_leaves_the_roll_before_alone() -> None:
    table = rolled()
    table.order("keep", dice=[0, 1, 7])
    table.settle(reading(SECOND, 2))
    table.order("correct", reading=2, die=2, face="AD")
    history = table.record()["turn"]["history"]
    assert [roll[2]["code"] for roll in history] == ["5H", "AD"]


def test_new_game_keeps_nothing_but_the_camera() -> None:
    table = rolled(THIRD)
    table.order("stop")
    told = table.order("start", players=["Cem", "Dora", "Eve"])
    assert [player["score"] for player in told["players"]] == [0, 0, 0]
    assert told["reading"] is None
    kinds = [event.kind for event in table.events]
    assert kinds[-2:] == ["game_closed", "game_started"]
    assert table.events[-2].game != table.events[-1].game


@pytest.mark.parametrize(
    ("make", "do", "fields", "rule"),
    [
        pytest.param(Round, "stop", {}, "CM-06", id="stop-without-target"),
        pytest.param(Round, "keep", {"dice": [0]}, "CM-06", id="keep-without-target"),
        pytest.param(Round, "draw", {"card": "X9"}, "CL-04", id="draw-no-card"),
        pytest.param(Round, "undo", {}, "CM-08", id="undo-nothing"),
        pytest.param(Round, "sign_off", {"name": "R"}, "CM-06", id="sign-too-early"),
        pytest.param(rolled, "draw", {}, "CM-06", id="draw-twice"),
        pytest.param(rolled, "keep", {"dice": [9]}, "CM-19", id="keep-no-such-place"),
        pytest.param(rolled, "keep", {"dice": [1, 1]}, "CM-19", id="keep-twice"),
        pytest.param(rolled, "roll", {"faces": ["TC"]}, "CM-13", id="roll-one-die"),
        pytest.param(
            rolled, "roll", {"faces": ["TC"] * 9}, "CM-15", id="roll-same-face"
        ),
        pytest.param(rolled, "roll", {"faces": ["ZZ"]}, "CM-14", id="roll-no-face"),
        pytest.param(rolled, "confirm", {"reading": 1}, "CM-06", id="confirm-sure"),
        pytest.param(rolled, "confirm", {"reading": 7}, "CM-10", id="confirm-unknown"),
        pytest.param(rolled, "dismiss", {"reading": 1}, "CM-06", id="dismiss-counted"),
        pytest.param(rolled, "stop", {"step": 1}, "TB-02", id="earlier-moment"),
        pytest.param(
            rolled, "stop", {"seat": "Bob", "referee": False}, "TB-03", id="not-a-phone"
        ),
        pytest.param(
            rolled,
            "keep",
            {"seat": "Bob", "referee": False, "dice": [1]},
            "TB-03",
            id="keep-of-another-player",
        ),
        pytest.param(
            rolled,
            "correct",
            {"reading": 1, "die": 9, "face": "AS"},
            "CM-10",
            id="correct-no-such-die",
        ),
        pytest.param(
            rolled,
            "correct",
            {"reading": 1, "die": 0, "face": "TD"},
            "CM-15",
            id="correct-to-a-face-that-shows",
        ),
        pytest.param(
            rolled,
            "correct",
            {"reading": 1, "die": 0, "face": "A"},
            "CM-14",
            id="correct-to-a-poker-face",
        ),
        pytest.param(waiting, "stop", {}, "CM-06", id="stop-while-asked"),
        pytest.param(waiting, "keep", {"dice": [0]}, "CM-06", id="keep-while-asked"),
    ],
)
def test_refused_order_names_its_rule_and_changes_nothing(
    make: Callable[[], Round], do: str, fields: dict[str, Any], rule: str
) -> None:
    table = make()
    before = table.state
    with pytest.raises(RuleError) as caught:
        table.order(do, **fields)
    assert caught.value.rule == rule
    assert table.state is before


def test_correction_against_a_later_keep_is_refused_whole() -> None:
    table = rolled()
    table.order("keep", dice=[0])
    table.settle(reading(SECOND, 2))
    before = table.state
    # the first roll would then show the five of hearts twice
    with pytest.raises(RuleError) as caught:
        table.order("correct", reading=2, die=0, face="5H")
    assert caught.value.rule == "CM-15"
    assert table.state is before


def test_player_keeps_dice_from_the_own_phone() -> None:
    table = rolled()
    told = table.order("keep", dice=[0], seat="Ann", referee=False, by="Ann")
    assert told["turn"]["kept"] == [0]
    assert told["log"][0]["by"] == "Ann"


def test_undo_goes_back_across_the_end_of_the_game_and_redo_forth() -> None:
    table = Round()
    table.order("start", players=["Ann"], options={"rounds": 1})
    table.order("draw", card="T18")
    table.settle(reading(THIRD, 1))
    told = table.order("stop")
    assert told["game"]["over"]
    assert told["verdict"]["kind"] == "over"
    told = table.order("undo")
    assert not told["game"]["over"]
    assert told["turn"]["pays"]["total"] == 10
    assert [item["done"] for item in told["log"]] == [False, True, True]
    told = table.order("redo")
    assert told["game"]["winners"] == ["Ann"]
    assert all(item["done"] for item in told["log"])


def test_undone_roll_is_no_longer_shown_as_counted() -> None:
    table = rolled()
    told = table.order("undo")
    assert told["reading"] is None
    assert told["turn"]["rolls"] == 0


def test_signed_result_stands_until_it_is_reopened() -> None:
    table = Round()
    table.order("start", players=["Ann"], options={"rounds": 1})
    table.order("draw", card="T18")
    table.settle(reading(THIRD, 1))
    table.order("stop")
    assert table.order("sign_off", name="R. Eferee")["game"]["signed_by"] == "R. Eferee"
    with pytest.raises(RuleError) as caught:
        table.order("undo")
    assert caught.value.rule == "TB-04"
    table.order("reopen", reason="protest")
    assert table.order("undo")["game"]["over"] is False


def test_claim_is_ruled_once_with_a_reason() -> None:
    table = rolled()
    told = table.order("claim", player="Bob", words="That was a six", reading=1)
    assert told["claims"][0]["ruling"] == ""
    told = table.order("rule", claim=1, ruling="rejected", reason="It is a five")
    assert told["claims"][0]["ruling"] == "rejected"
    assert told["claims"][0]["ruled_by"] == "operator"
    with pytest.raises(RuleError, match="already"):
        table.order("rule", claim=1, ruling="upheld", reason="No")


def test_frozen_table_obeys_the_referee_only() -> None:
    table = rolled()
    table.order("freeze", reason="a dispute")
    with pytest.raises(RuleError) as caught:
        table.order("stop", referee=False)
    assert caught.value.rule == "TB-01"
    table.order("thaw")
    table.order("stop", referee=False)


def test_restart_gives_the_state_back() -> None:
    table = rolled()
    table.order("keep", dice=[0, 1, 7])
    table.settle(reading(SECOND, 2))
    table.order("correct", reading=2, die=0, face="TS")
    table.order("claim", player="Bob", words="Look again")
    table.order("undo")
    table.settle(reading(THIRD, 3, Status.ASK, (2,)))
    again = state_record(table.house, table.told_again(), Surroundings())
    assert again == table.record()


def test_operator_answers_doubts_but_only_a_referee_corrects_what_counted() -> None:
    table = waiting()
    table.order("name", reading=1, die=2, face="TS", referee=False)
    with pytest.raises(RuleError) as caught:
        table.order("name", reading=1, die=2, face="TH", referee=False)
    assert caught.value.rule == "TB-06"
    with pytest.raises(RuleError) as caught:
        table.order("correct", roll=0, faces=FIRST.split(), referee=False)
    assert caught.value.rule == "TB-06"


def test_roll_refused_in_one_turn_cannot_count_in_the_next() -> None:
    table = Round()
    table.order("start", game="best_hand", players=["Ann", "Bob"])
    table.settle(reading(FIRST, 1))
    table.order("keep", dice=[0])
    table.settle(reading("2C 3C 4D 5S 6D 7H 8S JS QC", 2))
    assert table.record()["verdict"]["kind"] == "refuse"
    told = table.order("stop")
    assert told["verdict"]["kind"] == "sure"
    with pytest.raises(RuleError) as caught:
        table.order("name", reading=2, die=0, face="2C")
    assert caught.value.rule == "CM-10"


def test_log_tells_a_corrected_turn_as_it_stands() -> None:
    table = Round()
    table.order("start", game="best_hand", players=["Ann", "Bob"])
    table.order("roll", faces=["AS", "KS", "QS", "2D", "TS", "9S", "8C", "7C", "6C"])
    told = table.order("stop")
    assert told["log"][0]["words"] == "Ann stopped: flush"
    told = table.order(
        "correct", roll=0, faces=["AS", "AH", "AC", "AD", "TS", "9S", "8C", "7C", "6C"]
    )
    words = [item["words"] for item in told["log"]]
    assert words[1] == "Ann stopped: four of a kind"
    assert words[2] == "Ann rolled AS AH AC AD TS 9S 8C 7C 6C"
    told = table.order("undo")
    assert told["log"][1]["words"] == "Ann stopped: flush"


def test_advice_stays_off_in_the_next_game_and_after_a_restart() -> None:
    table = Round()
    table.order("advice", on=False)
    table.order("start", players=["Ann"])
    game = table.state.game
    assert game is not None
    own = [event for event in table.events if event.game == game.id]
    assert replay(own).advice_on is False


def test_signature_is_not_replaced_and_only_a_signed_result_is_reopened() -> None:
    table = Round()
    table.order("start", players=["Ann"], options={"rounds": 1})
    table.order("draw", card="T18")
    table.order("roll", faces=THIRD.split())
    table.order("stop")
    with pytest.raises(RuleError) as caught:
        table.order("reopen", reason="why not")
    assert caught.value.rule == "CM-06"
    table.order("sign_off", name="One")
    with pytest.raises(RuleError) as caught:
        table.order("sign_off", name="Two")
    assert caught.value.rule == "TB-04"


def test_dice_are_chosen_with_the_game() -> None:
    table = Round()
    names = ["Ann", "Bob"]
    table.order("start", players=names, dice_set="square-shooters-reference")
    assert table.state.need is None
    table.order("draw", card="T18")
    need = table.state.need
    assert need is not None
    assert need.dice_set.dice is not None
    table.order("start", players=names, dice_set="square-shooters")
    table.order("draw", card="T18")
    need = table.state.need
    assert need is not None
    assert need.dice_set.dice is None
    with pytest.raises(RuleError) as caught:
        table.order("start", players=names, dice_set="../x")
    assert caught.value.rule == "CM-03"
