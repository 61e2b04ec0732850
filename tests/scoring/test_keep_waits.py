"""What a kept set waits for, against looking at every roll."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest
from plain_turns import DICE, PAIR, THREE, Judge, dice_set, shows, some_places

from scoring.cards import Joker
from scoring.hand_shapes import HandName
from scoring.hands import parse_faces
from scoring.keep_waits import Wait, waits_of
from scoring.odds import Goal, OddsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face


@pytest.mark.parametrize(
    "goal",
    [
        Goal(HandName.PAIR, PAIR),
        Goal(HandName.THREE_OF_A_KIND, THREE),
        Goal(HandName.FLUSH),
    ],
)
def test_waits_are_the_fewest_faces_that_complete_the_goal(goal: Goal) -> None:
    judge, few = Judge(goal, 4), dice_set(4)
    for place in list(some_places(4))[::7]:
        faces = judge.faces(place)
        for number in range(16):
            kept = [f for n, f in enumerate(faces) if number >> n & 1]
            for wait in waits_of(few, goal, faces, kept):
                check_wait(goal, faces, kept, wait)


def check_wait(goal: Goal, faces: Sequence[Face], kept: list[Face], wait: Wait) -> None:
    def has(shown: Sequence[Face]) -> bool:
        if wait.what == "type":
            return shows(shown, goal.hand, True)
        assert goal.target is not None
        jokers = sum(isinstance(face, Joker) for face in shown)
        return len(set(goal.target.cards) - set(shown)) <= jokers

    rolled = [die for die, face in zip(DICE, faces, strict=True) if face not in kept]
    rolls = list(product(*rolled))
    there = sum(has([*kept, *roll]) for roll in rolls)
    assert wait.chance == pytest.approx(there / len(rolls), abs=1e-12)
    for missing in range(len(rolled) + 1):
        outs = {
            face
            for some in combinations(rolled, missing)
            for roll in product(*some)
            if has([*kept, *roll])
            for face in roll
        }
        if outs or (not missing and has(kept)):
            assert wait.missing == missing
            told = {face for out in wait.outs for face in out.faces}
            assert told == outs
            assert all(f in DICE[out.die - 1] for out in wait.outs for f in out.faces)
            return
    assert wait.missing is None


def test_target_waits_for_exact_and_type_and_a_hand_only_for_itself() -> None:
    few, faces = dice_set(2), DICE[0][:1] + DICE[1][:1]
    both = waits_of(few, Goal(HandName.PAIR, PAIR), faces, faces[:1])
    assert [wait.what for wait in both] == ["exact", "type"]
    alone = waits_of(few, Goal(HandName.PAIR), faces, faces[:1])
    assert [wait.what for wait in alone] == ["type"]


def test_waits_refuse_faces_that_cannot_lie_there() -> None:
    with pytest.raises(OddsError, match="2 faces, not 1"):
        waits_of(dice_set(2), Goal(HandName.PAIR), parse_faces(["TS"]), [])


def test_waits_refuse_a_kept_face_that_does_not_lie_there() -> None:
    faces = parse_faces(["TS", "9C"])
    with pytest.raises(OddsError, match="9H cannot be kept"):
        waits_of(dice_set(2), Goal(HandName.PAIR), faces, parse_faces(["9H"]))
