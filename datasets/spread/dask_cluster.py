"""Pieces of work on the workers of a Dask cluster, on this machine or on others."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
import uuid
import warnings
from concurrent.futures import CancelledError
from importlib.util import find_spec
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import dask
import distributed
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from datasets.spread.port import SpreadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from distributed import Client, Future

    from datasets.spread.port import Common, Done, Job, Work

SCHEMES = ("tcp://", "tls://")
REACHED_S = 10.0
"""How long a scheduler may take to answer."""
GIVEN_S = 4.0
"""How long a result may be under way before the cluster is looked at, at first."""
WORKERS_S = 30.0
"""How long no worker at all may be there before we give up."""
LOOK_S = 1.0
"""How often it is looked whether the cluster is still there."""
LARGE = "distributed.admin.large-graph-warning-threshold"
WAITING_A_THREAD = 2
"""Pieces handed out for each thread of the workers: one in hand and one to go on with.
What is not handed out yet is not even made, so memory stays bounded."""
SAME = ("python", "dask", "distributed", "msgpack", "cloudpickle")
"""What must be the same version for what is sent to be understood."""

_turn = threading.Lock()


def _given(common: Common) -> Common:
    """Make what all pieces share a task, which the scheduler can repeat when lost."""
    return common


def _piece(work: Work[Common, Job, Done], common: Common, job: Job) -> Done:
    """Do a piece; one at a time in each process, fonts and readers are not shared."""
    with _turn:
        return work(common, job)


class DaskCluster:
    """The workers that one scheduler knows.

    A context manager: leaving it closes the connection and drops what is not done.

    Args:
        address: of the scheduler: `tcp://HOST:PORT`, or `tls://` with certificates, see
            `docs/training.md`.
        workers_s: how long no worker may be there before we give up.

    Raises:
        SpreadError: the address is none, nobody answers there, its versions differ or
            it has no workers.
    """

    elsewhere = True

    def __init__(self, address: str, workers_s: float = WORKERS_S) -> None:
        _check_address(address)
        self.address, self._workers_s = address, workers_s
        self._client = _client_of(address)
        self._peopled = time.monotonic()
        try:
            self._wait_for_workers()
            self._check_versions()
            self._check_code()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; its scheduler and workers go on."""
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            self._client.close(timeout=5)

    def each(
        self, work: Work[Common, Job, Done], common: Common, jobs: Iterable[Job]
    ) -> Iterator[tuple[int, Done]]:
        """Do all pieces; see `datasets.spread.port.Spread`.

        A worker that is killed takes its pieces with it: the scheduler gives them to
        others, to three at most.
        """
        feed = iter(enumerate(jobs))
        places: dict[Future, int] = {}
        ready: SimpleQueue[Future] = SimpleQueue()
        name = f"tableside-{uuid.uuid4().hex}"
        with dask.config.set({LARGE: "1GB"}):  # models are sent on purpose
            held = self._client.submit(_given, common, key=name, pure=False)
            try:
                while True:
                    room = max(2, WAITING_A_THREAD * self._threads()) - len(places)
                    for place, job in islice(feed, max(0, room)):
                        future = self._client.submit(
                            _piece, work, held, job, key=f"{name}-{place}", pure=False
                        )
                        places[future] = place
                        future.add_done_callback(ready.put)
                    if not places:
                        return
                    future = self._next(ready)
                    done = self._result(future)
                    yield places.pop(future), done
            finally:
                with contextlib.suppress(OSError, TimeoutError, RuntimeError):
                    self._client.cancel([held, *places], force=True)

    def _threads(self) -> int:
        with self._connected():
            try:
                return sum(self._client.nthreads().values())
            except OSError as error:  # no piece of work runs here: it is the line
                raise self._lost(error) from error

    def _next(self, ready: SimpleQueue[Future]) -> Future:
        """Wait until a piece is finished, in vain or not, watching the cluster."""
        while True:
            with contextlib.suppress(Empty):
                return ready.get(timeout=LOOK_S)
            self._look()

    def _look(self) -> None:
        """See that the cluster is still there and has had a worker not long ago."""
        now = time.monotonic()
        if self._threads():
            self._peopled = now
        elif now - self._peopled > self._workers_s:
            raise SpreadError(
                f"the scheduler at {self.address} has had no worker for"
                f" {self._workers_s:g} s"
            )

    def _result(self, future: Future) -> Any:
        patience_s = GIVEN_S
        while future.status != "error":
            if future.status not in ("finished", "pending"):
                raise self._lost(None)
            # lost with its worker before we had it, it is computed once more
            with contextlib.suppress(TimeoutError), self._connected():
                return future.result(timeout=patience_s)
            self._look()
            patience_s *= 2  # a slow line must not begin anew for ever
        error = future.exception()
        if isinstance(error, KilledWorker):
            raise SpreadError(
                "a piece of work was given up because the workers that had it died, one"
                f" after the other: out of memory? ({_text(error)})"
            ) from error
        raise error

    @contextlib.contextmanager
    def _connected(self) -> Iterator[None]:
        try:
            if self._client.status != "running":
                raise self._lost(None)
            yield
        except (CommClosedError, CancelledError) as error:
            raise self._lost(error) from error
        except OSError as error:  # a timeout too
            if self._client.status == "running":
                raise
            raise self._lost(error) from error

    def _lost(self, error: BaseException | None) -> SpreadError:
        why = f": {_text(error)}" if error else ""
        return SpreadError(f"the scheduler at {self.address} was lost{why}")

    def _wait_for_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=self._workers_s)
        except TimeoutError as error:
            raise SpreadError(
                f"the scheduler at {self.address} has no workers, waited"
                f" {self._workers_s:g} s; start some with `dask worker {self.address}`"
            ) from error

    def _check_versions(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told = self._client.get_versions(check=False)
        own = _packages(told["client"])
        others = [("the scheduler", told["scheduler"]), *told["workers"].items()]
        for who, facts in others:
            theirs = _packages(facts)
            for name in SAME:
                if theirs.get(name) != own.get(name):
                    raise SpreadError(
                        f"{who} has {name} {theirs.get(name)}, this machine"
                        f" {own.get(name)}: they must be the same"
                    )

    def _check_code(self) -> None:
        """See that all can import us: a worker that cannot would die of our work."""
        try:
            self._client.run_on_scheduler(find_spec, __name__)
            self._client.run(find_spec, __name__)
        except (ImportError, ValueError) as error:
            raise SpreadError(
                f"the scheduler or a worker cannot import {__name__}: Tableside must be"
                f" installed there as it is here ({_text(error)})"
            ) from error


def _check_address(address: str) -> None:
    """See whether somebody listens there, before Dask tries it in ways of its own.

    Raises:
        SpreadError: it is no address, certificates are missing, or nobody is there.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not address.startswith(SCHEMES) or not host or not port:
        raise SpreadError(
            f"{address!r} is no address of a scheduler: tcp://HOST:PORT expected, or"
            " tls://HOST:PORT"
        )
    if parts.scheme == "tls":
        given = distributed.Security().get_connection_args("client")
        if given.get("ssl_context") is None:
            raise SpreadError(
                f"{address} needs certificates: name them to Dask as docs/training.md"
                " says"
            )
    try:
        socket.create_connection((host, port), timeout=REACHED_S).close()
    except OSError as error:
        raise SpreadError(
            f"no Dask scheduler answers at {address}: {_text(error)}; it is started"
            " with `dask scheduler`"
        ) from error


def _client_of(address: str) -> Client:
    """Connect with a scheduler.

    Who is there is asked first: a client whom nobody answers cannot be closed well.

    Raises:
        SpreadError: whoever is there does not talk as a scheduler does.
    """
    try:
        asyncio.run(asyncio.wait_for(_ask(address), REACHED_S))
        return distributed.Client(address, timeout=REACHED_S, set_as_default=False)
    except Exception as error:  # Dask's ways to fail share no base
        raise SpreadError(
            f"no Dask scheduler answers at {address}: {_text(error)}"
        ) from error


async def _ask(address: str) -> None:
    given = distributed.Security().get_connection_args("client")
    async with distributed.rpc(
        address, timeout=REACHED_S, connection_args=given
    ) as whoever:
        told = await whoever.identity()
    if told.get("type") != "Scheduler":
        raise ValueError(f"a {told.get('type')} is there, no scheduler")


def _packages(facts: dict[str, Any]) -> dict[str, str]:
    """Versions as Dask tells them, Python's without the last number."""
    named = {name: str(text) for name, text in facts["packages"].items()}
    named["python"] = ".".join(named["python"].split(".")[:2])
    return named


def _text(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
