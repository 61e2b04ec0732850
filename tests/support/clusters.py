"""Dask clusters on this machine, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STARTED_S = 30.0


@contextmanager
def local_cluster(workers: int = 3) -> Iterator[Any]:
    """A scheduler with some worker processes; killed ones are started anew."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs=50,  # CRITICAL
    ) as made:
        yield made


@contextmanager
def scheduler_process(
    folder: Path, lacking: tuple[str, ...] = ()
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A scheduler in a process of its own, and its address.

    Args:
        folder: gets the file that tells the address.
        lacking: modules that it shall not find.
    """
    told = folder / "scheduler.json"
    command = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    options = [*command, "--scheduler-file", str(told)]
    with _dask("scheduler", options, lacking) as process:
        late = time.monotonic() + STARTED_S
        while not told.exists() or not told.read_text().endswith("}"):
            assert process.poll() is None, "the scheduler ended"
            assert time.monotonic() < late, "the scheduler did not start"
            time.sleep(0.02)
        yield process, json.loads(told.read_text())["address"]


@contextmanager
def worker_process(
    address: str, lacking: tuple[str, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process of its own.

    Args:
        address: of the scheduler.
        lacking: modules that it shall not find.
    """
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", address]
    with _dask("worker", options, lacking) as process:
        yield process


@contextmanager
def _dask(
    kind: str, options: list[str], lacking: tuple[str, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    script = (
        f"import sys; sys.modules.update(dict.fromkeys({lacking!r}))\n"
        f"from distributed.cli.dask_{kind} import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *options],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
