"""Pieces of work on several processes of this machine."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

from datasets.spread.port import SpreadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from datasets.spread.port import Common, Done, Job, Work

WAITING_A_WORKER = 2
"""Pieces handed out for each worker: one in hand and one to go on with."""
MOST_DEATHS = 3
"""Times in a row that a worker may die before anything more is finished."""

_common: Any = None


def _take(common: object) -> None:
    global _common
    _common = common


def _piece(work: Work[Any, Any, Done], job: object) -> Done:
    return work(_common, job)


class Processes:
    """Workers of this machine; a single one works in the calling process.

    Args:
        workers: how many, from 1.
    """

    elsewhere = False

    def __init__(self, workers: int = 1) -> None:
        if workers < 1:
            raise ValueError(f"workers must be 1 or more, not {workers}")
        self.workers = workers

    def each(
        self, work: Work[Common, Job, Done], common: Common, jobs: Iterable[Job]
    ) -> Iterator[tuple[int, Done]]:
        """Do all pieces; see `datasets.spread.port.Spread`.

        A process that is killed takes its pieces with it: they are done again.
        """
        if self.workers == 1:
            for place, job in enumerate(jobs):
                yield place, work(common, job)
            return
        feed = iter(enumerate(jobs))
        again: list[tuple[int, Job]] = []
        deaths = 0
        while True:
            # spawn: OpenCV's and torch's threads do not survive a fork
            pool = ProcessPoolExecutor(
                self.workers,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_take,
                initargs=(common,),
            )
            held: dict[Future[Done], tuple[int, Job]] = {}
            try:
                while True:
                    _fill(pool, held, work, again, feed, self.workers)
                    if not held:
                        return
                    ready, _ = wait(held, return_when=FIRST_COMPLETED)
                    for future in ready:
                        done = future.result()
                        place, _ = held.pop(future)
                        deaths = 0
                        yield place, done
            except BrokenProcessPool as error:
                deaths += 1
                if deaths > MOST_DEATHS:
                    raise SpreadError(
                        f"worker processes ended {deaths} times in a row before they"
                        " finished anything: out of memory, or killed?"
                    ) from error
                again = sorted([*held.values(), *again], key=lambda one: one[0])
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _fill(
    pool: ProcessPoolExecutor,
    held: dict[Future[Done], tuple[int, Job]],
    work: Work[Common, Job, Done],
    again: list[tuple[int, Job]],
    feed: Iterator[tuple[int, Job]],
    workers: int,
) -> None:
    """Hand out pieces, those first that were lost with a worker."""
    while len(held) < WAITING_A_WORKER * workers:
        if again:
            piece = again[0]
        elif (fresh := next(feed, None)) is not None:
            piece = fresh
            again.insert(0, piece)  # it counts as lost until it is handed out
        else:
            return
        future = pool.submit(_piece, work, piece[1])
        held[future] = piece
        again.pop(0)
