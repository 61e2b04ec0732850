"""Percentiles of small pictures, without what general ones cost a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def percentile(values: NDArray[Any], share: float) -> float:
    """What `share` percent of values lie below, between two of them in proportion.

    As `numpy.percentile`, several times as fast for a few thousand pixels.

    Args:
        values: any shape, at least one value; uint8, or float32 without NaN.
        share: 0..100.
    """
    at = share / 100 * (values.size - 1)
    low = min(int(at), values.size - 1)
    below, above = (
        _counted(values, low) if values.dtype == np.uint8 else _parted(values, low)
    )
    return below + (at - low) * (above - below)


def _counted(values: NDArray[Any], place: int) -> tuple[float, float]:
    """The value at a place in the order, and the next."""
    upto = np.bincount(values.ravel(), minlength=256).cumsum()
    last = values.size - 1
    below, above = np.searchsorted(upto, (place, min(place + 1, last)), side="right")
    return float(below), float(above)


def _parted(values: NDArray[Any], place: int) -> tuple[float, float]:
    ranked = np.partition(values.ravel(), place)
    return float(ranked[place]), float(ranked[min(place + 1, ranked.size - 1) :].min())
