"""What happened at the table: the only thing that is kept; all else follows from it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A fact, before it is stored.

    Attributes:
        game: id of the game it belongs to.
        kind: what happened, past tense, as in `acted`.
        body: the rest, as JSON can hold it; never changed after it was made.
        by: who did it: `camera`, `operator`, `referee Ann`, `box 3`.
        at: when, ISO 8601 in UTC with microseconds. For people; never computed with.
        key: tells this event from all others, so that writing it twice is noticed.
    """

    game: str
    kind: str
    body: Mapping[str, object] = field(hash=False)
    by: str
    at: str
    key: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A fact in the store.

    Attributes:
        number: its place in the store, from 1 without gaps.
        hash: over it and the hash before it, hex.
        event: the fact.
    """

    number: int
    hash: str
    event: NewEvent


def new_event(game: str, kind: str, body: Mapping[str, object], by: str) -> NewEvent:
    """Make an event that happens now."""
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    return NewEvent(game, kind, body, by, at, uuid.uuid4().hex)
