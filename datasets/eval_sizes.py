"""The reader over the width of the dice: where it begins to read, and to ask."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_counts import decided_face, face_shares, read_dice
from datasets.eval_results import RollKind
from datasets.intervals import Share, share_of
from vision.reading import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.eval_results import PictureResult

SIZE_EDGES_PX = (0.0, 24.0, 28.0, 32.0, 36.0, 40.0, 45.0, 50.0, 55.0, 60.0, 75.0, 90.0)


@dataclass(frozen=True, slots=True)
class SizeStep:
    """Pictures whose dice are about as large.

    Attributes:
        low_px: least width of a die.
        high_px: width from which the next step begins; None for the last one.
        middle_px: mean over the pictures.
        pictures: how many there are.
        found: top faces in the reading, of those labelled.
        faces: faces right, of the flat ones found.
        asked: ordinary pictures asked about.
        refused: ordinary pictures refused.
        rolls_right: ordinary pictures read rightly.
        wrong_sure: pictures wrong while sure, of those judged.
    """

    low_px: float
    high_px: float | None
    middle_px: float
    pictures: int
    found: Share
    faces: Share
    asked: Share
    refused: Share
    rolls_right: Share
    wrong_sure: Share


def size_curve(results: Iterable[PictureResult]) -> tuple[SizeStep, ...]:
    """The reader over the width of the dice; steps without pictures are left out."""
    sized = [r for r in results if r.size_px is not None]
    edges = [*SIZE_EDGES_PX, float("inf")]
    steps = []
    for low, high in pairwise(edges):
        inside = [r for r in sized if r.size_px is not None and low <= r.size_px < high]
        if inside:
            steps.append(_size_step(low, high, inside))
    return tuple(steps)


def _size_step(low: float, high: float, inside: list[PictureResult]) -> SizeStep:
    rolls = [r for r in inside if not r.is_crop]
    ordinary = [r for r in rolls if r.verdict.kind is RollKind.ORDINARY]
    judged = [r for r in rolls if r.verdict.kind in (RollKind.ORDINARY, RollKind.OTHER)]
    sizes = [r.size_px for r in inside if r.size_px is not None]
    return SizeStep(
        low_px=low,
        high_px=None if np.isinf(high) else high,
        middle_px=float(np.mean(sizes)),
        pictures=len(inside),
        found=share_of(d.said is not None for r in rolls for d in r.dice),
        faces=face_shares(read_dice(inside), decided_face)["face"],
        asked=share_of(r.status is Status.ASK for r in ordinary),
        refused=share_of(r.status is Status.REFUSE for r in ordinary),
        rolls_right=share_of(bool(r.verdict.right) for r in ordinary),
        wrong_sure=share_of(r.verdict.wrong_sure for r in judged),
    )
