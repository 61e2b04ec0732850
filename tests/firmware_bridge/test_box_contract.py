"""One conversation with the firmware in simavr, the box in software, recorded bytes."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from button_boxes import until
from recorded_box import SHOWN, RecordedBox, play

from firmware_bridge.boxes import ButtonBoxes
from firmware_bridge.events import (
    BoxState,
    Button,
    Connected,
    Lost,
    Pressed,
    Released,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from button_boxes import Box, Listener

    from firmware_bridge.simulated_box import SimulatedBox

TAPE = Path(__file__).parent / "recorded" / "conversation.jsonl"
WHOLE = [
    move(box="box", button=button) for button in Button for move in (Pressed, Released)
]


def test_every_button_is_told_once_and_the_lights_are_shown(
    box: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    boxes = connect(box.port)
    assert listener.wait(Connected) == Connected("box", box.port)
    play(box, boxes, listener)
    assert listener.moves == WHOLE
    until(lambda: box.state == SHOWN, f"{box.state} instead of {SHOWN}")
    assert listener.of(Lost) == []


def test_recorded_bytes_tell_the_same(listener: Listener) -> None:
    tape = RecordedBox(TAPE)
    boxes = ButtonBoxes(listener, [tape.port], tape.open)
    try:
        listener.wait(Connected)
        play(tape, boxes, listener)
        assert listener.moves == WHOLE
        assert boxes.status()[0].garbled == 0
    finally:
        assert boxes.stop()


def test_what_finds_no_room_comes_again_once_and_in_order(
    box: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    connect(box.port)
    listener.wait(Connected)
    listener.full = True
    for button in (Button.HOLD_1, Button.ROLL, Button.TIMER):
        box.press(button)
        time.sleep(0.05)
        box.release(button)
    time.sleep(0.4)  # the box offers the first one several times
    assert listener.moves == []
    listener.full = False
    until(lambda: len(listener.moves) >= 6, "the presses come")
    time.sleep(0.4)  # and would be doubled by now
    assert listener.moves == [
        move("box", button)
        for button in (Button.HOLD_1, Button.ROLL, Button.TIMER)
        for move in (Pressed, Released)
    ]


def test_a_box_that_begins_anew_gets_its_lights_back(
    box: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    boxes = connect(box.port)
    listener.wait(Connected)
    boxes.show(SHOWN)
    until(lambda: box.state == SHOWN, "lights")
    box.press(Button.NEXT)
    listener.wait(Pressed)
    box.reset()
    until(lambda: box.history.count(SHOWN) == 2, "lights again")
    assert box.state == SHOWN
    box.release(Button.NEXT)
    listener.wait(Released)
    # held through the reset: not pressed again
    assert listener.of(Pressed) == [Pressed("box", Button.NEXT)]
    assert listener.of(Lost) == []


def test_a_box_keeps_the_name_it_is_given(
    box: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    boxes = connect(box.port)
    listener.wait(Connected)
    boxes.rename("box", "Anna")
    assert listener.wait(Connected, 2) == Connected("Anna", box.port)
    boxes.show(SHOWN)
    until(lambda: box.state == SHOWN, "lights")
    box.reset()
    until(lambda: box.history.count(SHOWN) == 2, "it is there again")
    box.press(Button.UNDO)
    assert listener.wait(Pressed) == Pressed("Anna", Button.UNDO)
    assert [event.box for event in listener.of(Lost)] == ["box"]


@pytest.mark.parametrize("name", ["", "Anna Berta", "with*", "toolongaa", "Zoë"])
def test_a_name_no_box_can_keep_is_refused(
    name: str, virtual: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    boxes = connect(virtual.port)
    listener.wait(Connected)
    with pytest.raises(ValueError, match="expected 1 to 8"):
        boxes.rename("box", name)
    with pytest.raises(ValueError, match="not connected"):
        boxes.rename("nobody", "Anna")
    with pytest.raises(ValueError, match="already"):
        boxes.rename("box", "box")


def test_two_boxes_are_told_apart(
    simulated: Box,
    virtual: Box,
    connect: Callable[..., ButtonBoxes],
    listener: Listener,
) -> None:
    boxes = connect(simulated.port, virtual.port)
    listener.wait(Connected)
    # both are new and named alike: the second one is refused until the first has a name
    until(lambda: any("named box too" in s.reason for s in boxes.status()), "refused")
    boxes.rename("box", "Anna")
    until(
        lambda: {s.box for s in boxes.status() if s.connected} == {"Anna", "box"},
        f"two boxes: {boxes.status()}",
    )
    boxes.show(SHOWN, "Anna")
    boxes.show(BoxState(display="12--"))
    until(
        lambda: (
            {simulated.state.display, virtual.state.display} == {SHOWN.display, "12--"}
        ),
        "each its own lights",
    )
    simulated.press(Button.ROLL)
    virtual.press(Button.ROLL)
    listener.wait(Pressed, 2)
    assert {event.box for event in listener.of(Pressed)} == {"Anna", "box"}


def test_the_firmware_swallows_bounce_of_15_ms(
    simulated: SimulatedBox, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    connect(simulated.port)
    listener.wait(Connected)
    for button in Button:
        simulated.bounce(button)
        listener.wait(Pressed, button + 1)
        simulated.release(button)
        listener.wait(Released, button + 1)
    assert listener.moves == WHOLE


def test_time_from_press_to_event_is_measured(
    simulated: SimulatedBox,
    connect: Callable[..., ButtonBoxes],
    listener: Listener,
    record_property: Callable[[str, object], None],
) -> None:
    connect(simulated.port)
    listener.wait(Connected)
    taken = []
    for turn in range(1, 21):
        begin = time.monotonic()
        simulated.press(Button.ROLL)
        listener.wait(Pressed, turn)
        taken.append(listener.events[-1][0] - begin)
        simulated.release(Button.ROLL)
        listener.wait(Released, turn)
    median_ms = statistics.median(taken) * 1000
    record_property("median press-to-event ms", round(median_ms, 1))
    # a contact rests for 20 ms; a late simulator catches up with at most 5
    assert median_ms >= 15
