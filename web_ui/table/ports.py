"""What the table's thread writes into, behind small protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from web_ui.table.events import NewEvent


class Journal(Protocol):
    """Keeps events in order, even while the store cannot be written."""

    def write(self, events: Sequence[NewEvent]) -> bool:
        """Keep events; False if they are not safe yet."""
        ...

    @property
    def pending(self) -> int:
        """How many events are not safe yet."""
        ...

    @property
    def sentence(self) -> str:
        """What is wrong, for people; empty if nothing is."""
        ...


class Pictures(Protocol):
    """Keeps evidence pictures."""

    def put(self, data: bytes) -> str:
        """Keep a picture; gives its SHA-256, hex. Raises StoreError or OSError."""
        ...
