"""A box in software on a pseudo-terminal, that can misbehave; a box without solder."""

from __future__ import annotations

import errno
import os
import threading
import time
import tty
from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING

from firmware_bridge.events import BoxState
from firmware_bridge.wire import PROTOCOL, Decoder, Kind, Message, encode

if TYPE_CHECKING:
    from firmware_bridge.events import Button

EVENTS = 32
"""Presses and releases kept until acknowledged."""
RESEND_S = 0.15
BEAT_S = 0.5
BOUNCE = 5
"""How often a bouncing contact opens and closes at a press."""


class Fault(StrEnum):
    """Misbehaviour that can be switched on and off."""

    NOISE = "noise"  # FF FE 80 and a banner between lines
    HALF = "half"  # every second line stops in its middle
    BOUNCE = "bounce"  # each press is sent as several
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
        self._state = BoxState()
        self._stopping = threading.Event()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._thread = threading.Thread(target=self._run, name="virtual box")
        self._thread.daemon = True
        self._thread.start()

    @property
    def state(self) -> BoxState:
        """What it shows now."""
        return self._state

    def press(self, button: Button) -> None:
        """Push a button down."""
        self._push(Kind.DOWN, button)

    def release(self, button: Button) -> None:
        """Let a button go."""
        self._push(Kind.UP, button)

    def close(self) -> None:
        """End the thread and take the port away."""
        self._stopping.set()
        self._thread.join(2)
        os.close(self._master)
        os.close(self._slave)

    def _push(self, kind: Kind, button: Button) -> None:
        with self._lock:
            turns = BOUNCE if Fault.BOUNCE in self.faults and kind is Kind.DOWN else 1
            for turn in range(2 * turns - 1):
                if len(self._events) == EVENTS:
                    self._dropped += 1
                    continue
                bounced = Kind.UP if turn % 2 else kind
                self._events.append((bounced, int(button)))

    def _run(self) -> None:
        decoder = Decoder()
        sent = beaten = 0.0
        last = 0
        self._hello()
        while not self._stopping.wait(0.005):
            if Fault.SILENCE in self.faults:
                self._read()
                continue
            for item in decoder.feed(self._read()):
                if isinstance(item, Message):
                    self._obey(item)
            now = time.monotonic()
            with self._lock:
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
                    lit = tuple(bool(bits >> place & 1) for place in range(9))
                    self._state = BoxState(lit, display)
                except ValueError:
                    return
                self._say(Message(0, Kind.ACK, (f"{message.sequence:02X}",)))
            case Kind.NAME, (name,):
                self._name = name
                self._say(Message(0, Kind.ACK, (f"{message.sequence:02X}",)))
                self._hello()

    def _restart(self) -> None:
        with self._lock:
            self._events.clear()
            self._number = 1
        self._boot = (self._boot + 1) & 0xFFFF
        self._state = BoxState()
        self._hello()

    def _say(self, message: Message) -> None:
        line = encode(message)
        self._lines += 1
        if Fault.NOISE in self.faults:
            line = b"\xff\xfe\x80Arduino ready\r\n" + line
        if Fault.HALF in self.faults and self._lines % 2:
            line = line[: len(line) // 2]
        if Fault.FLOOD in self.faults:
            line = b"\n" + line
        self._write(line)

    def _write(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):  # full, or nobody there
                raise

    def _read(self) -> bytes:
        try:
            return os.read(self._master, 4096)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):
                raise
            return b""
