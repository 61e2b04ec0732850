"""What a link needs of a port; adapters are one file each."""

from __future__ import annotations

from typing import Protocol


class PortError(OSError):
    """A port that cannot be opened, read or written; names the port and why."""


class Port(Protocol):
    """Bytes both ways; every method may raise PortError."""

    def read(self) -> bytes:
        """Give what has come, waiting at most 0.05 s; empty if nothing."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of it, waiting at most 0.5 s."""
        ...

    def close(self) -> None:
        """Let go of the port; never raises, may be called twice."""
        ...
