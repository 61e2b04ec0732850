"""A box in software on a pseudo-terminal, that can misbehave; a box without solder."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import time
import tty
from collections import deque
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.contacts import Contacts
from firmware_bridge.events import HOLDS, BoxState
from firmware_bridge.wire import PROTOCOL, Decoder, Kind, Message, encode

if TYPE_CHECKING:
    from firmware_bridge.events import Button

EVENTS = 32
"""Presses and releases kept until acknowledged."""
RESEND_S = 0.15
BEAT_S = 0.5
STALE_S = 30.0
"""Presses are not kept for a host that says nothing for so long."""


START = BoxState(display="----")
"""What is shown until a host says what to show."""


class Fault(StrEnum):
    """Misbehaviour that can be switched on and off."""

    NOISE = "noise"  # FF FE 80 and a banner between lines
    HALF = "half"  # every second line stops in its middle
    BOUNCE = "bounce"  # contacts jump for 15 ms; the debounce must swallow it
    RESET = "reset"  # begins anew after each press that was acknowledged
    SILENCE = "silence"  # says nothing and hears nothing
    FLOOD = "flood"  # bytes without a newline all the time


class VirtualBox:
    """Speaks the protocol on `port` until `close`; its thread is its own.

    Args:
        name: the box's id.
        faults: what it does wrong from the start.
    """

    def __init__(self, name: str = "virtual", faults: frozenset[Fault] = frozenset()):
        self._name = name
        self.faults = faults
        self._lock = threading.Lock()
        self._events: deque[tuple[Kind, int]] = deque()
        self._number = 1
        self._boot = int(time.time()) & 0xFFFF
        self._dropped = 0
        self._lines = 0
        self._heard = time.monotonic()
        self.history: deque[BoxState] = deque([START], 256)
        self._contacts = Contacts()
        self._stopping = threading.Event()
        self._folder = Path(tempfile.mkdtemp(prefix="box-"))
        self.port = str(self._folder / "port")
        self._ends: tuple[int, int] | None = None
        self.plug()
        self._thread = threading.Thread(target=self._run, name="virtual box")
        self._thread.daemon = True
        self._thread.start()

    @property
    def state(self) -> BoxState:
        """What it shows now."""
        return self.history[-1]

    def press(self, button: Button) -> None:
        """Push a button down; like a finger, not within 30 ms of the last move."""
        self._move(button, down=True)

    def release(self, button: Button) -> None:
        """Let a button go."""
        self._move(button, down=False)

    def reset(self) -> None:
        """Begin anew: what was not acknowledged is gone, the lights are out."""
        with self._lock:
            self._restarting = True

    def unplug(self) -> None:
        """Take the port away; the box goes on."""
        with self._lock:
            Path(self.port).unlink(missing_ok=True)
            if self._ends is not None:
                for end in self._ends:
                    os.close(end)
            self._ends = None

    def plug(self) -> None:
        """Give the port back, under its old name."""
        with self._lock:
            if self._ends is None:
                self._ends = os.openpty()
                tty.setraw(self._ends[1])
                os.set_blocking(self._ends[0], False)
                Path(self.port).symlink_to(os.ttyname(self._ends[1]))

    def close(self) -> None:
        """End the thread and take the port away."""
        self._stopping.set()
        self._thread.join(2)
        self.unplug()
        shutil.rmtree(self._folder, ignore_errors=True)

    _restarting = False

    def _move(self, button: Button, *, down: bool) -> None:
        with self._lock:
            bounce = Fault.BOUNCE in self.faults
            self._contacts.move(int(button), down, time.monotonic(), bounce)

    def _watch(self, now: float) -> None:
        stale = now - self._heard >= STALE_S
        for button, down in self._contacts.settled(now):
            if stale or len(self._events) == EVENTS:
                self._dropped += 1
            else:
                self._events.append((Kind.DOWN if down else Kind.UP, button))
        if stale and self._events:
            # only the first was said: it alone uses up its number
            self._dropped += len(self._events)
            self._events.clear()
            self._number = self._number % 255 + 1

    def _run(self) -> None:
        decoder = Decoder()
        sent = beaten = 0.0
        last = 0
        self._hello()
        while not self._stopping.wait(0.005):
            if self._restarting:
                self._restart()
            if Fault.SILENCE in self.faults:
                self._read()
                continue
            for item in decoder.feed(self._read()):
                if isinstance(item, Message):
                    self._obey(item)
            now = time.monotonic()
            with self._lock:
                self._watch(now)
                event = self._events[0] if self._events else None
                number = self._number
            if event and (number != last or now - sent >= RESEND_S):
                words = (str(event[1]), f"{self._boot:04X}")
                self._say(Message(number, event[0], words))
                sent, last = now, number
            if now - beaten >= BEAT_S:
                beaten = now
                self._say(
                    Message(0, Kind.BEAT, (str(self._dropped), f"{self._boot:04X}"))
                )
            if Fault.FLOOD in self.faults:
                self._write(b"x" * 1024)

    def _hello(self) -> None:
        words = (str(PROTOCOL), self._name, f"{self._boot:04X}")
        self._say(Message(0, Kind.HELLO, words))

    def _obey(self, message: Message) -> None:
        self._heard = time.monotonic()
        match message.kind, message.words:
            case Kind.WHO, ():
                self._hello()
            case Kind.ACK, (number,) if number == f"{self._number:02X}":
                with self._lock:
                    if not self._events:
                        return
                    kind, _ = self._events.popleft()
                    self._number = self._number % 255 + 1
                if Fault.RESET in self.faults and kind is Kind.DOWN:
                    self._restart()
            case Kind.SHOW, (lights, display):
                try:
                    bits = int(lights, 16)
                    lit = tuple(bool(bits >> place & 1) for place in range(HOLDS))
                    self.history.append(BoxState(lit, display))
                except ValueError:
                    return
                self._say(Message(0, Kind.ACK, (f"{message.sequence:02X}",)))
            case Kind.NAME, (name,):
                self._name = name
                self._say(Message(0, Kind.ACK, (f"{message.sequence:02X}",)))
                self._hello()

    def _restart(self) -> None:
        with self._lock:
            self._restarting = False
            self._contacts.restart()
            self._events.clear()
            self._number = 1
            self._dropped = 0
        self._boot = (self._boot + 1) & 0xFFFF
        self.history.append(START)
        self._hello()

    def _say(self, message: Message) -> None:
        line = encode(message)
        self._lines += 1
        if Fault.NOISE in self.faults:
            line = b"\xff\xfe\x80Arduino ready\r\n" + line
        if Fault.HALF in self.faults and self._lines % 2:
            line = line[: len(line) // 2]
        self._write(line)

    def _write(self, data: bytes) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):  # full: lost
            if self._ends is not None:
                os.write(self._ends[0], data)

    def _read(self) -> bytes:
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._ends is not None:
                return os.read(self._ends[0], 4096)
        return b""
