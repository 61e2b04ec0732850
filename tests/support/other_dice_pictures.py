"""Draws the pictures in `tests/vision/other_dice` anew.

Run `python tests/support/other_dice_pictures.py`. The stored ones are read by the
bundled models in a test, so they are clear cases; fonts differ between machines, so
they are stored and not drawn when the test runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.fonts import font_book
from datasets.picture_sets import roll_record
from datasets.scene import SceneOptions, make_scene

if TYPE_CHECKING:
    from datasets.optics import Picture

FOLDER = Path(__file__).parent.parent / "vision" / "other_dice"
PICTURES = {
    "poker-1": ("poker-dice", 1),
    "poker-2": ("poker-dice", 7),
    "squint-1": ("squint-die", 13),
    "squint-2": ("squint-die", 9),
    "squint-3": ("squint-die", 6),
}
"""Name to dice set and seed."""


def draw(dice_set: str, seed: int) -> tuple[Picture, dict[str, object]]:
    """Draw one picture and its truth."""
    options = SceneOptions(
        640,
        360,
        smallest_px=40,
        largest_px=52,
        full_roll=True,
        clutter=0.3,
        hand=0.0,
        held_out=True,
        dice_set=dice_set,
    )
    scene = make_scene(np.random.default_rng((77, seed)), font_book(), options)
    return scene.image, roll_record("", scene)


def main() -> None:
    """Write all pictures and `labels.json`."""
    records = []
    for name, (dice_set, seed) in PICTURES.items():
        image, record = draw(dice_set, seed)
        path = FOLDER / f"{name}.jpg"
        cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 88])
        records.append(record | {"image": path.name, "set": dice_set})
    lines = ",\n".join(json.dumps(record) for record in records)
    (FOLDER / "labels.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
