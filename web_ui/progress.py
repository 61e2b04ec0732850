"""Progress bars of commands that take minutes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def bar(unit: str) -> Callable[[Iterable[int], int], Iterable[int]]:
    """A progress bar where somebody watches, nothing elsewhere.

    Args:
        unit: what is counted.
    """

    def wrapped(items: Iterable[int], total: int) -> Iterable[int]:
        try:
            from tqdm import tqdm
        except ImportError:
            return items
        return tqdm(items, total=total, disable=not sys.stderr.isatty(), unit=unit)

    return wrapped
