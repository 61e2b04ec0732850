"""Builders for table tests: readings, watch scripts and a table that runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.cards import parse_face
from vision.reading import (
    Alternative,
    DieReading,
    Problem,
    ProblemCode,
    Quad,
    Reading,
    Status,
)
from vision.reading_json import reading_record

if TYPE_CHECKING:
    from pathlib import Path

WIDTH_PX, HEIGHT_PX = 1280, 720
SIDE_PX = 90
MODEL = "recorded"

FIRST = "TC TD 5H 6S 7D KH 2S 9C 3H"
SECOND = "TC TD AS 3D 2H 8H KS 9C TH"
THIRD = "TC TD TS 9C 9H AS 4D 5H 6S"


def quads(count: int, seed: int) -> list[Quad]:
    """Squares that do not overlap, at places that only the seed decides."""
    chance = np.random.default_rng(seed)
    cells = chance.permutation(40)[:count]
    made: list[Quad] = []
    for cell in cells:
        x = 60 + 145.0 * (cell % 8) + chance.uniform(0, 40)
        y = 30 + 130.0 * (cell // 8) + chance.uniform(0, 30)
        far_x, far_y = x + SIDE_PX, y + SIDE_PX
        made.append(((x, y), (far_x, y), (far_x, far_y), (x, far_y)))
    return made


def reading(
    codes: str,
    seed: int = 1,
    status: Status = Status.SURE,
    doubtful: tuple[int, ...] = (),
    code: ProblemCode = ProblemCode.DOUBTFUL_DIE,
) -> Reading:
    """A reading of these faces (`?` is unreadable), in reading order."""
    texts = codes.split()
    dice = []
    squares = quads(len(texts), seed)
    for place, text in enumerate(texts):
        other = parse_face("QD" if place % 2 else "QH")
        sure = place not in doubtful
        dice.append(
            DieReading(
                face=None if text == "?" else parse_face(text),
                confidence=0.998 if sure else 0.61,
                quad=squares[place],
                alternatives=(Alternative(other, 0.002 if sure else 0.37),),
            )
        )
    problems: tuple[Problem, ...] = ()
    if status is not Status.SURE:
        problems = (Problem(code, "Look at this roll again.", doubtful),)
    return Reading("square-shooters", status, 0.99, tuple(dice), problems, MODEL)


def moment(at_s: float, watch: str, roll: Reading | None = None) -> dict[str, Any]:
    """One moment of a watch script."""
    made: dict[str, Any] = {"at_s": at_s, "watch": watch}
    if roll is not None:
        made["reading"] = reading_record(roll, "scripted", 0.0)
    return made


def write_script(
    path: Path, moments: list[dict[str, Any]], length_s: float = 3600
) -> Path:
    """Write a watch script."""
    script = {
        "format": "tableside-watch/1",
        "width_px": WIDTH_PX,
        "height_px": HEIGHT_PX,
        "length_s": length_s,
        "moments": moments,
    }
    path.write_text(json.dumps(script), "utf-8")
    return path
