"""Sixes and nines told apart by how the other dice of the roll are drawn.

A six of diamonds on its head is a nine of diamonds: nothing on the die itself says
which it is. But all dice of a set are drawn alike. If the others carry the suit sign
below the rank, so does this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scoring.cards import ALL_FACES, Card
from vision.classes import TURNS
from vision.ports import CROP_MARGIN
from vision.ranks import percentile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

GRID = 16
"""Side of the map of where a face carries ink."""

SURE_LIE = 0.9
"""Least probability of face and turn together for a die to say how the set is drawn."""

LEAST_OTHERS = 2
"""So many dice must say it."""

SLOPE = 18.0
"""Log-odds per unit of agreement, fitted on held-out rolls."""

MOST = 4.0
"""Greatest log-odds that agreement may add."""


def _turned_pairs() -> tuple[tuple[int, int], ...]:
    """Places in `ALL_FACES` of the six and the nine of each suit."""
    place = {face: k for k, face in enumerate(ALL_FACES)}
    cards = [face for face in ALL_FACES if isinstance(face, Card)]
    sixes = {card.suit: place[card] for card in cards if card.rank == 6}
    nines = {card.suit: place[card] for card in cards if card.rank == 9}
    return tuple((sixes[suit], nines[suit]) for suit in sixes)


PAIRS = _turned_pairs()
_CARDS = np.array([isinstance(face, Card) for face in ALL_FACES])


def ink_maps(crops: NDArray[np.uint8]) -> Floats:
    """Where each crop carries ink, whatever its colours.

    Args:
        crops: (N, crop_px, crop_px, 3) uint8 BGR, as `vision.rectify` cuts them.

    Returns:
        (N, GRID, GRID) of zero mean and unit length; zero for a crop without contrast.
    """
    maps = np.zeros((len(crops), GRID, GRID))
    side = crops.shape[1] if len(crops) else 0
    margin = round(side * CROP_MARGIN / (1 + 2 * CROP_MARGIN) + 0.04 * side)
    for k, crop in enumerate(crops):
        inner = crop[margin : side - margin, margin : side - margin]
        b, g, r = (
            np.abs(plane - np.float32(percentile(plane, 50)))
            for plane in inner.transpose(2, 0, 1)
        )
        ink = np.maximum(np.maximum(b, g), r)
        small = cv2.resize(ink, (GRID, GRID), interpolation=cv2.INTER_AREA)
        small = np.minimum(small, np.float32(percentile(small, 90)))
        small = small - small.mean()
        size = float(np.linalg.norm(small))
        if size > 1e-3:
            maps[k] = small / size
    return maps


def agreement(maps: Floats, log_p: Floats, die: int, turn: int) -> float:
    """How much better a die agrees with the others in one turn than on its head.

    Args:
        maps: of all dice, see `ink_maps`.
        log_p: (N, FACES, TURNS) log-probabilities of their faces.
        die: which die.
        turn: clockwise quarters by which its art lies if it is upright as supposed.

    Returns:
        -2..2; 0 if too few others say how the set is drawn.
    """
    flat = log_p[:, _CARDS].reshape(len(log_p), int(_CARDS.sum()) * TURNS)
    best = flat.argmax(axis=1)
    sure = np.exp(flat.max(axis=1)) >= SURE_LIE
    sure[die] = False
    others = np.flatnonzero(sure)
    if len(others) < LEAST_OTHERS:
        return 0.0
    upright = [np.rot90(maps[k], int(best[k]) % TURNS) for k in others]
    drawn = np.mean(upright, axis=0)
    own = np.rot90(maps[die], turn)
    return float((drawn * own).sum() - (drawn * own[::-1, ::-1]).sum())


def with_agreement(crops: NDArray[np.uint8], log_p: Floats) -> Floats:
    """Weigh six against nine by what the other dice say.

    Args:
        crops: (N, crop_px, crop_px, 3) uint8 BGR.
        log_p: (N, FACES, TURNS) log-probabilities.

    Returns:
        Log-probabilities in which only the sixes and nines of one suit have changed,
        against each other.
    """
    out = log_p.copy()
    best = log_p.max(axis=2).argmax(axis=1)
    doubtful = [
        (k, pair) for k in range(len(log_p)) for pair in PAIRS if best[k] in pair
    ]
    if not doubtful:
        return out
    maps = ink_maps(crops)
    for k, (six, nine) in doubtful:
        turn = int(log_p[k, six].argmax())
        if log_p[k, nine].max() > log_p[k, six].max():
            turn = (int(log_p[k, nine].argmax()) + 2) % TURNS
        upside_down = (turn + 2) % TURNS
        odds = float(np.clip(SLOPE * agreement(maps, log_p, k, turn), -MOST, MOST))
        pair_before = np.logaddexp(log_p[k, six, turn], log_p[k, nine, upside_down])
        a, b = log_p[k, six, turn] + odds / 2, log_p[k, nine, upside_down] - odds / 2
        moved = pair_before - np.logaddexp(a, b)
        out[k, six, turn], out[k, nine, upside_down] = a + moved, b + moved
    return out
