"""Contacts of a box in software, and the debounce that its firmware has too."""

from __future__ import annotations

import bisect

STEADY_S = 0.020
"""A contact must rest this long."""
FINGER_S = 0.030
"""No finger opens and closes a contact faster."""
BOUNCE_S = 0.015
"""How long a bouncing contact jumps, each millisecond."""
EDGES = 1024
"""Most changes that wait; more are left out."""


class Contacts:
    """Turns changes of contacts into presses and releases; times in seconds."""

    def __init__(self) -> None:
        self._edges: list[tuple[float, int, bool]] = []
        self._raw: dict[int, bool] = {}
        self._since: dict[int, float] = {}
        self._stable: dict[int, bool] = {}

    def move(self, button: int, down: bool, now_s: float, bounce: bool) -> None:
        """Let a finger close or open a contact, after what it did before."""
        moved = [at for at, other, _ in self._edges if other == button]
        last = moved[-1] if moved else self._since.get(button, 0.0)
        start = max(now_s, last + FINGER_S)
        turns = round(BOUNCE_S * 1000) if bounce else 0
        turns += turns % 2  # an even number of jumps, then it stays
        if len(self._edges) + turns >= EDGES:
            return
        for turn in range(turns + 1):
            edge = (start + turn / 1000, button, down != bool(turn % 2))
            bisect.insort(self._edges, edge)

    def settled(self, now_s: float) -> list[tuple[int, bool]]:
        """Give what has rested long enough since: button and whether it is down."""
        found: list[tuple[int, bool]] = []
        while self._edges and self._edges[0][0] <= now_s:
            at, button, down = self._edges.pop(0)
            self._settle(at, found)
            if self._raw.get(button, False) != down:
                self._raw[button] = down
                self._since[button] = at
        self._settle(now_s, found)
        return found

    def restart(self) -> None:
        """Begin anew: what is held now was not pressed."""
        self._stable = dict(self._raw)

    def _settle(self, at_s: float, found: list[tuple[int, bool]]) -> None:
        for button, down in self._raw.items():
            rested = at_s - self._since[button] >= STEADY_S
            if rested and self._stable.get(button, False) != down:
                self._stable[button] = down
                found.append((button, down))
