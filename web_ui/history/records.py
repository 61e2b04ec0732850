"""Past games as JSON, as `openapi.json` describes them (schemas `PastGame`, ...)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from web_ui.face_records import face_record
from web_ui.history.story import scores_of
from web_ui.table.desks import DESKS
from web_ui.table.reading_records import reading_on_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.cards import Face
    from web_ui.history.story import Step, Story
    from web_ui.store.summaries import GameSummary
    from web_ui.table.shown import Shown

API_GAMES = "/api/v1/games"


def listed_record(
    summary: GameSummary, ending: Mapping[str, Any], on_table: str
) -> dict[str, Any]:
    """Write a game for the list (schema `PastGame`).

    Args:
        summary: what the store says of it.
        ending: how it stands: `over`, `winners` and `scores`.
        on_table: id of the game on the table.
    """
    desk = DESKS.get(summary.name)
    return {
        "id": summary.game,
        "game": summary.name,
        "title": desk.title if desk else summary.name or "A game that never began",
        "unit": desk.unit if desk else "",
        "players": list(summary.players),
        "started_at": summary.started_at,
        "last_at": summary.last_at,
        "first": summary.first,
        "last": summary.last,
        "events": summary.events,
        "closed": summary.closed,
        "imported": summary.imported,
        "running": summary.game == on_table,
        **ending,
    }


def ending_record(story: Story) -> dict[str, Any]:
    """Write how a game stands."""
    game = story.game
    if game is None:
        fault = story.fault or None
        return {"over": False, "winners": [], "scores": [], "fault": fault}
    view = game.play.view()
    return {
        "over": game.state.over,
        "winners": view["winners"],
        "scores": list(scores_of(game)),
        "fault": story.fault or None,
    }


def game_record(listed: Mapping[str, Any], story: Story) -> dict[str, Any]:
    """Write a whole game (schema `ToldGame`).

    Args:
        listed: its record in the list.
        story: what happened.
    """
    game = story.game
    counted = story.counts()
    return {
        **listed,
        "options": dict(game.play.entries[0].action.options or {}) if game else {},
        "signed_by": (game.signed_by or None) if game else None,
        "result": game.play.view()["result"] if game else None,
        "log": [_step(step, story) for step in story.steps],
        "readings": [
            told_reading(story, item, item.id in counted)
            for item in sorted(story.readings.values(), key=lambda one: one.id)
        ],
        "claims": [asdict(claim) for claim in game.claims] if game else [],
        "corrections": corrections_record(story),
        "faces": _faces(story),
    }


def _step(step: Step, story: Story) -> dict[str, Any]:
    done = step.log is None or story.game is None or story.game.log[step.log].done
    record = asdict(step)
    del record["log"]
    return record | {"done": done}


def _faces(story: Story) -> dict[str, Any]:
    """How the faces that occur are drawn, by code: said once, not at every step."""
    faces: dict[str, Face] = {}
    for item in story.readings.values():
        shown = (*item.faces, *(die.face for die in item.dice), *story.faces_now(item))
        faces |= {face.code: face for face in shown if face is not None}
    return {code: face_record(faces[code]) for code in sorted(faces)}


def told_reading(story: Story, item: Shown, counts: bool) -> dict[str, Any]:
    """Write a reading, shorter than it is on its own: without alternatives."""
    record = reading_on_page(item)
    url = f"{API_GAMES}/{story.game.id}" if story.game else ""
    has_picture = bool(item.picture) and bool(url)
    picture = f"{url}/readings/{item.id}/picture.jpg" if has_picture else None
    names = ("id", "sha256", "status", "use", "rule", "sentence", "confidence")
    sizes = ("width_px", "height_px", "dice_set", "model", "roll", "problems")
    return {
        **{name: record[name] for name in (*names, *sizes)},
        "picture": picture,
        "counts": counts,
        "dice": [
            {
                "place": die["place"],
                "read": die["read"],
                "face": None if die["face"] is None else die["face"]["code"],
                "confidence": die["confidence"],
                "doubtful": die["doubtful"],
                "answered": die["answered"],
                "state": die["state"],
                "quad": die["quad"],
            }
            for die in record["dice"]
        ],
        "decisions": [asdict(one) for one in story.decisions if one.reading == item.id],
    }


def corrections_record(story: Story) -> list[dict[str, Any]]:
    """Write the corrections of a game, the newest first (schema `Correction`)."""
    log = story.game.log if story.game else ()
    found = []
    for step in reversed(story.steps):
        if step.kind not in ("correct", "answered"):
            continue
        decided = [one for one in story.decisions if one.event == step.event]
        found.append(
            {
                "event": step.event,
                "kind": "correction" if step.kind == "correct" else "answer",
                "at": step.at,
                "by": step.by,
                "reason": step.reason,
                "reading": step.reading,
                "roll": step.roll,
                "words": step.words,
                "before": list(decided[0].before) if decided else [],
                "faces": list(decided[0].faces) if decided else list(step.faces),
                "done": step.log is None or log[step.log].done,
            }
        )
    return found
