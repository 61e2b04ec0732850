"""One port, one box: hello, acknowledgement, resending, reconnecting."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from firmware_bridge.events import (
    BoxState,
    BoxStatus,
    Button,
    Connected,
    Lost,
    Pressed,
    Released,
)
from firmware_bridge.link_log import LinkLog
from firmware_bridge.ports import PortError
from firmware_bridge.wire import PROTOCOL, Decoder, Garbled, Kind, Message, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.events import BoxEvent
    from firmware_bridge.ports import Port
    from firmware_bridge.register import Register

SILENCE_S = 1.5
"""A box that says nothing for so long is lost (its heart beats every 0.5 s)."""
HELLO_S = 4.0
"""How long a port may take to say hello: an Uno starts anew when it is opened."""
ASK_S = 0.3
"""Pause between two WHO, BEAT or SHOW."""
NAME_TRIES = 8
"""How often a box is asked to take another name."""
BACK_OFF_S = (0.2, 0.5, 1.0)
"""Pauses before the next try; the last one stays."""


class BoxLink:
    """Keeps one port connected in a thread of its own until `stop`."""

    def __init__(
        self, name: str, open_port: Callable[[str], Port], register: Register
    ) -> None:
        self._name = name
        self._open = open_port
        self._register = register
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"box {name}")
        self._box: str | None = None
        self._connected = False
        self._reason = "not tried yet"
        self._garbled = 0
        self._dropped = 0
        self._shown: BoxState | None = None
        self._asked: BoxState | None = None
        self._boot = ""
        # never begins anew: a late ACK for an earlier SHOW must not fit a later one
        self._number = 0
        self._renaming: str | None = None
        self._name_tries = 0
        self._news = LinkLog(name)
        self._thread.daemon = True
        self._thread.start()

    def status(self) -> BoxStatus:
        """Say how the port is; safe from any thread."""
        return BoxStatus(
            self._name,
            self._box,
            self._connected,
            self._connected and self._shown == self._wanted(),
            "" if self._connected else self._reason,
            self._dropped,
            self._garbled,
        )

    def stop(self) -> None:
        """Ask the thread to end; does not wait."""
        self._stopping.set()

    def rename(self, name: str) -> None:
        """Give the box on this port another name, as soon as it is connected."""
        self._name_tries = NAME_TRIES
        self._renaming = name

    def join(self, timeout: float) -> bool:
        """Wait for the end; False if the thread still runs."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _wanted(self) -> BoxState:
        return self._register.wanted(self._box or "")

    def _run(self) -> None:
        tries = 0
        while not self._stopping.is_set():
            try:
                port = self._open(self._name)
                try:
                    self._talk(port)
                finally:
                    port.close()
            except PortError as error:
                self._reason = str(error)
            if self._connected:
                tries = 0
                self._lose()
            elif not self._stopping.is_set():
                self._news.absent(self._reason)
            self._stopping.wait(BACK_OFF_S[min(tries, len(BACK_OFF_S) - 1)])
            tries += 1

    def _lose(self) -> None:
        box = self._box or ""
        self._connected = False
        self._renaming = None
        self._register.release(box, self)
        if not self._stopping.is_set():
            self._news.lost(box, self._reason, time.monotonic())
        self._tell(Lost(box, self._name, self._reason))

    def _tell(self, event: BoxEvent) -> None:
        """Deliver what must not be lost: wait while the receiver has no room."""
        while not self._register.deliver(event):
            if self._stopping.wait(0.05):
                return

    def _talk(self, port: Port) -> None:
        decoder = Decoder()
        self._shown = self._asked = None
        heard = time.monotonic()
        said = 0.0
        while not self._stopping.is_set():
            now = time.monotonic()
            if self._connected:
                self._news.steady(now)
            wanted = self._wanted()
            fresh = self._connected and wanted not in (self._shown, self._asked)
            if fresh or now - said >= ASK_S:
                self._say(port, wanted)
                said = now
            for item in decoder.feed(port.read()):
                if isinstance(item, Garbled):
                    self._garbled += 1
                    continue
                if self._heard(port, item):
                    heard = time.monotonic()
            if time.monotonic() - heard > (SILENCE_S if self._connected else HELLO_S):
                self._reason = (
                    f"{self._name}: nothing heard for {SILENCE_S} s"
                    if self._connected
                    else f"{self._name}: no hello within {HELLO_S} s"
                )
                return

    def _say(self, port: Port, wanted: BoxState) -> None:
        if not self._connected:
            port.write(encode(Message(0, Kind.WHO)))
        elif self._renaming and self._name_tries > 0:
            self._name_tries -= 1
            port.write(encode(Message(0, Kind.NAME, (self._renaming,))))
        elif wanted == self._shown:
            port.write(encode(Message(0, Kind.BEAT)))
        else:
            if wanted != self._asked:
                self._number = self._number % 255 + 1
                self._asked = wanted
            port.write(encode(Message(self._number, Kind.SHOW, wanted.words())))

    def _heard(self, port: Port, message: Message) -> bool:
        """Act on one message; True if it was one that a box sends."""
        match message.kind, message.words:
            case Kind.HELLO, (version, box, boot):
                if version != str(PROTOCOL):
                    raise PortError(
                        f"{self._name}: box {box} speaks protocol {version}, "
                        f"expected {PROTOCOL}"
                    )
                self._greet(box, boot)
            case ((Kind.DOWN | Kind.UP), (button, boot)) if self._connected:
                self._press(port, message, button, boot)
            case Kind.BEAT, (dropped, boot) if self._connected:
                if dropped.isdecimal():
                    self._dropped = int(dropped)
                self._started(boot)
            case Kind.ACK, (number,) if self._connected:
                if number == f"{self._number:02X}" and self._asked is not None:
                    self._shown = self._asked
            case _:
                return False
        return True

    def _started(self, boot: str) -> None:
        if boot != self._boot:  # it began anew: its lights are out
            self._boot = boot
            self._shown = self._asked = None

    def _greet(self, box: str, boot: str) -> None:
        if self._connected and box == self._box:
            self._started(boot)
            return
        if self._connected:
            self._reason = f"{self._name}: the box is {box} now"
            if box == self._renaming and self._boot == boot:
                self._register.rename(self._box or "", box)
            self._lose()
        if not self._register.claim(box, self):
            raise PortError(f"{self._name}: another box is named {box} too")
        self._box, self._boot = box, boot
        self._connected = True
        self._reason = ""
        self._shown = self._asked = None
        self._news.there(box, time.monotonic())
        self._tell(Connected(box, self._name))

    def _press(self, port: Port, message: Message, button: str, boot: str) -> None:
        if not button.isdecimal() or int(button) >= len(Button) or not message.sequence:
            return
        box = self._box or ""
        key = (boot, message.sequence)
        if self._register.last(box) != key:
            make = Pressed if message.kind is Kind.DOWN else Released
            if not self._register.deliver(make(box, Button(int(button)))):
                return  # no room: without an ACK the box sends it again
            self._register.note(box, key)
        port.write(encode(Message(0, Kind.ACK, (f"{message.sequence:02X}",))))
        self._started(boot)
