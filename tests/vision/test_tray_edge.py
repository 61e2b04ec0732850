"""A tray is proposed by its edge, and an open table is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from nudged_views import seen, table
from painted_trays import painted_tray

from vision.overlap import iou
from vision.tray import TrayOrigin
from vision.tray_edge import LEAST_CONFIDENCE, find_edge


@pytest.mark.parametrize("seed", range(6))
def test_tray_is_proposed_by_its_edge(seed: int) -> None:
    image, floor, outer, dice = painted_tray(seed)
    found = find_edge(image, dice)
    assert found is not None
    assert found.tray.origin is TrayOrigin.EDGE
    quad = np.array(found.tray.quad)
    assert max(iou(quad, floor), iou(quad, outer)) > 0.9
    assert found.confidence >= LEAST_CONFIDENCE


def test_tray_is_found_without_knowing_the_dice_too() -> None:
    image, floor, outer, _ = painted_tray(2)
    found = find_edge(image)
    assert found is not None
    quad = np.array(found.tray.quad)
    assert max(iou(quad, floor), iou(quad, outer)) > 0.9


def test_tray_without_the_dice_in_it_is_hardly_believed() -> None:
    image, _, _, dice = painted_tray(2)
    elsewhere = tuple(
        ((5.0, 5.0), (40.0, 5.0), (40.0, 40.0), (5.0, 40.0)) for _ in dice
    )
    sure, doubtful = find_edge(image, dice), find_edge(image, elsewhere)
    assert sure is not None
    assert doubtful is None or doubtful.confidence < sure.confidence / 2


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.full((720, 1280, 3), 120, np.uint8), id="plain"),
        pytest.param(np.zeros((720, 1280, 3), np.uint8), id="black"),
        pytest.param(np.zeros((1, 1, 3), np.uint8), id="one-pixel"),
        pytest.param(np.zeros((4, 3000, 3), np.uint8), id="strip"),
        pytest.param(np.zeros((3000, 20, 3), np.uint8), id="tower"),
        pytest.param(
            np.random.default_rng(1).integers(0, 256, (360, 640, 3)).astype(np.uint8),
            id="noise",
        ),
    ],
)
def test_picture_without_edges_has_no_tray(image: np.ndarray) -> None:
    assert find_edge(image) is None


def test_table_that_fills_the_picture_is_no_tray() -> None:
    image = seen(cv2.GaussianBlur(table(), (0, 0), 40).astype(np.uint8))
    found = find_edge(image)
    assert found is None or found.confidence < 0.6
