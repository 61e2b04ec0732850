"""The one plane in which the top faces of flat dice lie, and who does not fit it.

The tops of flat dice are equal squares of one plane, and their feet lie straight below
it. Seen by any pinhole camera, five numbers say how squares of that plane look wherever
they lie (where the plane vanishes, how it is stretched, how large the squares are), and
three more where the feet are seen (the way down in the middle of the picture, and how
fast it turns towards the point straight below the camera). Nine dice give five numbers
each, so that the plane is well known and every die can be asked whether it agrees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEAST_DICE = 4
"""With fewer dice there is no telling what is usual."""

LOOKS = 12
"""Most steps of the fit; it has mostly settled after six ..."""

SETTLED = 1e-4
"""... when no number moves by more than this."""

VANISHING = 0.3
"""Spread of how much nearer one side of the roll may be than its middle, in shares."""

TURNING, TURNING_SPREAD = -0.045, 0.03
"""How fast the way down turns: minus the height of a die over the focal length in
pixels of the die's own scale, dice of 20 to 90 px seen by webcams and phones."""

STEP = 1e-5
"""How far each number is moved to see what depends on it."""

ROBUST = 2.0
"""Dice that fit worse than this many spreads pull less."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneFit:
    """How well each die fits the plane of all.

    Attributes:
        size: (N,) log of how much larger than the others it is.
        shape: (N, 2) how its foreshortening differs: for half-diagonals `d1`, `d2` as
            complex numbers, seen in the plane, `(d1**2 + d2**2) / area`.
        foot: (N, 2) how far its foot is from where it should be, in sides; zeros if no
            feet were given.
        foot_spread: (N,) likely error of a coordinate of that.
        places: (N, 2) where the middles of the faces are in the plane, in edges of a
            die, from the middle of the roll.
    """

    size: Floats
    shape: Floats
    foot: Floats
    foot_spread: Floats
    places: Floats


def fit_plane(
    quads: Floats,
    quad_spread: Floats,
    feet: Floats | None = None,
    foot_spread: Floats | None = None,
) -> PlaneFit | None:
    """Fit the plane of the tops, with little heed to those that do not fit.

    Args:
        quads: (N, 4, 2) corners of top faces in pixels, in order round the quad.
        quad_spread: (N,) likely error of a coordinate of them, in sides.
        feet: (N, 2) from the middle of each face to its foot, in sides.
        foot_spread: (N,) likely error of a coordinate of them, in sides.

    Returns:
        None for fewer than `LEAST_DICE` dice.
    """
    if len(quads) < LEAST_DICE:
        return None
    problem = _Problem(quads, quad_spread, feet, foot_spread)
    values = problem.start()
    moves = np.vstack([np.zeros(len(values)), STEP * np.eye(len(values))])
    for _ in range(LOOKS):
        rests = problem.rest(values + moves)
        rest = rests[0]
        slope = np.moveaxis((rests[1:] - rest) / STEP, 0, -1)
        far = np.linalg.norm(rest, axis=1) / np.sqrt(rest.shape[1] / 2)
        pull = np.sqrt(np.minimum(1.0, (ROBUST / np.maximum(far, 1e-9)) ** 2))
        known = np.diag(1 / problem.spread)
        lines = np.concatenate(
            [(slope * pull[:, None, None]).reshape(-1, len(values)), known]
        )
        wanted = np.concatenate(
            [(rest * pull[:, None]).ravel(), (values - problem.mean) / problem.spread]
        )
        step = np.linalg.lstsq(lines, wanted, rcond=None)[0]
        values = values - np.clip(step, -0.3, 0.3)
        if np.abs(step).max() < SETTLED:
            break
    return problem.result(values)


class _Problem:
    """One fit: eight numbers, and how far each die is from what they say."""

    def __init__(
        self,
        quads: Floats,
        quad_spread: Floats,
        feet: Floats | None,
        foot_spread: Floats | None,
    ) -> None:
        self._middle = quads.mean(axis=(0, 1))
        unit = float(np.abs(quads - self._middle).max())
        self._points = (quads - self._middle) / max(unit, 1e-9)
        self._centres = self._points.mean(axis=1)
        # errors of the corners as errors of size and shape: both mean over corners
        self._size_spread = np.maximum(quad_spread, 1e-3)
        self._shape_spread = np.maximum(1.4 * quad_spread, 1e-3)
        sides = np.linalg.norm(
            self._points - np.roll(self._points, -1, axis=1), axis=2
        ).mean(axis=1)
        self._side = np.maximum(sides, 1e-9)
        self._feet, self._foot_spread = feet, foot_spread
        wide = 10.0
        self.mean = np.array([0, 0, 0, 0, 0, 0, 0, TURNING], np.float64)
        self.spread = np.array(
            [VANISHING, VANISHING, wide, wide, wide, wide, wide, TURNING_SPREAD]
        )

    def start(self) -> Floats:
        """A first guess: no perspective, size and way down of the middle die."""
        values = self.mean.copy()
        values[4] = -float(np.median(np.log(self._side)))
        if self._feet is not None:
            steps = self._feet * self._side[:, None] - TURNING * self._centres
            values[5:7] = np.median(steps, axis=0)
        return values

    def _apart(self, values: Floats) -> tuple[Floats, Floats, Floats]:
        """Size, shape and foot of each die against what the plane says.

        Args:
            values: (M, 8) several planes at once.

        Returns:
            (M, N), (M, N, 2) and (M, N, 2).
        """
        flat = self._flat(values, self._points)
        corners = flat[..., 0] + 1j * flat[..., 1]
        d1 = (corners[..., 0] - corners[..., 2]) / 2
        d2 = (corners[..., 1] - corners[..., 3]) / 2
        area = np.maximum(2 * np.abs((np.conj(d1) * d2).imag), 1e-9)
        lean = (d1**2 + d2**2) / area
        shape = np.stack([lean.real, lean.imag], axis=-1)
        if self._feet is None:
            return 0.5 * np.log(area), shape, np.zeros_like(shape)
        nearer = np.maximum(1 + values[:, None, :2] @ self._centres.T, 0.2)
        down = values[:, None, 5:7] + values[:, None, 7:] * self._centres
        way = np.swapaxes(nearer, 1, 2) * down / self._side[:, None]
        return 0.5 * np.log(area), shape, self._feet - way

    @staticmethod
    def _flat(values: Floats, points: Floats) -> Floats:
        """Points (N, K, 2) of the picture in M planes, in edges: (M, N, K, 2)."""
        v = values.T[:, :, None, None]  # 8 of (M, 1, 1): planes, dice, points
        x, y = points[..., 0], points[..., 1]
        near = np.maximum(1 + v[0] * x + v[1] * y, 0.2)
        scale = np.exp(np.clip(v[4], -20, 20)) / near
        stretch = np.exp(np.clip(v[2], -5, 5))
        out: Floats = np.stack([scale * (stretch * x + v[3] * y), scale * y], axis=-1)
        return out

    def rest(self, values: Floats) -> Floats:
        """(M, N, 3) or (M, N, 5) misfits in spreads, for (M, 8) values."""
        size, shape, foot = self._apart(values)
        parts = [
            (size / self._size_spread)[..., None],
            shape / self._shape_spread[:, None],
        ]
        if self._foot_spread is not None:
            parts.append(foot / np.maximum(self._foot_spread, 1e-3)[:, None])
        return np.concatenate(parts, axis=-1)

    def result(self, values: Floats) -> PlaneFit:
        """What the fit says of each die."""
        size, shape, foot = (part[0] for part in self._apart(values[None]))
        spread = self._foot_spread
        return PlaneFit(
            size,
            shape,
            foot,
            np.zeros(len(size)) if spread is None else spread,
            self._flat(values[None], self._centres[:, None])[0, :, 0],
        )
