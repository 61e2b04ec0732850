"""What became of models: promoted, refused, rolled back; written down, never changed.

One JSON object a line. A line that was torn by a crash is passed over when reading and
ended before the next one is written, so that it spoils no other.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = 0o600
PROMOTED, REFUSED, ROLLED_BACK = "promoted", "refused", "rolled back"
ACTIONS = (PROMOTED, REFUSED, ROLLED_BACK)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line.

    Attributes:
        number: from 1, counted in `current.json`; 0 for a refusal, which changes
            nothing.
        at: UTC, ISO 8601.
        who: who did it.
        action: one of `ACTIONS`.
        version: that is in use from now on, or was refused.
        before: the version that was in use till then.
        why: the reasons, a sentence each.
        figures: what was measured, as JSON has it.
    """

    number: int
    at: str
    who: str
    action: str
    version: str
    before: str
    why: tuple[str, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise ValueError(f"action must be one of {ACTIONS}, not {self.action!r}")

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "number": self.number,
            "at": self.at,
            "who": self.who,
            "action": self.action,
            "version": self.version,
            "before": self.before,
            "why": list(self.why),
            "figures": self.figures,
        }


def now_text() -> str:
    """This moment, as entries have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def parse_entry(raw: object) -> Entry | None:
    """An entry from JSON; None if it is none."""
    if not isinstance(raw, dict):
        return None
    given = cast("dict[str, Any]", raw)
    try:
        return Entry(
            int(given["number"]),
            str(given["at"]),
            str(given["who"]),
            str(given["action"]),
            str(given["version"]),
            str(given["before"]),
            tuple(str(word) for word in given["why"]),
            dict(given["figures"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def read_history(path: Path) -> tuple[Entry, ...]:
    """All entries, oldest first; lines that are none are passed over.

    Raises:
        OSError: the file is there and cannot be read.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    entries = []
    for line in lines:
        try:
            entry = parse_entry(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if entry is not None:
            entries.append(entry)
    return tuple(entries)


def append_entry(path: Path, entry: Entry) -> None:
    """Write an entry behind the others, and wait until it is on disk.

    Raises:
        OSError: it cannot be written.
    """
    text = json.dumps(entry.record(), ensure_ascii=False) + "\n"
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    handle = os.open(path, flags, PRIVATE)
    try:
        size = os.fstat(handle).st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
        os.write(handle, (b"\n" if torn else b"") + text.encode())
        os.fsync(handle)
    finally:
        os.close(handle)
