"""Rolls of nine dice as bare geometry: what a pinhole camera sees of tops and feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EDGE_MM = 18.0
FOCAL_PX = 1400.0
DISTANCE_MM = 600.0


@dataclass(frozen=True, slots=True, eq=False)
class SeenRoll:
    """(9, 4, 2) corners of the tops in pixels, (9, 2) ways to the feet in sides."""

    quads: Floats
    feet: Floats


def rotation(axis: str, angle_deg: float) -> Floats:
    c, s = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    if axis == "z":
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def seen_roll(
    tilt_deg: float,
    leans: dict[int, float] | None = None,
    seed: int = 0,
    error: float = 0.0,
    raised: dict[int, float] | None = None,
) -> SeenRoll:
    """Throw nine dice and look at them.

    Args:
        tilt_deg: of the camera from overhead.
        leans: by how many degrees single dice lean, each in a direction of its own.
        seed: of everything that is thrown.
        error: of every coordinate of corners and feet, in sides.
        raised: by how many edges single dice stand higher.
    """
    rng = np.random.default_rng(seed)
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * EDGE_MM / 2
    foot = np.array([0.0, 0.0, EDGE_MM])  # z points away from the camera
    camera, quads, feet = rotation("x", tilt_deg), [], []
    places = _apart(rng)
    for k in range(9):
        turn = rotation("z", rng.uniform(0, 360))
        away = rotation("z", rng.uniform(0, 360))
        turn = turn @ rotation("x", (leans or {}).get(k, 0.0)) @ away
        place = np.array([*places[k], 0.0])
        place[2] -= (raised or {}).get(k, 0.0) * EDGE_MM
        points = np.vstack([square, [[0, 0, 0]], [foot]]) @ turn.T + place
        at = points @ camera.T + [0, 0, DISTANCE_MM]
        flat = at[:, :2] / at[:, 2:] * FOCAL_PX
        side = np.linalg.norm(flat[:4] - np.roll(flat[:4], 1, axis=0), axis=1).mean()
        quads.append(flat[:4] + rng.normal(0, error * side, (4, 2)))
        feet.append((flat[5] - flat[4]) / side + rng.normal(0, error, 2))
    return SeenRoll(np.stack(quads), np.stack(feet))


def _apart(rng: np.random.Generator) -> list[Floats]:
    """Nine places on the table, mm, so far from each other that no dice touch."""
    places: list[Floats] = []
    while len(places) < 9:
        place = rng.uniform((-110, -70), (110, 70))
        if all(np.linalg.norm(place - other) > 1.45 * EDGE_MM for other in places):
            places.append(place)
    return places
