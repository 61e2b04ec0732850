"""What spreading work needs: pieces go out in any order, whole results come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Common = TypeVar("Common")
Job = TypeVar("Job")
Done = TypeVar("Done")
Work = Callable[[Common, Job], Done]
"""A function of a module (not a lambda): what all pieces share, one piece -> result.

It must give the same result each time: a piece whose worker died is done again.
"""


class SpreadError(RuntimeError):
    """Work that could not be spread or finished; the message says what to do."""


class Spread(Protocol):
    """Somebody who gets pieces of work done."""

    @property
    def elsewhere(self) -> bool:
        """Whether workers may be on other machines, with other things installed."""
        ...

    def each(
        self, work: Work[Common, Job, Done], common: Common, jobs: Iterable[Job]
    ) -> Iterator[tuple[int, Done]]:
        """Do all pieces.

        Args:
            work: what to do, see `Work`.
            common: what every piece needs; sent to each worker once.
            jobs: the pieces; taken as workers get free, so they may be made lazily.

        Yields:
            Place of a piece among the jobs, from 0, and its result; as they are
            finished, so in any order.

        Raises:
            SpreadError: the workers are gone or cannot do it.
            Exception: the first that a piece raised; what is not begun yet is not done.
        """
        ...
