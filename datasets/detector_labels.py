"""Labels of the detector: one line a die in ultralytics' pose format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from datasets.scene import VISIBLE, Scene
from vision.quads import encode_quads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.pinhole import Floats

CLASS_NAME = "die"
KEYPOINTS = 2


def label_line(quad: Floats, width: int, height: int) -> str:
    """Write one top face.

    The box is the square about the mean corner that holds the quad, so that its centre
    is the point from which `vision.quads` measures.

    Args:
        quad: (4, 2) pixel corners (OpenCV: pixel centres are whole numbers).
        width: of the picture, pixels.
        height: of the picture, pixels.

    Returns:
        `0 cx cy w h x1 y1 x2 y2`, in shares of width and height.
    """
    points = encode_quads(quad[None])[0] + 0.5
    side = 2 * float(np.abs(quad + 0.5 - points[0]).max())
    size = np.array([width, height])
    centre, first, second = points / size
    values = np.concatenate([centre, (side, side) / size, first, second])
    return " ".join(["0", *(f"{value:.6f}" for value in values)])


def scene_labels(scene: Scene) -> str:
    """Lines of all dice that are to be found; empty for an empty table."""
    height, width = scene.image.shape[:2]
    lines = [
        label_line(die.quad, width, height)
        for die in scene.dice
        if die.visible >= VISIBLE
    ]
    return "".join(line + "\n" for line in lines)


def data_yaml(train: Sequence[str], val: str) -> str:
    """The file that tells ultralytics where the sets are; paths must be absolute."""
    return (
        f"train: {json.dumps(list(train))}\nval: {json.dumps(val)}\n"
        f"kpt_shape: [{KEYPOINTS}, 2]\nflip_idx: [0, 1]\nnames:\n  0: {CLASS_NAME}\n"
    )
