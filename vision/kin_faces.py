"""Faces that mean the same on other dice: a card's rank on a poker die."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import ALL_FACES, Card, PokerFace, Suit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.dice_sets import DiceSet

NEVER = float(np.log(1e-9))
"""Log-probability of a face whose share went to another; finite, so sums stay so."""


def in_the_words_of(
    dice_set: DiceSet, log_faces: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Count cards as the poker faces of their rank where the set has poker faces.

    Many poker dice print a suit beside the rank or carry whole little cards; the reader
    rightly calls such an ace the ace of spades, and on these dice that is an ace.

    Args:
        dice_set: which dice are expected.
        log_faces: (N, faces, turns) log-probabilities over all faces.

    Returns:
        The same shape; what was given, if the set has no poker faces.
    """
    wanted = set(dice_set.faces)
    ranks = [face for face in wanted if isinstance(face, PokerFace)]
    if not ranks:
        return log_faces
    out = log_faces.copy()
    for face in ranks:
        kin = [
            ALL_FACES.index(card)
            for card in (Card(face.rank, suit) for suit in Suit)
            if card not in wanted
        ]
        own = ALL_FACES.index(face)
        out[:, own] = np.logaddexp.reduce(log_faces[:, [own, *kin]], axis=1)
        out[:, kin] = NEVER
    return out
