"""Drawn faces: every one different, none mirrored, the same from the same style."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.art import draw_face
from datasets.canvas import ART_PX, Canvas
from datasets.cube import Die, paint_die, top_quad
from datasets.fonts import font_book, glyph
from datasets.pinhole import looking_at
from datasets.style import LAYOUTS, ArtStyle, random_style
from scoring.cards import ALL_FACES, CARD_DICE_FACES, Suit
from vision.rectify import rectify


def style_of(layout: str, seed: int = 3) -> ArtStyle:
    rng = np.random.default_rng(seed)
    return replace(random_style(rng, font_book()), layout=layout, neutral_rank=False)


def likeness(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> float:
    """Correlation of two pictures."""
    first, second = (x.astype(np.float64).ravel() for x in (a, b))
    return float(np.corrcoef(first, second)[0, 1])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_face_of_a_set_looks_different(layout: str, seed: int) -> None:
    style = style_of(layout, seed)
    seen = {draw_face(style, face).tobytes() for face in CARD_DICE_FACES}
    assert len(seen) == len(CARD_DICE_FACES)


@pytest.mark.parametrize("face", ALL_FACES, ids=lambda face: face.code)
def test_a_style_draws_the_same_face_twice_alike(face: object) -> None:
    style = style_of("stack")
    assert (draw_face(style, face) == draw_face(style, face)).all()  # type: ignore[arg-type]  # ids hide the type


def test_stamp_prints_a_glyph_as_the_font_has_it() -> None:
    mask = glyph(font_book().ranks[0], "J")
    canvas = Canvas((0.0, 0.0, 0.0))
    canvas.stamp(mask, (255.0, 255.0, 255.0), (0.5, 0.5), (0.8, 0.8))
    printed = canvas.finish()[:, :, 0]
    rows = np.flatnonzero(printed.any(axis=1))
    cols = np.flatnonzero(printed.any(axis=0))
    tight = printed[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    asked = cv2.resize(mask, (tight.shape[1], tight.shape[0]))
    assert likeness(tight, asked) > 0.97
    assert likeness(tight, asked) > likeness(tight, asked[:, ::-1]) + 0.1


@pytest.mark.parametrize("yaw", range(0, 360, 45))
@pytest.mark.parametrize("tilt", [0, 25, 45])
def test_no_face_of_a_die_is_mirrored_in_the_picture(yaw: int, tilt: int) -> None:
    style = style_of("stack")
    art = draw_face(style, CARD_DICE_FACES[10])  # a jack of spades has no symmetry
    die = Die(0.0, 0.0, float(yaw), 18.0, (art,) * 5, style.body, 0.05)
    camera = looking_at(
        np.array([0, 0, 18.0]), 400.0, tilt, 20.0, 5.0, 2800.0, (300, 300)
    )
    image = np.full((300, 300, 3), 90, np.float32)
    paint_die(image, camera, die, (1.0,) * 5)
    picture = np.clip(image, 0, 255).astype(np.uint8)
    back = rectify(picture, top_quad(camera, die), ART_PX)
    inner = slice(16, 96)
    plain = cv2.resize(art, (90, 90))  # the crop's margin is around the art
    shown = back[11:101, 11:101]
    turns = [
        likeness(np.rot90(plain, k)[inner, inner], shown[inner, inner])
        for k in range(4)
    ]
    mirrored = [
        likeness(np.rot90(plain[:, ::-1], k)[inner, inner], shown[inner, inner])
        for k in range(4)
    ]
    assert turns[0] == max(turns)
    assert turns[0] > max(mirrored) + 0.1


@pytest.mark.parametrize("side", range(6))
def test_sides_of_a_die_run_clockwise_seen_from_outside(side: int) -> None:
    art = np.zeros((ART_PX, ART_PX, 3), np.uint8)
    die = Die(3.0, 4.0, 33.0, 18.0, (art,) * 5, (0.0, 0.0, 0.0), 0.1)
    corners, normals = die.sides()
    first, second = (
        corners[side][1] - corners[side][0],
        corners[side][2] - corners[side][1],
    )
    assert np.dot(np.cross(first, second), normals[side]) < 0
    middle = corners[side].mean(axis=0) - np.array([3.0, 4.0, 9.0])
    assert middle == pytest.approx(normals[side] * 9)


def test_red_suits_are_drawn_in_red_ink() -> None:
    style = replace(style_of("big_rank", 5), inks=((20, 20, 20), (30, 20, 220)) * 2)
    for card in CARD_DICE_FACES[:52]:
        art = draw_face(style, card).astype(int)
        reddish = (art[:, :, 2] - art[:, :, 0] > 120).any()
        assert reddish == (style.ink(Suit(card.code[1])) == (30, 20, 220)), card.code
