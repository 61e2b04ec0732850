"""Labels of made pictures, and readings of them with known faults."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import painted_dice
from painted_dice import SLOTS, faces

from datasets.eval_labels import LabelledPicture, parse_picture
from vision.reading import (
    DieReading,
    DieState,
    Problem,
    ProblemCode,
    Quad,
    Reading,
    Status,
)

if TYPE_CHECKING:
    from pathlib import Path

Record = dict[str, Any]


def slot_corners(slot: int, shift: float = 0.0) -> list[list[float]]:
    """Corners of a slot in continuous coordinates, moved to the right."""
    return [[x + 0.5 + shift, y + 0.5] for x, y in SLOTS[slot]]


def label_record(name: str, codes: str, **more: object) -> Record:
    """A label: a die a slot, `-` for a slot without one, flat ones all of them."""
    dice = [
        {"face": code, "quad": slot_corners(slot), "state": "flat"}
        for slot, code in enumerate(codes.split())
        if code != "-"
    ]
    size = {"width": painted_dice.WIDTH, "height": painted_dice.HEIGHT}
    return {"image": name, **size, "dice": dice, "tags": [], **more}


def label(folder: Path, name: str, codes: str, **more: object) -> LabelledPicture:
    return parse_picture(label_record(name, codes, **more), folder)


def write_labels(folder: Path, *records: Record) -> Path:
    path = folder / "labels.json"
    path.write_text(json.dumps(list(records)), "utf-8")
    return path


def quad_at(slot: int, shift: float = 0.0, turn: int = 0) -> Quad:
    """A quad in OpenCV pixels that begins `turn` corners later than the slot's."""
    corners = np.roll(np.array(SLOTS[slot]), -turn, axis=0) + [shift, 0.0]
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def reading(
    codes: str,
    status: Status = Status.SURE,
    confidence: float = 0.99,
    states: dict[int, DieState] | None = None,
    shift: float = 0.0,
    problems: tuple[ProblemCode, ...] = (),
) -> Reading:
    """A reading: a die a slot; `?` for one without a face, `-` for no die."""
    dice = tuple(
        DieReading(
            face=None if code == "?" else faces(code)[0],
            confidence=confidence,
            quad=quad_at(slot, shift),
            state=(states or {}).get(slot, DieState.FLAT),
        )
        for slot, code in enumerate(codes.split())
        if code != "-"
    )
    told = tuple(Problem(code, f"About {code.value}") for code in problems)
    return Reading("square-shooters", status, confidence, dice, told, "made")
