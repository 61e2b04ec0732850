"""A box of recorded bytes: what the firmware once sent, sent again when it is asked."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING

from button_boxes import until

from firmware_bridge.events import BoxState, Button, Pressed, Released
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.wire import Decoder, Kind, Message

if TYPE_CHECKING:
    from pathlib import Path

    from button_boxes import Box, Listener

    from firmware_bridge.boxes import ButtonBoxes
    from firmware_bridge.ports import Port

SHOWN = BoxState((True, False) * 4 + (True,), "0130")


def play(box: Box | RecordedBox, boxes: ButtonBoxes, listener: Listener) -> None:
    """The one conversation that is recorded, and had with every box."""
    for count, button in enumerate(Button, start=1):
        box.press(button)
        listener.wait(Pressed, count)
        box.release(button)
        listener.wait(Released, count)
    boxes.show(SHOWN)
    until(lambda: all(status.shown for status in boxes.status()), "lights")


class Tape:
    """Records what a box sends, and after which order of play it did."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._after = ""
        self._said: list[tuple[str, bytes]] = []
        self.port = box.port

    def open(self, name: str) -> Port:
        return _Tapped(SerialPort(name), self)

    def press(self, button: Button) -> None:
        self._after = f"down {int(button)}"
        self._box.press(button)

    def release(self, button: Button) -> None:
        self._after = f"up {int(button)}"
        self._box.release(button)

    def note(self, data: bytes) -> None:
        if data:
            self._said.append((self._after, data))

    def wrote(self, data: bytes) -> None:
        for item in Decoder().feed(data):
            if isinstance(item, Message) and item.kind is Kind.SHOW:
                self._after = f"show {item.sequence}"

    def save(self, path: Path) -> None:
        with path.open("w", encoding="ascii") as file:
            for after, data in self._said:
                line = {"after": after, "bytes": data.decode("latin-1")}
                file.write(json.dumps(line) + "\n")


class _Tapped:
    def __init__(self, port: Port, tape: Tape) -> None:
        self._port = port
        self._tape = tape
        self.close = port.close

    def read(self) -> bytes:
        data = self._port.read()
        self._tape.note(data)
        return data

    def write(self, data: bytes) -> None:
        self._tape.wrote(data)
        self._port.write(data)


class RecordedBox:
    """Plays a tape: each piece when what went before it has happened."""

    port = "recorded"

    def __init__(self, path: Path) -> None:
        with path.open(encoding="ascii") as file:
            lines = [json.loads(line) for line in file]
        self._pieces = [(line["after"], line["bytes"]) for line in lines]
        self._happened = {""}
        self._lock = threading.Lock()

    def open(self, name: str) -> Port:
        return self

    def press(self, button: Button) -> None:
        self._happen(f"down {int(button)}")

    def release(self, button: Button) -> None:
        self._happen(f"up {int(button)}")

    def _happen(self, what: str) -> None:
        with self._lock:
            self._happened.add(what)

    def read(self) -> bytes:
        with self._lock:
            if self._pieces and self._pieces[0][0] in self._happened:
                return str(self._pieces.pop(0)[1]).encode("latin-1")
        time.sleep(0.01)
        return b""

    def write(self, data: bytes) -> None:
        for item in Decoder().feed(data):
            if isinstance(item, Message) and item.kind is Kind.SHOW:
                self._happen(f"show {item.sequence}")

    def close(self) -> None:
        """Nothing to let go of."""
