"""Sets of dice in designs that no lesson showed: to measure what enrolment is worth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.art import draw_face
from datasets.fonts import font_book
from datasets.picture_sets import roll_record, write_picture
from datasets.scene import SceneOptions, Thrown, make_scene
from datasets.style import ASIDE_LAYOUTS, ArtStyle, aside_style
from datasets.whole_files import write_whole
from scoring.dice_sets import reference_dice_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.scene import Scene
    from vision.ports import BgrImage

SHOWN, ROLLS = "shown", "rolls"
_MATCH_PX = 64


@dataclass(frozen=True, slots=True)
class AsideOptions:
    """What to draw of each set.

    Attributes:
        shots: pictures of each face for enrolment.
        rolls: pictures of fresh rolls.
        spare: further pictures of each face, taken where one is refused.
    """

    shots: int = 2
    rolls: int = 40
    spare: int = 3


def _scene_options(low_px: float, high_px: float) -> SceneOptions:
    return SceneOptions(
        1280, 720, low_px, high_px, True, clutter=0.2, hand=0.0, held_out=True
    )


def draw_aside_sets(
    folder: Path,
    rounds: int,
    seed: int,
    options: AsideOptions,
    progress: Callable[[Iterable[int], int], Iterable[int]],
) -> int:
    """Draw the sets that are not there yet: one of each kept-aside layout a round.

    Each gets `shown/N/FACE-K.jpg` (one die, one face up) and `rolls/` with labels as
    `datasets.eval_labels` reads them, `match` of each die added: how much its picture
    is like its art, as 1 is the same and below 0.4 nobody could read it.

    Returns:
        How many sets were drawn.
    """
    jobs = [(k, layout) for k in range(rounds) for layout in ASIDE_LAYOUTS]
    drawn = 0
    for number in progress(range(len(jobs)), len(jobs)):
        turn, layout = jobs[number]
        place = folder / f"{turn:02d}-{layout}"
        if (place / ROLLS / "labels.json").exists():
            continue
        rng = np.random.default_rng((seed, turn, ASIDE_LAYOUTS.index(layout)))
        _draw_set(rng, place, aside_style(rng, font_book(), layout), options)
        drawn += 1
    return drawn


def _draw_set(
    rng: np.random.Generator, folder: Path, style: ArtStyle, options: AsideOptions
) -> None:
    dice = reference_dice_set().dice
    assert dice is not None
    for number, die in enumerate(dice, start=1):
        (folder / SHOWN / str(number)).mkdir(parents=True, exist_ok=True)
        for face in die:
            for k in range(options.shots + options.spare):
                scene = make_scene(
                    rng, font_book(), _scene_options(45, 80), Thrown(style, (face,))
                )
                name = f"{face.code}-{k}.jpg"
                write_picture(folder / SHOWN / str(number) / name, scene.image, 92)
    (folder / ROLLS).mkdir(exist_ok=True)
    records = []
    for k in range(options.rolls):
        faces = tuple(die[int(rng.integers(len(die)))] for die in dice)
        scene = make_scene(
            rng, font_book(), _scene_options(40, 75), Thrown(style, faces)
        )
        name = f"{k:04d}.jpg"
        write_picture(folder / ROLLS / name, scene.image, 92)
        records.append(_with_matches(roll_record(name, scene), scene))
    write_whole(folder / ROLLS / "labels.json", json.dumps(records) + "\n")


def _with_matches(record: dict[str, Any], scene: Scene) -> dict[str, Any]:
    for entry, die in zip(record["dice"], scene.dice, strict=True):
        assert die.face is not None
        art = draw_face(scene.style, die.face)
        entry["match"] = round(match_of(scene.image, die.quad, art), 3)
    return record


def match_of(
    image: BgrImage, quad: NDArray[np.float64], art: NDArray[np.uint8]
) -> float:
    """How much a die in a picture looks like its art: correlation, up to 1.

    Args:
        image: (H, W, 3) uint8 BGR.
        quad: (4, 2) corners of the top face in its pixels, from the art's top left.
        art: (S, S, 3) uint8 BGR.
    """
    inner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _MATCH_PX - 0.5
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), inner)
    seen = cv2.warpPerspective(image, matrix, (_MATCH_PX, _MATCH_PX))
    drawn = cv2.resize(art, (_MATCH_PX, _MATCH_PX), interpolation=cv2.INTER_AREA)
    edge = _MATCH_PX // 10  # rounded off on the die
    parts = [part[edge:-edge, edge:-edge].astype(np.float64) for part in (seen, drawn)]
    a, b = (part - part.mean(axis=(0, 1)) for part in parts)
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float((a * b).sum() / size) if size > 0 else 0.0
