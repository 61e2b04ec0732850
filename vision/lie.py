"""How dice lie: flat, leaning, on another die, partly hidden, or not there at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.limits import SHIPPED
from vision.plane import fit_plane
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.face_reading import Evidence
    from vision.limits import Limits
    from vision.plane import PlaneFit

Floats = NDArray[np.float64]

DETECTOR_SPREAD = 0.03
"""Likely error of a coordinate of the detector's quads, in sides: measured on our own
held-out rolls, where it is 2 to 4 hundredths from large to small dice."""


@dataclass(frozen=True, slots=True)
class Lie:
    """How one die lies.

    Attributes:
        state: flat unless the evidence says otherwise.
        foot_off: how far its foot is from where that of a flat die would be, in sides;
            about the sine of the angle by which it leans. 0 if that is not known.
        printed: probability that there is no die at all.
    """

    state: DieState
    foot_off: float = 0.0
    printed: float = 0.0


def lies_of(evidence: Sequence[Evidence], limits: Limits = SHIPPED) -> tuple[Lie, ...]:
    """Tell how each of some dice lies, by its own look and against all others.

    Args:
        evidence: of the dice of one roll.
        limits: where doubt begins.
    """
    fit = plane_of(evidence)
    piles = _piles(evidence, fit, limits) if fit is not None else ()
    return tuple(_lie(piece, fit, k, piles, limits) for k, piece in enumerate(evidence))


def _piles(
    evidence: Sequence[Evidence], fit: PlaneFit, limits: Limits
) -> tuple[tuple[int, int], ...]:
    """Pairs of dice, the upper one first, of which one must lie on the other.

    Dice that lie side by side are at least an edge apart, however they are turned. The
    lower one is the one that is more likely covered, or that the detector sees less.
    """
    out = []
    for k in range(len(evidence)):
        for other in range(k):
            apart = float(np.linalg.norm(fit.places[k] - fit.places[other]))
            if apart < limits.least_apart:
                upper, lower = sorted((k, other), key=lambda n: _hidden(evidence[n]))
                out.append((upper, lower))
    return tuple(out)


def _hidden(piece: Evidence) -> tuple[float, float]:
    body = piece.look.body if piece.look else None
    return (body.covered if body else 0.0, -piece.score)


def plane_of(evidence: Sequence[Evidence]) -> PlaneFit | None:
    """Fit the common plane; None if there are too few dice."""
    bodies = [piece.look.body for piece in evidence if piece.look and piece.look.body]
    if len(bodies) < len(evidence) or not bodies:
        quads = np.array([piece.quad for piece in evidence]).reshape(-1, 4, 2)
        return fit_plane(quads, np.full(len(quads), DETECTOR_SPREAD))
    return fit_plane(
        np.array([body.quad for body in bodies]),
        np.array([body.quad_spread for body in bodies]),
        np.array([body.foot for body in bodies]),
        np.array([body.foot_spread for body in bodies]),
    )


def _lie(
    piece: Evidence,
    fit: PlaneFit | None,
    k: int,
    piles: tuple[tuple[int, int], ...],
    limits: Limits,
) -> Lie:
    upper, lower = {pile[0] for pile in piles}, {pile[1] for pile in piles}
    look = piece.look
    body = look.body if look else None
    foot_off = float(np.linalg.norm(fit.foot[k])) if fit is not None else 0.0
    printed = body.printed if body else 0.0
    state = DieState.FLAT
    if fit is not None and _leans(fit, k, body is not None, limits):
        state = DieState.COCKED
    if k in upper or (body and body.stacked > limits.stacked):
        state = DieState.STACKED
    elif (
        k in lower
        or (body and body.covered > limits.covered)
        or (look and look.inside < limits.least_inside)
    ):
        state = DieState.HIDDEN_PART
    return Lie(state, foot_off, printed)


def _leans(fit: PlaneFit, k: int, has_body: bool, limits: Limits) -> bool:
    """Whether a die's foot, or without one the shape of its face, is out of place."""
    if not has_body:
        return float(np.linalg.norm(fit.shape[k])) > limits.most_flattened
    off = float(np.linalg.norm(fit.foot[k]))
    spread = float(fit.foot_spread[k])
    return (off > limits.most_foot_off and off > limits.most_spreads * spread) or (
        off > limits.far_off and off > limits.far_spreads * spread
    )
