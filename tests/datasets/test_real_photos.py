"""Lessons from real photos: labels, corner indices, crops, pictures of pip dice."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from datasets.fonts import font_book
from datasets.real_crops import RealCropOptions, real_crops, square_about
from datasets.real_indices import CARD_MM, IndexPicture, index_pictures
from datasets.real_labels import read_photos
from datasets.real_sets import IndexSource, make_real_shards
from datasets.shards import DataSetError, read_shard, whole_shards
from scoring.cards import ALL_FACES, parse_face
from vision.classes import CLASS_NAMES, TURNS
from web_ui.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

QUAD = [[0, 0], [40, 0], [40, 64], [0, 64]]


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def index_picture(code: str, side_px: int = 64) -> NDArray[np.uint8]:
    """A rank over a bar, dark or red on paper; its top left is the brightest corner."""
    image = np.full((64, 40, 3), 225, np.uint8)
    ink = (30, 20, 190) if code[1] in "HD" else (20, 20, 20)
    cv2.putText(image, code[0], (8, 32), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 3)
    cv2.rectangle(image, (12, 42), (27, 42 + 4 * "SHDC".index(code[1]) + 4), ink, -1)
    size = (side_px * 40 // 64, side_px)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def write_labels(folder: Path, entries: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "labels.json").write_text(json.dumps(entries))
    return folder


def write_indices(folder: Path, codes: str = "QH 7S TD", tag: str = "train") -> Path:
    """A folder of cut-out indices, every second one on its head."""
    entries = []
    folder.mkdir(parents=True, exist_ok=True)
    for k, code in enumerate(codes.split()):
        image, quad = index_picture(code), QUAD
        if k % 2:
            image, quad = image[::-1, ::-1], [*QUAD[2:], *QUAD[:2]]
        cv2.imwrite(str(folder / f"{code}.png"), image)
        item = {"face": code, "box": [0, 0, 40, 64], "quad": quad}
        entries.append({"image": f"{code}.png", "cards": [item], "tags": [tag]})
    return write_labels(folder, entries)


def write_cards(folder: Path, codes: str, blot: str = "") -> Path:
    """Photos of one card each, turned, with its four indices; one may be blotted."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    card = (np.array(CARD_MM) * 4).astype(int)  # four pixels a millimetre
    for k, code in enumerate(codes.split()):
        paper = np.full((card[1], card[0], 3), 225, np.uint8)
        mark = cv2.resize(index_picture(code), (55, 88))
        for x in (4, card[0] - 4 - 55):
            paper[7 : 7 + 88, x : x + 55] = mark
            paper[card[1] - 95 : card[1] - 7, x : x + 55] = mark[::-1, ::-1]
        if code == blot:
            paper[:110, :70] = (0, 0, 0)
        angle = np.deg2rad(20 * k)
        turn = np.array(
            [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        )
        quad = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * card
        placed = (quad - card / 2) @ turn.T + (260, 260)
        matrix = cv2.getPerspectiveTransform(
            (quad - 0.5).astype(np.float32), (placed - 0.5).astype(np.float32)
        )
        photo = cv2.warpPerspective(paper, matrix, (520, 520), borderValue=(60, 90, 50))
        cv2.imwrite(str(folder / f"{k}.png"), photo)
        item = {"face": code, "box": [0, 0, 520, 520], "quad": placed.tolist()}
        other = {"face": "2C", "box": [0, 0, 9, 9], "quad": None}
        entry = {"image": f"{k}.png", "cards": [item, other], "tags": ["train"]}
        entries.append(entry)
    return write_labels(folder, entries)


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        pytest.param('{"a": 1}', "must be a list", id="no-list"),
        pytest.param("[", "not JSON", id="no-json"),
        pytest.param('[{"image": "a.png", "dice": []}, 7]', "entry 1", id="a-number"),
        pytest.param('[{"image": "a.png"}]', "entry 0", id="no-items"),
        pytest.param(
            '[{"image": "a.png", "dice": [{"face": "XX"}]}]', "entry 0", id="no-face"
        ),
        pytest.param(
            '[{"image": "a.png", "dice": [{"box": [5, 0, 1, 9]}]}]',
            "box must run",
            id="box-turned-round",
        ),
        pytest.param(
            '[{"image": "a.png", "dice": [{"quad": [[0, 0], [1, 1]]}]}]',
            "entry 0",
            id="two-corners",
        ),
    ],
)
def test_wrong_labels_are_named(tmp_path: Path, entries: str, named: str) -> None:
    (tmp_path / "labels.json").write_text(entries)
    with pytest.raises(DataSetError, match=named) as caught:
        read_photos(tmp_path)
    assert "labels.json" in str(caught.value)


def test_only_pictures_with_the_tag_are_read(tmp_path: Path) -> None:
    write_indices(tmp_path / "a", "QH 7S")
    assert len(read_photos(tmp_path / "a")) == 2
    assert read_photos(tmp_path / "a", "val") == ()


def test_indices_come_upright(tmp_path: Path) -> None:
    found = index_pictures(write_indices(tmp_path), None)
    assert [picture.face.code for picture in found] == ["QH", "7S", "TD"]
    for picture in found:
        assert (picture.image == index_picture(picture.face.code)).all()


def test_photos_kept_for_measuring_never_teach(tmp_path: Path) -> None:
    folder = write_indices(tmp_path, tag="val")
    with pytest.raises(DataSetError, match="no corner index with the tag 'train'"):
        index_pictures(folder, None)


