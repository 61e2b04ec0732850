"""Room: what must go so that the album keeps to its budget, least worth first."""

from __future__ import annotations

from heapq import heapify, heappop
from typing import TYPE_CHECKING

from datasets.captures.capture import Kept, Review

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.captures.entry import Entry

WORTH = {
    Kept.SURE: 1,
    Kept.REFUSED: 2,
    Kept.ENTERED: 3,
    Kept.ASKED: 4,
    Kept.CORRECTED: 5,
    Kept.ENROLLED: 6,
}
"""What a picture is worth that nobody reviewed; 0 is for those set aside."""
REVIEWED = 7


def worth_of(kept: Kept, review: Review) -> int:
    """What a capture is worth; those of least worth go first, oldest first."""
    if review is Review.DROPPED:
        return 0
    return REVIEWED if review is Review.REVIEWED else WORTH[kept]


def what_goes(
    entries: Iterable[Entry], too_much: int, new: Entry
) -> tuple[Entry, ...] | None:
    """Choose what makes room for a new capture.

    Args:
        entries: all that are there.
        too_much: bytes that must go.
        new: what comes; nothing of more worth goes for it.

    Returns:
        What goes, in this order; None if there is not enough of little worth.
    """
    if too_much <= 0:
        return ()
    most = worth_of(new.kept, new.review)
    heap = [
        (worth, one.taken_at, one.id, one)
        for one in entries
        if (worth := worth_of(one.kept, one.review)) <= most and one.id != new.id
    ]
    heapify(heap)
    gone = []
    while too_much > 0:
        if not heap:
            return None
        one = heappop(heap)[-1]
        gone.append(one)
        too_much -= one.size
    return tuple(gone)
