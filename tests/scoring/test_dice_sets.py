from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest

from scoring.cards import CARD_DICE_FACES, POKER_DICE_FACES, Face, parse_face
from scoring.dice_sets import (
    DiceSet,
    DiceSetError,
    bundled_dice_set,
    bundled_names,
    check_card_layout,
    dice_set_from_record,
    dice_set_text,
    load_dice_set,
    straight_flushes,
)

if TYPE_CHECKING:
    from pathlib import Path


def reference_dice() -> list[list[str]]:
    dice = bundled_dice_set("square-shooters-reference").dice
    assert dice is not None
    return [[face.code for face in die] for die in dice]


def swapped(one: str, other: str) -> list[list[str]]:
    """The reference layout with two faces changing places."""
    change = {one: other, other: one}
    return [[change.get(code, code) for code in die] for die in reference_dice()]


def layout(dice: list[list[str]]) -> tuple[tuple[Face, ...], ...]:
    return tuple(tuple(parse_face(code) for code in die) for die in dice)


def test_square_shooters_has_54_faces_on_nine_dice_of_unknown_layout() -> None:
    dice_set = bundled_dice_set("square-shooters")
    assert dice_set.faces == CARD_DICE_FACES
    assert (dice_set.dice_count, dice_set.dice) == (9, None)
    assert dice_set.unique_faces


def test_reference_layout_is_lawful_and_shows_no_face_twice() -> None:
    dice_set = bundled_dice_set("square-shooters-reference")
    assert dice_set.name == "square-shooters-reference"
    assert dice_set.dice is not None
    assert sorted(f.code for die in dice_set.dice for f in die) == sorted(
        face.code for face in CARD_DICE_FACES
    )
    assert dice_set.unique_faces


def test_poker_dice_may_repeat_a_face() -> None:
    dice_set = bundled_dice_set("poker-dice")
    assert dice_set.dice_count == 5
    assert dice_set.faces == POKER_DICE_FACES
    assert not dice_set.unique_faces


def test_squint_die_has_each_number_on_two_faces() -> None:
    dice = bundled_dice_set("squint-die").dice
    assert dice is not None
    assert sorted(face.code for face in dice[0]) == ["1", "1", "2", "2", "3", "3"]


def test_unknown_bundled_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(DiceSetError, match=r"'dominoes'.*square-shooters"):
        bundled_dice_set("dominoes")


