"""Minimum-cost assignment of rows to different columns (shortest augmenting paths)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assign(cost: NDArray[np.float64]) -> tuple[NDArray[np.intp], float]:
    """Give every row a column of its own at the least total cost.

    The Hungarian method with potentials; O(rows^2 * columns).

    Args:
        cost: (N, M) finite costs, N <= M. Use a large number for what is forbidden.

    Returns:
        (N,) column of each row; the total cost.

    Raises:
        ValueError: more rows than columns.
    """
    rows, columns = cost.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot have different ones of {columns} columns")
    row_price, column_price = np.zeros(rows), np.zeros(columns + 1)
    owner = np.full(columns + 1, -1)  # the last column is the root of each search
    for row in range(rows):
        owner[columns] = row
        here = columns
        least = np.full(columns, np.inf)
        came_from = np.full(columns, -1)
        done = np.zeros(columns + 1, bool)
        while owner[here] != -1:
            done[here] = True
            who = owner[here]
            slack = cost[who] - row_price[who] - column_price[:columns]
            better = ~done[:columns] & (slack < least)
            least[better], came_from[better] = slack[better], here
            open_ = np.where(done[:columns], np.inf, least)
            there = int(open_.argmin())
            step = open_[there]
            row_price[owner[done]] += step
            column_price[done] -= step
            least[~done[:columns]] -= step
            here = there
        while here != columns:
            before = int(came_from[here])
            owner[here] = owner[before]
            here = before
        owner[columns] = -1
    chosen = np.empty(rows, np.intp)
    taken = np.flatnonzero(owner[:columns] >= 0)
    chosen[owner[taken]] = taken
    return chosen, float(cost[np.arange(rows), chosen].sum())
