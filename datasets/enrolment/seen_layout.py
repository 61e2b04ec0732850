"""Which faces share a die, told from rolls: faces of one die never show together.

A throw of k dice shows faces of k different dice. Under a layout, a throw in which c
faces lie on one die needs c - 1 reading errors, and any of the c may be the right one.
With a chance e of misreading a die, all wrong faces being alike, the likelihood of a
throw is to leading order the product over its dice of c * (penalty)^(c - 1), where

    penalty = (e / 53) / ((1 - e) / 6)

Misreadings are not all alike (a nine is taken for a six, not for a king), so e is set
higher than readers err. The likelihood is a sum over the dice of a layout; all swaps of
two faces are weighed by a few products of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import CARD_DICE_FACES
from scoring.dice_sets import (
    CARD_DICE_COUNT,
    FACES_A_DIE,
    DiceSetError,
    check_card_layout,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import Layout

    Floats = NDArray[np.float64]
    Dice = NDArray[np.intp]

FACES = len(CARD_DICE_FACES)
ASSUMED_ERROR = 0.05
PENALTY = float(np.log((ASSUMED_ERROR / (FACES - 1)) / ((1 - ASSUMED_ERROR) / 6)))
CERTAIN = 0.999
"""Confidence from which on a layout is proposed."""

MOST_CONFLICTS = 0.25
"""More throws than this that no reading error explains: not the dice of one set."""

NEWEST = (20, 40, 80, 160)
TOO_MANY = 0.001
"""If conflicts crowd among so many newest throws with less chance than this, the dice
are no longer those of before."""

STARTS = 24
_PLACES = {face: place for place, face in enumerate(CARD_DICE_FACES)}


@dataclass(frozen=True, slots=True)
class SeenLayout:
    """The most likely layout.

    Attributes:
        dice: six faces of each die, dice and faces in the order of `CARD_DICE_FACES`.
        confidence: probability of this layout against all that differ by a swap of two
            faces or were found from other starts.
        throws: how many throws it rests on.
        conflicts: throws that show two faces of one of these dice.
        reason: why it must not be proposed; empty if it may.
    """

    dice: Layout
    confidence: float
    throws: int
    conflicts: int
    reason: str = ""

    @property
    def likely(self) -> bool:
        """Whether the throws leave no doubt, be it possible or not."""
        return self.confidence >= CERTAIN

    @property
    def certain(self) -> bool:
        """Whether it may be proposed to people."""
        return self.likely and not self.reason


def seen_layout(throws: Sequence[Sequence[Face]], seed: int = 0) -> SeenLayout:
    """Find the layout that makes some throws most likely.

    Args:
        throws: faces of dice that were rolled together, kept dice not among them: a
            misread die that is kept would be counted again and again.
        seed: of the places from which the search starts.

    Raises:
        DiceSetError: a throw shows a face of other dice, one face twice, or more dice
            than there are.
    """
    shown = _shown(throws)
    rng = np.random.default_rng(seed)
    together = shown.T @ shown
    np.fill_diagonal(together, 0)
    tops: dict[tuple[tuple[int, ...], ...], tuple[float, Dice]] = {}
    for _ in range(STARTS):
        die_of = rng.permutation(np.repeat(np.arange(CARD_DICE_COUNT), FACES_A_DIE))
        die_of = _climb(die_of, lambda dice: -_pair_swaps(together, dice))
        die_of = _climb(die_of, lambda dice: _swaps(shown, dice))
        tops[_groups(die_of)] = (_log_likelihood(shown, die_of), die_of)
    best, (height, die_of) = max(tops.items(), key=lambda item: item[1][0])
    rivals = float(np.exp(np.minimum(_swaps(shown, die_of), 50.0)).sum() / 2)
    rivals += sum(
        float(np.exp(min(other - height, 50.0)))
        for groups, (other, _) in tops.items()
        if groups != best
    )
    counts = shown @ _one_hot(die_of)
    clashing = np.asarray((counts > 1).any(axis=1), np.bool_)
    conflicts = int(clashing.sum())
    dice = tuple(tuple(CARD_DICE_FACES[k] for k in group) for group in best)
    confidence = float(np.exp(-min(rivals, 700.0)))
    reason = _reason(dice, clashing) if confidence >= CERTAIN else ""
    return SeenLayout(dice, confidence, len(throws), conflicts, reason)


def whole_rolls(throws: Sequence[Sequence[Face]]) -> float:
    """How many rolls of all dice tell as much as some throws, by pairs shown."""
    pairs = sum(comb(len(throw), 2) for throw in throws)
    return pairs / comb(CARD_DICE_COUNT, 2)


def _reason(dice: Layout, clashing: NDArray[np.bool_]) -> str:
    conflicts, throws = int(clashing.sum()), len(clashing)
    if conflicts > MOST_CONFLICTS * throws:
        return (
            f"{conflicts} of {throws} throws do not fit it: these are not rolls of one"
            " set of nine dice"
        )
    for newest in NEWEST:
        late = int(clashing[-newest:].sum())
        if newest < throws and _chance(late, newest, conflicts, throws) < TOO_MANY:
            return (
                f"{late} of the newest {newest} throws do not fit it, of all {throws}"
                f" only {conflicts}: if dice were exchanged, begin anew"
            )
    try:
        check_card_layout(dice)
    except DiceSetError as error:
        return f"Square Shooters cannot be so: {error}"
    return ""


def _chance(late: int, newest: int, conflicts: int, throws: int) -> float:
    """Of so many or more of the conflicts among the newest throws, if all are alike."""
    most = min(newest, conflicts)
    ways = sum(
        comb(conflicts, k) * comb(throws - conflicts, newest - k)
        for k in range(late, most + 1)
    )
    return ways / comb(throws, newest)


def _shown(throws: Sequence[Sequence[Face]]) -> Floats:
    """(throws, 54): 1 where a face was shown."""
    shown = np.zeros((len(throws), FACES))
    for number, throw in enumerate(throws, start=1):
        strange = [face.code for face in throw if face not in _PLACES]
        if strange:
            raise DiceSetError(f"throw {number}: {strange[0]} is no face of card dice")
        if len(throw) > CARD_DICE_COUNT:
            raise DiceSetError(
                f"throw {number}: {len(throw)} dice, there are {CARD_DICE_COUNT}"
            )
        places = [_PLACES[face] for face in throw]
        if len(set(places)) < len(places):
            raise DiceSetError(f"throw {number}: shows one face twice")
        shown[number - 1, places] = 1
    return shown


def _one_hot(die_of: Dice) -> Floats:
    return np.eye(CARD_DICE_COUNT)[die_of]


def _groups(die_of: Dice) -> tuple[tuple[int, ...], ...]:
    """The faces of each die, whatever the numbers of the dice."""
    return tuple(
        sorted(
            tuple(int(k) for k in np.flatnonzero(die_of == d))
            for d in range(CARD_DICE_COUNT)
        )
    )


def _weights() -> Floats:
    """Log-likelihood of c faces of one die in one throw, c = 0..9, and one beyond."""
    count = np.arange(CARD_DICE_COUNT + 2)
    log_count = np.log(np.maximum(count, 1))
    return np.where(count > 0, (count - 1) * PENALTY + log_count, 0.0)


_WEIGHTS = _weights()


def _log_likelihood(shown: Floats, die_of: Dice) -> float:
    counts = (shown @ _one_hot(die_of)).astype(np.intp)
    return float(_WEIGHTS[counts].sum())


def _swaps(shown: Floats, die_of: Dice) -> Floats:
    """(54, 54): what swapping two faces would add to the log-likelihood.

    Minus infinity on one die. A throw with both faces stays as it is.
    """
    counts = (shown @ _one_hot(die_of)).astype(np.intp)
    gain = _WEIGHTS[counts + 1] - _WEIGHTS[counts]
    loss = _WEIGHTS[counts] - _WEIGHTS[np.maximum(counts - 1, 0)]
    shown_loss = shown * loss[:, die_of]
    one_way = (shown.T @ gain)[:, die_of] - shown_loss.sum(axis=0)[:, None]
    both = shown.T @ (shown * gain[:, die_of]) - shown_loss.T @ shown
    one_way -= both
    added: Floats = one_way + one_way.T
    added[die_of[:, None] == die_of[None]] = -np.inf
    return added


def _pair_swaps(together: Floats, die_of: Dice) -> Floats:
    """(54, 54): by how much a swap adds to pairs of one die that were seen together."""
    on_die = (together @ _one_hot(die_of))[:, die_of]
    own = np.diagonal(on_die)
    added: Floats = on_die + on_die.T - own[:, None] - own[None] - 2 * together
    added[die_of[:, None] == die_of[None]] = np.inf
    return added


def _climb(die_of: Dice, swaps: _Swaps) -> Dice:
    """Swap faces while that makes it better."""
    die_of = die_of.copy()
    while True:
        added = swaps(die_of)
        a, b = np.unravel_index(int(added.argmax()), added.shape)
        if added[a, b] <= 1e-9:
            return die_of
        die_of[a], die_of[b] = die_of[b], die_of[a]


if TYPE_CHECKING:
    from collections.abc import Callable

    _Swaps = Callable[[Dice], Floats]
