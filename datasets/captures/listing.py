"""Lists of an album: filtered, in an order, page by page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.captures.capture import Kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.captures.capture import Review
    from datasets.captures.entry import Entry


NOBODY_JUDGED = 0.25
"""As doubtful imports count that no reader looked at: less than what a reader asked or
refused, more than what it was sure of (see `web_ui.captures.taking.doubt_of`)."""


class Order(StrEnum):
    """In which order captures are listed."""

    DOUBT = "doubt"
    """Most doubtful first, newest of these first: the queue of the review. What no
    reader judged comes after all that one doubted."""
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
        day: only taken on this day, in UTC, as in `2026-01-31`; may be cut short.
        least_doubt: only those that count as at least so doubtful, see `doubt_of`.
    """

    review: Review | None = None
    kept: Kept | None = None
    recording: str = ""
    dice_set: str = ""
    face: str = ""
    day: str = ""
    least_doubt: float = 0.0

    def passes(self, entry: Entry) -> bool:
        """Whether a capture is listed."""
        return (
            (self.review is None or entry.review is self.review)
            and (self.kept is None or entry.kept is self.kept)
            and (not self.recording or entry.recording == self.recording)
            and (not self.dice_set or entry.dice_set == self.dice_set)
            and (not self.face or self.face in entry.faces.split())
            and (not self.day or entry.taken_at.startswith(self.day))
            and doubt_of(entry) >= self.least_doubt
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
        by_set: by the name of their dice set.
        by_day: by the day in UTC on which they were taken.
    """

    total: int
    size: int
    by_kept: dict[str, int]
    by_review: dict[str, int]
    dropped: dict[str, int]
    recordings: int
    by_set: dict[str, int] = field(default_factory=dict)
    by_day: dict[str, int] = field(default_factory=dict)


DAY_SIGNS = len("2026-01-31")


def doubt_of(entry: Entry) -> float:
    """How doubtful a capture counts in lists, 0..1.

    Returns:
        The doubt of the reader; `NOBODY_JUDGED` of an import that none looked at.
    """
    unjudged = entry.kept is Kept.ENTERED and not entry.doubt
    return NOBODY_JUDGED if unjudged else entry.doubt


def sort_key(entry: Entry, order: Order) -> tuple[float, str, str]:
    """What entries are sorted by, the smallest first; ids make it unique.

    `DOUBT` and `NEWEST` are read from the end of what this sorts.
    """
    doubt = doubt_of(entry) if order is Order.DOUBT else 0.0
    return doubt, entry.taken_at, entry.id


class Counts:
    """Counts entries as they come and go, so that nobody counts them all again."""

    def __init__(self) -> None:
        self.total = self.size = 0
        self._by: tuple[Counter[str], ...] = tuple(Counter() for _ in range(5))

    def add(self, entries: Iterable[Entry], sign: int = 1) -> None:
        """Count entries, or with -1 count them no more."""
        for entry in entries:
            self.total += sign
            self.size += sign * entry.size
            words = (
                entry.kept.value,
                entry.review.value,
                entry.recording,
                entry.dice_set,
                entry.taken_at[:DAY_SIGNS],
            )
            for counter, word in zip(self._by, words, strict=True):
                counter[word] += sign
                if not counter[word]:
                    del counter[word]

    def tally(self, dropped: dict[str, int]) -> Tally:
        """The counts now.

        Args:
            dropped: by why, those that are there no more.
        """
        kept, review, recordings, sets, days = self._by
        return Tally(
            total=self.total,
            size=self.size,
            by_kept=dict(kept),
            by_review=dict(review),
            dropped=dropped,
            recordings=len(recordings),
            by_set=dict(sets),
            by_day=dict(days),
        )
