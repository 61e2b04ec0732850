"""Photos of real pip dice as lessons for the detector."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from datasets.real_dice import (
    QUADS,
    SIDE_PX,
    DicePhoto,
    dice_photos,
    make_lesson,
)
from datasets.real_labels import Photo
from datasets.real_sets import make_dice_lessons
from datasets.shards import DataSetError
from vision.quads import decode_quads

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

KNOWN: dict[str, list[list[float] | None]] = json.loads(
    resources.files("datasets").joinpath(QUADS).read_text(encoding="utf-8")
)
NAME = next(name for name, quads in KNOWN.items() if len(quads) == 7)


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def write_photo(folder: Path, **changes: Any) -> Path:
    """A photo as one of the known ones: grey, with a green square for every die."""
    folder.mkdir(exist_ok=True)
    image = np.full((640, 640, 3), 170, np.uint8)
    dice = []
    for quad in KNOWN[NAME]:
        assert quad is not None
        corners = np.array(quad).reshape(4, 2)
        cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (0, 200, 0))
        low, high = corners.min(axis=0) - 5, corners.max(axis=0) + 5
        dice.append({"face": None, "value": 1, "box": [*low.tolist(), *high.tolist()]})
    cv2.imwrite(str(folder / NAME), image)
    entry = {"image": NAME, "dice": dice, "tags": ["train"]} | changes
    (folder / "labels.json").write_text(json.dumps([entry]))
    return folder


def test_known_faces_are_small_quads_in_the_pictures_clockwise() -> None:
    quads = [np.array(q).reshape(4, 2) for all_ in KNOWN.values() for q in all_ if q]
    assert len(KNOWN) == 121
    assert len(quads) == 1060
    for quad in quads:
        edges = np.roll(quad, -1, axis=0) - quad
        nexts = np.roll(edges, -1, axis=0)
        assert (edges[:, 0] * nexts[:, 1] > edges[:, 1] * nexts[:, 0]).all()
        assert quad.min() > 0
        assert quad.max() < 640
        assert 9 < np.linalg.norm(edges, axis=1).mean() < 50


def test_photos_kept_for_measuring_have_no_known_faces() -> None:
    # the photos of the first day teach; those of the second measure
    assert all(name.startswith("nell_20191208_") for name in KNOWN)


@pytest.mark.parametrize("seed", range(12))
def test_labels_lie_on_the_dice_however_the_picture_is_turned(
    tmp_path: Path, seed: int
) -> None:
    (photo,) = dice_photos(write_photo(tmp_path))
    lesson = make_lesson(np.random.default_rng(seed), (photo,))
    assert lesson.image.shape == (SIDE_PX, SIDE_PX, 3)
    assert lesson.quads.shape[1:] == (4, 2)
    assert lesson.quads.min(initial=0) >= 0
    assert lesson.quads.max(initial=0) <= SIDE_PX - 1
    picture = lesson.image.astype(float)
    apart = []
    for quad in lesson.quads:
        middle = quad.mean(axis=0)
        around = np.clip(middle + 1.6 * (quad - middle), 0, SIDE_PX - 1)
        x, y = np.rint(middle).astype(int)
        outside = [picture[round(v), round(u)] for u, v in around]
        apart.append(np.abs(picture[y, x] - np.median(outside, axis=0)).max())
    assert not apart or np.median(apart) > 15  # a die here, the ground around it


def test_dice_that_are_not_labelled_are_not_to_be_seen(tmp_path: Path) -> None:
    (photo,) = dice_photos(write_photo(tmp_path))
    hidden = DicePhoto(photo.photo, photo.quads[:0], photo.boxes[:0], photo.boxes)
    for seed in range(6):
        lesson = make_lesson(np.random.default_rng(seed), (hidden,))
        assert len(lesson.quads) == 0
    shown = make_lesson(np.random.default_rng(3), (photo,))
    assert len(shown.quads) > 0


def test_labels_that_do_not_fit_the_known_faces_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match=f"{NAME}: 0 dice are labelled, .* 7"):
        dice_photos(write_photo(tmp_path, dice=[]))
    with pytest.raises(DataSetError, match=f"{NAME}: a die has no box"):
        dice_photos(write_photo(tmp_path, dice=[{}] * 7))
    with pytest.raises(DataSetError, match="no photo with the tag 'train'"):
        dice_photos(write_photo(tmp_path, tags=["val"]))
    with pytest.raises(DataSetError, match=r"labels\.json"):
        dice_photos(tmp_path / "nowhere")


def test_set_is_in_the_form_of_the_drawn_ones_and_goes_on(tmp_path: Path) -> None:
    photos, out = write_photo(tmp_path / "photos"), tmp_path / "set"
    assert make_dice_lessons(out, photos, 2, 5, "", 1, quiet) == 2
    assert make_dice_lessons(out, photos, 3, 5, "", 1, quiet) == 1
    assert len(list((out / "images").glob("*.jpg"))) == 3
    lines = [
        line.split()
        for path in (out / "labels").glob("*.txt")
        for line in path.read_text().splitlines()
    ]
    assert lines
    for line in lines:
        values = np.array([float(v) for v in line])
        assert values[0] == 0
        assert len(values) == 9
        assert values.min() >= 0
        points = values[[1, 2, 5, 6, 7, 8]].reshape(1, 3, 2) * SIDE_PX
        quad = decode_quads(points)[0]
        assert 8 < np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean() < 110
    with pytest.raises(DataSetError, match="another set"):
        make_dice_lessons(out, photos, 3, 6, "", 1, quiet)


def test_unreadable_photos_are_named(tmp_path: Path) -> None:
    folder = write_photo(tmp_path)
    (folder / NAME).write_bytes(b"")
    (photo,) = dice_photos(folder)
    with pytest.raises(DataSetError, match=NAME):
        make_lesson(np.random.default_rng(1), (photo,))
    assert isinstance(photo.photo, Photo)
