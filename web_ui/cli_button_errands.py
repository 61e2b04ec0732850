"""What `tableside buttons` does besides watching: name a box, measure one."""

from __future__ import annotations

import queue
import statistics
import sys
import time
from typing import TYPE_CHECKING, TypeVar

from firmware_bridge.events import Button, Connected, Pressed, Released

if TYPE_CHECKING:
    from firmware_bridge.boxes import ButtonBoxes
    from firmware_bridge.events import BoxEvent
    from firmware_bridge.simulated_box import SimulatedBox
    from firmware_bridge.virtual_box import VirtualBox

FOUND_S = 6.0
"""How long a box may take to say hello."""
MORE_S = 1.0
"""How long a second box may take after the first."""
ANSWER_S = 4.0
E = TypeVar("E", Connected, Pressed, Released)


def give_name(name: str, events: queue.Queue[BoxEvent], boxes: ButtonBoxes) -> int:
    """Give the one box that is there a name; returns the exit status."""
    first = _wait(events, Connected, FOUND_S)
    if first is None:
        print("no box was found", file=sys.stderr)
        return 1
    if _wait(events, Connected, MORE_S) is not None:
        print("several boxes are there: choose with --port", file=sys.stderr)
        return 2
    if first.box == name:
        print(f"the box is named {name} already")
        return 0
    try:
        boxes.rename(first.box, name)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    renamed = _wait(events, Connected, ANSWER_S)
    if renamed is None or renamed.box != name:
        print(f"box {first.box} did not take the name {name}", file=sys.stderr)
        return 1
    print(f"box {first.box} is named {name} now")
    return 0


def measure(
    count: int, events: queue.Queue[BoxEvent], box: VirtualBox | SimulatedBox
) -> int:
    """Press a box's button and time the events; returns the exit status."""
    if _wait(events, Connected, FOUND_S) is None:
        print("no box was found", file=sys.stderr)
        return 1
    taken: list[float] = []
    for _ in range(count):
        begin = time.monotonic()
        box.press(Button.ROLL)
        pressed = _wait(events, Pressed, ANSWER_S)
        taken.append((time.monotonic() - begin) * 1000)
        box.release(Button.ROLL)
        if pressed is None or _wait(events, Released, ANSWER_S) is None:
            print("a press was not told", file=sys.stderr)
            return 1
    print(
        f"{count} presses: median {statistics.median(taken):.1f} ms from press to "
        f"event, longest {max(taken):.1f} ms (20 ms of it debounce)"
    )
    return 0


def _wait(events: queue.Queue[BoxEvent], kind: type[E], seconds: float) -> E | None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            event = events.get(timeout=left)
        except queue.Empty:
            return None
        if isinstance(event, kind):
            return event
    return None
