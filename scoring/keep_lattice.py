"""Sums over the dice that are rolled again, for all rolls and all kept sets at once.

A state of the dice says of each whether it shows one of its six sides or is to be
rolled: 7^n states for n dice. What a state is worth is a mean over the sides of the
dice to be rolled. Everything here is whole numbers: sums, not means, so that equal
chances are equal.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

SIDES = 6
LEAF_DICE = 6
"""7^6 states at a time stay in the processor's cache."""

Kind = type[np.generic]

TAIL_DICE = 5


def best_keeps(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each roll the best sum over all kept sets, keeping all dice included.

    Args:
        values: what each roll is worth, one axis of 6 for each die.

    Returns:
        The same shape: 6^n times the best mean.
    """
    if values.ndim <= LEAF_DICE:
        return _best_keeps_at_once(values)
    rolled = best_keeps(np.add.reduce(values, axis=0))
    best = np.empty_like(values)
    for shown, found in zip(values, best, strict=True):
        np.maximum(best_keeps(shown * SIDES), rolled, out=found)
    return best


def best_keeps_in_blocks(
    dice: int,
    values: Callable[[tuple[int, ...]], NDArray[np.int64]],
    place: tuple[int, ...] = (),
    rolled: NDArray[np.int64] | None = None,
) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """The same for 6^6 rolls after the other, never all at once.

    Args:
        dice: how many dice.
        values: gives what the rolls are worth of which the sides of the first few dice
            are told, one axis of 6 for each other die.
        place: those sides; none for all rolls.
        rolled: the best of rolling at least one of the first few dice, if any.

    Yields:
        The sides of all dice but the last six, and the best sums of these rolls.
    """
    left, kept = dice - len(place), SIDES ** len(place)
    if left <= LEAF_DICE:
        best = _best_keeps_at_once(np.asarray(values(place)) * kept)
        yield place, best if rolled is None else np.maximum(best, rolled)
        return
    total = np.zeros((SIDES,) * (left - 1), np.int64)
    for side in range(SIDES):
        total += values((*place, side))
    total *= kept
    again = best_keeps(total)
    del total
    for side in range(SIDES):
        others = again if rolled is None else np.maximum(again, rolled[side])
        yield from best_keeps_in_blocks(dice, values, (*place, side), others)


def _best_keeps_at_once(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same over all states of a few dice together."""
    if values.ndim == LEAF_DICE:
        return _best_keeps_in_pairs(values)
    states = values
    for axis in reversed(range(values.ndim)):
        parts = states.reshape(SIDES**axis, SIDES, -1)
        states = np.empty((SIDES**axis, SIDES + 1, parts.shape[2]), np.int64)
        np.multiply(parts, SIDES, out=states[:, :SIDES])
        np.add.reduce(parts, axis=1, out=states[:, SIDES])
    for axis in range(values.ndim):
        parts = states.reshape(SIDES**axis, SIDES + 1, -1)
        states = np.maximum(parts[:, :SIDES], parts[:, SIDES:])
    return states.reshape(values.shape)


def _best_keeps_in_pairs(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same for an even number of dice, two dice at a time, half as long.

    The two dice are brought to the front by turning the whole array, so that all steps
    run over long rows.
    """
    pairs, both = values.ndim // 2, SIDES**2
    states = values
    for _ in range(pairs):
        front = np.ascontiguousarray(states.reshape(-1, both).T)
        states = _with_sums_of_two(front.reshape(SIDES, SIDES, -1))
    for _ in range(pairs):
        parts = states.reshape(SIDES + 1, SIDES + 1, -1)
        parts = np.maximum(parts[:SIDES], parts[SIDES:])
        best = np.maximum(parts[:, :SIDES], parts[:, SIDES:])
        states = np.ascontiguousarray(best.reshape(both, -1).T)
    return states.reshape(values.shape)


def _with_sums_of_two(parts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add the sums to the first two axes: (6, 6, m) to (7, 7, m)."""
    states = np.empty((SIDES + 1, SIDES + 1, parts.shape[2]), np.int64)
    np.multiply(parts, SIDES**2, out=states[:SIDES, :SIDES])
    first, second = np.add.reduce(parts, axis=0), np.add.reduce(parts, axis=1)
    np.multiply(first, SIDES, out=states[SIDES, :SIDES])
    np.multiply(second, SIDES, out=states[:SIDES, SIDES])
    np.add.reduce(first, axis=0, out=states[SIDES, SIDES])
    return states


class KeepTable:
    """Numbers of all rolls and their sums over dice rolled again, quick to look up.

    The sums over the first dice are kept, those over the last `TAIL_DICE` dice are
    added up when asked for: all of them would take four times the memory.

    Attributes:
        rolls: (parts, 6, ..., 6, 6^m), the numbers of all rolls, to be filled by the
            maker, who then calls `add_sums`; m is `TAIL_DICE` or fewer.
    """

    def __init__(self, parts: int, dice: int, narrow: Kind, wide: Kind) -> None:
        """Make an empty table.

        Args:
            parts: how many numbers each roll has.
            dice: how many dice, 1 to 9.
            narrow: type that holds 6^3 times the largest number of a roll.
            wide: type that holds 6^4 times that.
        """
        self._tail = min(dice, TAIL_DICE)
        self._front = max(0, dice - TAIL_DICE - 1)
        shape = (parts, *(SIDES + 1,) * self._front)
        edge = (SIDES,) * (dice - self._tail - self._front)
        rest = SIDES**self._tail
        self._table = np.empty((*shape, *edge, rest), narrow)
        # the sums over the die after the first ones: too large for the narrow type
        self._edge = np.empty((*shape, rest), wide) if edge else None
        self.rolls = self._table[(slice(None), *(slice(0, SIDES),) * self._front)]

    @property
    def size(self) -> int:
        """Bytes in use."""
        edge = 0 if self._edge is None else self._edge.nbytes
        return int(self._table.nbytes + edge)

    def add_sums(self) -> None:
        """Fill the sums in, once all rolls stand there."""
        front = self._front
        for axis in reversed(range(front)):
            sizes = [SIDES] * axis + [SIDES + 1] * (front - axis - 1)
            for part in self._table:
                # one row after the other stays in the processor's cache
                for place in product(*map(range, sizes)):
                    before, after = place[:axis], place[axis:]
                    rows = part[(*before, slice(None), *after)]
                    kind = part.dtype
                    np.add.reduce(rows[:SIDES], axis=0, dtype=kind, out=rows[SIDES])
        if self._edge is not None:
            flat = self._table.reshape(-1, SIDES, self._table.shape[-1])
            sums = self._edge.reshape(-1, self._edge.shape[-1])
            for rows, out in zip(flat, sums, strict=True):
                np.add.reduce(rows, axis=0, dtype=out.dtype, out=out)

    def sums_at(self, place: Sequence[int]) -> NDArray[np.float64]:
        """The sums of all kept sets of one roll.

        Args:
            place: the side that each die shows, 0 to 5.

        Returns:
            (parts, 2^n) float64, the kept set as a binary number, the first die first,
            1 for a kept one: 6^n times the mean over the dice rolled again.
        """
        parts = len(self._table)
        where = np.ix_(range(parts), *([SIDES, side] for side in place[: self._front]))
        sums = self._table[where]
        if self._edge is not None:
            kept = sums[..., place[self._front], :]
            sums = np.stack([self._edge[where], kept], axis=-2, dtype=np.float64)
        rest = SIDES**self._tail
        for side in place[-self._tail :]:
            rest //= SIDES
            sums = sums.reshape(-1, SIDES, rest)
            found = np.empty((len(sums), 2, rest), np.float64)
            np.add.reduce(sums, axis=1, dtype=np.float64, out=found[:, 0])
            found[:, 1] = sums[:, side]
            sums = found
        return np.asarray(sums.reshape(parts, -1) * _sixes(len(place)))


@cache
def _sixes(dice: int) -> NDArray[np.float64]:
    """For each kept set, 6 to the power of how many dice are kept."""
    kept = [number.bit_count() for number in range(2**dice)]
    return np.asarray(float(SIDES) ** np.array(kept))
