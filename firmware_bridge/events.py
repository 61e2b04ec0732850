"""What boxes tell and what they are to show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum


class Button(IntEnum):
    """The thirteen buttons, as the wire numbers them."""

    HOLD_1 = 0
    HOLD_2 = 1
    HOLD_3 = 2
    HOLD_4 = 3
    HOLD_5 = 4
    HOLD_6 = 5
    HOLD_7 = 6
    HOLD_8 = 7
    HOLD_9 = 8
    ROLL = 9
    NEXT = 10
    UNDO = 11
    TIMER = 12


HOLDS = 9


@dataclass(frozen=True)
class Pressed:
    """A button of a box went down."""

    box: str
    button: Button


@dataclass(frozen=True)
class Released:
    """A button of a box came up."""

    box: str
    button: Button


@dataclass(frozen=True)
class Connected:
    """A box is there (again)."""

    box: str
    port: str


@dataclass(frozen=True)
class Lost:
    """A box is gone, and why."""

    box: str
    port: str
    reason: str


BoxEvent = Pressed | Released | Connected | Lost


@dataclass(frozen=True)
class BoxState:
    """All that a box shows: nine lights and four places (digits, `-` or `_` blank)."""

    lights: tuple[bool, ...] = (False,) * HOLDS
    display: str = "____"

    def __post_init__(self) -> None:
        if len(self.lights) != HOLDS:
            raise ValueError(f"{len(self.lights)} lights: expected {HOLDS}")
        if not re.fullmatch("[0-9_-]{4}", self.display, re.ASCII):
            raise ValueError(f"display {self.display!r}: expected 4 of 0-9, - and _")

    def words(self) -> tuple[str, str]:
        """Give the words of a SHOW message."""
        bits = sum(lit << place for place, lit in enumerate(self.lights))
        return f"{bits:03X}", self.display


@dataclass(frozen=True)
class BoxStatus:
    """One port, for a status chip; `box` is None until the first hello."""

    port: str
    box: str | None
    connected: bool
    shown: bool  # the box acknowledged the wanted state
    reason: str  # why not connected; empty if it is
    dropped: int  # presses the box had no room for
    garbled: int  # lines that were noise since the start
