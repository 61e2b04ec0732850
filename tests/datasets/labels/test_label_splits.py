"""A recording is on one side only, and stays there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.labels.picture_tags import (
    Labeller,
    labeller_of,
    recording_of,
    with_origin,
)
from datasets.labels.splits import SIDES, Split, SplitError, deal, parse_shares

NAMES = [f"evening {number}" for number in range(3000)]


def test_shares_are_kept_over_many_recordings() -> None:
    dealt = deal(NAMES, Split((0.7, 0.2, 0.1)))
    counts = [list(dealt.values()).count(side) / len(NAMES) for side in SIDES]
    # four standard deviations of a share among 3000
    assert counts == pytest.approx([0.7, 0.2, 0.1], abs=0.034)


def test_sides_have_not_changed() -> None:
    # who was held out yesterday must not teach tomorrow
    held_out: dict[str, list[int]] = {}
    for number in range(60):
        side = Split().side_of(f"evening {number}")
        held_out.setdefault(side, []).append(number)
    assert held_out["val"] == [12, 17, 26, 39]
    assert held_out["test"] == [3, 20, 37, 38, 47, 51, 52]


@given(
    st.lists(st.text(min_size=1), min_size=1, max_size=20),
    st.lists(st.text(min_size=1), max_size=20),
    st.text(),
)
def test_side_does_not_depend_on_the_others(
    some: list[str], more: list[str], salt: str
) -> None:
    split = Split((0.5, 0.5, 0.0), salt)
    alone = {name: split.side_of(name) for name in some}
    together = {name: split.side_of(name) for name in more + some}
    assert all(together[name] == side for name, side in alone.items())
    assert set(together.values()) <= {"train", "val"}


def test_another_salt_deals_otherwise() -> None:
    sides = {salt: [Split(salt=salt).side_of(n) for n in NAMES] for salt in ("", "1")}
    assert sides[""] != sides["1"]


def test_composed_and_decomposed_names_are_one_recording() -> None:
    assert len({Split(salt=str(n)).side_of("\u00fc") for n in range(50)}) > 1
    for number in range(50):
        split = Split(salt=str(number))
        assert split.side_of("\u00fc") == split.side_of("u\u0308")


def test_one_recording_cannot_be_dealt_to_two_sides() -> None:
    with pytest.raises(SplitError, match="1 recording cannot be dealt to 2 sides"):
        deal(["evening"] * 50, Split((0.8, 0.2, 0.0)))
    assert deal(["evening"], Split((1.0, 0.0, 0.0))) == {"evening": "train"}


def test_empty_side_is_told_with_a_salt_that_works() -> None:
    names = NAMES[:4]
    with pytest.raises(SplitError, match="none falls to") as caught:
        deal(names, Split((0.9, 0.05, 0.05)))
    salt = str(caught.value).partition('salt "')[2].partition('"')[0]
    dealt = deal(names, Split((0.9, 0.05, 0.05), salt))
    assert set(dealt.values()) == set(SIDES)


def test_pinned_recording_is_where_it_was_put() -> None:
    split = Split((1.0, 0.0, 0.0), pinned=(("evening 1", "val"),))
    assert deal(NAMES[:3], split) == {
        "evening 0": "train",
        "evening 1": "val",
        "evening 2": "train",
    }
    with pytest.raises(SplitError, match="none falls to val"):
        deal(["a", "b", "c"], split)


@pytest.mark.parametrize(
    "shares",
    [(0.5, 0.4, 0.0), (1.2, -0.2, 0.0), (float("nan"), 1.0, 0.0), (0.0, 0.0, 0.0)],
)
def test_shares_must_sum_to_one(shares: tuple[float, float, float]) -> None:
    with pytest.raises(SplitError, match="sum to 1"):
        Split(shares)


def test_pins_must_be_sane() -> None:
    with pytest.raises(SplitError, match="one of train, val, test"):
        Split(pinned=(("a", "trial"),))
    with pytest.raises(SplitError, match="twice"):
        Split(pinned=(("a", "val"), ("a", "test")))


def test_shares_are_read_from_words() -> None:
    assert parse_shares("val=0.25, train=0.75") == (0.75, 0.25, 0.0)


@pytest.mark.parametrize("text", ["", "0.8", "train=a", "trial=1", "val=1,val=0"])
def test_unreadable_shares_are_refused(text: str) -> None:
    with pytest.raises(SplitError):
        parse_shares(text)


def test_recording_is_told_by_tag_or_folder(tmp_path: object) -> None:
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture

    path = Path("x.jpg")
    plain = LabelledPicture("x.jpg", path, 1, 1, ())
    inside = LabelledPicture("evening 1/x.jpg", path, 1, 1, ())
    tagged = LabelledPicture("evening 1/x.jpg", path, 1, 1, (), ("recording:e",))
    assert [recording_of(one) for one in (plain, inside, tagged)] == [
        None,
        "evening 1",
        "e",
    ]
    known = with_origin(plain, "import", Labeller.PERSON)
    assert (recording_of(known), labeller_of(known)) == ("import", Labeller.PERSON)
    assert with_origin(known, "other", Labeller.MODEL) == known
    assert labeller_of(plain) is None
