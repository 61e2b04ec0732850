"""What a cluster can do wrong is told in a sentence that says what to do."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
import spread_work
from clusters import scheduler_process, worker_process
from distributed.comm.core import CommClosedError

from datasets.spread import dask_cluster
from datasets.spread.dask_cluster import DaskCluster
from datasets.spread.port import SpreadError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    # Dask's loops and processes end after the test that started them
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.mark.parametrize(
    "address",
    ["", "a:8786", "http://a:1", "tcp://", "tcp://a:x", "tcp://a", "tcp://[:1"],
)
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(SpreadError, match="no address of a scheduler"):
        DaskCluster(address)


def test_certificates_that_are_missing_are_told() -> None:
    with pytest.raises(SpreadError, match="needs certificates"):
        DaskCluster("tls://127.0.0.1:1")


def test_a_scheduler_that_does_not_answer_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask_cluster, "REACHED_S", 0.5)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{held.getsockname()[1]}"
        with pytest.raises(SpreadError, match="no Dask scheduler answers"):
            DaskCluster(address)
        held.listen()  # somebody is there and says nothing
        with pytest.raises(SpreadError, match="no Dask scheduler answers"):
            DaskCluster(address)


def test_a_worker_is_not_taken_for_a_scheduler(tmp_path: Path) -> None:
    with (
        scheduler_process(tmp_path) as (_, address),
        worker_process(address),
        DaskCluster(address) as spread,
    ):
        (worker,) = spread._client.nthreads()
        with pytest.raises(SpreadError, match="a Worker is there, no scheduler"):
            DaskCluster(worker)


def test_a_cluster_without_workers_is_told(tmp_path: Path) -> None:
    with (
        scheduler_process(tmp_path) as (_, address),
        pytest.raises(SpreadError, match="has no workers"),
    ):
        DaskCluster(address, workers_s=0.2)


def test_workers_that_are_gone_for_good_are_told(tmp_path: Path) -> None:
    with (
        scheduler_process(tmp_path) as (_, address),
        worker_process(address) as worker,
        DaskCluster(address, workers_s=10) as spread,
    ):
        spread._workers_s = 0.5
        done = spread.each(spread_work.multiplied, 1, range(1000))
        next(done)
        worker.kill()
        with pytest.raises(SpreadError, match=r"has had no worker for 0\.5 s"):
            list(done)


def test_a_scheduler_that_dies_in_mid_run_is_told(tmp_path: Path) -> None:
    with (
        scheduler_process(tmp_path) as (scheduler, address),
        worker_process(address),
        DaskCluster(address) as spread,
    ):
        done = spread.each(spread_work.multiplied, 1, range(100_000))
        next(done)
        scheduler.kill()
        with pytest.raises(SpreadError, match="was lost"):
            list(done)


@pytest.mark.parametrize("way", [OSError, TimeoutError, CommClosedError])
def test_a_scheduler_that_cannot_be_asked_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: type[OSError]
) -> None:
    def nobody() -> dict[str, int]:
        raise way("timed out trying to connect")

    with (
        scheduler_process(tmp_path) as (_, address),
        worker_process(address),
        DaskCluster(address) as spread,
    ):
        done = spread.each(spread_work.multiplied, 1, range(1000))
        next(done)
        monkeypatch.setattr(spread._client, "nthreads", nobody)
        with pytest.raises(SpreadError, match="was lost: timed out"):
            list(done)


@pytest.mark.parametrize("who", ["scheduler", "worker"])
def test_a_machine_without_tableside_is_told(tmp_path: Path, who: str) -> None:
    lacking = {who: ("datasets",)}
    with (
        scheduler_process(tmp_path, lacking.get("scheduler", ())) as (_, address),
        worker_process(address, lacking.get("worker", ())),
        pytest.raises(SpreadError, match="must be installed there"),
    ):
        DaskCluster(address)


def test_other_versions_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = dask_cluster._packages
    asked = []

    def older(facts: dict[str, dict[str, str]]) -> dict[str, str]:
        asked.append(facts)
        # ourselves, the scheduler, the worker: the last is of another year
        return told(facts) | ({"distributed": "1.0"} if len(asked) == 3 else {})

    monkeypatch.setattr(dask_cluster, "_packages", older)
    with (
        scheduler_process(tmp_path) as (_, address),
        worker_process(address),
        pytest.raises(SpreadError, match=r"has distributed 1\.0, this machine"),
    ):
        DaskCluster(address)
