"""A pinhole camera over a table: where a point in millimetres lands in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pinhole:
    """Camera above the plane z = 0, x to the right, y away from the viewer, z up.

    Attributes:
        position: (3,) optical centre, mm.
        rotation: (3, 3), rows are the camera's right, down and forward axes.
        focal_px: focal length in pixels.
        centre_px: (2,) principal point.
    """

    position: Floats
    rotation: Floats
    focal_px: float
    centre_px: Floats

    def project(self, points: Floats) -> Floats:
        """Project points.

        Args:
            points: (..., 3) in mm, in front of the camera.

        Returns:
            (..., 2) pixels, OpenCV convention (the centre of the first pixel is 0, 0).
        """
        seen = (points - self.position) @ self.rotation.T
        flat: Floats = seen[..., :2] / np.maximum(seen[..., 2:], 1e-6)
        return flat * self.focal_px + self.centre_px


def looking_at(
    target: Floats,
    distance_mm: float,
    tilt_deg: float,
    azimuth_deg: float,
    roll_deg: float,
    focal_px: float,
    size: tuple[int, int],
) -> Pinhole:
    """Place a camera that looks at a point of the table.

    Args:
        target: (3,) point in the middle of the picture, mm.
        distance_mm: from the optical centre to the target.
        tilt_deg: 0 straight from above, 90 along the table.
        azimuth_deg: side from which the camera looks; 0 is from -y.
        roll_deg: turn of the camera about its own axis.
        focal_px: focal length in pixels.
        size: width and height of the picture in pixels.
    """
    tilt, azimuth, roll = np.deg2rad([tilt_deg, azimuth_deg, roll_deg])
    back = np.array(
        [
            -np.sin(tilt) * np.sin(azimuth),
            -np.sin(tilt) * np.cos(azimuth),
            np.cos(tilt),
        ]
    )
    forward = -back
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.stack([c * right + s * down, c * down - s * right, forward])
    centre = (np.asarray(size, np.float64) - 1) / 2
    return Pinhole(target + back * distance_mm, rotation, focal_px, centre)
