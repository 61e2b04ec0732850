"""The manifest: one file that grows by a line for each change; the last one counts."""

from __future__ import annotations

import json
import os
import uuid
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from datasets.captures.entry import Entry, entry_from, put_line
from datasets.captures.fields import CaptureError
from datasets.captures.private_files import append_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FORMAT = "tableside-captures/1"
SLACK = 500
"""Lines that no longer count are borne up to this many more than those that do."""
AT_ONCE = 2000
"""Lines that are read at once: quick, and of little memory."""
MOST_WHY = 40
"""Signs of the word that says why something was dropped."""


class Manifest:
    """Reads a manifest as far as it has grown; appends to it under the album's lock.

    Args:
        path: the file; need not be there.

    Attributes:
        entries: by id, in the order in which they came.
        dropped: how many captures were dropped, by why.
        news: entries before and after each change since somebody emptied it.
        anew: all of it was read anew, so `news` does not tell what changed.
        rewrites: how often it was written anew, leaving out what no longer counts.
        mended: last lines that a crash had left half-written and that were cut off.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mended = 0
        self.rewrites = 0
        self.news: list[tuple[Entry | None, Entry | None]] = []
        self._forget()

    def _forget(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.dropped: Counter[str] = Counter()
        self._head = b""
        self._offset = 0
        self._lines = 0
        self.news.clear()
        self.anew = True

    def refresh(self, *, locked: bool = False) -> None:
        """Read what is new; quick if nothing is.

        Args:
            locked: nobody else writes now, so a last line without its end is the rest
                of a crash, and is cut off.

        Raises:
            CaptureError: a line cannot be used; names file and line.
        """
        try:
            with self.path.open("rb") as file:
                if self._is_other(file.read(len(self._head) or 1)):
                    self._forget()
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            if self._offset:
                self._forget()
            return
        except OSError as error:
            raise CaptureError(
                f"{self.path}: cannot be read: {error.strerror}"
            ) from error
        whole = data.rfind(b"\n") + 1
        if whole:
            self._take(data[:whole])
        if whole < len(data) and locked:
            self._cut()

    def _is_other(self, head: bytes) -> bool:
        """Whether the file was written anew: its first line holds a name of its own."""
        return bool(self._head) and head != self._head

    def _cut(self) -> None:
        try:
            os.truncate(self.path, self._offset)
        except OSError as error:
            raise CaptureError(
                f"{self.path}: cannot be mended: {error.strerror}"
            ) from error
        self.mended += 1

    def _take(self, data: bytes) -> None:
        lines = data.split(b"\n")[:-1]
        first = not self._offset
        for start in range(0, len(lines), AT_ONCE):
            self._take_some(lines[start : start + AT_ONCE], start, first=first)
        if first:
            self._head = lines[0] + b"\n"
        self._lines += len(lines)
        self._offset += len(data)

    def _take_some(self, lines: list[bytes], start: int, *, first: bool) -> None:
        for number, raw in enumerate(_records(lines), start):
            try:
                if first and not number:
                    self._take_head(raw)
                else:
                    self._apply(raw)
            except CaptureError as error:
                line = self._lines + number + 1
                raise CaptureError(f"{self.path}: line {line}: {error}") from error

    def _take_head(self, raw: object) -> None:
        head = raw if isinstance(raw, dict) else {}
        dropped = head.get("dropped")
        if head.get("format") != FORMAT or not isinstance(dropped, dict):
            raise CaptureError(f"must say that this is {FORMAT}, not {raw!r:.80}")
        if any(type(count) is not int for count in dropped.values()):
            raise CaptureError(f"dropped must be counts, not {dropped!r:.80}")
        self.dropped = Counter(dropped)

    def _apply(self, raw: object) -> None:
        record = cast("dict[str, object]", raw) if isinstance(raw, dict) else {}
        match record.get("op"):
            case "put":
                entry = entry_from(record)
                self._tell(self.entries.get(entry.id), entry)
                self.entries[entry.id] = entry
            case "drop":
                name, why = record.get("id"), record.get("why")
                if not isinstance(name, str) or not isinstance(why, str):
                    raise CaptureError(f"needs id and why, not {raw!r:.80}")
                gone = self.entries.pop(name, None)
                if gone is not None:
                    self._tell(gone, None)
                    self.dropped[why[:MOST_WHY]] += 1
            case _:
                raise CaptureError(f"must put or drop a capture, not {raw!r:.80}")

    def _tell(self, before: Entry | None, after: Entry | None) -> None:
        if not self.anew:
            self.news.append((before, after))

    def append(
        self,
        puts: Iterable[Entry],
        drops: Iterable[tuple[str, str]],
        *,
        sync: bool = True,
    ) -> None:
        """Write changes, for good. The album's lock is held, and all was read.

        Args:
            puts: captures that are there, or changed.
            drops: id and why, of those that are there no more.
            sync: wait for the disk.

        Raises:
            OSError: the disk is full or read-only; nothing was written.
        """
        lines = [put_line(entry) for entry in puts]
        lines += [
            json.dumps({"op": "drop", "id": name, "why": why[:MOST_WHY]}) + "\n"
            for name, why in drops
        ]
        if not self._offset:
            lines.insert(0, _head_line(self.dropped))
        data = "".join(lines).encode("utf-8")
        append_private(self.path, data, self._offset, sync=sync)
        self._take(data)
        if self._lines > 2 * len(self.entries) + SLACK:
            # what was to be written is; shorter it can become with a later change
            with suppress(OSError):
                self.rewrite(self.entries.values())

    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Write the file anew with what counts only. The album's lock is held.

        Raises:
            OSError: it cannot be written; the old one is still there.
        """
        lines = [_head_line(self.dropped), *(put_line(entry) for entry in entries)]
        write_private(self.path, "".join(lines).encode("utf-8"))
        self._forget()
        self.rewrites += 1
        self.refresh(locked=True)


def _head_line(dropped: Counter[str]) -> str:
    head = {"format": FORMAT, "run": uuid.uuid4().hex, "dropped": dict(dropped)}
    return json.dumps(head) + "\n"


def _records(lines: list[bytes]) -> list[object]:
    """What the lines hold; all at once, because that is four times as quick."""
    try:
        found: list[object] = json.loads(b"[" + b",".join(lines) + b"]")
        if len(found) == len(lines):
            return found
    except (ValueError, RecursionError):
        pass
    return [_record(line) for line in lines]


def _record(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line.decode("utf-8", "replace")  # is no object: refused with its number