@pytest.mark.parametrize("name", bundled_names())
def test_dice_set_survives_writing_and_reading(name: str, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(dice_set_text(bundled_dice_set(name)), "utf-8")
    assert load_dice_set(path) == bundled_dice_set(name)


def test_there_are_forty_straight_flushes_of_five_different_cards() -> None:
    runs = list(straight_flushes())
    assert len({frozenset(run) for run in runs}) == 40
    assert all(len(set(run)) == 5 and len({c.suit for c in run}) == 1 for run in runs)


def test_missing_and_repeated_faces_are_named() -> None:
    dice = reference_dice()
    dice[0][0] = "KH"
    with pytest.raises(DiceSetError, match="missing: AS; repeated: KH"):
        check_card_layout(layout(dice))


def test_every_pair_of_faces_that_must_not_share_a_die_is_found() -> None:
    """Each of the 54*53/2 swaps is judged as a plain recount of the rules says."""
    together = [set(run) for run in straight_flushes()]
    must_differ = {
        frozenset({a, b})
        for a in CARD_DICE_FACES
        for b in CARD_DICE_FACES
        if a != b
        and (
            any(a in run and b in run for run in together)
            or a.code[0] == b.code[0]
            or {a.code, b.code} == {"RJ", "BJ"}
        )
    }
    refused = 0
    for index, one in enumerate(CARD_DICE_FACES):
        for other in CARD_DICE_FACES[index + 1 :]:
            dice = layout(swapped(one.code, other.code))
            unlawful = any(
                frozenset({a, b}) in must_differ
                for die in dice
                for a in die
                for b in die
                if a != b
            )
            try:
                check_card_layout(dice)
            except DiceSetError:
                refused += 1
                assert unlawful, f"{one.code}, {other.code}"
            else:
                assert not unlawful, f"{one.code}, {other.code}"
    assert refused > 500


@pytest.mark.parametrize(
    ("one", "other", "named"),
    [
        pytest.param("AC", "BJ", "RJ BJ share die", id="jokers"),
        pytest.param("3C", "AH", "AS AH share die", id="four-of-a-kind"),
        pytest.param("5H", "AD", "AS AD share die", id="aces"),
        pytest.param("3C", "2S", "AS 2S share die", id="straight-flush"),
        pytest.param("6S", "QS", "QS AS share die", id="royal-flush"),
    ],
)
def test_faces_that_share_a_die_are_named(one: str, other: str, named: str) -> None:
    with pytest.raises(DiceSetError, match=named):
        check_card_layout(layout(swapped(one, other)))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        pytest.param([], "JSON object", id="list"),
        pytest.param({}, "name must be a text", id="empty"),
        pytest.param({"name": ""}, "dice_count", id="no-count"),
        pytest.param({"name": "x", "dice_count": True}, "whole number", id="bool"),
        pytest.param({"name": "x", "dice_count": 3}, "faces must be", id="no-faces"),
        pytest.param(
            {"name": "", "dice_count": 3, "faces": ["AS"]}, "name", id="no-name"
        ),
        pytest.param(
            {"name": "x", "dice_count": 0, "faces": ["AS"]}, "dice_count", id="none"
        ),
        pytest.param(
            {"name": "x", "dice_count": 1, "faces": []}, "needs faces", id="no-face"
        ),
        pytest.param(
            {"name": "x", "dice_count": 3, "faces": ["AS", "AS"]}, "AS", id="twice"
        ),
        pytest.param(
            {"name": "x", "dice_count": 3, "faces": ["1C"]}, "1C", id="no-such-face"
        ),
        pytest.param(
            {"name": "x", "dice_count": 3, "faces": [7]}, "not 7", id="number"
        ),
        pytest.param({"name": "x", "dice": [["AS"]]}, "9 dice", id="one-die"),
        pytest.param({"name": "x", "dice": ["AS"]}, "one list", id="flat"),
        pytest.param({"name": "x", "dice": [["9", "T"]]}, "6 faces", id="two-faces"),
        pytest.param(
            {"name": "x", "dice": [["9", "T", "J", "Q", "K", "1"]]},
            "different kinds",
            id="mixed",
        ),
        pytest.param(
            {"name": "x", "dice": [*reference_dice()[:8], ["A"] * 6]},
            "not a face of card dice",
            id="poker-die-among-cards",
        ),
    ],
)
def test_bad_record_is_refused_with_what_is_wrong(record: object, message: str) -> None:
    with pytest.raises(DiceSetError, match=message):
        dice_set_from_record(record)


def test_layout_that_does_not_fit_the_set_is_refused() -> None:
    die = POKER_DICE_FACES
    with pytest.raises(DiceSetError, match="2 dice expected, 1 listed"):
        DiceSet("x", die, 2, (die,))
    with pytest.raises(DiceSetError, match="on no die: A"):
        DiceSet("x", die, 1, ((*die[:5], die[0]),))
    with pytest.raises(DiceSetError, match="not faces of this set: A"):
        DiceSet("x", die[:5], 1, (die,))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xff\xfe", id="not-utf8"),
        pytest.param(b"{", id="not-json"),
        pytest.param(json.dumps({"name": "x"}).encode(), id="not-a-set"),
    ],
)
def test_unusable_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "häßlich.json"
    path.write_bytes(content)
    with pytest.raises(DiceSetError, match=re.escape(str(path))):
        load_dice_set(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiceSetError, match=r"gone\.json: cannot be read"):
        load_dice_set(tmp_path / "gone.json")


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_load_refuses_what_is_no_ordinary_file_without_waiting(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "dice.json"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(DiceSetError, match=r"dice\.json: is a .* an ordinary file"):
        load_dice_set(path)


def test_deeply_nested_set_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text("[" * 200_000)
    with pytest.raises(DiceSetError, match=r"set\.json: nested too deeply"):
        load_dice_set(path)
