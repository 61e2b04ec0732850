"""Figures of a small made set, counted by hand from the definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from labelled_sets import label, label_record, quad_at, reading
from painted_dice import NINE
from small_models import save_models

from datasets.eval_counts import (
    confusions,
    decided_face,
    face_shares,
    found_shares,
    group_names,
    lie_shares,
    read_dice,
    roll_shares,
)
from datasets.eval_labels import parse_picture
from datasets.eval_misses import MissKind, misses_of
from datasets.eval_results import RollKind
from datasets.evaluation import EvalOptions, Evaluator
from scoring.dice_sets import bundled_dice_set
from vision.reader import load_reader
from vision.reading import DieState, Status

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.eval_results import PictureResult
    from datasets.intervals import Share
    from vision.reading import Reading

ASK, REFUSE = Status.ASK, Status.REFUSE


class Judge:
    """Judges made readings of made labels."""

    def __init__(self, models: Path) -> None:
        reader = load_reader(bundled_dice_set("square-shooters"), models, threads=1)
        self.reader = reader
        self.folder = models

    def __call__(
        self,
        codes: str,
        said: Reading | None,
        options: EvalOptions | None = None,
        **more: object,
    ) -> PictureResult:
        evaluator = Evaluator(self.reader, options)
        return evaluator.judged(label(self.folder, "a.jpg", codes, **more), said, ())


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    models = save_models(tmp_path_factory.mktemp("models"))
    return Judge(models)


def pair(share: object) -> tuple[int, int]:
    shares: Share = share  # type: ignore[assignment]  # the values are of two kinds
    return shares.hits, shares.total


def misses(result: PictureResult) -> list[MissKind]:
    return [miss.kind for miss in misses_of(result)]


def test_right_roll(judge: Judge) -> None:
    result = judge(NINE, reading(NINE))
    assert result.verdict.kind is RollKind.ORDINARY
    assert (result.verdict.right, result.verdict.wrong_sure) == (True, False)
    assert misses(result) == []


def test_figures_of_a_small_set(judge: Judge) -> None:
    one_wrong = NINE.replace("2H", "2D")
    results = [
        judge(NINE, reading(NINE), tags=["dim"], art="x"),
        judge(NINE, reading(one_wrong)),
        judge(NINE, reading(NINE, ASK)),
        judge(NINE, None),
    ]
    found = found_shares(results)
    assert pair(found["recall"]) == (27, 36)
    assert pair(found["precision"]) == (27, 27)
    faces = face_shares(read_dice(results), decided_face)
    # NINE has ranks only of 1 to 10 and no joker: every die has a suit and a colour
    wanted = {"face": (26, 27), "rank": (27, 27), "suit": (26, 27), "colour": (27, 27)}
    assert {name: pair(share) for name, share in faces.items()} == wanted
    rolls = roll_shares(results)
    counted = {
        "rolls_right": (2, 4),
        "wrong_while_sure": (1, 4),
        "wrong_given_sure": (1, 2),
        "right_but_asked": (1, 4),
        "right_given_asked": (1, 1),
        "right_but_refused": (0, 4),
        "other_pictures_not_sure": (0, 0),
    }
    assert {name: pair(rolls[name]) for name in counted} == counted
    status = rolls["status"]
    assert isinstance(status, dict)
    assert {name: share.hits for name, share in status.items()} == {
        "sure": 2,
        "ask": 1,
        "refuse": 1,
    }
    mixed = confusions(results)
    assert mixed["2H", "2D"] == 1
    assert sum(mixed.values()) == 1 + 9
    assert group_names(results) == ("art:x", "dim")


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        pytest.param(NINE + " KH", [MissKind.NOTHING_THERE], id="one-more"),
        pytest.param(NINE[:-3], [MissKind.NOT_FOUND], id="one-less"),
        pytest.param(NINE.replace("TS", "?"), [MissKind.NOT_READ], id="one-unread"),
        pytest.param(NINE.replace("TS", "TC"), [MissKind.WRONG_FACE], id="one-wrong"),
    ],
)
def test_one_fault_spoils_the_roll(
    judge: Judge, said: str, kinds: list[MissKind]
) -> None:
    result = judge(NINE, reading(said))
    assert (result.verdict.right, result.verdict.wrong_sure) == (False, True)
    assert misses(result) == [MissKind.WRONG_SURE, *kinds]
    asked = judge(NINE, reading(said, ASK))
    assert (asked.verdict.right, asked.verdict.wrong_sure) == (False, False)
    assert misses(asked) == kinds


@pytest.mark.parametrize(("status", "wrong"), [(s, s == "sure") for s in Status])
@pytest.mark.parametrize("codes", [NINE, NINE[:-3]])
def test_other_pictures_must_not_be_sure(
    judge: Judge, status: Status, wrong: bool, codes: str
) -> None:
    record = label_record("a.jpg", codes)
    if codes == NINE:
        record["dice"][0]["state"] = "cocked"
    result = judge(codes, reading(codes, status), dice=record["dice"])
    assert result.verdict.kind is RollKind.OTHER
    assert (result.verdict.right, result.verdict.wrong_sure) == (None, wrong)
    rolls = roll_shares([result])
    assert pair(rolls["other_pictures_not_sure"]) == (1 - wrong, 1)
    assert pair(rolls["rolls_right"]) == (0, 0)


def test_any_number_of_dice_may_be_a_roll(judge: Judge) -> None:
    eight = NINE[:-3]
    options = EvalOptions(count=None)
    assert judge(eight, reading(eight), options).verdict.right is True
    assert judge("", reading(""), options).verdict.right is True
    assert judge(eight, reading(eight), EvalOptions(count=8)).verdict.right is True
    cards = label_record("a.jpg", eight)
    cards["cards"] = cards.pop("dice")
    label_of_cards = parse_picture(cards, judge.folder)
    evaluator = Evaluator(judge.reader)
    assert evaluator.judged(label_of_cards, reading(eight), ()).verdict.right is True


def test_refused_but_right_is_told_from_unreadable(judge: Judge) -> None:
    results = [judge(NINE, reading(NINE, REFUSE)), judge(NINE, None)]
    assert pair(roll_shares(results)["right_but_refused"]) == (1, 2)
    assert misses(results[0]) == [MissKind.REFUSED]


def test_ranks_alone_are_judged_as_ranks(judge: Judge) -> None:
    record = label_record("a.jpg", NINE)
    record["dice"][1] |= {"face": None, "rank": "2"}
    right = judge(NINE, reading(NINE.replace("2H", "2C")), dice=record["dice"])
    assert right.verdict.right is True
    wrong = judge(NINE, reading(NINE.replace("2H", "9C")), dice=record["dice"])
    assert wrong.verdict.right is False
    assert confusions([wrong]) == {("2", "9"): 1}
    shares = face_shares(read_dice([wrong]), decided_face)
    assert (pair(shares["face"]), pair(shares["rank"])) == ((8, 8), (8, 9))


def test_places_alone_count_as_found_only(judge: Judge) -> None:
    record = label_record("a.jpg", NINE)
    for die in record["dice"]:
        die["face"] = None
    result = judge(NINE, reading("?" + NINE[2:]), dice=record["dice"])
    assert result.verdict.kind is RollKind.UNKNOWN
    assert result.verdict.wrong_sure is False
    assert pair(found_shares([result])["recall"]) == (9, 9)
    assert pair(roll_shares([result])["wrong_while_sure"]) == (0, 0)
    assert confusions([result]) == {}


def test_jokers_have_a_rank_and_a_colour_but_no_suit(judge: Judge) -> None:
    codes = NINE.replace("AS", "RJ")
    result = judge(codes, reading(codes.replace("RJ", "BJ")))
    shares = face_shares(read_dice([result]), decided_face)
    wanted = {"face": (8, 9), "rank": (9, 9), "suit": (8, 8), "colour": (8, 9)}
    assert {name: pair(share) for name, share in shares.items()} == wanted


def test_faces_count_only_where_dice_lie_flat(judge: Judge) -> None:
    record = label_record("a.jpg", NINE)
    for place, state in enumerate(("cocked", "stacked", "hidden_part")):
        record["dice"][place]["state"] = state
    told = {0: DieState.COCKED, 1: DieState.COCKED}
    wrong = NINE.replace("AS", "KS")
    result = judge(NINE, reading(wrong, ASK, states=told), dice=record["dice"])
    assert pair(face_shares(read_dice([result]), decided_face)["face"]) == (6, 6)
    lies = lie_shares([result])
    assert pair(lies["state"]) == (7, 9)
    assert pair(lies["not_flat_noticed"]) == (2, 3)
    assert misses(result) == [MissKind.NOT_NOTICED]


def test_place_counts_from_the_least_overlap_on(judge: Judge) -> None:
    # a square of 30 px moved by 12: 18/42 of both, by 13: 17/43
    near, far = reading(NINE, shift=12), reading(NINE, shift=13)
    assert pair(found_shares([judge(NINE, near)])["recall"]) == (9, 9)
    assert pair(found_shares([judge(NINE, far)])["recall"]) == (0, 9)
    looser = EvalOptions(least_iou=0.3)
    result = judge(NINE, far, looser)
    assert pair(found_shares([result])["recall"]) == (9, 9)
    by_iou = {found.limit: found.said_matched for found in result.by_iou}
    assert (by_iou[0.3], by_iou[0.4]) == (9, 0)


def test_first_corner_is_where_the_art_begins(judge: Judge) -> None:
    said = reading(NINE)
    turned = replace(said.dice[0], quad=quad_at(0, turn=1))
    result = judge(NINE, replace(said, dice=(turned, *said.dice[1:])))
    assert pair(lie_shares([result])["upright_corner"]) == (8, 9)
