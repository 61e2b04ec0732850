"""Corrupted pictures: how their truth moves with them, and what counts as right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from datasets.corrupt import CORRUPTIONS, Corrupted, Corruption, corrupt
from datasets.corrupt_score import OUTCOMES, Counts, is_right, read_corrupted
from datasets.eval_labels import LabelledDie, LabelledPicture, rank_of
from scoring.cards import parse_face
from vision.reading import DieReading, Reading, Status

if TYPE_CHECKING:
    from pathlib import Path

    from vision.ports import BgrImage
    from vision.reading import Quad

SIZE = (240, 320)


def quad(x: float, y: float, side: float = 30) -> Quad:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def picture() -> BgrImage:
    """Grey with one bright square, whose place is QUAD."""
    image = np.full((*SIZE, 3), 90, np.uint8)
    image[100:131, 140:171] = (230, 240, 250)
    return image


QUAD = np.array([quad(140, 100)], np.float64)
MOVING = ("crop", "rotate", "mirror", "stretch", "tilt", "shuffle")


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda c: str(c.__name__))
def test_corruption_leaves_its_picture_alone_and_gives_another(
    corruption: Corruption,
) -> None:
    image = picture()
    for seed in range(4):
        done = corruption(np.random.default_rng(seed), image)
        assert np.array_equal(image, picture())
        if done.image is None:
            assert done.suffix.startswith(".")
        else:
            assert done.image.dtype == np.uint8
            assert done.image.ndim == 3


@pytest.mark.parametrize("name", MOVING)
def test_truth_moves_with_the_picture(name: str) -> None:
    (corruption,) = [c for c in CORRUPTIONS if c.__name__ == name]
    followed = 0
    for seed in range(25):
        done = corruption(np.random.default_rng(seed), picture())
        assert done.image is not None
        (now,) = done.moved(QUAD)
        height, width = done.image.shape[:2]
        inside = (now > 2).all() and (now < (width - 3, height - 3)).all()
        if not np.isfinite(now).all() or not inside:
            continue
        followed += 1
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(now).astype(np.int32), 1)
        assert done.image[mask > 0].mean() > 180
        assert done.image[mask == 0].mean() < 140
    assert followed >= 3


def test_corruption_by_seed_is_the_same_again() -> None:
    for kind in CORRUPTIONS:
        one, two = (corrupt(np.random.default_rng(9), picture(), kind) for _ in "ab")
        assert one[0] == two[0]
        assert one[1].data == two[1].data
        first, second = one[1].image, two[1].image
        if first is None or second is None:  # a file that was cut off
            assert first is second
        else:
            assert np.array_equal(first, second)


CODES = ("AS", "2H", "JD")
PLACES = ((20.0, 20.0), (120.0, 20.0), (220.0, 150.0))


def labelled() -> tuple[LabelledDie, ...]:
    out = []
    for code, (x, y) in zip(CODES, PLACES, strict=True):
        face = parse_face(code)
        out.append(LabelledDie(face, rank_of(face), quad(x + 0.5, y + 0.5), None))
    return tuple(out)


def told(codes: tuple[str, ...], places: tuple[tuple[float, float], ...]) -> Reading:
    dice = tuple(
        DieReading(parse_face(code), 0.99, quad(x, y))
        for code, (x, y) in zip(codes, places, strict=True)
    )
    return Reading("square-shooters", Status.SURE, 0.99, dice, (), "test")


WHOLE = Corrupted(picture())


def test_right_faces_in_their_places_are_right() -> None:
    assert is_right(told(CODES, PLACES), WHOLE, labelled())


@pytest.mark.parametrize(
    ("codes", "places"),
    [
        pytest.param(("AS", "2H", "JH"), PLACES, id="wrong-face"),
        pytest.param(("2H", "AS", "JD"), PLACES, id="exchanged"),
        pytest.param(CODES[:2], PLACES[:2], id="left-out"),
        pytest.param((*CODES, "KS"), (*PLACES, (20.0, 150.0)), id="made-up"),
        pytest.param((*CODES, "AS"), (*PLACES, PLACES[0]), id="counted-twice"),
    ],
)
def test_anything_else_is_wrong(
    codes: tuple[str, ...], places: tuple[tuple[float, float], ...]
) -> None:
    assert not is_right(told(codes, places), WHOLE, labelled())


def test_die_that_was_cropped_away_need_not_be_read() -> None:
    cropped = Corrupted(picture()[:, :200], moved=lambda quads: quads)
    assert is_right(told(CODES[:2], PLACES[:2]), cropped, labelled())


def test_crashes_and_broken_files_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), picture())
    pictures = [LabelledPicture("a.png", path, 320, 240, labelled())]

    def read(image: BgrImage) -> Reading:
        if image.shape[0] % 2:
            raise RuntimeError("odd")
        return told(CODES, PLACES)

    counts = Counts()
    for kind, outcome, note in read_corrupted(read, pictures, 57, 1):
        assert outcome in OUTCOMES
        assert bool(note) == (outcome in ("wrong", "crash"))
        counts.add(kind, outcome)
    assert counts.total("crash") > 0
    assert counts.total("unreadable") > 0
    assert counts.total("wrong") > 0
    assert counts.total("sure") > counts.total("wrong")
    rest = sum(counts.total(o) for o in ("ask", "refuse", "unreadable", "crash"))
    assert counts.total("sure") + rest == 57
