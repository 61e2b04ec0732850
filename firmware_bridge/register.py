"""What all links share: whose name is taken, what was last heard, what to show."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from firmware_bridge.events import BoxState

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.events import BoxEvent

BOXES = 16
"""Most names remembered; further boxes are refused."""
log = logging.getLogger(__name__)


class Register:
    """Shared by the links; every method is safe from any thread."""

    def __init__(self, deliver: Callable[[BoxEvent], bool]) -> None:
        self._deliver = deliver
        self._lock = threading.Lock()
        self._owners: dict[str, object] = {}
        self._last: dict[str, tuple[str, int]] = {}
        self._wanted: dict[str, BoxState] = {}

    def deliver(self, event: BoxEvent) -> bool:
        """Hand an event on; False if there is no room for it now.

        A receiver that fails has had the event: offered again, it would fail again.
        """
        try:
            return self._deliver(event)
        except Exception:
            log.exception("button box: %r was not dealt with", event)
            return True

    def claim(self, box: str, owner: object) -> bool:
        """Take a name; False if another has it or there are too many."""
        with self._lock:
            if len(self._owners) >= BOXES and box not in self._owners:
                return False
            return self._owners.setdefault(box, owner) is owner

    def release(self, box: str, owner: object) -> None:
        """Give a name back."""
        with self._lock:
            if self._owners.get(box) is owner:
                del self._owners[box]

    def last(self, box: str) -> tuple[str, int] | None:
        """Give boot and number of the last event delivered from a box."""
        with self._lock:
            return self._last.get(box)

    def note(self, box: str, key: tuple[str, int]) -> None:
        """Remember the last event delivered; the oldest box is forgotten first."""
        with self._lock:
            self._last.pop(box, None)
            self._last[box] = key
            if len(self._last) > BOXES:
                del self._last[next(iter(self._last))]

    def rename(self, old: str, new: str) -> None:
        """Keep in mind what was heard last of a box that has another name now."""
        with self._lock:
            if old in self._last:
                self._last[new] = self._last.pop(old)

    def wanted(self, box: str) -> BoxState:
        """Give what a box is to show: its own state, else that of all."""
        with self._lock:
            return self._wanted.get(box) or self._wanted.get("") or BoxState()

    def want(self, box: str, state: BoxState) -> None:
        """Set what a box is to show; the box "" is every box without its own."""
        with self._lock:
            if len(self._wanted) > BOXES and box not in self._wanted:
                raise ValueError(f"box {box!r}: more than {BOXES} boxes")
            self._wanted[box] = state
