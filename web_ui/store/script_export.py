"""A stored game in forms that other programs read: a game script, a table of scores."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, cast

from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError
from web_ui.script_files import FORMAT
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.summaries import STARTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web_ui.table.events import StoredEvent

ACTED = "acted"
# with the wide forms that East Asian spreadsheets take for them
_FORMULA = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")
"""What makes a spreadsheet compute what it should show (OWASP, "CSV Injection")."""


def script_record(events: Sequence[StoredEvent]) -> dict[str, object]:
    """The game script of a game: its start, and every accepted action in order.

    Args:
        events: of one game, in order.

    Raises:
        StoreError: refused: the game never started.
    """
    name, actions = _told(events)
    return {
        "format": FORMAT,
        "game": name,
        "script": [action for _, action in actions],
    }


def scores_csv(events: Sequence[StoredEvent]) -> str:
    """The scores after every action that changed them, and at the end, as CSV.

    Columns: number of the event, time, who, what, then one for each player.

    Args:
        events: of one game, in order.

    Raises:
        StoreError: refused: the game never started, or its rules refuse an action.
    """
    name, actions = _told(events)
    play: Play[Any] = Play(GAMES[name])
    out = io.StringIO()
    table = csv.writer(out)
    players: list[str] = []
    scores: Mapping[str, object] = {}
    for stored, action in actions:
        try:
            play.act(action)
        except RuleError as error:
            raise StoreError(
                Trouble.REFUSED, f"Event {stored.number} is refused: {error}"
            ) from error
        before, view = scores, play.view()
        scores = cast("Mapping[str, object]", view["scores"])
        if not players:
            players = list(scores)
            table.writerow(["event", "at", "by", "what", *map(safe_cell, players)])
        if scores != before:
            event = stored.event
            what = str(action.get("do", ""))
            words = [safe_cell(word) for word in (event.at, event.by, what)]
            table.writerow([stored.number, *words, *(scores[one] for one in players)])
    winners = cast("list[str]", play.view()["winners"])
    won = ["won" if one in winners else "" for one in players]
    table.writerow(["", "", "", "final", *(scores[one] for one in players)])
    table.writerow(["", "", "", "winners", *won])
    return out.getvalue()


def safe_cell(text: str) -> str:
    """A text that a spreadsheet shows and does not compute.

    >>> safe_cell("=1+1"), safe_cell("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _told(
    events: Sequence[StoredEvent],
) -> tuple[str, list[tuple[StoredEvent, dict[str, Any]]]]:
    """Which game it is, and its actions with the events that hold them."""
    name, actions = "", []
    for stored in events:
        body = stored.event.body
        if stored.event.kind == STARTED and not name:
            name = str(body.get("game"))
            start = {
                "do": "start",
                "players": body.get("players"),
                "options": body.get("options") or {},
            }
            actions.append((stored, start))
        action = body.get("action")
        if stored.event.kind == ACTED and isinstance(action, dict):
            if action.get("do") == "start" and len(actions) == 1:
                continue  # told twice
            actions.append((stored, action))
    if name not in GAMES:
        raise StoreError(Trouble.REFUSED, "This game never started.")
    return name, actions
