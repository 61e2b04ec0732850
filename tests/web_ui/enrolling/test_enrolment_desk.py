"""A set enrolled over HTTP: shown, named, learned, tried; and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from open_tables import OpenTable
from shown_to_camera import (
    DICE,
    ROLL,
    SquareReader,
    Stage,
    hand,
    learner,
    moved,
    painted,
    readers,
)

from datasets.enrolment.set_folder import SetFolder
from web_ui.enrolling.desk import EnrolmentDesk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from web_ui.enrolling.session import Readers
    from web_ui.live_picture import LivePicture

URL = "/api/v1/enrolment"


class Enrolling:
    """A table at which a set is enrolled."""

    def __init__(
        self, data: Path, loaded: Readers, ends: int = 0, possible: bool = True
    ) -> None:
        def desk(live: LivePicture, folder: Path) -> EnrolmentDesk:
            return EnrolmentDesk(live, data, loaded, learner(ends), lambda: possible)

        self.table = OpenTable(enrolling=desk)
        self.stage = Stage(self.table.live, self.table.enrolling)

    def order(self, do: str, **needs: object) -> tuple[int, Any]:
        answer = self.table.client.post(URL, json={"do": do, **needs})
        return answer.status_code, answer.get_json()

    def get(self) -> Any:
        return self.table.client.get(URL).get_json()

    def begin(self) -> None:
        status, said = self.order("begin", name="mine")
        assert status == 200, said
        self.until("showing")

    def until(self, phase: str) -> Any:
        self.stage.wait(lambda: self.get()["phase"] == phase)
        return self.get()["enrolment"]


@pytest.fixture
def enrolling(tmp_path: Path) -> Iterator[Enrolling]:
    opened = Enrolling(tmp_path / "data", readers())
    yield opened
    opened.table.close()


def test_a_set_is_shown_learned_and_tried(tmp_path: Path) -> None:
    roll = ROLL.split()
    other = DICE[0][1].code  # the first die is read as showing another side
    opened = Enrolling(tmp_path / "data", readers(roll=" ".join([other, *roll[1:]])))
    try:
        opened.begin()
        opened.stage.show_all()
        state = opened.get()["enrolment"]
        assert state["taken"] == state["wanted"] == 108
        assert state["problems"] == []
        assert state["can_learn"] is True
        assert len(list((tmp_path / "data/enrolling/mine").glob("*/*.jpg"))) == 108
        assert opened.order("learn")[0] == 200
        state = opened.until("showing")
        assert (state["learning"]["state"], state["learned"]) == ("done", True)
        own = SetFolder(tmp_path / "data" / "sets").load("mine")
        assert {frozenset(d) for d in own.dice or ()} == {frozenset(d) for d in DICE}

        assert opened.order("try")[0] == 200
        opened.until("trying")
        for number in (1, 2):
            assert opened.stage.show(moved(hand()) if number == 1 else hand()[:, ::-1])
            waits = opened.get()["enrolment"]["trial"]["roll"]
            assert waits["id"] == number
            if number == 1:
                wrong = {"roll": 1, "place": 0, "face": roll[1]}
                assert opened.order("correct", **wrong)[0] == 200
                status, said = opened.order("right", roll=1)
                assert (status, roll[1] in said["error"]) == (409, True)
            right = {"roll": number, "place": 0, "face": roll[0]}
            assert opened.order("correct", **right)[0] == 200
            assert opened.order("right", roll=number)[0] == 200
            assert opened.order("right", roll=number)[0] == 409  # pressed twice
        opened.order("finish")
        faces = opened.until("showing")["results"]["after"]["faces"]
        assert (faces["k"], faces["n"]) == (16, 18)
        assert 0.6 < faces["low"] < 16 / 18 < faces["high"] < 1
        report = json.loads((tmp_path / "data/sets/mine/report.json").read_text())
        assert (report["rolls_confirmed"], report["before"]["faces"]["k"]) == (2, 18)
    finally:
        opened.table.close()


def test_what_shows_nothing_new_is_told_and_not_kept(enrolling: Enrolling) -> None:
    enrolling.begin()
    first, second = painted(DICE[0][0]), painted(DICE[0][1])
    stage = enrolling.stage
    assert stage.show(painted()) == "No die is to be seen."
    assert stage.show(painted(*DICE[0][:2])).startswith("2 dice are to be seen")
    assert stage.show(first) == "Die 1, side 1: picture 1 of 2."
    assert stage.show(moved(first)) == "Die 1, side 1: picture 2 of 2."
    assert "was shown: tip it" in stage.show(first)
    assert stage.show(second) == "Die 1, side 2: picture 1 of 2."
    assert enrolling.get()["enrolment"]["taken"] == 3
    assert enrolling.order("undo")[0] == 200
    assert enrolling.get()["enrolment"]["taken"] == 2
    status, answer = enrolling.order("undo")  # only the last one is known
    assert (status, "just now" in answer["error"]) == (409, True)
    assert enrolling.get()["enrolment"]["taken"] == 2
    enrolling.order("retake_die", die=1)
    assert enrolling.get()["enrolment"]["taken"] == 0


def test_pictures_outlive_a_restart(tmp_path: Path) -> None:
    opened = Enrolling(tmp_path / "data", readers())
    opened.begin()
    opened.stage.show(painted(DICE[0][0]))
    face = DICE[0][5].code
    assert opened.order("say", die=1, side=1, face=face)[0] == 200
    opened.table.close()
    again = Enrolling(tmp_path / "data", readers())
    try:
        assert again.get()["unfinished"] == ["mine"]
        again.begin()
        side = again.get()["enrolment"]["dice"][0]["sides"][0]
        assert (side["shots"], side["face"]["code"], side["by_person"]) == (
            1,
            face,
            True,
        )
        assert again.order("forget", name="mine")[0] == 409  # it is going on
        again.order("leave")
        assert again.order("forget", name="mine")[0] == 200
        assert again.get()["unfinished"] == []
        assert not (tmp_path / "data/enrolling/mine").exists()
    finally:
        again.table.close()


def test_set_whose_first_die_was_not_shown_is_listed(enrolling: Enrolling) -> None:
    enrolling.begin()
    enrolling.order("go", die=5)
    enrolling.stage.show(painted(DICE[4][0]))
    enrolling.order("leave")
    assert enrolling.get()["unfinished"] == ["mine"]


def test_faces_are_said_once_and_taken_back(enrolling: Enrolling) -> None:
    enrolling.begin()
    for face in DICE[0][:2]:
        enrolling.stage.show(painted(face))
    assert enrolling.order("say", die=1, side=1, face="QH")[0] == 200
    status, said = enrolling.order("say", die=1, side=2, face="QH")
    assert (status, "die 1, side 1" in said["error"]) == (409, True)
    assert enrolling.order("unsay", die=1, side=1)[0] == 200
    assert enrolling.order("say", die=1, side=2, face="QH")[0] == 200
    assert enrolling.order("say", die=9, side=1, face="KH")[0] == 409
    client = enrolling.table.client
    assert client.get(f"{URL}/sides/1-1.jpg").data[:2] == b"\xff\xd8"
    assert client.get(f"{URL}/sides/9-1.jpg").status_code == 404
    assert client.get(f"{URL}/roll.jpg").status_code == 404


def test_one_die_shown_twice_is_no_set(tmp_path: Path) -> None:
    twice = dict(zip(DICE[8], DICE[6], strict=True))
    opened = Enrolling(tmp_path, readers(SquareReader(wrong=twice)))
    try:
        opened.begin()
        opened.stage.show_all()
        state = opened.get()["enrolment"]
        assert any("7 and 9 look alike" in words for words in state["problems"])
        assert state["can_learn"] is False
        assert opened.order("learn")[0] == 409
    finally:
        opened.table.close()


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({}, "do must be one of"),
        ({"do": "dance"}, "do must be one of"),
        ({"do": "begin"}, "begin needs name"),
        ({"do": "begin", "name": ""}, "1 to 40"),
        ({"do": "begin", "name": "x" * 41}, "1 to 40"),
        ({"do": "begin", "name": 7}, "1 to 40"),
        ({"do": "go", "die": 10}, "die must be 1..9"),
        ({"do": "go", "die": True}, "whole number"),
        ({"do": "retake", "die": 1, "side": 7}, "side must be 1..6"),
        ({"do": "say", "die": 1, "side": 1, "face": "11H"}, "such as QH"),
        ({"do": "correct", "roll": 0, "place": 0, "face": "QH"}, "roll must be"),
        ({"do": "leave", "now": 1}, "leave has no now"),
        ([], "must be an object"),
    ],
)
def test_orders_that_mean_nothing(
    enrolling: Enrolling, order: object, words: str
) -> None:
    answer = enrolling.table.client.post(URL, json=order)
    assert (answer.status_code, words in answer.get_json()["error"]) == (400, True)


def test_orders_out_of_turn_are_refused(enrolling: Enrolling) -> None:
    for order in ("undo", "learn", "cancel", "try", "finish", "new_side"):
        assert enrolling.order(order)[0] == 409, order
    assert enrolling.order("begin", name="../mine")[0] == 409
    assert enrolling.order("begin", name="square-shooters")[0] == 409
    enrolling.begin()
    assert enrolling.order("begin", name="mine")[0] == 200  # a second browser
    assert enrolling.order("begin", name="other")[0] == 409
    for order in ("learn", "cancel", "try", "finish"):
        assert enrolling.order(order)[0] == 409, order
    assert enrolling.order("right", roll=1)[0] == 409


def test_learning_that_fails_says_why_and_keeps_the_pictures(tmp_path: Path) -> None:
    opened = Enrolling(tmp_path, readers(), ends=2)
    try:
        opened.begin()
        opened.stage.show_all()
        opened.order("learn")
        state = opened.until("showing")
        assert state["told"] == "Not learned: the pictures are of another set"
        assert (state["learned"], state["can_learn"]) == (False, True)
        assert state["taken"] == 108
    finally:
        opened.table.close()


def test_without_pytorch_the_command_is_told(tmp_path: Path) -> None:
    opened = Enrolling(tmp_path, readers(), possible=False)
    try:
        opened.begin()
        state = opened.get()["enrolment"]
        assert "pip install" in state["hindrance"]
        assert state["command"] == "tableside enrol mine --pictures mine --accept"
        folder = opened.table.enrolling.data.resolve()
        assert f"copy {folder / 'enrolling' / 'mine'} there" in state["hindrance"]
        assert f"to {folder / 'sets'}." in state["hindrance"]
        assert state["can_learn"] is False
    finally:
        opened.table.close()


def test_reader_that_cannot_be_loaded_is_told(table: OpenTable) -> None:
    table.client.post(URL, json={"do": "begin", "name": "mine"})
    stage = Stage(table.live, table.enrolling)
    stage.wait(lambda: table.client.get(URL).get_json()["phase"] == "failed")
    told = table.client.get(URL).get_json()["enrolment"]["told"]
    assert "no models" in told


def test_no_rolls_are_read_while_somebody_shows_dice(enrolling: Enrolling) -> None:
    assert not enrolling.table.enrolling.looks
    enrolling.begin()
    assert enrolling.table.enrolling.looks
    session = enrolling.table.enrolling.session
    assert session is not None
    session.asked_at -= 100  # the page was closed
    assert not enrolling.table.enrolling.looks
