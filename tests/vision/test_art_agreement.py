"""Six or nine: the other dice of the roll say how the set is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from datasets.art import draw_face
from datasets.canvas import ART_PX
from datasets.fonts import font_book
from datasets.style import ArtStyle, random_style
from scoring.cards import ALL_FACES, parse_face
from vision.art_agreement import MOST, agreement, ink_maps, with_agreement
from vision.classes import TURNS
from vision.ports import CROP_MARGIN
from vision.rectify import rectify

if TYPE_CHECKING:
    from numpy.typing import NDArray

FACES = len(ALL_FACES)
SIX, NINE = (ALL_FACES.index(parse_face(code)) for code in ("6D", "9D"))
OTHERS = ("AS", "7H", "TD", "3C", "KS", "5H", "8C", "4D")


def style_of(seed: int) -> ArtStyle:
    style = random_style(np.random.default_rng(seed), font_book())
    return replace(style, layout="stack", frame=0, wear=0.0, marble=0.0)


def crop_of(style: ArtStyle, code: str, turn: int) -> NDArray[np.uint8]:
    art = np.rot90(draw_face(style, parse_face(code)), -turn)
    side = ART_PX - 1.0
    quad = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    return rectify(np.ascontiguousarray(art), quad, 96)


def certain(code: str, turn: int) -> NDArray[np.float64]:
    p = np.full((FACES, TURNS), 1e-6)
    p[ALL_FACES.index(parse_face(code)), turn] = 1.0
    return np.asarray(np.log(p / p.sum()))


def roll(
    style: ArtStyle, own: str, turn: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Eight certain dice in all turns, and one that is six or nine, no matter which."""
    turns = [k % TURNS for k in range(len(OTHERS))]
    crops = [crop_of(style, code, t) for code, t in zip(OTHERS, turns, strict=True)]
    log_p = [certain(code, t) for code, t in zip(OTHERS, turns, strict=True)]
    p = np.full((FACES, TURNS), 1e-6)
    lies = turn if own == "6D" else (turn + 2) % TURNS  # of the six, seen either way
    p[SIX, lies] = p[NINE, (lies + 2) % TURNS] = 0.5
    crops.append(crop_of(style, own, turn))
    log_p.append(np.log(p / p.sum()))
    return np.stack(crops), np.stack(log_p)


@pytest.mark.parametrize("turn", range(TURNS))
@pytest.mark.parametrize("own", ["6D", "9D"])
def test_the_other_dice_settle_six_or_nine(own: str, turn: int) -> None:
    right = 0
    for seed in range(12):
        crops, log_p = roll(style_of(seed), own, turn)
        moved = np.logaddexp.reduce(with_agreement(crops, log_p)[-1], axis=1)
        right += moved[SIX] > moved[NINE] if own == "6D" else moved[NINE] > moved[SIX]
        assert abs(moved[SIX] - moved[NINE]) <= MOST + 1e-6
    assert right >= 11


def test_probabilities_stay_probabilities_and_other_faces_as_they_were() -> None:
    crops, log_p = roll(style_of(1), "9D", 1)
    moved = with_agreement(crops, log_p)
    assert np.exp(moved).sum(axis=(1, 2)) == pytest.approx(np.ones(len(crops)))
    assert (moved[:-1] == log_p[:-1]).all()
    rest = np.delete(np.arange(FACES), [SIX, NINE])
    assert (moved[-1, rest] == log_p[-1, rest]).all()


def test_without_other_certain_dice_nothing_changes() -> None:
    crops, log_p = roll(style_of(1), "6D", 0)
    doubtful = np.log(np.full((FACES, TURNS), 1 / (FACES * TURNS)))
    log_p[:-1] = doubtful
    assert with_agreement(crops, log_p) == pytest.approx(log_p)
    assert agreement(ink_maps(crops), log_p, len(crops) - 1, 0) == 0.0


def test_blank_crops_and_no_crops_say_nothing() -> None:
    blank = np.full((3, 96, 96, 3), 120, np.uint8)
    assert (ink_maps(blank) == 0).all()
    none = np.zeros((0, 96, 96, 3), np.uint8)
    assert with_agreement(none, np.zeros((0, FACES, TURNS))).shape == (0, FACES, TURNS)
    assert 0 < CROP_MARGIN < 0.5
