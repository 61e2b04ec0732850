"""What is taken for what: ranks, suits, ways of lying; and what deciding changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_counts import decided_face, read_dice
from datasets.eval_labels import rank_of, suit_of
from datasets.eval_results import named_right
from scoring.cards import RANKS, Suit
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from datasets.eval_results import PictureResult


@dataclass(frozen=True, slots=True)
class Matrix:
    """How often one part of a face was taken for another.

    Attributes:
        names: of the rows (labelled) and the first columns (said).
        others: names of further columns: what is no such part.
        counts: a row for each name, a column for each name and each other.
    """

    names: tuple[str, ...]
    others: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


NO_SUIT, NOT_READ = "no suit", "not read"


def rank_matrix(results: Sequence[PictureResult]) -> Matrix:
    """Ranks of the flat dice found: labelled against decided."""
    pairs = []
    for die in read_dice(results):
        if die.label.rank is not None:
            face = decided_face(die)
            pairs.append((die.label.rank, rank_of(face) if face else NOT_READ))
    order = [*RANKS, "1", "JOKER"]
    met = {name for pair in pairs for name in pair}
    return _matrix(pairs, tuple(n for n in dict.fromkeys(order) if n in met))


def suit_matrix(results: Sequence[PictureResult]) -> Matrix:
    """Suits of the flat dice found: labelled against decided."""
    pairs = []
    for die in read_dice(results):
        if die.label.face is not None and (truth := suit_of(die.label.face)):
            face = decided_face(die)
            said = NOT_READ if face is None else suit_of(face) or NO_SUIT
            pairs.append((truth, said))
    return _matrix(pairs, tuple(suit.value for suit in Suit) if pairs else ())


def state_matrix(results: Iterable[PictureResult]) -> Matrix:
    """How the dice found lie: labelled against told."""
    pairs = [
        (die.label.state.value, die.said.state.value)
        for result in results
        if not result.is_crop
        for die in result.dice
        if die.said is not None
    ]
    met = {name for pair in pairs for name in pair}
    return _matrix(pairs, tuple(s.value for s in DieState if s.value in met))


def _matrix(pairs: list[tuple[str, str]], names: tuple[str, ...]) -> Matrix:
    others = tuple(dict.fromkeys(said for _, said in pairs if said not in names))
    columns = {name: k for k, name in enumerate([*names, *others])}
    counts = np.zeros((len(names), len(columns)), int)
    for truth, said in pairs:
        counts[names.index(truth), columns[said]] += 1
    return Matrix(names, others, tuple(tuple(int(n) for n in row) for row in counts))


@dataclass(frozen=True, slots=True)
class Decoding:
    """What deciding the roll as a whole changed, on flat dice found by both.

    Attributes:
        dice: how many there are whose face the label knows.
        right_both: right before and after.
        mended: wrong before, right after.
        spoilt: right before, wrong after.
        wrong_both: wrong before and after.
    """

    dice: int
    right_both: int
    mended: int
    spoilt: int
    wrong_both: int


def decoding(results: Iterable[PictureResult]) -> Decoding:
    """Compare the face reader's best face of the set with the decided one."""
    counts = {(a, b): 0 for a in (False, True) for b in (False, True)}
    for result in results:
        for die in result.dice:
            if not die.flat or die.seen is None or die.said is None:
                continue
            before, after = named_right(die.label, die.seen.best), die.read_right
            if before is not None and after is not None:
                counts[before, after] += 1
    return Decoding(
        dice=sum(counts.values()),
        right_both=counts[True, True],
        mended=counts[False, True],
        spoilt=counts[True, False],
        wrong_both=counts[False, False],
    )
