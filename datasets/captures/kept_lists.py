"""Lists of an album that stay sorted while captures come, change and go."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from datasets.captures.listing import ALL, Filter, Order, Page, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.captures.entry import Entry

MOST_LISTS = 16


class KeptLists:
    """Sorts each list once; a change then moves one entry in each of them."""

    def __init__(self) -> None:
        self._lists: dict[tuple[Filter, Order], list[Entry]] = {}

    def forget(self) -> None:
        """Everything may be another: sort anew when asked."""
        self._lists.clear()

    def follow(self, before: Entry | None, after: Entry | None) -> None:
        """Follow the change of one entry.

        Args:
            before: as it was; None if it is new.
            after: as it is; None if it went.
        """
        for (which, order), kept in self._lists.items():
            key = partial(sort_key, order=order)
            if before is not None and which.passes(before):
                del kept[bisect_left(kept, key(before), key=key)]
            if after is not None and which.passes(after):
                kept.insert(bisect_left(kept, key(after), key=key), after)

    def page(
        self,
        entries: Iterable[Entry],
        which: Filter,
        order: Order,
        start: int,
        count: int,
    ) -> Page:
        """A part of a list.

        Args:
            entries: all there are, for a list that is not kept yet.
            which: what is listed.
            order: how.
            start: place in the list of the first, from 0.
            count: how many at most.
        """
        kept = self._list(entries, which, order)
        total = len(kept)
        if order is Order.OLDEST:
            part = kept[start : start + count]
        else:
            part = kept[max(0, total - start - count) : max(0, total - start)][::-1]
        return Page(tuple(part), start, total)

    def place(
        self, entries: Iterable[Entry], which: Filter, order: Order, entry: Entry
    ) -> tuple[int, bool]:
        """Where an entry stands in a list, or would stand.

        Args:
            entries: all there are.
            which: what is listed.
            order: how.
            entry: need not pass.

        Returns:
            Its place from 0, and whether it is in the list.
        """
        kept = self._list(entries, which, order)
        key = partial(sort_key, order=order)
        found = bisect_left(kept, key(entry), key=key)
        there = found < len(kept) and kept[found].id == entry.id
        if order is not Order.OLDEST:
            found = len(kept) - found - there
        return found, there

    def _list(
        self, entries: Iterable[Entry], which: Filter, order: Order
    ) -> list[Entry]:
        # the newest are the oldest, read from the end
        name = which, Order.NEWEST if order is Order.OLDEST else order
        found = self._lists.get(name)
        if found is None:
            if len(self._lists) >= MOST_LISTS:
                del self._lists[next(iter(self._lists))]
            passed = entries if which == ALL else filter(which.passes, entries)
            found = sorted(passed, key=partial(sort_key, order=name[1]))
            self._lists[name] = found
        return found
