"""Boxes that go away and come back, ports that others have, and a clean stop."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

import pytest
from button_boxes import until

from firmware_bridge import link_log
from firmware_bridge.boxes import ButtonBoxes
from firmware_bridge.events import BoxState, Button, Connected, Lost, Pressed, Released
from firmware_bridge.link_log import LinkLog
from firmware_bridge.ports import PortError
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.virtual_box import Fault, VirtualBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from button_boxes import Box, Listener

NOTICED_S = 2.0
RESUMED_S = 5.0
TIMES = 20


def test_lost_and_back_twenty_times_during_presses(
    box: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    boxes = connect(box.port)
    listener.wait(Connected)
    moved: list[Pressed | Released] = []
    for turn in range(1, TIMES + 1):
        boxes.show(BoxState(display=f"{turn:04d}"))
        button = Button(turn % len(Button))
        box.press(button)
        if turn % 2:
            listener.wait(Pressed, turn)  # else the port goes while the press is told
        gone = time.monotonic()
        box.unplug()
        box.release(button)
        lost = listener.wait(Lost, turn)
        lost_at = next(at for at, event in listener.events if event is lost)
        assert lost_at - gone <= NOTICED_S
        lights = BoxState((bool(turn % 2),) * 9, f"{turn:04d}")
        boxes.show(lights)
        there = time.monotonic()
        box.plug()
        back = listener.wait(Connected, turn + 1)
        back_at = next(at for at, event in listener.events if event is back)
        assert back_at - there <= RESUMED_S
        moved += [Pressed("box", button), Released("box", button)]
        listener.wait(Released, turn)
        until(lambda: all(s.shown for s in boxes.status()), "lights acknowledged")
        until(lambda lights=lights: box.state == lights, "lights right")  # type: ignore[misc]
    assert listener.moves == moved


def test_a_box_that_falls_silent_is_lost_and_found_again(
    virtual: VirtualBox, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    connect(virtual.port)
    listener.wait(Connected)
    virtual.faults = frozenset({Fault.SILENCE})
    begin = time.monotonic()
    lost = listener.wait(Lost)
    assert time.monotonic() - begin <= NOTICED_S
    assert isinstance(lost, Lost)
    assert "nothing heard for 1.5 s" in lost.reason
    virtual.press(Button.UNDO)
    virtual.faults = frozenset()
    listener.wait(Connected, 2)
    listener.wait(Pressed)


def test_a_program_that_has_the_port_is_named_and_awaited(
    box: Box, connect: Callable[..., ButtonBoxes], listener: Listener
) -> None:
    other = SerialPort(box.port)
    boxes = connect(box.port)
    wanted = f"{box.port} cannot be opened: another program has it open"
    until(lambda: boxes.status()[0].reason == wanted, f"{boxes.status()}")
    other.close()
    listener.wait(Connected)
    with pytest.raises(PortError, match="another program has it open"):
        SerialPort(box.port)


@pytest.mark.parametrize("port", ["/dev/no-such-port", "/dev/null", "/", "\0"])
def test_what_is_no_port_says_so(
    port: str, connect: Callable[..., ButtonBoxes]
) -> None:
    boxes = connect(port)
    until(lambda: "cannot be opened" in boxes.status()[0].reason, "a reason")
    assert port in boxes.status()[0].reason


class Unplugged:
    """A port that goes away at one of its calls."""

    def __init__(self, at: int) -> None:
        self._left = at

    def _call(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise PortError("port lost: unplugged")

    def read(self) -> bytes:
        self._call()
        time.sleep(0.001)
        return b"\n00 HELLO 1 box 0001*30AE\n\n01 DOWN 3 0001*E2D6\n"

    def write(self, data: bytes) -> None:
        self._call()

    def close(self) -> None:
        pass


def test_unplugged_at_any_call_the_press_is_told_once(listener: Listener) -> None:
    tries = iter(range(40))
    boxes = ButtonBoxes(listener, ["port"], lambda _: Unplugged(next(tries, 10**6)))
    try:
        listener.wait(Connected, 6)
        until(lambda: boxes.status()[0].connected, "there at last")
        assert listener.moves == [Pressed("box", Button.HOLD_4)]
        assert [event.reason for event in listener.of(Lost) if isinstance(event, Lost)]
    finally:
        boxes.stop()


def test_a_box_of_another_protocol_is_refused_by_name(listener: Listener) -> None:
    class Newer(Unplugged):
        def read(self) -> bytes:
            time.sleep(0.01)
            return b"\n00 HELLO 2 box 0001*8161\n"

    boxes = ButtonBoxes(listener, ["port"], lambda _: Newer(10**6))
    try:
        wanted = "port: box box speaks protocol 2, expected 1"
        until(lambda: boxes.status()[0].reason == wanted, f"{boxes.status()}")
    finally:
        assert boxes.stop()
    assert listener.events == []


def test_stop_ends_within_a_second_and_leaves_no_thread(
    virtual: VirtualBox, listener: Listener
) -> None:
    before = set(threading.enumerate())
    boxes = ButtonBoxes(listener, [virtual.port, "/dev/no-such-port"])
    listener.wait(Connected)
    listener.full = True  # even while an event waits for room
    virtual.press(Button.ROLL)
    assert boxes.stop()  # says False after a second
    assert set(threading.enumerate()) <= before


def test_a_receiver_that_fails_is_logged_and_the_link_goes_on(
    virtual: VirtualBox, caplog: pytest.LogCaptureFixture
) -> None:
    got: list[object] = []

    def receive(event: object) -> bool:
        got.append(event)
        if len(got) == 2:
            raise RuntimeError("the receiver fails")
        return True

    boxes = ButtonBoxes(receive, [virtual.port])
    try:
        until(lambda: got, "there")
        virtual.press(Button.ROLL)
        virtual.release(Button.ROLL)
        until(lambda: len(got) == 3, "goes on")
        assert got[1:] == [Pressed("box", Button.ROLL), Released("box", Button.ROLL)]
    finally:
        boxes.stop()
    assert "was not dealt with" in caplog.text


def test_a_flapping_link_logs_once_lost_once_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    news = LinkLog("port")
    for _ in range(3):
        news.absent("no such port")
    news.there("box", 0.0)
    for turn in range(20):
        news.lost("box", "unplugged", 10.0 + turn)
        news.absent(f"reason {turn}")
        news.there("box", 10.5 + turn)
        news.steady(10.9 + turn)
    news.steady(29.5 + link_log.STEADY_S)
    news.steady(100.0)
    assert caplog.messages == [
        "button box: no such port",
        "button box box is there on port",
        "button box box lost: unplugged",
        "button box box is back on port (lost 20 times)",
    ]
