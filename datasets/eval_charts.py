"""Charts as inline SVG; colours and fonts come from the page's style sheet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH, HEIGHT = 400, 250
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 14, 40
NINES = 3.4
"""The scale of nines ends here: three nines and a half."""


@dataclass(frozen=True, slots=True)
class Point:
    """A share at a place of the x axis.

    Attributes:
        x: place.
        rate: share, 0..1.
        low: lower end of its interval.
        high: upper end.
        words: shown when pointed at.
    """

    x: float
    rate: float
    low: float
    high: float
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """Shares that belong together.

    Attributes:
        role: class of the style sheet: `good`, `ask`, `bad` or `plain`.
        points: from left to right.
    """

    role: str
    points: tuple[Point, ...]


def share_chart(
    lines: Sequence[Line],
    title: str,
    x_label: str,
    ticks: Sequence[float],
    from_rate: float | None = None,
) -> Markup:
    """Draw shares with their intervals.

    Args:
        lines: at least one with at least one point.
        title: for readers that do not see it.
        x_label: what runs along the x axis.
        ticks: of the x axis, rising.
        from_rate: where the y axis begins, 0..1; chosen to fit if None.
    """
    points = [point for line in lines for point in line.points]
    low = _lowest(points) if from_rate is None else from_rate
    x0, x1 = ticks[0], ticks[-1]

    def at_x(x: float) -> float:
        return LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)

    def at_y(rate: float) -> float:
        share = (max(rate, low) - low) / (1 - low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{escape(title)}">'
    ]
    step = 0.1 if low >= 0.5 else 0.25 if low == 0 else 0.2
    rate = 1.0
    while rate >= low - 1e-9:
        y = at_y(rate)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}"'
            f' y2="{y:.1f}"/><text class="tick" x="{LEFT - 7}" y="{y + 4:.1f}"'
            f' text-anchor="end">{100 * rate:.0f}%</text>'
        )
        rate -= step
    for tick in ticks:
        parts.append(
            f'<text class="tick" x="{at_x(tick):.1f}" y="{HEIGHT - BOTTOM + 17}"'
            f' text-anchor="middle">{tick:g}</text>'
        )
    parts.append(
        f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 5}"'
        f' text-anchor="middle">{escape(x_label)}</text>'
    )
    for line in lines:
        parts += _line(line, at_x, at_y)
    return Markup("".join([*parts, "</svg>"]))


def _line(
    line: Line, at_x: Callable[[float], float], at_y: Callable[[float], float]
) -> list[str]:
    path = " ".join(f"{at_x(p.x):.1f},{at_y(p.rate):.1f}" for p in line.points)
    parts = [f'<g class="{escape(line.role)}"><polyline points="{path}"/>']
    for point in line.points:
        x = f"{at_x(point.x):.1f}"
        parts.append(
            f'<g><title>{escape(point.words)}</title><line class="whisker"'
            f' x1="{x}" x2="{x}" y1="{at_y(point.low):.1f}"'
            f' y2="{at_y(point.high):.1f}"/>'
            f'<circle cx="{x}" cy="{at_y(point.rate):.1f}" r="4"/></g>'
        )
    return [*parts, "</g>"]


def _lowest(points: Sequence[Point]) -> float:
    """Where the y axis begins so that the shares, not all whiskers, fit."""
    least = min(point.rate for point in points)
    if least < 0.5:
        return 0.0
    return max(0.5, math.floor((least - 0.04) * 10) / 10)


def nines(p: float) -> float:
    """Place of a probability on a scale of nines, 0..1.

    0, 90, 99 and 99.9 % are equally far apart; what lies beyond its end is put there.
    """
    if p >= 1:
        return 1.0
    return min(1.0, -math.log10(1 - p) / NINES)
