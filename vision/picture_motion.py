"""How pictures move: motions of the plane, and finding large ones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]
Described = tuple[Floats, NDArray[np.uint8]]
"""(N, 2) corners in pixels and (N, 32) what the picture looks like round them."""

LEAST_PAIRS = 10
"""Corners that must agree on a motion."""


def project(points: Floats, motion: Floats) -> Floats:
    """Where a (3, 3) motion takes points, (N, 2)."""
    if not len(points):
        return points
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2), motion)
    return np.asarray(moved, np.float64).reshape(-1, 2)


def square(affine: NDArray[np.generic]) -> Floats:
    """A (2, 3) affine motion as (3, 3)."""
    return np.vstack([np.asarray(affine, np.float64), (0.0, 0.0, 1.0)])


def apart_px(one: Floats, other: Floats, shape: tuple[int, ...]) -> float:
    """How far apart two motions put the corners of the picture, pixels."""
    height, width = shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    off = project(corners, one) - project(corners, other)
    return float(np.linalg.norm(off, axis=1).max())


def farthest_px(motion: Floats, width_px: int, height_px: int) -> float:
    """How far a motion takes the corners of a picture of this size, pixels."""
    return apart_px(motion, np.eye(3), (height_px, width_px))


def describe(grey: Grey) -> Described:
    """Find corners and describe what lies round them, whatever the light."""
    orb = cv2.ORB.create(nfeatures=700, fastThreshold=8)
    evened = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    corners, described = orb.detectAndCompute(evened, None)
    if described is None or not len(corners):
        return np.zeros((0, 2)), np.zeros((0, 32), np.uint8)
    at = np.array([corner.pt for corner in corners], np.float64)
    return at, np.asarray(described, np.uint8)


def match_described(before: Described, now: Described) -> Floats | None:
    """The motion that most corners with one description agree on."""
    if min(len(before[0]), len(now[0])) < LEAST_PAIRS:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(before[1], now[1])
    good = [pair for pair in pairs if pair.distance < 64]
    if len(good) < LEAST_PAIRS:
        return None
    affine, inside = cv2.estimateAffinePartial2D(
        before[0][[pair.queryIdx for pair in good]],
        now[0][[pair.trainIdx for pair in good]],
        method=cv2.RANSAC,
        ransacReprojThreshold=2.5,
        maxIters=1000,
        confidence=0.99,
    )
    if affine is None or int(np.sum(inside)) < LEAST_PAIRS:
        return None
    if not np.isfinite(affine).all():
        return None
    return square(np.asarray(affine))


def unmoved(grey: Grey, motion: Floats) -> Grey:
    """The scene now as the camera would see it from where it stood."""
    size = (grey.shape[1], grey.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(grey, motion, size, flags=flags), np.uint8)
