"""A reading is drawn so that dice, faces and doubts can be told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoring.cards import ALL_FACES, Face, parse_face
from vision.face_labels import face_label
from vision.overlay import DOUBTFUL, SURE, UNREAD, draw_overlay
from vision.reading import (
    DieReading,
    Problem,
    ProblemCode,
    Quad,
    Reading,
    Status,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.ports import BgrImage

QUAD: Quad = ((150.0, 100.0), (190.0, 110.0), (180.0, 150.0), (140.0, 140.0))


def reading_of(face: Face | None, quad: Quad = QUAD, doubtful: bool = False) -> Reading:
    code = ProblemCode.DOUBTFUL_DIE if face else ProblemCode.UNREADABLE_DIE
    problems = (Problem(code, "doubt", (0,)),) if doubtful or face is None else ()
    die = DieReading(face, 0.9, quad)
    return Reading("s", Status.ASK, 0.9, (die,), problems, "m")


def grounds() -> list[BgrImage]:
    rng = np.random.default_rng(8)
    noise = rng.integers(0, 256, (300, 400, 3), np.uint8)
    return [np.full((300, 400, 3), level, np.uint8) for level in (0, 128, 255)] + [
        noise
    ]


def near(image: BgrImage, colour: tuple[int, int, int]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(image.astype(int) - colour).max(axis=2) < 40)


def frame_length(image: BgrImage, colour: tuple[int, int, int]) -> int:
    """Coloured pixels along the quad's edges, away from labels and banner."""
    return int(near(image[105:160], colour).sum())


def test_picture_itself_is_left_alone() -> None:
    image = np.full((300, 400, 3), 128, np.uint8)
    drawn = draw_overlay(image, reading_of(parse_face("QH")))
    assert (image == 128).all()
    assert drawn.shape == image.shape
    assert drawn.dtype == np.uint8


@pytest.mark.parametrize("ground", range(3))
def test_kinds_of_dice_have_colours_of_their_own(ground: int) -> None:
    image = grounds()[ground]
    sure = draw_overlay(image, reading_of(parse_face("QH")))
    doubtful = draw_overlay(image, reading_of(parse_face("QH"), doubtful=True))
    unread = draw_overlay(image, reading_of(None))
    for drawn, own in ((sure, SURE), (doubtful, DOUBTFUL), (unread, UNREAD)):
        lengths = {c: frame_length(drawn, c) for c in (SURE, DOUBTFUL, UNREAD)}
        assert max(lengths, key=lambda c: lengths[c]) == own


def test_doubtful_frames_are_dashed() -> None:
    image = np.full((300, 400, 3), 128, np.uint8)
    face = parse_face("QH")
    whole = frame_length(draw_overlay(image, reading_of(face)), SURE)
    dashed = frame_length(
        draw_overlay(image, reading_of(face, doubtful=True)), DOUBTFUL
    )
    assert 0.3 * whole < dashed < 0.85 * whole


@pytest.mark.parametrize("ground", range(4))
def test_labels_are_legible_on_any_background(ground: int) -> None:
    drawn = draw_overlay(grounds()[ground], reading_of(parse_face("AS")))
    # above the die: black ink on white paper
    label = drawn[70:98, 140:190].astype(int)
    assert (label.min(axis=2) > 230).sum() > 60
    assert (label.max(axis=2) < 60).sum() > 30


def test_every_face_has_a_label_of_its_own() -> None:
    labels = [face_label(face, "", 32, SURE) for face in (*ALL_FACES, None)]
    seen = {label.tobytes() + bytes(label.shape) for label in labels}
    # A, K, Q, J, T and 9 of poker dice are words of their own; nothing is shared
    assert len(seen) == len(ALL_FACES) + 1


@pytest.mark.parametrize("code", ["QH", "TD", "RJ"])
def test_red_faces_have_red_ink(code: str) -> None:
    label = face_label(parse_face(code), "", 40, SURE)[:, :, :3].astype(int)
    red = (label[:, :, 2] > 150) & (label[:, :, 1] < 90)
    assert red.sum() > 100


@pytest.mark.parametrize(
    "quad",
    [
        ((-30.0, -20.0), (20.0, -25.0), (25.0, 25.0), (-25.0, 30.0)),
        ((380.0, 280.0), (460.0, 280.0), (460.0, 360.0), (380.0, 360.0)),
        ((1e6, 1e6), (2e6, 1e6), (2e6, 2e6), (1e6, 2e6)),
        ((5.0, 5.0), (6.0, 5.0), (6.0, 6.0), (5.0, 6.0)),
    ],
)
def test_dice_at_and_beyond_the_border_are_survived(quad: Quad) -> None:
    image = np.full((300, 400, 3), 128, np.uint8)
    assert draw_overlay(image, reading_of(parse_face("QH"), quad)).shape == image.shape


@pytest.mark.parametrize("size", [(1, 1), (12, 9), (2160, 3840)])
def test_any_size_of_picture_is_survived(size: tuple[int, int]) -> None:
    image = np.zeros((*size, 3), np.uint8)
    assert draw_overlay(image, reading_of(parse_face("QH"))).shape == (*size, 3)


def test_dice_outside_the_tray_are_crossed_out() -> None:
    image = np.full((400, 640, 3), 255, np.uint8)
    plain = reading_of(parse_face("AS"))
    (die,) = plain.dice
    far: Quad = ((500.0, 300.0), (560.0, 300.0), (560.0, 360.0), (500.0, 360.0))
    drawn = draw_overlay(image, replace(plain, outside=(replace(die, quad=far),)))
    assert near(drawn, UNREAD)[328:333, 528:533].any()
    assert not near(draw_overlay(image, plain), UNREAD)[328:333, 528:533].any()
