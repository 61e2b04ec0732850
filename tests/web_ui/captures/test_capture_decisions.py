"""Decisions: which readings of a table were decided, how and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from capture_makers import HEIGHT_PX as SMALL_HEIGHT
from capture_makers import WIDTH_PX as SMALL_WIDTH
from capture_makers import picture
from table_makers import FIRST, SECOND, WIDTH_PX, reading
from table_rounds import Round

from datasets.captures.capture import Kept, Origin
from vision.reading import ProblemCode, Status
from web_ui.captures.decisions import Decision, Decisions
from web_ui.captures.taking import doubt_of, take_capture

if TYPE_CHECKING:
    from vision.reading import Reading


def decided(table: Round) -> list[Decision]:
    """All that the events of a table decide, in order."""
    follower = Decisions()
    return [one for event in table.events for one in follower.follow(event)]


def told(decision: Decision) -> tuple[int, str, str]:
    """Reading, why, and the faces by place with the roles of those who named them."""
    words = [
        f"{face.code if face else '?'}{'=' if role else ''}{role}"
        for face, role in zip(decision.item.faces, decision.roles, strict=True)
    ]
    return decision.item.id, decision.kept.value, " ".join(words)


def with_roll(first: Reading, codes: str = "T18") -> Round:
    table = Round()
    table.order("draw", card=codes)
    table.settle(first)
    return table


def asked(codes: str = FIRST, doubtful: tuple[int, ...] = (2,)) -> Reading:
    return reading(codes, 1, Status.ASK, doubtful)


def test_nothing_is_decided_before_anything_is_read() -> None:
    assert decided(Round()) == []


def test_sure_roll_that_counts_is_sure() -> None:
    table = with_roll(reading(FIRST, 1))
    assert [told(one) for one in decided(table)] == [(1, "sure", FIRST)]


def test_asked_roll_is_decided_when_it_is_answered_and_not_before() -> None:
    table = with_roll(asked())
    assert decided(table) == []
    table.order("correct", reading=1, die=2, face="TS", by="operator")
    ((number, why, faces),) = [told(one) for one in decided(table)]
    assert (number, why) == (1, "asked")
    assert faces == FIRST.replace("5H", "TS=operator")


def test_confirmation_answers_for_the_doubtful_dice_alone() -> None:
    table = with_roll(asked(doubtful=(2, 5)))
    table.order("confirm", reading=1, by="Ann")
    ((_, why, faces),) = [told(one) for one in decided(table)]
    assert why == "asked"
    assert faces == FIRST.replace("5H", "5H=Ann").replace("KH", "KH=Ann")


def test_correction_of_a_roll_that_counted_is_told_again() -> None:
    table = with_roll(reading(FIRST, 1))
    table.order("correct", reading=1, die=0, face="TS", by="referee Eve")
    first, second = (told(one) for one in decided(table))
    assert first[1] == "sure"
    assert second == (1, "corrected", FIRST.replace("TC", "TS=referee Eve"))
    assert doubt_of(decided(table)[-1]) == 1.0


def test_undo_of_a_correction_brings_the_face_back() -> None:
    table = with_roll(reading(FIRST, 1))
    table.order("correct", reading=1, die=0, face="TS")
    table.order("undo")
    faces = [told(one)[2].split()[0] for one in decided(table)]
    assert faces == ["TC", "TS=operator", "TC=operator"]


def test_correction_of_an_earlier_roll_by_number_is_told() -> None:
    table = with_roll(reading(FIRST, 1))
    table.order("keep", dice=[0, 1])
    table.settle(reading(SECOND, 2))
    faces = [*SECOND.split()]
    faces[2] = "AD"
    table.order("correct", roll=1, faces=faces)
    last = told(decided(table)[-1])
    assert last[:2] == (2, "corrected")
    assert last[2].split()[2] == "AD=operator"


def test_corrected_kept_die_corrects_the_reading_before_too() -> None:
    table = with_roll(reading(FIRST, 1))
    table.order("keep", dice=[0, 1, 7])
    table.settle(reading(SECOND, 2))
    table.order("correct", reading=2, die=0, face="TS")
    last = {told(one)[0]: told(one)[2].split()[0] for one in decided(table)}
    assert last == {1: "TS=operator", 2: "TS=operator"}


def test_roll_after_an_undo_is_not_taken_for_the_one_before() -> None:
    table = with_roll(reading(FIRST, 1))
    table.order("undo")
    table.settle(reading(SECOND, 2))
    table.order("correct", reading=2, die=2, face="AD")
    by_reading = {told(one)[0]: told(one) for one in decided(table)}
    assert by_reading[1] == (1, "sure", FIRST)
    assert by_reading[2][1] == "corrected"


def test_refused_roll_is_kept_and_its_correction_later_too() -> None:
    codes = FIRST.replace("TD", "TC")
    twice = reading(codes, 1, Status.REFUSE, (0, 1), ProblemCode.DUPLICATE_FACE)
    table = with_roll(twice)
    assert [told(one)[1] for one in decided(table)] == ["refused"]
    table.order("correct", reading=1, die=0, face="TC")
    table.order("correct", reading=1, die=1, face="TD")
    last = told(decided(table)[-1])
    assert last[:2] == (1, "refused")
    assert last[2].startswith("TC=operator TD=operator 5H ")


def test_asked_roll_that_nobody_could_answer_is_kept_without_names() -> None:
    table = with_roll(asked(FIRST.replace("5H", "?")))
    table.order("dismiss", reading=1)
    ((_, why, faces),) = [told(one) for one in decided(table)]
    assert (why, faces) == ("asked", FIRST.replace("5H", "?"))


def test_held_rolls_that_are_taken_in_one_go_are_all_told() -> None:
    table = with_roll(asked())
    table.settle(reading(SECOND, 2))
    table.settle(reading(FIRST, 3))
    table.order("confirm", reading=1)
    assert [told(one)[0] for one in decided(table)] == [1, 2, 3]


def test_roll_typed_in_has_no_picture() -> None:
    table = Round()
    table.order("draw", card="T18")
    table.order("roll", faces=FIRST.split())
    (one,) = decided(table)
    assert one.item.picture == ""


def test_missed_events_are_made_up_for_by_the_next_game() -> None:
    table = with_roll(asked())
    follower = Decisions(table.events)
    follower.lose()
    before = len(table.events)
    table.order("confirm", reading=1)
    assert [follower.follow(event) for event in table.events[before:]] == [()]
    before = len(table.events)
    table.order("start", players=["Cem", "Dora"])
    table.order("draw", card="T18")
    table.settle(reading(SECOND, 9))
    found = [one for e in table.events[before:] for one in follower.follow(e)]
    assert [told(one) for one in found] == [(2, "sure", SECOND)]


def test_doubt_orders_wrong_asked_refused_sure() -> None:
    tables = [with_roll(reading(FIRST, 1)) for _ in range(2)]
    tables[0].order("correct", reading=1, die=0, face="TS")
    waiting = with_roll(asked())
    waiting.order("confirm", reading=1)
    refused = with_roll(reading(FIRST, 1, Status.REFUSE, (0,)))
    found = [decided(t)[-1] for t in (tables[0], waiting, refused, tables[1])]
    doubts = [doubt_of(one) for one in found]
    assert doubts == sorted(doubts, reverse=True)
    assert len(set(doubts)) == 4
    assert all(0 <= doubt <= 1 for doubt in doubts)


def test_capture_of_a_shrunk_picture_has_its_own_pixels() -> None:
    table = with_roll(asked())
    table.order("correct", reading=1, die=2, face="TS", by="Ann")
    (one,) = decided(table)
    data = picture(3)
    made = take_capture(one, data, "evening", "front")
    assert (made.width_px, made.height_px) == (SMALL_WIDTH, SMALL_HEIGHT)
    shrunk = SMALL_WIDTH / WIDTH_PX
    for die, seen, there in zip(
        made.dice, one.item.reading.dice, (made.reading or one.item.reading).dice,
        strict=True,
    ):  # fmt: skip
        x, y = seen.quad[1]
        assert die.quad[1] == pytest.approx(((x + 0.5) * shrunk, (y + 0.5) * shrunk))
        assert there.quad[1] == pytest.approx(
            (die.quad[1][0] - 0.5, die.quad[1][1] - 0.5)
        )
    assert [die.origin for die in made.dice].count(Origin.PERSON) == 1
    assert (made.dice[2].role, made.kept) == ("Ann", Kept.ASKED)
    assert made.light is not None
    assert 0 <= made.light.darkest < made.light.brightest <= 255
