"""A reading as a small table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.reading import DieReading, Reading

WORTH_SHOWING = 0.005
"""Alternatives less likely than this are left out."""
MOST_SHOWN = 2


def reading_table(reading: Reading, title: str, elapsed_ms: float) -> str:
    """Lay a reading out in lines.

    Args:
        reading: the roll.
        title: picture, or clip and frame.
        elapsed_ms: how long it took.

    Returns:
        A head line, one line a die, one line a problem; no newline at the end.
    """
    head = f"{title}: {reading.status.value}, {_percent(reading.confidence)}"
    head += f", {len(reading.dice)} dice, {elapsed_ms:.0f} ms"
    marked = {place for problem in reading.problems for place in problem.dice}
    lines = [
        _die_line(number, die, number - 1 in marked)
        for number, die in enumerate(reading.dice, start=1)
    ]
    lines += [f"  ! {problem.sentence}" for problem in reading.problems]
    return "\n".join([head, *lines])


def _die_line(number: int, die: DieReading, marked: bool) -> str:
    face = die.face.code if die.face else "--"
    x, y = (sum(corner[axis] for corner in die.quad) / 4 for axis in (0, 1))
    line = f"  {number:2} {face:2} {_percent(die.confidence):>7}  at {x:.0f}, {y:.0f}"
    others = [other for other in die.alternatives if other.p >= WORTH_SHOWING]
    if others:
        shown = [f"{other.face.code} {_percent(other.p)}" for other in others]
        line += f"  or {', '.join(shown[:MOST_SHOWN])}"
    return line + ("  ?" if marked else "")


def _percent(p: float) -> str:
    return f"{100 * p:.1f} %"
