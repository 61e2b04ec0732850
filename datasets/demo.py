"""The demo clip and the sample pictures that come with Tableside."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.clips import ClipMaker, ClipOptions, write_clip
from datasets.fonts import font_book
from datasets.picture_sets import roll_record, write_picture
from datasets.scene import SceneOptions, make_scene
from datasets.style import ArtStyle, random_style
from scoring.dice_sets import bundled_dice_set

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.cube import Image
    from datasets.optics import Picture
    from scoring.cards import Face

THROWS = 6
SAMPLES = 6
SAMPLE_QUALITY = 88


def green_felt(rng: np.random.Generator, height: int, width: int) -> Image:
    """A calm table: green felt with a soft nap."""
    fine = rng.normal(0, 2.2, (height, width)).astype(np.float32)
    rows, columns = height // 24 + 2, width // 24 + 2
    coarse = rng.normal(0, 1.6, (rows, columns)).astype(np.float32)
    nap = fine + cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    colour = np.array([64, 104, 46], np.float32)
    return np.asarray(colour + nap[:, :, None] * np.float32(1.2), np.float32)


def demo_style(rng: np.random.Generator) -> ArtStyle:
    """A light style with a plain layout, as most dice would have."""
    while True:
        style = random_style(rng, font_book())
        light = min(style.body) > 215
        plain = style.layout == "stack" and style.frame == 0
        if light and plain and style.ten == "10" and not style.neutral_rank:
            return style


def _roll(rng: np.random.Generator) -> tuple[Face, ...]:
    """One face of each die of the reference layout."""
    dice = bundled_dice_set("square-shooters-reference").dice
    assert dice is not None  # the reference set has a layout by its nature
    faces = [die[int(rng.integers(len(die)))] for die in dice]
    return tuple(faces[int(k)] for k in rng.permutation(len(faces)))


def make_demo(folder: Path, seed: int) -> int:
    """Write `demo.mp4` and `labels.json`: some throws, one after the other.

    Returns:
        Number of frames.

    Raises:
        OSError: the folder cannot be written to.
        FontsError: too few fonts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng, options = np.random.default_rng(seed), ClipOptions()
    ground = green_felt(rng, options.height, options.width)
    maker = ClipMaker(seed, demo_style(rng), options, ground)

    def frames() -> Iterator[Picture]:
        for _ in range(THROWS):
            yield from maker.throw(_roll(rng))

    count = write_clip(folder / "demo.mp4", frames(), options.fps)
    record: dict[str, Any] = {
        "clip": "demo.mp4",
        "width": options.width,
        "height": options.height,
        "fps": options.fps,
        "frames": count,
        "throws": [
            {
                "rest_frame": throw.rest_frame,
                "dice": [
                    {
                        "face": face.code,
                        "quad": [[round(float(v) + 0.5, 2) for v in p] for p in quad],
                    }
                    for face, quad in zip(throw.faces, throw.quads, strict=True)
                ],
            }
            for throw in maker.throws
        ],
    }
    (folder / "labels.json").write_text(json.dumps(record, indent=1) + "\n")
    return count


def make_samples(folder: Path, seed: int) -> int:
    """Write sample pictures of rolls in different styles, and their truth.

    Returns:
        Number of pictures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    options = SceneOptions(1280, 720, 44, 66, full_roll=True, hand=0.0)
    records = []
    for number in range(SAMPLES):
        scene = make_scene(np.random.default_rng((seed, number)), font_book(), options)
        name = f"roll-{number + 1}.jpg"
        write_picture(folder / name, scene.image, SAMPLE_QUALITY)
        records.append(roll_record(name, scene))
    lines = ",\n".join(json.dumps(record) for record in records)
    (folder / "labels.json").write_text(f"[\n{lines}\n]\n")
    return len(records)
