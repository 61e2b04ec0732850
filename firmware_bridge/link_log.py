"""What a link writes into the log: once when a box is lost, once when it is back."""

from __future__ import annotations

import logging

STEADY_S = 3.0
"""A box that stays for so long is back; before, it is one outage that goes on."""
REASONS = 8
"""Most reasons logged for a port on which no box was ever seen."""
log = logging.getLogger(__name__)


class LinkLog:
    """Keeps a link that flaps, or fails in changing ways, from flooding the log.

    Args:
        port: name of the port, for the lines.
    """

    def __init__(self, port: str) -> None:
        self._port = port
        self._box: str | None = None
        self._lost = False
        self._since: float | None = None
        self._losses = 0
        self._told: set[str] = set()

    def absent(self, reason: str) -> None:
        """No box yet: say each reason once; after a loss all is said already."""
        known = reason in self._told or len(self._told) >= REASONS
        if self._box is None and not known:
            self._told.add(reason)
            log.info("button box: %s", reason)

    def there(self, box: str, now_s: float) -> None:
        """A box said hello."""
        self._since = now_s
        if self._box is None or (box != self._box and not self._lost):
            log.warning("button box %s is there on %s", box, self._port)
        self._box = box

    def lost(self, box: str, reason: str, now_s: float) -> None:
        """The box is gone."""
        self.steady(now_s)
        self._since = None
        self._losses += 1
        if not self._lost:
            self._lost = True
            log.warning("button box %s lost: %s", box, reason)

    def steady(self, now_s: float) -> None:
        """The box is there still; says so once after a loss."""
        if self._lost and self._since is not None and now_s - self._since >= STEADY_S:
            more = f" (lost {self._losses} times)" if self._losses > 1 else ""
            log.warning("button box %s is back on %s%s", self._box, self._port, more)
            self._lost = False
            self._losses = 0
