"""Where dice lie: footprints that may touch but never overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from datasets.pinhole import Floats

TRIES = 60


@dataclass(frozen=True, slots=True)
class Spot:
    """Footprint of a die on the table.

    Attributes:
        x: centre, mm.
        y: centre, mm.
        yaw_deg: turn about the vertical.
        size_mm: edge.
    """

    x: float
    y: float
    yaw_deg: float
    size_mm: float

    def corners(self) -> Floats:
        """(4, 2) corners of the footprint, mm."""
        angle, half = np.deg2rad(self.yaw_deg), self.size_mm / 2
        c, s = np.cos(angle) * half, np.sin(angle) * half
        offsets = np.array(
            [[c - s, s + c], [-c - s, c - s], [s - c, -s - c], [c + s, s - c]]
        )
        moved: Floats = offsets + np.array([self.x, self.y])
        return moved


def overlap(a: Spot, b: Spot) -> bool:
    """Whether two footprints share area (separating axes of two squares)."""
    reach = (a.size_mm + b.size_mm) * 0.7072
    if np.hypot(a.x - b.x, a.y - b.y) >= reach:
        return False
    first, second = a.corners(), b.corners()
    for spot in (a, b):
        angle = np.deg2rad(spot.yaw_deg)
        for axis in (
            np.array([np.cos(angle), np.sin(angle)]),
            np.array([-np.sin(angle), np.cos(angle)]),
        ):
            p, q = first @ axis, second @ axis
            if p.max() <= q.min() + 1e-9 or q.max() <= p.min() + 1e-9:
                return False
    return True


def _beside(rng: np.random.Generator, other: Spot, size_mm: float) -> Spot:
    """A spot that touches another flat against one of its sides, or nearly."""
    yaw = other.yaw_deg + (0.0 if rng.random() < 0.6 else rng.normal(0, 4))
    angle = np.deg2rad(other.yaw_deg + 90 * int(rng.integers(4)))
    gap = (other.size_mm + size_mm) / 2 + abs(rng.normal(0, 0.25))
    slide = rng.uniform(-0.6, 0.6) * size_mm
    return Spot(
        other.x + float(np.cos(angle) * gap - np.sin(angle) * slide),
        other.y + float(np.sin(angle) * gap + np.cos(angle) * slide),
        float(yaw),
        size_mm,
    )


def scatter(
    rng: np.random.Generator,
    sizes_mm: list[float],
    spread_mm: float,
    centre: tuple[float, float] = (0.0, 0.0),
    touching: float = 0.15,
) -> list[Spot]:
    """Throw dice on a disc.

    Args:
        rng: source of every choice.
        sizes_mm: edge of each die.
        spread_mm: radius of the disc.
        centre: of the disc, mm.
        touching: chance of each die to lie against an earlier one.

    Returns:
        As many spots as found room; the disc grows a little where it is too full.
    """
    spots: list[Spot] = []
    for size_mm in sizes_mm:
        for k in range(TRIES):
            if spots and rng.random() < touching:
                spot = _beside(rng, spots[int(rng.integers(len(spots)))], size_mm)
            else:
                reach = spread_mm * (1 + k / TRIES) * np.sqrt(rng.random())
                angle = rng.uniform(0, 2 * np.pi)
                spot = Spot(
                    centre[0] + float(reach * np.cos(angle)),
                    centre[1] + float(reach * np.sin(angle)),
                    float(rng.uniform(0, 360)),
                    size_mm,
                )
            if not any(overlap(spot, other) for other in spots):
                spots.append(spot)
                break
    return spots
