"""Crops are read in several turns, and the turn of the art is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import painted_dice
import pytest
from numpy.typing import NDArray
from small_models import CROP_PX, save_faces

from scoring.cards import ALL_FACES
from vision.classes import CLASS_NAMES, TURNS, class_index
from vision.errors import ModelError
from vision.face_reading import (
    CLEAR,
    LOOKS,
    YoloFaceReader,
    cut_crops,
    read_crops,
    turned_crops,
)
from vision.reader import load_face_reader

if TYPE_CHECKING:
    from pathlib import Path

    from vision.ports import BgrImage

Floats = NDArray[np.float64]


class ReadsMarks:
    """Reads the face from the middle's grey level, the turn from the bright corner."""

    name, crop_px = "marks", 40

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        p = np.full((len(crops), len(CLASS_NAMES)), 1e-6, np.float32)
        for row, crop in zip(p, crops, strict=True):
            face = round(float(crop[18:22, 18:22].mean()) / 4)
            corners = [crop[8, 8], crop[8, -9], crop[-9, -9], crop[-9, 8]]
            turn = int(np.argmax([float(corner.mean()) for corner in corners]))
            row[class_index(face, turn)] = 0.9
        normed: NDArray[np.float32] = p / p.sum(axis=1, keepdims=True)
        return normed


def marked_die(face: int, turn: int) -> BgrImage:
    """A crop as `ReadsMarks` reads it, its art turned by clockwise quarters."""
    crop = np.full((40, 40, 3), 4 * face, np.uint8)
    crop[5:12, 5:12] = 255
    return np.ascontiguousarray(np.rot90(crop, -turn))


@pytest.mark.parametrize("turns", [1, 2, 4])
@pytest.mark.parametrize("turn", range(TURNS))
def test_turn_of_the_art_survives_turning_the_crops(turns: int, turn: int) -> None:
    crops = np.stack([marked_die(face, turn) for face in (3, 17, 50)])
    log_p, log_none = read_crops(ReadsMarks(), crops, turns)
    assert log_p.shape == (3, len(ALL_FACES), TURNS)
    for row, face in zip(log_p, (3, 17, 50), strict=True):
        assert int(row.argmax()) == face * TURNS + turn
    whole = np.exp(log_p).sum(axis=(1, 2)) + np.exp(log_none)
    assert whole == pytest.approx(np.ones(3))


class CountsLooks(ReadsMarks):
    """Reads marks, `certainty` sure of them, and remembers how many it was shown."""

    def __init__(self, certainty: float) -> None:
        self.certainty, self.shown = certainty, list[int]()

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        self.shown.append(len(crops))
        p = super().read(crops)
        sure = p.argmax(axis=1)
        p[:] = (1 - self.certainty) / (len(CLASS_NAMES) - 1)
        p[np.arange(len(p)), sure] = self.certainty
        return p


def test_one_wrong_look_is_outvoted() -> None:
    class WrongWhenUpsideDown(CountsLooks):
        def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
            p = super().read(crops)
            if len(self.shown) == 1:  # as it lies and upside down
                half = len(p) // 2
                p[half:] = np.roll(p[half:], 8, axis=1)
            return p

    crops = np.stack([marked_die(face, 1) for face in (3, 17)])
    log_p, _ = read_crops(WrongWhenUpsideDown(0.99), crops, 4)
    assert log_p.sum(axis=2).argmax(axis=1).tolist() == [3, 17]


def test_only_unclear_crops_are_looked_at_four_times() -> None:
    crops = np.stack([marked_die(face, 1) for face in (3, 17, 50)])
    clear, unclear = CountsLooks(0.9999), CountsLooks(0.9)
    assert clear.certainty > CLEAR > unclear.certainty
    read_crops(clear, crops, 4)
    log_p, log_none = read_crops(unclear, crops, 4)
    assert (clear.shown, unclear.shown) == ([6], [6, 6])
    whole = np.exp(log_p).sum(axis=(1, 2)) + np.exp(log_none)
    assert whole == pytest.approx(np.ones(3))


def test_number_of_turns_is_checked() -> None:
    with pytest.raises(ValueError, match="turns must be 1, 2 or 4, not 3"):
        read_crops(ReadsMarks(), np.zeros((1, 40, 40, 3), np.uint8), 3)


