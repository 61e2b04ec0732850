"""What happened besides the actions of the game, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web_ui.table.shown import Use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web_ui.table.events import NewEvent
    from web_ui.table.shown import Shown


def step_words(event: NewEvent, body: Mapping[str, Any], item: Shown | None) -> str:
    """Say what an event was.

    Args:
        event: not an action that the log of the game has words for.
        body: its body.
        item: the reading it is about; None if about none.
    """
    match event.kind:
        case "game_started":
            return f"The game begins: {', '.join(map(str, body['players']))}"
        case "acted":
            back = body["action"].get("do") == "undo"
            return "Taken back" if back else "Brought back"
        case "considered":
            return _considered(body, item)
        case "answered":
            return f"Reading {body['reading']}: die {body['die'] + 1} is {body['face']}"
        case "dismissed":
            return f"Reading {body['reading']} does not count"
        case "frozen":
            return f"The table is frozen: {body['reason']}"
        case "thawed":
            return "Play goes on"
        case "claim_made":
            return f"{body['by']} claims: {body['words']}"
        case "ruled":
            return f"Claim {body['claim']} is {body['ruling']}: {body['reason']}"
        case "signed_off":
            return f"{body['name']} signed the result"
        case "reopened":
            return f"The result is open again: {body['reason']}"
        case "game_closed":
            return "The game was closed"
        case _:
            return event.kind.replace("_", " ").capitalize()


def _considered(body: Mapping[str, Any], item: Shown | None) -> str:
    number = body["reading"]
    if body["use"] == Use.REFUSED:
        return f"Reading {number} does not count: {body.get('sentence', '')}"
    problems = [] if item is None else [one.sentence for one in item.reading.problems]
    return f"Reading {number} asks: {' '.join(problems) or 'is this right?'}"
