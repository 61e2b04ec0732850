"""Layouts gathered over a store that is another one by now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from seen_games import DICE

from scoring.dice_sets import bundled_dice_set
from web_ui.layouts.layout_desk import LayoutDesk
from web_ui.layouts.notes import Notes, read_notes
from web_ui.layouts.question import Answer, Question
from web_ui.layouts.standing import proposal_of

if TYPE_CHECKING:
    from pathlib import Path

CODES = tuple(tuple(face.code for face in die) for die in DICE)
CERTAIN = Answer(200, 0.99999, 0, True, "", CODES)


class Stores:
    """A desk over stores that come and go."""

    def __init__(self, folder: Path, head: int = 5000, name: str = "first") -> None:
        self.folder, self.head, self.name = folder, head, name
        self.asked: list[Question] = []
        self.desk = self.opened()

    def opened(self) -> LayoutDesk:
        return LayoutDesk(
            self.folder,
            "",
            lambda: self.head,
            bundled_dice_set("square-shooters"),
            lambda: "",
            self._answer,
            store_id=lambda: self.name,
        )

    def _answer(self, question: Question) -> Answer:
        self.asked.append(question)
        return CERTAIN

    def notes(self) -> Notes:
        return read_notes(self.folder / "layout" / "table.json")


@pytest.mark.parametrize("again", [True, False], ids=["restarted", "running"])
@pytest.mark.parametrize(
    ("head", "name", "since"),
    [
        pytest.param(0, "other", 0, id="fresh"),
        pytest.param(10, "other", 0, id="smaller"),
        pytest.param(9000, "other", 0, id="longer"),
        pytest.param(40, "first", 40, id="older-state-of-the-same"),
        pytest.param(5001, "first", 5000, id="the-same"),
    ],
)
def test_rolls_count_from_where_the_store_of_now_begins(
    tmp_path: Path, head: int, name: str, since: int, *, again: bool
) -> None:
    stores = Stores(tmp_path)
    stores.desk.tell_anew()
    stores.desk.wrong(None, "Ann", proposal_of(CODES))
    stores.head, stores.name = head, name
    desk = stores.opened() if again else stores.desk
    desk.look()
    assert stores.asked[-1].since == since
    assert desk.state.answer == CERTAIN
    assert (stores.notes().since, stores.notes().store) == (since, name)
    assert stores.notes().wrong == (("Ann", ()),)


def test_confirmed_layout_is_held_against_the_rolls_of_the_new_store(
    tmp_path: Path,
) -> None:
    stores = Stores(tmp_path)
    stores.desk.tell_anew()
    stores.desk.use("mine", "Ann", proposal_of(CODES))
    stores.head, stores.name = 3, "other"
    stores.desk.look()
    assert (stores.asked[-1].dice, stores.asked[-1].dice_since) == (CODES, 0)


def test_put_off_layout_is_proposed_again_from_a_new_store(tmp_path: Path) -> None:
    stores = Stores(tmp_path)
    stores.desk.tell_anew()
    stores.desk.put_off(proposal_of(CODES))
    stores.name = "other"
    stores.opened().look()
    assert stores.notes().put_off == 0


def test_notes_of_before_take_the_store_that_is_there(tmp_path: Path) -> None:
    known = Notes(since=7)
    assert known.in_store("first", 7) == replace(known, store="first")
    assert known.in_store("first", 3) == Notes(since=3, store="first")
    assert Notes().in_store("first", 0) == Notes()
