"""Sums over dice rolled again, against means of NumPy, with dice enough for blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring.keep_lattice import KeepTable, best_keeps, best_keeps_in_blocks

RNG = np.random.default_rng(4)


def values(dice: int) -> Any:
    return RNG.integers(0, 1000, (6,) * dice)


def plain_sums(numbers: Any, place: list[int]) -> list[float]:
    """For each kept set, the mean over the other dice times 6^n."""
    found = []
    for kept in range(2 ** len(place)):
        mean = numbers.astype(np.float64)
        for bit, side in enumerate(place):
            keep = kept >> (len(place) - 1 - bit) & 1
            mean = mean[side] if keep else mean.mean(axis=0)
        found.append(float(mean) * 6 ** len(place))
    return found


@pytest.mark.parametrize("dice", [1, 2, 5, 6, 7, 8])
def test_table_knows_the_sums_of_every_kept_set(dice: int) -> None:
    parts = [values(dice) for _ in range(2)]
    table = KeepTable(2, dice, np.uint32, np.float64)
    for rolls, part in zip(table.rolls, parts, strict=True):
        rolls[...] = part.reshape(rolls.shape)
    table.add_sums()
    for _ in range(3):
        place = RNG.integers(0, 6, dice).tolist()
        told = table.sums_at(place)
        assert told.shape == (2, 2**dice)
        for sums, part in zip(told, parts, strict=True):
            assert sums.tolist() == pytest.approx(plain_sums(part, place), rel=1e-12)


def test_narrow_table_does_not_overflow() -> None:
    table = KeepTable(1, 9, np.uint8, np.uint16)
    table.rolls[...] = 1
    table.add_sums()
    assert set(table.sums_at([5] * 9).ravel().tolist()) == {float(6**9)}


@pytest.mark.parametrize("dice", [1, 3, 6, 7])
def test_best_keeps_are_the_largest_sums(dice: int) -> None:
    numbers = values(dice)
    best = best_keeps(numbers)
    assert best.shape == numbers.shape
    for _ in range(5):
        place = RNG.integers(0, 6, dice).tolist()
        assert best[tuple(place)] == round(max(plain_sums(numbers, place)))


@pytest.mark.parametrize("dice", [1, 2, 6, 7, 8])
def test_blocks_of_best_keeps_are_the_whole(dice: int) -> None:
    numbers = values(dice)
    best = np.full_like(numbers, -1)
    for place, block in best_keeps_in_blocks(dice, lambda place: numbers[place]):
        assert len(place) == max(0, dice - 6)
        best[place] = block
    assert np.array_equal(best, best_keeps(numbers))
