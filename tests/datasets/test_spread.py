"""Spreading work: all adapters keep the same contract."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
import spread_work
from clusters import local_cluster

from datasets.spread.port import SpreadError
from datasets.spread.processes import Processes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.spread.port import Spread

pytestmark = [
    # Dask's loops and processes end after the test that started them
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with local_cluster() as made:
        yield made.scheduler_address


@pytest.fixture(params=["one process", "two processes", "dask"])
def spread(request: pytest.FixtureRequest) -> Iterator[Spread]:
    if request.param == "dask":
        from datasets.spread.dask_cluster import DaskCluster

        with DaskCluster(request.getfixturevalue("cluster")) as made:
            yield made
    else:
        yield Processes(1 if request.param == "one process" else 2)


def test_no_work_is_done_at_once(spread: Spread) -> None:
    assert list(spread.each(spread_work.multiplied, 2, [])) == []


def test_every_piece_comes_back_once_with_its_place(spread: Spread) -> None:
    done = spread.each(spread_work.multiplied, 3, iter(range(10, 40)))
    assert sorted(done) == [(k, 3 * (10 + k)) for k in range(30)]


def test_the_error_of_a_piece_is_raised_as_it_is(spread: Spread) -> None:
    with pytest.raises(ZeroDivisionError, match="three cannot be done"):
        list(spread.each(spread_work.failing_at_three, None, range(6)))


def test_jobs_are_made_as_workers_get_free(spread: Spread) -> None:
    made = []

    def jobs() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    done = spread.each(spread_work.multiplied, 1, jobs())
    next(done)
    assert len(made) <= 8
    done.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(made) <= 8


def test_others_than_this_process_work(spread: Spread) -> None:
    done = dict(spread.each(spread_work.process_of, None, range(4)))
    elsewhere = {process for _, process in done.values()} - {os.getpid()}
    alone = isinstance(spread, Processes) and spread.workers == 1
    assert bool(elsewhere) != alone


def test_pieces_of_a_killed_worker_are_done_again(
    spread: Spread, tmp_path: Path
) -> None:
    if isinstance(spread, Processes) and spread.workers == 1:
        return  # it would be this process
    done = spread.each(spread_work.dying_once, str(tmp_path), range(20))
    assert sorted(done) == [(k, k * k) for k in range(20)]
    assert (tmp_path / "died").exists()


def test_a_piece_that_kills_every_worker_is_given_up() -> None:
    with pytest.raises(SpreadError, match="times in a row"):
        list(Processes(2).each(spread_work.dying_always, None, [1]))


def test_workers_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="1 or more, not 0"):
        Processes(0)
