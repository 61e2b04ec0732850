"""A button box at the table: presses as orders, the table as lights."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from table_makers import FIRST, reading

from firmware_bridge.events import Button
from scoring.refusals import RuleError
from vision.reading import Status
from web_ui.settings import BoxSettings, SettingsError, load_settings
from web_ui.table.box_orders import BoxNews, BoxPress, lights_of, order_of, press_of
from web_ui.table.commands import Order, parse_order
from web_ui.table.state import TableState
from web_ui.table.timer import started

if TYPE_CHECKING:
    from pathlib import Path

    from open_tables import OpenTable


def state_of(table: OpenTable) -> TableState:
    table.thread.obey(_nothing())
    return table.thread.state


def _nothing() -> Order:
    return parse_order({"do": "advice", "on": True})


def press(table: OpenTable, button: Button, action: str = "") -> TableState:
    assert table.thread.press(BoxPress("box-1", button, action))
    return state_of(table)


def test_box_plays_a_turn(table: OpenTable) -> None:
    state = press(table, Button.NEXT, "next")
    assert state.game is not None
    assert state.game.state.target.id == "T18"
    table.settle(reading(FIRST, 1, Status.ASK, (2,)))
    press(table, Button.ROLL, "accept")
    state = press(table, Button.HOLD_1)
    assert lights_of(state, 0.0).lights[:2] == (True, False)
    state = press(table, Button.HOLD_2)
    assert lights_of(state, 0.0).lights[:2] == (True, True)
    state = press(table, Button.HOLD_1)
    assert lights_of(state, 0.0).lights[:2] == (False, True)
    state = press(table, Button.UNDO, "undo")
    assert lights_of(state, 0.0).lights[:2] == (True, True)
    assert state.game is not None
    assert state.game.log[-1].by == "box box-1"


def test_useless_press_is_told_on_the_page(table: OpenTable) -> None:
    state = press(table, Button.HOLD_1)
    assert state.notice is not None
    assert (state.notice.rule, state.notice.warn) == ("CM-06", True)
    latest = table.feed.latest()
    assert latest is not None
    assert "No dice can be kept now." in json.loads(latest.body)["notice"]["sentence"]


def test_box_of_a_player_holds_only_in_the_own_turn(table: OpenTable) -> None:
    press(table, Button.NEXT, "next")
    table.settle(reading(FIRST, 1))
    state = table.thread.state
    ann = press_of("b", Button.HOLD_1, {}, {"b": "Ann"})
    assert order_of(ann, state).seat == "Ann"
    assert table.thread.press(press_of("b", Button.HOLD_1, {}, {"b": "Bob"}))
    state = state_of(table)
    assert state.notice is not None
    assert state.notice.rule == "TB-03"
    assert table.thread.press(ann)
    assert lights_of(state_of(table), 0.0).lights[0]


def test_display_shows_the_timer() -> None:
    state = TableState(timer=started(85.0, 10.0))
    assert lights_of(state, 10.0).display == "0125"
    assert lights_of(state, 30.5).display == "0105"
    assert lights_of(TableState(), 0.0).display == "____"


def test_button_that_does_nothing_says_so() -> None:
    with pytest.raises(RuleError, match="does nothing"):
        order_of(BoxPress("b", Button.NEXT, "nothing"), TableState())


@pytest.mark.parametrize(
    "text", ['roll = "jump"', 'seats = ["Ann"]', "ports = 3", 'seats = ["=Ann"]']
)
def test_wrong_box_settings_are_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tableside.toml"
    path.write_text(f"[box]\n{text}\n", "utf-8")
    with pytest.raises(SettingsError, match="box"):
        load_settings(path)
    assert BoxSettings(seats=("box-1=Ann",)).seats == ("box-1=Ann",)


def test_page_shows_which_boxes_are_there(table: OpenTable) -> None:
    table.thread.boxes = lambda: [{"box": "b-1", "port": "/dev/x", "connected": False}]
    before = table.feed.latest()
    table.thread.tell(BoxNews())
    (told,) = table.feed.after(before.number if before else 0, 10)
    assert json.loads(told.body)["boxes"][0]["connected"] is False
