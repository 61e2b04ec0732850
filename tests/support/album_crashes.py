"""Lets a process die at every file operation of a change of an album, one by one.

`python album_crashes.py FOLDER` prints a line of JSON: for each kind of change, at how
many operations it died. Any album that is not whole afterwards ends it with an error.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import cv2
from capture_makers import capture, dice, picture

from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin
from datasets.captures.checking import verify

OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir", "os.truncate"}
DIED = 77
OLD, OTHER, NEW = (picture(seed) for seed in (1, 2, 3))


def base(folder: Path) -> None:
    """An album with two captures and no room for a third."""
    album = Album(folder)
    album.add(capture(OLD, minute=1), OLD)
    album.add(capture(OTHER, Kept.ASKED, minute=2), OTHER)


def add(folder: Path) -> None:
    """Add one, for which the oldest sure one goes."""
    album = Album(folder)
    album.budget_bytes = album.size + 100
    album.add(capture(NEW, Kept.CORRECTED, minute=3), NEW)


def label(folder: Path) -> None:
    """Say something else of one."""
    named = dice("3C 4C 5C", Origin.PERSON)
    Album(folder).label(capture(OLD).id, named)


def drop(folder: Path) -> None:
    """Remove one."""
    Album(folder).drop(capture(OTHER).id)


def die_at(operation: int, how: object, folder: Path) -> bool:
    """Run a change in a process that dies at one of its operations; did it die?"""
    child = os.fork()
    if not child:
        left = operation

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in OPERATIONS and str(folder) in str(arguments[0]):
                if not left:
                    os._exit(DIED)
                left -= 1

        sys.addaudithook(count)
        how(folder)  # type: ignore[operator]
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, DIED), f"operation {operation}: exit {status}"
    return status == DIED


def states(folder: Path) -> list[tuple[str, str]]:
    """What an album says that it holds, after whatever happened to it."""
    album = Album(folder)
    check = verify(album)
    assert check.ok, check
    return sorted((entry.id, entry.sidecar) for entry in album.entries())


def main(scratch: Path) -> None:
    cv2.setNumThreads(0)  # threads do not survive a fork
    start = scratch / "base"
    base(start)
    before, counts = states(start), {}
    for how in (add, label, drop):
        whole = scratch / how.__name__
        shutil.copytree(start, whole)
        how(whole)
        after, operation = states(whole), 0
        assert after != before
        while True:
            folder = scratch / f"{how.__name__}-{operation}"
            shutil.copytree(start, folder)
            died = die_at(operation, how, folder)
            assert states(folder) in ((before, after) if died else (after,))
            shutil.rmtree(folder)
            if not died:
                break
            operation += 1
        counts[how.__name__] = operation
    sys.stdout.write(json.dumps(counts) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
