"""The real firmware at a table: a pin moves, the log tells it, a light goes on."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import pytest
from button_boxes import build, need, until
from table_makers import FIRST, reading

from firmware_bridge.events import Button
from firmware_bridge.simulated_box import SimulatedBox
from firmware_bridge.virtual_box import VirtualBox
from web_ui.settings import BoxSettings
from web_ui.table.box_desk import BoxDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from open_tables import OpenTable

Box = SimulatedBox | VirtualBox


@pytest.fixture(scope="module", params=["firmware", "virtual"])
def box(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Box]:
    made: Box
    if request.param == "virtual":
        made = VirtualBox("box")
    else:
        need("make", "cc", "avr-gcc", "avr-objcopy", "avr-size", "simavr")
        folder = tmp_path_factory.mktemp("firmware")
        build(folder / "box.hex", folder)
        build(folder / "simulate", folder)
        made = SimulatedBox(folder / "simulate", folder / "box.hex")
    yield made
    made.close()


@pytest.fixture
def desk(table: OpenTable, box: Box) -> Iterator[BoxDesk]:
    settings = BoxSettings(ports=(box.port,))
    made = BoxDesk(settings, table.thread.press, table.thread.tell)
    table.thread.light = made.light
    table.thread.boxes = made.record
    until(lambda: any(one["connected"] for one in made.record()), "the box")
    yield made
    made.stop()


def press(box: Box, button: Button) -> None:
    box.press(button)
    time.sleep(0.06)  # longer than the box's debounce
    box.release(button)


def log_of(table: OpenTable) -> list[str]:
    game = table.thread.state.game
    assert game is not None
    return [f"{item.do} by {item.by}" for item in game.log if item.done]


def test_press_on_a_pin_is_in_the_log_and_on_the_lights(
    table: OpenTable,
    box: Box,
    desk: BoxDesk,
    record_property: Callable[[str, object], None],
) -> None:
    press(box, Button.NEXT)
    until(lambda: len(log_of(table)) == 1, "the drawn card")
    table.settle(reading(FIRST, 1))
    taken = []
    for number, button in enumerate((Button.HOLD_1, Button.HOLD_5, Button.HOLD_9), 1):
        began = time.monotonic()
        box.press(button)
        wanted = 2 + number
        until(lambda wanted=wanted: len(log_of(table)) == wanted, "the hold")  # type: ignore[misc]
        taken.append(time.monotonic() - began)
        box.release(button)
        until(lambda at=int(button): box.state.lights[at], "the light")  # type: ignore[misc]
    assert log_of(table)[-1].startswith("keep by box ")
    assert [k for k, lit in enumerate(box.state.lights) if lit] == [0, 4, 8]
    press(box, Button.UNDO)
    until(lambda: not box.state.lights[8], "the light to go out")
    assert [k for k, lit in enumerate(box.state.lights) if lit] == [0, 4]
    median_ms = 1000 * statistics.median(taken)
    record_property("median_press_to_event_ms", round(median_ms, 1))


def test_box_that_was_unplugged_shows_what_happened_meanwhile(
    table: OpenTable, box: Box, desk: BoxDesk
) -> None:
    press(box, Button.NEXT)
    until(lambda: len(log_of(table)) == 1, "the drawn card")
    table.settle(reading(FIRST, 1))
    box.unplug()
    until(lambda: not any(one["connected"] for one in desk.record()), "the loss")
    from web_ui.table.commands import parse_order

    table.thread.obey(parse_order({"do": "keep", "dice": [2]}))
    box.plug()
    until(lambda: box.state.lights[2], "the light after the plug")
    press(box, Button.HOLD_3)
    until(lambda: not box.state.lights[2], "the light to go out")
