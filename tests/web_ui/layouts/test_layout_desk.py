"""The desk of layouts: what is asked of the store, and what people say of it."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from seen_games import DICE, played, stored
from table_rounds import Round

from datasets.enrolment.set_folder import SetFolder
from scoring.dice_sets import bundled_dice_set
from web_ui.layouts.asking import Asker, AskError
from web_ui.layouts.layout_desk import (
    MANY_EVENTS,
    QUIET_LOOKS,
    RETRY_LOOKS,
    LayoutDesk,
    LayoutRefusedError,
)
from web_ui.layouts.notes import Notes, read_notes, write_notes
from web_ui.layouts.question import Answer, Question, answer
from web_ui.layouts.standing import Standing, layout_record, proposal_of, sentence
from web_ui.store.store import EventStore

if TYPE_CHECKING:
    from pathlib import Path

    from web_ui.table.events import NewEvent

CODES = tuple(tuple(face.code for face in die) for die in DICE)
OPEN = bundled_dice_set("square-shooters")


@pytest.fixture(scope="module")
def many() -> list[NewEvent]:
    """Games of 60 turns: enough to be certain."""
    return played(60)[0].events


class Told:
    """A desk over a store, asked in this process."""

    def __init__(self, folder: Path, events: list[NewEvent], **how: object) -> None:
        self.folder = folder
        self.path = stored(folder, events)
        self.head = len(events)
        self.asked: list[Question] = []
        self.game = ""
        self.desk = self.open(**how)

    def open(self, **how: object) -> LayoutDesk:
        return LayoutDesk(
            self.folder,
            str(self.path),
            lambda: self.head,
            OPEN,
            lambda: self.game,
            self._ask,
            **how,  # type: ignore[arg-type]
        )

    def _ask(self, question: Question) -> Answer:
        self.asked.append(question)
        return answer(question)

    def add(self, events: list[NewEvent]) -> None:
        stored(self.folder, events)
        self.head += len(events)


def as_sets(dice: object) -> set[frozenset[str]]:
    return {frozenset(die) for die in dice}  # type: ignore[attr-defined]


def test_certain_layout_is_proposed_and_used_only_when_confirmed(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    told = Told(tmp_path, many)
    assert told.desk.state.standing is Standing.GATHERING
    told.desk.look()
    state = told.desk.state
    assert state.standing is Standing.PROPOSED
    assert as_sets(state.dice) == as_sets(CODES)
    assert state.answer.throws == 180
    assert "180 rolls seen" in sentence(state)
    assert not (tmp_path / "sets").exists()
    kept = told.desk.use("mine", "operator", proposal_of(state.dice))
    assert kept.standing is Standing.CONFIRMED
    dice_set = SetFolder(tmp_path / "sets").load("mine")
    assert {frozenset(die) for die in dice_set.dice or ()} == set(map(frozenset, DICE))
    assert kept.command == f"tableside play --set mine --data {tmp_path}"
    # it is known after a restart, and told in a file of the owner alone
    again = told.open().state
    assert (again.standing, again.notes) == (Standing.CONFIRMED, kept.notes)
    mode = (tmp_path / "layout" / "table.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_few_rolls_propose_nothing(tmp_path: Path) -> None:
    told = Told(tmp_path, played(3)[0].events)
    told.desk.look()
    state = told.desk.state
    assert (state.standing, state.dice) == (Standing.GATHERING, ())
    assert sentence(state).startswith("9 rolls seen. About 40")
    with pytest.raises(LayoutRefusedError, match="look at it again"):
        told.desk.use("mine", "operator", "")


def test_rolls_that_contradict_a_confirmed_layout_are_told(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    told.desk.use("mine", "operator", proposal_of(told.desk.state.dice))
    told.desk.look()
    assert told.desk.state.answer.held == 0
    table, _ = played(2, seed=9)
    faces = {face.code for face in DICE[0]}
    roll = next(line for line in reversed(table.state.game.log) if line.do == "roll")  # type: ignore[union-attr]
    shown = table.record()["reading"]["dice"]
    there = next(d for d in shown if d["face"]["code"] not in faces and not d["kept"])
    one = next(d["face"]["code"] for d in shown if d["face"]["code"] in faces)
    other = next(code for code in sorted(faces) if code != one)
    table.order(
        "correct", reading=roll.reading, die=there["place"], face=other, by="referee E"
    )
    told.add(table.events)
    told.desk.tell_anew()
    state = told.desk.state
    assert (state.answer.clashes, state.answer.held) == (1, 6)
    assert "seen together in 1 roll of the 6 since" in sentence(state)


def test_wrong_layout_begins_anew_from_now(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    word = proposal_of(told.desk.state.dice)
    with pytest.raises(LayoutRefusedError, match="no die 10"):
        told.desk.wrong(9, "operator", word)
    die = told.desk.state.dice[4]
    state = told.desk.wrong(4, "operator Ann", word)
    assert (state.standing, state.answer.throws) == (Standing.GATHERING, 0)
    assert state.notes.wrong == (("operator Ann", die),)
    told.desk.look()
    assert told.asked[-1].since == told.head
    assert told.desk.state.answer.throws == 0
    told.add(played(1, seed=5)[0].events)
    told.desk.tell_anew()
    assert told.desk.state.answer.throws == 3


def test_put_off_proposal_comes_back_when_twice_the_rolls_agree(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    word = proposal_of(told.desk.state.dice)
    assert told.desk.put_off(word).standing is Standing.PUT_OFF
    state = told.desk.state
    more = replace(state, answer=replace(state.answer, throws=360))
    assert more.standing is Standing.PROPOSED
    # who looks for it may still use it
    assert told.desk.use("mine", "operator", word).standing is Standing.CONFIRMED


def test_stale_page_decides_nothing(tmp_path: Path, many: list[NewEvent]) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    with pytest.raises(LayoutRefusedError, match="Another layout"):
        told.desk.use("mine", "operator", "0123456789abcdef")
    with pytest.raises(LayoutRefusedError, match="Another layout"):
        told.desk.put_off("")
    with pytest.raises(LayoutRefusedError, match="Another layout"):
        told.desk.wrong(None, "operator", "x")
    assert told.desk.state.standing is Standing.PROPOSED


@pytest.mark.parametrize(
    "name", ["", "Mine", "../x", "con", "square-shooters", "a" * 99]
)
def test_names_that_no_set_can_have_are_refused(
    tmp_path: Path, many: list[NewEvent], name: str
) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    with pytest.raises(LayoutRefusedError):
        told.desk.use(name, "operator", proposal_of(told.desk.state.dice))
    assert told.desk.state.standing is Standing.PROPOSED


def test_set_that_is_there_is_not_replaced(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    folder = SetFolder(tmp_path / "sets")
    folder.save(replace(OPEN, name="mine"))
    with pytest.raises(LayoutRefusedError, match="already"):
        told.desk.use("mine", "operator", proposal_of(told.desk.state.dice))
    assert folder.load("mine").dice is None


def test_store_is_asked_after_many_events_or_when_play_rests(tmp_path: Path) -> None:
    told = Told(tmp_path, Round().events)
    told.desk.look()
    told.desk.look()
    assert len(told.asked) == 1
    told.head += MANY_EVENTS - 1
    told.desk.look()
    assert len(told.asked) == 1
    told.head += 1
    told.desk.look()
    assert len(told.asked) == 2
    told.head += 1
    for _ in range(QUIET_LOOKS):
        told.desk.look()
    assert len(told.asked) == 2
    told.desk.look()
    told.desk.look()
    assert len(told.asked) == 3


def test_dice_with_a_known_layout_ask_nothing(tmp_path: Path) -> None:
    told = Told(tmp_path, Round().events)
    known = bundled_dice_set("square-shooters-reference")
    desk = LayoutDesk(tmp_path, str(told.path), lambda: 1, known, lambda: "", told._ask)
    desk.look()
    assert (told.asked, desk.state.standing) == ([], Standing.KNOWN)


def test_drawn_and_real_dice_are_not_mixed(tmp_path: Path) -> None:
    table, _ = played(1)
    told = Told(tmp_path, table.events, virtual=True)
    told.game = table.events[0].game
    told.desk.look()
    assert told.desk.state.answer.throws == 3
    real = told.open()
    real.look()
    assert told.asked[-1].without == (told.game,)
    assert real.state.answer.throws == 0
    assert "--virtual" not in real.state.command


def test_imported_games_are_of_other_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored(tmp_path, played(1)[0].events)
    assert answer(Question(str(path))).throws == 3
    summaries = EventStore.games
    monkeypatch.setattr(
        EventStore,
        "games",
        lambda store: tuple(replace(g, imported=True) for g in summaries(store)),
    )
    assert answer(Question(str(path))) == Answer(
        left_out=(("games that were imported", 1),)
    )


def test_asking_aside_gives_the_same_answer_or_says_why_not(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    path = stored(tmp_path, many)
    question = Question(str(path), dice=CODES, only=tuple({e.game for e in many}))
    assert Asker().ask(question) == answer(question)
    with pytest.raises(AskError):
        Asker().ask(Question(str(tmp_path)))  # a folder is no store
    with pytest.raises(AskError, match="longer than 0 s"):
        Asker(0.0).ask(question)
    stopped = Asker()
    stopped.stop()
    with pytest.raises(AskError):
        stopped.ask(question)


def test_trouble_is_told_and_goes_away(tmp_path: Path, many: list[NewEvent]) -> None:
    told = Told(tmp_path, many)
    broken = [True]

    def ask(question: Question) -> Answer:
        if broken[0]:
            raise AskError("the store cannot be read")
        return answer(question)

    desk = LayoutDesk(
        tmp_path, str(told.path), lambda: told.head, OPEN, lambda: "", ask
    )
    desk.look()
    assert desk.state.trouble == "the store cannot be read"
    broken[0] = False
    for _ in range(RETRY_LOOKS):
        desk.look()
    assert (desk.state.trouble, desk.state.standing) == ("", Standing.PROPOSED)


def test_answer_to_an_earlier_question_is_not_taken(
    tmp_path: Path, many: list[NewEvent]
) -> None:
    told = Told(tmp_path, many)
    told.desk.look()
    word = proposal_of(told.desk.state.dice)

    def slow(question: Question) -> Answer:
        found = answer(question)
        desk.wrong(0, "operator", word)  # said while the store was asked
        return found

    desk = LayoutDesk(
        tmp_path, str(told.path), lambda: told.head, OPEN, lambda: "", slow
    )
    desk._state = told.desk.state
    desk.tell_anew()
    assert desk.state.answer == Answer()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "null", '{"since": -1}', "[" * 100_000]
)
def test_notes_that_cannot_be_understood_are_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    assert read_notes(path) == Notes()


def test_notes_come_back(tmp_path: Path) -> None:
    notes = Notes(5, 7, "mine", CODES, "operator", 9, (("Ann", ("AS",)),), ("g",))
    path = tmp_path / "new" / "table.json"
    write_notes(path, notes)
    assert read_notes(path) == notes


def test_record_without_a_desk_says_that_nothing_is_gathered() -> None:
    record = layout_record(None)
    assert (record["standing"], record["dice"]) == ("off", [])
    assert json.dumps(record)
