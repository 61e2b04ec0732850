"""Sets of whole pictures on disk: for the detector, and rolls to measure with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.detector_labels import scene_labels
from datasets.fonts import font_book
from datasets.render import Progress, run_jobs
from datasets.scene import VISIBLE, Scene, SceneOptions, make_scene
from datasets.shards import MANIFEST, DataSetError, Files
from datasets.spread.processes import Processes
from datasets.throws import CARD_DICE
from datasets.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.spread.port import Spread

BLOCK = 32
"""Pictures drawn by one job; the unit of resuming is the single picture."""


@dataclass(frozen=True, slots=True)
class _Block:
    seed: int
    numbers: tuple[int, ...]
    options: SceneOptions
    rolls: bool


def write_picture(path: Path, image: NDArray[np.uint8], quality: int = 95) -> None:
    """Write a JPEG; it is there whole or not at all.

    Raises:
        DataSetError: OpenCV could not encode it.
    """
    try:
        write_whole(path, jpeg(image, quality))
    except DataSetError as error:
        raise DataSetError(f"{path}: {error}") from error


def jpeg(image: NDArray[np.uint8], quality: int = 95) -> bytes:
    """A picture as a JPEG file.

    Raises:
        DataSetError: OpenCV could not encode it.
    """
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise DataSetError("the picture could not be encoded")
    return data.tobytes()


def roll_record(name: str, scene: Scene) -> dict[str, Any]:
    """Truth of a picture: corners continuous, (0, 0) the outer corner of a pixel."""
    height, width = scene.image.shape[:2]
    group = "die40+" if scene.die_px >= 40 else "die<40"
    return {
        "image": name,
        "width": width,
        "height": height,
        "dice": [
            {
                "face": die.face.code if die.face else None,
                "quad": [[round(float(v) + 0.5, 2) for v in p] for p in die.quad],
                "state": die.state if die.visible >= 0.97 else "hidden_part",
            }
            for die in scene.dice
            if die.visible >= VISIBLE
        ],
        "tags": [_kind(scene), group, *sorted(set(scene.things))],
        "art": scene.style.layout,
        "die_px": round(scene.die_px, 1),
        "tilt_deg": round(scene.tilt_deg, 1),
    }


def _kind(scene: Scene) -> str:
    """What a picture measures: an ordinary roll, or that the reader sees it is none."""
    states = {die.state for die in scene.dice} - {"flat"}
    if states:
        return "special:" + "+".join(sorted(states))
    hidden = any(die.visible < 0.97 for die in scene.dice)
    return "special:hidden_part" if hidden else "ordinary"


def _stem(number: int) -> str:
    return f"{number:06d}"


def _draw_block(block: _Block) -> Files:
    book = font_book()
    files: list[tuple[str, bytes]] = []
    for number in block.numbers:
        rng = np.random.default_rng((block.seed, number))
        scene = make_scene(rng, book, block.options)
        stem = _stem(number)
        files.append((f"images/{stem}.jpg", jpeg(scene.image)))
        if block.rolls:
            text = json.dumps(roll_record(f"{stem}.jpg", scene))
        else:
            text = scene_labels(scene)
        suffix = "json" if block.rolls else "txt"
        files.append((f"labels/{stem}.{suffix}", text.encode("utf-8")))
    return tuple(files)


def render_pictures(
    folder: Path,
    pictures: int,
    seed: int,
    options: SceneOptions,
    workers: int,
    progress: Progress,
    rolls: bool = False,
    spread: Spread | None = None,
) -> int:
    """Draw the pictures of a set that are not there yet.

    Args:
        folder: gets `images/`, `labels/` and a manifest; for rolls also `labels.json`.
        pictures: how many there shall be in all.
        seed: of the set; picture `k` is drawn from `(seed, k)`.
        options: what to draw.
        workers: processes of this machine.
        progress: shows a bar.
        rolls: labels as truth for measuring instead of as lessons for the detector.
        spread: who works; None: those processes.

    Returns:
        How many pictures were drawn now.

    Raises:
        DataSetError: the folder holds a set of other options.
        FontsError: too few fonts.
        SpreadError: the workers are gone, or would draw other pictures.
    """
    facts = {"seed": seed, "rolls": rolls, "fonts": font_book().digest}
    shown = asdict(options)
    if shown["dice_set"] == CARD_DICE:  # as in the manifests written before others came
        del shown["dice_set"]
    _claim(folder, {**facts, **shown})
    suffix = "json" if rolls else "txt"
    missing = [
        k
        for k in range(pictures)
        if not (folder / "labels" / f"{_stem(k)}.{suffix}").exists()
    ]
    blocks = [
        _Block(seed, tuple(missing[k : k + BLOCK]), options, rolls)
        for k in range(0, len(missing), BLOCK)
    ]
    by = spread or Processes(workers)
    run_jobs(_draw_block, blocks, folder, by, progress, options.photos)
    if rolls:
        labels = sorted((folder / "labels").glob("*.json"))
        records = [json.loads(path.read_text()) for path in labels]
        lines = ",\n".join(json.dumps(record) for record in records)
        write_whole(folder / "labels.json", f"[\n{lines}\n]\n")
    return len(missing)


def _claim(folder: Path, facts: dict[str, Any]) -> None:
    """Write the manifest, or check that the one there says the same."""
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    path = folder / MANIFEST
    if path.exists() and json.loads(path.read_text()) != facts:
        raise DataSetError(
            f"{path} describes another set; give another folder or the same options"
        )
    write_whole(path, json.dumps(facts, indent=1) + "\n")
