"""The virtual table without drawing: what it does with commands, frame by frame."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoring.cards import parse_face
from scoring.dice_sets import bundled_dice_set, bundled_names
from vision.errors import SourceError
from web_ui.virtual.orders import FIELDS, carry_out, truth_record
from web_ui.virtual.rolls import RollError, roll_faces
from web_ui.virtual.source import VirtualSource, virtual_plan
from web_ui.virtual.table import TableBusyError, VirtualTable, card_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.pinhole import Floats
    from scoring.cards import Face
    from vision.ports import BgrImage
    from web_ui.virtual.shots import Shot, VirtualDie


def faces(text: str) -> tuple[Face, ...]:
    return tuple(parse_face(code) for code in text.split())


def shown(dice: Sequence[VirtualDie]) -> tuple[Face, ...]:
    return tuple(die.face for die in dice)


def run(table: VirtualTable, frames: int = 60) -> list[Shot]:
    return [table.next_shot()[0] for _ in range(frames)]


class Numbers:
    """Draws nothing: every picture is one more than the one before."""

    def __init__(self) -> None:
        self.painted = 0

    def paint(self, shot: Shot) -> BgrImage:
        self.painted += 1
        return np.full((2, 2, 3), self.painted % 251, np.uint8)

    def spot(self, die: VirtualDie) -> Floats:
        return np.zeros((4, 2))


def test_table_is_empty_before_the_first_throw() -> None:
    table = card_table(1)
    assert all(shot.still == () and shot.calm for shot in run(table, 5))
    assert table.truth().throw == 0


def test_throw_shows_the_faces_that_were_ordered() -> None:
    table, wanted = card_table(1), faces("AS KH TD RJ 2C 3C 4C 5C 6C")
    number, dice = table.throw(wanted)
    assert (number, shown(dice)) == (1, wanted)
    assert not table.truth().resting
    run(table)
    truth = table.truth()
    assert (truth.throw, truth.resting, shown(truth.dice)) == (1, True, wanted)


@pytest.mark.parametrize("name", bundled_names())
def test_random_rolls_are_legal(name: str) -> None:
    dice_set, rng = bundled_dice_set(name), np.random.default_rng(3)
    for kept in range(dice_set.dice_count):
        held = roll_faces(rng, dice_set, kept) if kept else ()
        roll = roll_faces(rng, dice_set, dice_set.dice_count - kept, held)
        assert len(roll) == dice_set.dice_count - kept
        assert set(roll) <= set(dice_set.faces)
        if dice_set.unique_faces:
            assert max(Counter([*roll, *held]).values()) == 1


def test_kept_dice_lie_where_they_lay() -> None:
    table = card_table(2)
    _, first = table.throw()
    run(table)
    _, second = table.throw(keep=shown(first[:4]))
    shots = run(table, 90)
    assert second[:4] == first[:4]
    assert all(set(first[:4]) <= set(shot.still) for shot in shots)
    assert not set(second[4:]) & set(first)


@pytest.mark.parametrize(("keeping", "seen"), [("beside", 9), ("away", 7)])
def test_kept_dice_are_set_aside(keeping: str, seen: int) -> None:
    table = card_table(2)
    _, first = table.throw()
    _, second = table.throw(keep=shown(first[:2]), keeping=keeping)
    assert len(second) == seen
    if keeping == "beside":
        assert all(die.x > 150 for die in second[:2])
        assert shown(second[:2]) == shown(first[:2])


def test_what_is_expected_is_thrown() -> None:
    table = card_table(4)
    table.expect(bundled_dice_set("poker-dice"))
    assert len(table.throw()[1]) == 5
    table.expect(bundled_dice_set("squint-die"))
    _, dice = table.throw()
    assert [die.face.code in "123" for die in dice] == [True]
    table.expect(bundled_dice_set("square-shooters"), 2)
    for _ in range(3):
        run(table, 90)
        left, right = table.throw(faces("AS KH"))[1]
        assert left.x < right.x
        assert left.face == parse_face("AS")


def test_expected_kept_faces_stay() -> None:
    table = card_table(4)
    _, dice = table.throw()
    table.expect(bundled_dice_set("square-shooters"), None, shown(dice[3:6]))
    _, after = table.throw()
    assert after[:3] == dice[3:6]
    assert len(after) == 9


def test_dice_lie_apart() -> None:
    for seed in range(30):
        _, dice = card_table(seed).throw()
        at = np.array([(die.x, die.y) for die in dice])
        gaps = np.linalg.norm(at[:, None] - at[None], axis=2) + 1e3 * np.eye(9)
        assert gaps.min() > 18


def test_hand_comes_whatever_happens_to_the_dice() -> None:
    table = card_table(5)
    table.hand(1.0)
    table.throw()
    shots = run(table, 40)
    assert any(shot.hands and shot.flight for shot in shots)
    assert not shots[-1].hands


def test_clear_takes_all_dice() -> None:
    table = card_table(6)
    table.throw()
    table.clear()
    run(table, 90)
    assert table.truth().dice == ()
    table.clear()  # nothing is left to take
    assert table.truth().resting


def test_cock_tips_one_die() -> None:
    table = card_table(7)
    table.throw()
    table.cock(3)
    run(table, 90)
    assert [die.lean_deg > 0 for die in table.truth().dice].index(True) == 3
    table.throw(faces("AS KH"), keep=(), cocked=[1])
    run(table, 90)
    assert [die.lean_deg > 0 for die in table.truth().dice] == [False, True]


def test_nudged_camera_can_be_put_straight() -> None:
    table = card_table(8)
    table.nudge()
    table.glare(True)
    assert run(table)[-1].view.dx != 0
    table.straighten()
    view = run(table)[-1].view
    assert (view.dx, view.dy, view.turn_deg, view.glare) == (0, 0, 0, True)


def test_auto_throws_by_itself() -> None:
    table = card_table(9)
    table.auto(True, 2.0)
    run(table, 300)
    assert table.truth().throw >= 3
    table.auto(False)
    thrown = table.truth().planned_throw
    run(table, 200)
    assert table.truth().throw == thrown


def test_auto_does_nothing_where_all_dice_are_kept() -> None:
    table = card_table(9)
    table.expect(bundled_dice_set("squint-die"), None, faces("2"))
    table.auto(True, 2.0)
    run(table, 100)
    assert table.truth().throw == 0


def test_too_many_acts_are_refused() -> None:
    table = card_table(10)
    for _ in range(2):  # each but the first needs a hand that takes the dice
        table.throw()
    with pytest.raises(TableBusyError):
        table.throw()
    run(table, 400)
    assert table.truth().resting


def test_frozen_camera_repeats_one_picture() -> None:
    table, painter = card_table(11), Numbers()
    frames = iter(VirtualSource(table, painter, hurried=True).frames())
    first = next(frames).image
    table.freeze(True)
    table.throw()
    assert all(np.array_equal(next(frames).image, first) for _ in range(40))
    assert table.truth().resting  # time goes on all the same
    table.freeze(False)
    assert not np.array_equal(next(frames).image, first)


def test_unplugged_camera_is_lost_and_comes_back() -> None:
    table, painter = card_table(12), Numbers()
    plan = virtual_plan(table, painter)
    source = VirtualSource(table, painter, hurried=True)
    frames = iter(source.frames())
    next(frames)
    table.throw()
    table.unplug()
    assert table.truth().resting  # what was under way happened unseen
    with pytest.raises(plan.lost_by):
        next(frames)
    with pytest.raises(SourceError):
        plan.open()
    table.throw()
    assert table.truth().throw == 2
    table.plug_in()
    again = plan.open()
    assert next(iter(again.frames())).index == 0
    again.close()
    again.close()


def test_closed_source_ends() -> None:
    source = VirtualSource(card_table(1), Numbers(), hurried=True)
    frames = iter(source.frames())
    next(frames)
    source.close()
    assert list(frames) == []


def test_commands_from_many_threads_leave_the_table_sound() -> None:
    table = VirtualTable(bundled_dice_set("square-shooters"), 13)
    errors: list[Exception] = []
    done = threading.Event()
    bodies: list[dict[str, object]] = [
        {"do": "throw"},
        {"do": "clear"},
        {"do": "hand", "seconds": 0.1},
        {"do": "unplug"},
        {"do": "plug_in"},
        {"do": "nudge"},
        {"do": "auto", "on": True, "every_s": 2},
    ]

    def command(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(60):
            try:
                carry_out(table, bodies[int(rng.integers(len(bodies)))])
            except TableBusyError:
                continue
            except (RollError, RuntimeError, ValueError) as error:
                errors.append(error)

    def look() -> None:
        while not done.is_set():
            table.next_shot()
            truth_record(table.truth())

    threads = [threading.Thread(target=command, args=(k,)) for k in range(4)]
    camera = threading.Thread(target=look)
    for thread in [camera, *threads]:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    camera.join()
    assert errors == []
    table.plug_in()
    table.auto(False)
    run(table, 600)
    truth = table.truth()
    assert truth.resting
    assert (truth.dice, truth.throw) == (truth.planned, truth.planned_throw)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param(None, "body", id="null"),
        pytest.param([], "body", id="list"),
        pytest.param({}, "do", id="empty"),
        pytest.param({"do": ["throw"]}, "do", id="do-is-a-list"),
        pytest.param({"do": "fly"}, "do", id="unknown"),
        pytest.param({"do": "throw", "speed": 3}, "speed", id="unknown-field"),
        pytest.param({"do": "throw", "faces": "AS"}, "faces", id="faces-a-text"),
        pytest.param({"do": "throw", "faces": [1]}, "faces", id="face-a-number"),
        pytest.param({"do": "throw", "faces": ["XX"]}, "faces", id="no-face"),
        pytest.param({"do": "throw", "faces": []}, "faces", id="no-faces"),
        pytest.param({"do": "throw", "faces": ["AS"] * 2}, "faces", id="twice"),
        pytest.param({"do": "throw", "faces": ["AS"] * 99}, "faces", id="too-many"),
        pytest.param({"do": "throw", "faces": ["9"]}, "faces", id="other-dice"),
        pytest.param({"do": "throw", "keeping": "up"}, "keeping", id="keeping"),
        pytest.param({"do": "throw", "cocked": [9]}, "cocked", id="cocked-none"),
        pytest.param({"do": "throw", "cocked": [True]}, "cocked", id="cocked-bool"),
        pytest.param({"do": "expect", "dice_set": "x"}, "dice_set", id="no-set"),
        pytest.param({"do": "expect", "count": 10}, "count", id="count"),
        pytest.param({"do": "expect", "count": 2.0}, "count", id="count-float"),
        pytest.param({"do": "expect", "kept": ["9"]}, "kept", id="kept-other"),
        pytest.param({"do": "hand", "seconds": -1}, "seconds", id="hand-negative"),
        pytest.param({"do": "hand", "seconds": 10**999}, "seconds", id="hand-huge"),
        pytest.param({"do": "hand", "seconds": float("nan")}, "seconds", id="hand-nan"),
        pytest.param({"do": "cock", "die": 0}, "die", id="cock-nothing-there"),
        pytest.param({"do": "cock"}, "die", id="cock-which"),
        pytest.param({"do": "glare"}, "on", id="glare-on"),
        pytest.param({"do": "dark", "on": 1}, "on", id="dark-number"),
        pytest.param({"do": "auto", "on": True, "every_s": 0}, "every_s", id="auto"),
    ],
)
def test_bad_command_names_the_field_and_changes_nothing(
    body: object, field: str
) -> None:
    table = card_table(14)
    before = truth_record(table.truth())
    with pytest.raises(RollError) as caught:
        carry_out(table, body)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")
    assert truth_record(table.truth()) == before


def test_every_command_can_be_given() -> None:
    said: dict[str, dict[str, object]] = {
        "glare": {"on": True},
        "dark": {"on": True},
        "freeze": {"on": True},
        "auto": {"on": False},
        "cock": {"die": 0},
    }
    table = card_table(15)
    for what in FIELDS:
        carry_out(
            table,
            {"do": what, **said.get(what, {})} if what != "cock" else {"do": "throw"},
        )
        run(table, 90)
    carry_out(table, {"do": "cock", "die": 0})
    assert table.truth().planned[0].lean_deg > 0