def test_indices_are_cut_out_of_all_four_corners_of_a_card(tmp_path: Path) -> None:
    found = index_pictures(None, write_cards(tmp_path, "QH 7S"))
    assert sorted(picture.face.code for picture in found) == ["7S"] * 4 + ["QH"] * 4
    for picture in found:
        size = (40, 64)
        seen = cv2.resize(picture.image, size, interpolation=cv2.INTER_AREA)
        off = np.abs(seen.astype(int) - index_picture(picture.face.code)).mean()
        assert off < 14  # half a pixel of shift; on its head it is above 30


def test_covered_corners_are_left_out(tmp_path: Path) -> None:
    cards = " ".join(["QH"] * 5)
    folder = write_cards(tmp_path / "a", cards)
    assert len(index_pictures(None, folder)) == 20
    blotted = write_cards(tmp_path / "b", cards + " QH", blot="")
    entries = json.loads((blotted / "labels.json").read_text())
    image = cv2.imread(str(blotted / "5.png"))
    assert image is not None
    x, y = (round(v) for v in entries[5]["cards"][0]["quad"][0])
    cv2.circle(image, (x, y), 110, (30, 30, 30), -1)
    cv2.imwrite(str(blotted / "5.png"), image)
    assert len(index_pictures(None, blotted)) == 23


def test_missing_pictures_are_named(tmp_path: Path) -> None:
    folder = write_indices(tmp_path)
    (folder / "7S.png").write_bytes(b"no picture")
    with pytest.raises(DataSetError, match=r"7S\.png"):
        index_pictures(folder, None)


@pytest.mark.parametrize(("width", "height"), [(40, 64), (64, 40), (7, 7)])
def test_square_about_a_picture_has_its_centre_and_its_long_side(
    width: int, height: int
) -> None:
    quad = square_about(width, height)
    assert quad.mean(axis=0) == pytest.approx(np.array([width, height]) / 2 - 0.5)
    assert np.ptp(quad, axis=0) == pytest.approx([max(width, height)] * 2)
    assert (quad[0] < quad[2]).all()


def test_crops_turn_with_their_labels() -> None:
    pictures = [IndexPicture(parse_face("QH"), index_picture("QH", 80))]
    made = list(
        islice(
            real_crops(
                np.random.default_rng(1), font_book(), pictures, RealCropOptions(64)
            ),
            48,
        )
    )
    half: dict[int, list[float]] = {0: [], 1: [], 2: [], 3: []}
    for crop in made:
        assert crop.image.shape == (64, 64, 3)
        assert CLASS_NAMES[crop.label].startswith("QH@")
        # the bar below the rank is the reddest thing: upright it lies in the lower half
        upright = np.rot90(crop.image, crop.label % TURNS).astype(float)
        red = np.clip(upright[:, :, 2] - upright[:, :, :2].mean(axis=2), 0, None)
        inner = red[8:-8, 8:-8]
        rows = (inner.sum(axis=1) * np.arange(48)).sum() / max(inner.sum(), 1e-6)
        half[crop.label % TURNS].append(float(rows))
    assert all(half.values())  # every turn occurs
    middles = [np.median(rows) for rows in half.values()]
    assert np.ptp(middles) < 6


def test_faces_come_equally_often() -> None:
    pictures = [IndexPicture(parse_face("QH"), index_picture("QH"))] * 30
    pictures += [IndexPicture(parse_face("7S"), index_picture("7S"))]
    source = real_crops(
        np.random.default_rng(2), font_book(), pictures, RealCropOptions(24)
    )
    queens = sum(
        ALL_FACES[crop.label // TURNS].code == "QH" for crop in islice(source, 120)
    )
    assert 40 < queens < 80


def test_shards_are_made_once_and_the_same_again(tmp_path: Path) -> None:
    source = IndexSource(write_indices(tmp_path / "photos"), None)

    def make(name: str, shards: int, seed: int = 3) -> int:
        options = RealCropOptions(32)
        folder = tmp_path / name
        return make_real_shards(folder, source, shards, seed, options, 1, quiet, 12)

    assert make("a", 1) == 1
    assert make("a", 2) == 1
    assert make("b", 2) == 2
    for one, other in zip(
        whole_shards(tmp_path / "a"), whole_shards(tmp_path / "b"), strict=True
    ):
        first, second = read_shard(one), read_shard(other)
        assert np.array_equal(first[0], second[0])
        assert np.array_equal(first[1], second[1])
        assert np.array_equal(first[2], second[2])
        assert first[0].shape == (12, 32, 32, 3)
        assert {ALL_FACES[k // TURNS].code for k in first[1]} <= {"QH", "7S", "TD"}
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert (manifest["indices"], manifest["faces"], manifest["tag"]) == (3, 3, "train")
    with pytest.raises(DataSetError, match="another set"):
        make("a", 2, seed=4)


def test_command_makes_shards_and_names_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = write_indices(tmp_path / "photos")
    words = ["dataset", "real", "--workers", "1", "--count", "1", "--out"]
    out = str(tmp_path / "out")
    assert main([*words, out, "--index-crops", str(tmp_path / "none")]) == 2
    assert "labels.json" in capsys.readouterr().err
    cards = ["--pip-dice", str(photos), "--cards", str(photos)]
    assert main([*words, out, *cards]) == 2
    assert "--cards goes with --index-crops" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*words, out])
    assert "--pip-dice" in capsys.readouterr().err
