"""Measuring a served table: how late viewers see events, and what viewers cost it.

The table is a real one, `tableside play --demo` in a process of its own, asked over
HTTP only; what it takes from the system is read from `/proc`.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.bench_web_clients import (
    API,
    Marks,
    hang_up,
    metrics,
    open_stalled,
    open_viewers,
    post_events,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EVENT_S = 0.2
"""An event of the table so often."""
WARM_S = 4.0
START_S = 60.0
STALLED = 5
MOST_P95_MS = 250.0
LEAST_KEPT = 0.95
"""Share of the frames that must still be read with all viewers."""
MOST_GROWN_MIB = 8.0
PLAY = (sys.executable, "-m", "web_ui.cli", "play")
"""How the table is started; `--demo` and the like are added."""
READS = "tableside_frame_read_seconds_count"
READ_S = "tableside_frame_read_seconds_sum"


class BenchError(RuntimeError):
    """The table could not be measured; the message says why."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a table takes from the system.

    Attributes:
        threads: of the process.
        fds: open files and sockets.
        rss_mib: resident memory.
        cpu_s: CPU time so far.
    """

    threads: int
    fds: int
    rss_mib: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class WebFigures:
    """One run.

    Attributes:
        viewers: event streams that were answered.
        videos: live pictures that were answered.
        events: posted while all looked.
        missed: arrivals that never came.
        p50_ms: median from posting to arrival.
        p95_ms: the 95th percentile.
        most_ms: the latest.
        rate_alone: frames read per second without viewers, events posted all the same.
        rate_with: the same with all viewers.
        read_ms_alone: time the reader took for a frame without viewers, mean. A clip of
            12 frames a second can be kept up with long after reading has become slow.
        read_ms_with: the same with all viewers.
        video_mib_s: what all live pictures together received.
        cpu_alone: cores the table kept busy without viewers.
        cpu_with: with all viewers.
        alone: what it took before the viewers came.
        busy: with all viewers.
        before: before the opens and closes.
        after: after them.
        stalled_p95_ms: as `p95_ms`, with some clients that never read.
        stalled_rss_mib: memory that grew meanwhile.
        stalled_dropped: how many of those were hung up on.
        load_average: of the machine at the end, one minute.
    """

    viewers: int
    videos: int
    events: int
    missed: int
    p50_ms: float
    p95_ms: float
    most_ms: float
    rate_alone: float
    rate_with: float
    read_ms_alone: float
    read_ms_with: float
    video_mib_s: float
    cpu_alone: float
    cpu_with: float
    alone: Load
    busy: Load
    before: Load
    after: Load
    stalled_p95_ms: float
    stalled_rss_mib: float
    stalled_dropped: int
    load_average: float


def load_of(pid: int) -> Load:
    """Look at a process; Linux only."""
    proc = Path(f"/proc/{pid}")
    status = (proc / "status").read_text("utf-8")
    fields = dict(re.findall(r"(?m)^(\w+):\s+(\d+)", status))
    ticks = (proc / "stat").read_text("utf-8").rpartition(")")[2].split()
    cpu_s = (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
    return Load(
        int(fields["Threads"]),
        len(list((proc / "fd").iterdir())),
        round(int(fields["VmRSS"]) / 1024, 1),
        cpu_s,
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed; NaN of none."""
    ranked = sorted(values)
    if not ranked:
        return float("nan")
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


