"""Progress bars of commands that take minutes."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


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


TELL_S = 0.5
"""A program that listens is told so often."""


def told(unit: str) -> Callable[[Iterable[int], int], Iterable[int]]:
    """Progress for another program: JSON objects on stdout, one a line.

    Args:
        unit: what is counted; the object has it as `what`, beside `done` and `total`.
    """

    def wrapped(items: Iterable[int], total: int) -> Iterator[int]:
        last = 0.0
        for done, item in enumerate(items):
            if time.monotonic() - last >= TELL_S:
                last = time.monotonic()
                line = {"what": unit, "done": done, "total": total}
                sys.stdout.write(json.dumps(line) + "\n")
                sys.stdout.flush()
            yield item

    return wrapped
