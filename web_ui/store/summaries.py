"""What a list of games shows, folded from the events so that it can be derived anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web_ui.table.events import StoredEvent

STARTED = "game_started"
CLOSED = "game_closed"
IMPORTED = "imported"
"""Belongs to no game; its body names the one that came from another store."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of the store.

    Attributes:
        game: its id.
        first: number of its first event.
        last: number of its last event.
        events: how many it has.
        name: which game it is, as game scripts say; empty if it never started.
        players: their names in seat order.
        started_at: time of its first event, ISO 8601 in UTC.
        last_at: time of its last event.
        closed: whether it was closed.
        imported: whether it came from another store.
    """

    game: str
    first: int
    last: int
    events: int
    name: str
    players: tuple[str, ...]
    started_at: str
    last_at: str
    closed: bool = False
    imported: bool = False


def summarise(
    known: Mapping[str, GameSummary], stored: StoredEvent
) -> dict[str, GameSummary]:
    """The summaries that an event changes.

    Args:
        known: at least that of the event's game, and of one it says was imported;
            none for a game that begins here.
        stored: the event.
    """
    event, number = stored.event, stored.number
    if event.kind == IMPORTED:
        there = known.get(str(event.body.get("game")))
        return {there.game: replace(there, imported=True)} if there else {}
    if not event.game:
        return {}
    summary = known.get(event.game) or GameSummary(
        event.game, number, number, 0, "", (), event.at, event.at
    )
    summary = replace(summary, last=number, events=summary.events + 1, last_at=event.at)
    if event.kind == STARTED:
        summary = _started(summary, event.body)
    if event.kind == CLOSED:
        summary = replace(summary, closed=True)
    return {summary.game: summary}


def games_named(stored: StoredEvent) -> set[str]:
    """The games whose summaries an event may change."""
    event = stored.event
    if event.kind == IMPORTED:
        return {str(event.body.get("game"))}
    return {event.game} if event.game else set()


def _started(summary: GameSummary, body: Mapping[str, object]) -> GameSummary:
    name, players = body.get("game"), body.get("players")
    return replace(
        summary,
        name=name[:200] if isinstance(name, str) else "",
        players=tuple(one for one in players if isinstance(one, str))
        if isinstance(players, list | tuple)
        else (),
    )
