"""The album's lock: one writer at a time, over threads and processes."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from datasets.captures.fields import CaptureError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAUSE_S = 0.01


@contextmanager
def locked(path: Path, wait_s: float) -> Iterator[None]:
    """Hold a lock file; a process that dies lets go of it.

    Args:
        path: the file; made for its owner alone.
        wait_s: how long to wait for whoever holds it.

    Raises:
        CaptureError: it is held longer than that.
        OSError: the file cannot be made.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        end_s = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= end_s:
                    raise CaptureError(
                        f"{path.parent}: another program has been writing for"
                        f" {wait_s:g} s: try again"
                    ) from None
                time.sleep(PAUSE_S)
        yield
    finally:
        os.close(handle)
