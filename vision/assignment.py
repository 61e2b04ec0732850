"""Minimum-cost assignment of rows to different columns (shortest augmenting paths)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Assigned:
    """The cheapest assignment, and the prices that prove it.

    Attributes:
        cost: (N, M) what was asked.
        chosen: (N,) column of each row.
        total: its cost.
        row_price: (N,) dual values; no entry costs less than its row and column price,
            the chosen ones cost just that.
        column_price: (M,) likewise; 0 where no row has the column.
    """

    cost: Floats
    chosen: NDArray[np.intp]
    total: float
    row_price: Floats
    column_price: Floats


def assign(cost: Floats) -> tuple[NDArray[np.intp], float]:
    """Give every row a column of its own at the least total cost.

    Args:
        cost: (N, M) finite costs, N <= M. Use a large number for what is forbidden.

    Returns:
        (N,) column of each row; the total cost.

    Raises:
        ValueError: more rows than columns.
    """
    best = best_assignment(cost)
    return best.chosen, best.total


def best_assignment(cost: Floats) -> Assigned:
    """Give every row a column of its own at the least total cost, with its prices.

    The Hungarian method with potentials; O(rows^2 * columns).

    Args:
        cost: (N, M) finite costs, N <= M. Use a large number for what is forbidden.

    Raises:
        ValueError: more rows than columns.
    """
    rows, columns = cost.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot have different ones of {columns} columns")
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1)
    for row in range(rows):
        _add_row(cost, row, owner, row_price, column_price)
    chosen = np.empty(rows, np.intp)
    taken = np.flatnonzero(owner >= 0)
    chosen[owner[taken]] = taken
    total = float(cost[np.arange(rows), chosen].sum())
    return Assigned(cost, chosen, total, row_price, column_price)


def extra_cost(best: Assigned, row: int, costs: Floats) -> float:
    """How much the least total rises if one row has other costs, none of them lower.

    The prices of the other rows still hold, so one search is enough: along the cheapest
    path of changes from the row to the column it gives up, O(N * M). Columns without
    a row are as if owned by rows that cost nothing, which may be pushed aside as well.

    Args:
        best: the assignment so far.
        row: which row changes.
        costs: (M,) its new costs.
    """
    prices, given_up = best.column_price, int(best.chosen[row])
    owner = np.full(len(prices), -1)
    owner[best.chosen] = np.arange(len(best.chosen))
    passed = np.zeros(len(prices), bool)
    least = costs - prices
    while True:
        here = int(np.where(passed, np.inf, least).argmin())
        far = float(least[here])
        if here == given_up:
            return far + float(prices[here] - best.cost[row, here])
        who = int(owner[here])
        if who >= 0:
            passed[here] = True
            further = best.cost[who] - (best.row_price[who] - far) - prices
        else:
            passed |= owner < 0
            further = far - prices
        least = np.minimum(least, further)


def _add_row(
    cost: Floats,
    row: int,
    owner: NDArray[np.intp],
    row_price: Floats,
    column_price: Floats,
) -> None:
    """Find a column for one more row along the cheapest path of changes.

    Args:
        cost: (N, M).
        row: it has no column yet.
        owner: (M,) row of each column, -1 if free; changed in place.
        row_price: (N,) changed in place.
        column_price: (M,) changed in place.
    """
    columns = cost.shape[1]
    least = np.full(columns, np.inf)
    came_from = np.full(columns, -1)
    passed: list[int] = []
    reached: list[float] = []
    who, here, far = row, -1, 0.0
    while True:
        slack = cost[who] - (row_price[who] - far) - column_price
        better = slack < least
        if passed:
            better[passed] = False
        least[better], came_from[better] = slack[better], here
        open_ = least
        if passed:
            open_ = least.copy()
            open_[passed] = np.inf
        here = int(open_.argmin())
        far = float(open_[here])
        if owner[here] < 0:
            break
        passed.append(here)
        reached.append(far)
        who = int(owner[here])
    row_price[row] += far
    for column, distance in zip(passed, reached, strict=True):
        row_price[owner[column]] += far - distance
        column_price[column] -= far - distance
    while here >= 0:
        before = int(came_from[here])
        owner[here] = row if before < 0 else owner[before]
        here = before
