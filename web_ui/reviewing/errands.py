"""Errands of the review page: exports and imports, in a process of their own.

One at a time, less urgent than the table. Its files lie in a folder of its own below
that of the table, readable by its owner alone, and go with it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from datasets.captures.private_files import make_private

if TYPE_CHECKING:
    from pathlib import Path

SCRATCH = "review-errands"
MOST_UPLOAD_BYTES = 4 * 1024**3
PIECE_BYTES = 48 * 1024
"""Of an upload that one request may carry: the server takes no larger bodies."""
ABANDONED_S = 60.0
"""An upload of which nothing came for so long makes room for another errand."""
STOP_S = 5.0
"""How long a process may take to stop."""


class ErrandState(StrEnum):
    """How an errand stands."""

    UPLOADING = "uploading"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


RUNS = (ErrandState.UPLOADING, ErrandState.RUNNING)


class BusyErrandError(RuntimeError):
    """Another errand is being run."""


class NoErrandError(LookupError):
    """There is no such errand, or not any more."""


class PieceError(ValueError):
    """A piece of an upload that does not go on where the last one ended."""


@dataclass(frozen=True, slots=True)
class Errand:
    """An export or an import, as it stands.

    Attributes:
        id: tells it from others.
        kind: `export` or `import`.
        spec: what was asked for.
        state: how it stands.
        done: pictures, files or bytes that are done.
        total: of so many; 0 if nobody knows.
        doing: what is being done, in words.
        error: why it failed.
        result: what came out.
        taken: pictures that came into the album, by what became of them.
        size: bytes of the file that was made.
    """

    id: str
    kind: str
    spec: dict[str, Any]
    state: ErrandState
    done: int = 0
    total: int = 0
    doing: str = ""
    error: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    size: int = 0

    def record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "format": self.spec["format"],
            "state": self.state.value,
            "done": self.done,
            "total": self.total,
            "doing": self.doing,
            "error": self.error,
            "pictures": self.result.get("pictures"),
            "dice": self.result.get("dice"),
            "notes": self.result.get("notes", []),
            "taken": self.taken,
            "size": self.size,
            "piece_bytes": PIECE_BYTES,
        }


class ErrandDesk:
    """Runs errands, one at a time; used by many web threads.

    Args:
        data: folder of the table.
    """

    def __init__(self, data: Path) -> None:
        self._folder = data / SCRATCH
        self._guard = threading.RLock()
        self._now: Errand | None = None
        self._process: subprocess.Popen[str] | None = None
        self._outcome: dict[str, Any] = {}
        self._heard = 0.0
        atexit.register(self.close)

    @property
    def now(self) -> Errand | None:
        """The last errand; None if there was none, or its files were removed."""
        with self._guard:
            return self._now

    def start(self, kind: str, spec: dict[str, Any], upload_bytes: int = 0) -> Errand:
        """Begin an errand; the one before goes with its files.

        Args:
            kind: `export` or `import`.
            spec: what the process needs to know.
            upload_bytes: size of the file that will come; 0 to begin at once.

        Raises:
            BusyErrandError: another one is being run.
            OSError: there is no room on the disk.
        """
        with self._guard:
            self._make_way()
            errand = Errand(
                f"{os.getpid()}-{secrets.token_hex(6)}", kind, spec, ErrandState.RUNNING
            )
            make_private(self._place(errand))
            self._heard = time.monotonic()
            if upload_bytes:
                errand = replace(
                    errand,
                    state=ErrandState.UPLOADING,
                    total=upload_bytes,
                    doing="uploading",
                )
            self._now = errand
            if not upload_bytes:
                self._run(errand)
            return self._now

    def _make_way(self) -> None:
        now = self._now
        if now is not None and now.state in RUNS:
            still = time.monotonic() - self._heard < ABANDONED_S
            if now.state is ErrandState.RUNNING or still:
                raise BusyErrandError(f"another {now.kind} is being run: wait for it")
        if now is not None:
            shutil.rmtree(self._place(now), ignore_errors=True)
            self._now = None
        for left in self._folder.glob("*-*"):
            if not _lives(left.name.partition("-")[0]):
                shutil.rmtree(left, ignore_errors=True)

    def _place(self, errand: Errand) -> Path:
        return self._folder / errand.id

    def file(self, errand: Errand) -> Path:
        """The zip file of an errand, to be uploaded or downloaded."""
        return self._place(errand) / f"{errand.kind}.zip"

    def take_piece(self, name: str, at: int, data: bytes) -> Errand:
        """Take the next piece of an upload; the last one begins the work.

        Args:
            name: id of the errand.
            at: how many bytes came before it.
            data: at most `PIECE_BYTES`.

        Raises:
            NoErrandError: nothing is being uploaded under that name.
            PieceError: it does not go on where the last one ended.
            OSError: the disk is full.
        """
        with self._guard:
            now = self._now
            if now is None or now.id != name or now.state is not ErrandState.UPLOADING:
                raise NoErrandError("this upload is over: begin it again")
            if at != now.done or not data or at + len(data) > now.total:
                raise PieceError(f"the next piece begins at {now.done}, not {at}")
            handle = os.open(
                self.file(now), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600
            )
            with os.fdopen(handle, "ab") as file:
                file.truncate(at)  # of a piece that could not be written whole
                file.write(data)
            self._heard = time.monotonic()
            self._now = replace(now, done=at + len(data))
            if self._now.done == self._now.total:
                self._now = replace(
                    self._now, state=ErrandState.RUNNING, done=0, total=0
                )
                self._run(self._now)
            return self._now

    def _run(self, errand: Errand) -> None:
        spec = {
            **errand.spec,
            "kind": errand.kind,
            "scratch": str(self._place(errand).resolve()),
            "file": str(self.file(errand).resolve()),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "web_ui.reviewing.errand_work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for the table, which ends it
        )
        self._process = process
        threading.Thread(
            target=self._follow, args=(errand.id, process, spec), daemon=True
        ).start()

    def _follow(
        self, name: str, process: subprocess.Popen[str], spec: dict[str, Any]
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):  # it died at once: its end tells
            process.stdin.write(json.dumps(spec) + "\n")
            process.stdin.flush()
        for line in process.stdout:
            with contextlib.suppress(ValueError):
                self._hear(name, json.loads(line))
        process.wait()
        with contextlib.suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        self._end(name)

    def _hear(self, name: str, told: dict[str, Any]) -> None:
        with self._guard:
            now = self._now
            if now is None or now.id != name:
                return
            if told.keys() & {"result", "error", "cancelled"}:
                self._outcome = told
            else:
                self._now = replace(now, **told)

    def _end(self, name: str) -> None:
        """The process has ended: only now is the errand over, and its files go."""
        with self._guard:
            now, told = self._now, self._outcome
            if now is None or now.id != name:
                return
            self._process, self._outcome = None, {}
            place = self._place(now)
            if "result" in told:
                now = replace(now, state=ErrandState.DONE, result=told["result"])
            elif "cancelled" in told:
                now = replace(now, state=ErrandState.CANCELLED)
            else:
                error = told.get("error", "the work ended without an answer")
                now = replace(now, state=ErrandState.FAILED, error=error)
            shutil.rmtree(place / "set", ignore_errors=True)
            if now.kind == "export" and now.state is ErrandState.DONE:
                now = replace(now, size=self.file(now).stat().st_size)
            else:
                shutil.rmtree(place, ignore_errors=True)
            self._now = now

    def cancel(self) -> Errand | None:
        """Stop what is being run, and remove its files; what was made goes, too."""
        with self._guard:
            now, process = self._now, self._process
            if now is None:
                return None
            if process is None:
                shutil.rmtree(self._place(now), ignore_errors=True)
                if now.state in RUNS:
                    self._now = replace(now, state=ErrandState.CANCELLED)
                else:
                    self._now = None
                return self._now
            process.terminate()
            killer = threading.Timer(STOP_S, process.kill)
            killer.daemon = True
            killer.start()
            return now

    def close(self) -> None:
        """End what is being run, and remove all files."""
        with self._guard:
            process, now = self._process, self._now
            self._now = None
        if process is not None:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_S)
        if now is not None:
            shutil.rmtree(self._place(now), ignore_errors=True)


def _lives(number: str) -> bool:
    """Whether the program of that number, of which an errand is left, still runs."""
    try:
        os.kill(int(number), 0)
    except (ValueError, ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
