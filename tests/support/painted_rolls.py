"""Labelled sets of painted rolls, which small models read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from labelled_sets import label_record, write_labels
from painted_dice import scene

from scoring.cards import CARD_DICE_FACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def quiet(unit: str) -> Callable[[Iterable[int], int], Iterable[int]]:
    return lambda items, total: items


def save_rolls(folder: Path, count: int, seed: int, **more: object) -> Path:
    """Painted rolls of nine different faces, all lying flat, in any of 16 places."""
    rng = np.random.default_rng(seed)
    codes = [face.code for face in CARD_DICE_FACES]
    records = []
    folder.mkdir()
    for number in range(count):
        shown, slot = " ".join(rng.permutation(codes)[:9]), int(rng.integers(0, 16))
        name = f"{number:04}.png"
        cv2.imwrite(str(folder / name), scene(shown, slot))
        records.append(label_record(name, "- " * slot + shown, **more))
    write_labels(folder, *records)
    return folder
