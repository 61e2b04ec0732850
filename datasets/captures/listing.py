"""Lists of an album: filtered, in an order, page by page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.captures.capture import Kept, Review
    from datasets.captures.entry import Entry


class Order(StrEnum):
    """In which order captures are listed."""

    DOUBT = "doubt"
    """Most doubtful first, newest of these first: the queue of the review."""
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which captures are listed; None or empty: all.

    Attributes:
        review: only these.
        kept: only these.
        recording: only of this one.
        dice_set: only of this one.
        face: only with this face among the dice; a face's code, or `?`.
    """

    review: Review | None = None
    kept: Kept | None = None
    recording: str = ""
    dice_set: str = ""
    face: str = ""

    def passes(self, entry: Entry) -> bool:
        """Whether a capture is listed."""
        return (
            (self.review is None or entry.review is self.review)
            and (self.kept is None or entry.kept is self.kept)
            and (not self.recording or entry.recording == self.recording)
            and (not self.dice_set or entry.dice_set == self.dice_set)
            and (not self.face or self.face in entry.faces.split())
        )


ALL = Filter()


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list.

    Attributes:
        entries: of this page.
        start: place of its first in the list, from 0.
        total: how many the list has.
    """

    entries: tuple[Entry, ...]
    start: int
    total: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many captures there are.

    Attributes:
        total: all.
        size: bytes of pictures and sidecars.
        by_kept: by why they were kept.
        by_review: by what became of the review.
        dropped: by why, those that are there no more.
        recordings: how many recordings.
    """

    total: int
    size: int
    by_kept: dict[str, int]
    by_review: dict[str, int]
    dropped: dict[str, int]
    recordings: int


def in_order(
    entries: Iterable[Entry], which: Filter, order: Order
) -> tuple[Entry, ...]:
    """All that pass, in an order that the same album always gives."""
    if which == ALL:
        passed = [*entries]
    else:
        passed = [entry for entry in entries if which.passes(entry)]
    passed.sort(
        key=lambda entry: (entry.taken_at, entry.id), reverse=order is not Order.OLDEST
    )
    if order is Order.DOUBT:
        passed.sort(key=lambda entry: -entry.doubt)
    return tuple(passed)


def tally(entries: Iterable[Entry], dropped: dict[str, int]) -> Tally:
    """Count an album."""
    every = [*entries]
    return Tally(
        total=len(every),
        size=sum(entry.size for entry in every),
        by_kept=dict(Counter(entry.kept.value for entry in every)),
        by_review=dict(Counter(entry.review.value for entry in every)),
        dropped=dropped,
        recordings=len({entry.recording for entry in every}),
    )
