"""Quads as two points: there and back, and smooth however the square turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.quads import Floats, decode_quads, encode_quads


def parallelogram(turn: float, squeeze: float, along: float, side: float) -> Floats:
    """A square seen from afar: turned, then squeezed along some direction."""
    base = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    c, s = np.cos(turn), np.sin(turn)
    turned = base @ np.array([[c, s], [-s, c]])
    c, s = np.cos(along), np.sin(along)
    axis = np.array([[c, s], [-s, c]])
    squeezed = turned @ axis * (1.0, squeeze) @ axis.T
    moved: Floats = squeezed + np.array([200, 100])
    return moved


def distance(a: Floats, b: Floats) -> float:
    """Greatest corner distance whichever corner is first."""
    return min(float(np.abs(np.roll(a, k, axis=0) - b).max()) for k in range(4))


@given(
    st.floats(0, 6.28), st.floats(0.5, 1.0), st.floats(0, 3.14), st.floats(8.0, 120.0)
)
def test_quads_come_back_clockwise(
    turn: float, squeeze: float, along: float, side: float
) -> None:
    quad = parallelogram(turn, squeeze, along, side)
    back = decode_quads(encode_quads(quad[None]))[0]
    assert distance(back, quad) < 1e-6 * side
    edges = np.roll(back, -1, axis=0) - back
    nexts = np.roll(edges, -1, axis=0)
    assert (edges[:, 0] * nexts[:, 1] - edges[:, 1] * nexts[:, 0] > 0).all()


@pytest.mark.parametrize("first", range(4))
def test_encoding_does_not_depend_on_the_first_corner(first: int) -> None:
    quad = parallelogram(0.3, 0.7, 1.0, 40.0)
    rolled = np.roll(quad, first, axis=0)
    assert encode_quads(rolled[None]) == pytest.approx(encode_quads(quad[None]))


def test_encoding_moves_smoothly_while_a_die_turns_all_the_way() -> None:
    turns = np.linspace(0, 2 * np.pi, 721)
    points = np.array(
        [encode_quads(parallelogram(t, 0.7, 0.0, 40.0)[None])[0] for t in turns]
    )
    assert np.abs(np.diff(points, axis=0)).max() < 2.0


def test_no_quads_give_no_quads() -> None:
    empty = np.zeros((0, 4, 2))
    assert encode_quads(empty).shape == (0, 3, 2)
    assert decode_quads(np.zeros((0, 3, 2))).shape == (0, 4, 2)