@contextmanager
def playing(
    viewers: int, videos: int, command: Sequence[str] = PLAY
) -> Iterator[tuple[int, int]]:
    """Run a demo table.

    Args:
        viewers: event streams it must have places for.
        videos: live pictures it must have places for.
        command: how it is started.

    Yields:
        Its process id and its port.

    Raises:
        BenchError: it did not start.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
        settings = Path(folder, "bench.toml")
        settings.write_text(
            f"[server]\nstreams = {viewers + 2 * STALLED}\nviewers = {videos + 1}\n",
            "utf-8",
        )
        options = ("--demo", "--no-browser", "--port", "0", "--settings", str(settings))
        with subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                line = process.stdout.readline() if process.stdout else ""
                found = re.search(r":(\d+)/", line)
                if found is None:
                    raise BenchError(f"the table did not start: {line.strip()!r}")
                yield process.pid, int(found[1])
            finally:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()


@dataclass(frozen=True, slots=True)
class _Pace:
    """Frames read per second, time for each, cores kept busy, over a while."""

    rate: float
    read_ms: float
    cores: float
    took_s: float


def _mean(first: float, second: float, digits: int) -> float:
    return round((first + second) / 2, digits)


class _Bench:
    def __init__(self, pid: int, port: int, viewers: int, videos: int, seconds: float):
        self._pid, self._port = pid, port
        self._viewers, self._videos, self._seconds = viewers, videos, seconds

    async def _pace(self, seconds: float) -> _Pace:
        """Look for so long."""
        began_s, load = time.monotonic(), load_of(self._pid)
        before = await metrics(self._port)
        await asyncio.sleep(seconds)
        took_s = time.monotonic() - began_s
        cpu_s = load_of(self._pid).cpu_s - load.cpu_s
        after = await metrics(self._port)
        frames = after[READS] - before[READS]
        read_ms = (after[READ_S] - before[READ_S]) / max(1.0, frames) * 1000
        return _Pace(frames / took_s, read_ms, cpu_s / took_s, took_s)

    async def measure(self) -> WebFigures:
        marks = Marks()
        posting = asyncio.create_task(post_events(self._port, marks, EVENT_S))
        try:
            return await self._measure(marks)
        finally:
            posting.cancel()
            failed = (await asyncio.gather(posting, return_exceptions=True))[0]
            if isinstance(failed, Exception):
                raise BenchError(f"posting failed: {failed!r}") from failed

    async def _measure(self, marks: Marks) -> WebFigures:
        await asyncio.sleep(WARM_S)
        first = await self._pace(self._seconds / 2)
        alone = load_of(self._pid)
        streams = await open_viewers(self._port, f"{API}/stream", self._viewers, marks)
        videos = await open_viewers(self._port, f"{API}/video", self._videos)
        await asyncio.sleep(1.0)
        marks.late_s.clear()
        begun, sent = len(marks.posted), sum(item.received for item in videos)
        full = await self._pace(self._seconds)
        busy, late_s = load_of(self._pid), list(marks.late_s)
        events = len(marks.posted) - begun
        video = (sum(item.received for item in videos) - sent) / full.took_s / 2**20
        answered = [item.status for item in (*streams, *videos)].count(200)
        hang_up([*streams, *videos])
        await asyncio.sleep(2.0)
        last = await self._pace(self._seconds / 2)
        before, after = await self._open_and_close()
        stalled = await self._stall(marks)
        return WebFigures(
            viewers=[item.status for item in streams].count(200),
            videos=answered - [item.status for item in streams].count(200),
            events=events,
            missed=max(0, events * len(streams) - len(late_s)),
            p50_ms=round(percentile(late_s, 0.5) * 1000, 1),
            p95_ms=round(percentile(late_s, 0.95) * 1000, 1),
            most_ms=round(max(late_s, default=float("nan")) * 1000, 1),
            rate_alone=_mean(first.rate, last.rate, 2),
            rate_with=round(full.rate, 2),
            read_ms_alone=_mean(first.read_ms, last.read_ms, 1),
            read_ms_with=round(full.read_ms, 1),
            video_mib_s=round(video, 2),
            cpu_alone=_mean(first.cores, last.cores, 2),
            cpu_with=round(full.cores, 2),
            alone=alone,
            busy=busy,
            before=before,
            after=after,
            stalled_p95_ms=stalled[0],
            stalled_rss_mib=stalled[1],
            stalled_dropped=stalled[2],
            load_average=round(os.getloadavg()[0], 2),
        )

    async def _open_and_close(self) -> tuple[Load, Load]:
        await self._once()
        before = load_of(self._pid)
        await self._once()
        return before, load_of(self._pid)

    async def _once(self) -> None:
        for _ in range(4):
            hang_up(
                await open_viewers(
                    self._port, f"{API}/stream", max(1, self._viewers // 4)
                )
            )
        await asyncio.sleep(2.0)

    async def _stall(self, marks: Marks) -> tuple[float, float, int]:
        others = await open_viewers(self._port, f"{API}/stream", 20, marks)
        stalled = open_stalled(self._port, STALLED)
        try:
            await asyncio.sleep(1.0)
            marks.late_s.clear()
            before = load_of(self._pid)
            await asyncio.sleep(self._seconds)
            grown = round(load_of(self._pid).rss_mib - before.rss_mib, 1)
            late_ms = round(percentile(marks.late_s, 0.95) * 1000, 1)
            found = await metrics(self._port)
            name = 'tableside_viewers_dropped_total{what="event streams"}'
            return late_ms, grown, int(found.get(name, 0))
        finally:
            hang_up(others)
            for sock in stalled:
                sock.close()


def measure_web(
    viewers: int, videos: int, seconds: float, command: Sequence[str] = PLAY
) -> WebFigures:
    """Measure once.

    Args:
        viewers: event streams.
        videos: live pictures.
        seconds: how long all of them look.
        command: how the table is started.

    Raises:
        BenchError: the table did not start, or did not answer.
    """
    with playing(viewers, videos, command) as (pid, port):
        bench = _Bench(pid, port, viewers, videos, seconds)
        try:
            return asyncio.run(bench.measure())
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            raise BenchError(f"the table did not answer: {error!r}") from error


def faults_of(figures: WebFigures, viewers: int, videos: int) -> list[str]:
    """Say which bars a run misses; empty if none.

    Args:
        figures: of the run.
        viewers: event streams that were asked for.
        videos: live pictures that were asked for.
    """
    faults = []
    if (figures.viewers, figures.videos) != (viewers, videos):
        faults.append("not every viewer was answered")
    if not figures.p95_ms <= MOST_P95_MS:  # NaN is a fault too
        faults.append(f"95th percentile of {figures.p95_ms} ms, not {MOST_P95_MS} ms")
    if figures.rate_with < LEAST_KEPT * figures.rate_alone:
        faults.append(f"reads {figures.rate_with} frames/s, {figures.rate_alone} alone")
    before, after = figures.before, figures.after
    if after.threads > before.threads or after.fds > before.fds:
        faults.append("opens and closes left threads or files behind")
    if after.rss_mib > before.rss_mib + MOST_GROWN_MIB:
        faults.append("opens and closes left memory behind")
    if not figures.stalled_p95_ms <= MOST_P95_MS:
        faults.append("stalled clients held up the others")
    return faults