def test_no_dice_are_no_crops(tmp_path: Path) -> None:
    save_faces(tmp_path)
    reader = load_face_reader(tmp_path)
    crops = cut_crops(painted_dice.empty_table(), np.zeros((0, 4, 2)), CROP_PX)
    log_p, log_none = read_crops(reader, crops, 4)
    assert log_p.shape == (0, len(ALL_FACES), TURNS)
    assert log_none.shape == (0,)


@pytest.mark.parametrize("count", [1, 8, 9, 10, 40])
def test_every_crop_gets_its_own_answer(tmp_path: Path, count: int) -> None:
    save_faces(tmp_path)
    reader = load_face_reader(tmp_path)
    codes = [face.code for face in ALL_FACES][:count]
    crops = np.stack(
        [
            np.full((CROP_PX, CROP_PX, 3), painted_dice.COLOURS[c], np.uint8)
            for c in codes
        ]
    )
    p = reader.read(crops)
    assert p.shape == (count, len(CLASS_NAMES))
    assert [int(k) // TURNS for k in p.argmax(axis=1)] == list(range(count))


def test_looks_are_clockwise() -> None:
    crop = np.zeros((1, 4, 4, 3), np.uint8)
    crop[0, 0, 0] = 9
    looks = turned_crops(crop, LOOKS)
    corners = [looks[k, :, :, 0].nonzero() for k in range(4)]
    assert [(int(y[0]), int(x[0])) for y, x in corners] == [
        (0, 0),
        (3, 3),
        (0, 3),
        (3, 0),
    ]


class Says:
    """A network that always says the same."""

    input_shape: tuple[int | None, ...] = (None, 3, 8, 8)

    def __init__(self, row: NDArray[np.float32]) -> None:
        self.row = row

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.repeat(self.row[None], len(pictures), axis=0)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(np.zeros(10, np.float32), id="too-few-classes"),
        pytest.param(
            np.full(len(CLASS_NAMES), 1.0, np.float32), id="not-probabilities"
        ),
        pytest.param(np.full(len(CLASS_NAMES), np.nan, np.float32), id="nan"),
    ],
)
def test_output_that_is_no_probability_is_refused(row: NDArray[np.float32]) -> None:
    reader = YoloFaceReader(Says(row), 8, "odd")
    with pytest.raises(ModelError, match="odd"):
        reader.read(np.zeros((2, 8, 8, 3), np.uint8))


def test_crop_shows_the_quad_upright_with_a_margin() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    image[40:60, 40:60] = 100
    image[40:45, 55:60] = 250  # the top right of the square
    # the quad begins at the bottom left, so the square is turned clockwise once
    quad = np.array([[[39.5, 59.5], [39.5, 39.5], [59.5, 39.5], [59.5, 59.5]]])
    crop = cut_crops(image, quad, 62)[0][:, :, 0]
    near, far = slice(8, 14), slice(48, 54)
    corners = [crop[near, near], crop[near, far], crop[far, far], crop[far, near]]
    assert [float(part.max()) > 200 for part in corners] == [False, False, True, False]
    assert crop[31, 31] == 100
    assert crop[:3].max() == 0


@pytest.mark.parametrize("factor", [3, 6])
def test_large_dice_are_averaged_not_sampled(factor: int) -> None:
    # stripes of single pixels: sampling would give pure black or white
    side = 50 * factor
    image = np.zeros((side + 100, side + 100, 3), np.uint8)
    image[:, ::2] = 254
    quad = np.array(
        [[[50, 50], [50 + side, 50], [50 + side, 50 + side], [50, 50 + side]]]
    )
    crop = cut_crops(image, quad.astype(np.float64), 62)[0][8:-8, 8:-8]
    assert np.abs(crop.astype(float) - 127).max() < 35


def test_shrinking_first_keeps_places() -> None:
    image = np.zeros((900, 900, 3), np.uint8)
    cv2.circle(image, (450, 300), 40, (255, 255, 255), -1)
    quad = np.array([[[200, 100], [800, 150], [750, 700], [150, 650]]], np.float64)
    large, small = cut_crops(image, quad, 400)[0], cut_crops(image, quad, 50)[0]
    ys, xs = np.nonzero(large[:, :, 0] > 127)
    expected = np.array([xs.mean(), ys.mean()])
    weight = small[:, :, 0].astype(float)
    grid_y, grid_x = np.mgrid[0:50, 0:50]
    seen = np.array([(grid_x * weight).sum(), (grid_y * weight).sum()]) / weight.sum()
    assert np.abs((seen + 0.5) * 8 - 0.5 - expected).max() < 2
