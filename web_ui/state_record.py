"""The state as JSON: all that the page shows, so that no page knows a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.classic_turn import can_keep, can_stop
from vision.reading_json import quad_record
from web_ui.face_records import face_record
from web_ui.shown import Use
from web_ui.table_turns import is_over
from web_ui.target_records import best_hand_of, turn_record
from web_ui.verdict import verdict_record

if TYPE_CHECKING:
    from scoring.cards import Face
    from web_ui.shown import Shown
    from web_ui.table_state import House, TableState

WATCH_WORDS = {
    None: "Waiting for the camera",
    "empty": "The tray is empty",
    "moving": "Dice are moving",
    "hand": "A hand is in the tray",
    "settling": "Coming to rest",
    "settled": "Dice at rest",
    "dark": "It is too dark",
    "frozen": "The picture stands still",
}
"""What the page says for each state of the watcher."""


def state_record(house: House, state: TableState) -> dict[str, Any]:
    """Write the table for the page, as `openapi.json` describes it (schema `State`).

    Args:
        house: the fixed part of the table.
        state: the table.
    """
    shown = shown_on_tiles(house, state)
    hand = best_hand_of(house, shown)
    uses = hand["uses"] if hand else []
    return {
        "demo": house.demo,
        "table": {
            "dice_set": house.dice_set.name,
            "dice": house.dice_set.dice_count,
            "watch": state.watch,
            "watch_words": WATCH_WORDS[state.watch],
        },
        "camera": {"state": state.camera.state, "sentence": state.camera.sentence},
        "tray": {
            "standing": state.tray.standing,
            "sentence": state.tray.sentence,
            "asks": state.tray.asks,
        },
        "verdict": verdict_record(house, state, hand),
        "reading": _reading_or_none(house, state, shown, uses),
        "seen": _seen(state, shown),
        "dismissable": _dismissable(state),
        "hand": hand,
        "turn": turn_record(house, state, shown),
        "players": [
            {
                "name": player.name,
                "chips": player.chips,
                "turns": player.turns,
                "active": seat == state.seat,
            }
            for seat, player in enumerate(state.players)
        ],
        "can": can_record(state, shown),
        "notice": _notice(state),
    }


def shown_on_tiles(house: House, state: TableState) -> Shown | None:
    """Choose the reading whose dice are the tiles.

    A reading that did not count is shown if it has all dice, for then it may be
    corrected; while some dice are in a hand, the roll before stays to be looked at.
    """
    refused = state.refused
    if refused is None or state.current is None:
        return refused or state.current
    whole = len(refused.order) == house.dice_set.dice_count
    return refused if whole else state.current


def can_record(state: TableState, shown: Shown | None) -> dict[str, bool]:
    """Say which buttons are of use now; the rules judge again when one is pressed."""
    turn, current = state.turn, state.current
    waiting = current is not None and current.use is Use.WAITING
    unknown = current is not None and None in current.faces
    return {
        "draw": turn is None,
        "keep": turn is not None
        and can_keep(turn)
        and not waiting
        and shown is current,
        "stop": turn is not None and can_stop(turn) and not waiting,
        "next": is_over(turn),
        "confirm": waiting and not unknown,
        "correct": shown is not None,
        "dismiss": _dismissable(state) is not None,
        "release": state.refused is not None and state.refused.rule == "CM-17",
    }


def _seen(state: TableState, shown: Shown | None) -> dict[str, Any] | None:
    """Write the dice that lie there now, if they are not those on the tiles."""
    refused = state.refused
    return None if refused is None or refused is shown else reading_on_page(refused)


def _dismissable(state: TableState) -> int | None:
    if state.refused is not None:
        return state.refused.id
    if state.current is not None and state.current.use is Use.WAITING:
        return state.current.id
    return None


def _notice(state: TableState) -> dict[str, Any] | None:
    if state.notice is None:
        return None
    return {
        "sentence": state.notice.sentence,
        "rule": state.notice.rule or None,
        "warn": state.notice.warn,
    }


def _reading_or_none(
    house: House, state: TableState, shown: Shown | None, uses: list[str]
) -> dict[str, Any] | None:
    if shown is None:
        return None
    kept: tuple[int, ...] = ()
    if state.turn is not None and shown.use is Use.TAKEN:
        kept = state.turn.kept
    return reading_on_page(shown, kept, uses)


def reading_on_page(
    shown: Shown, kept: tuple[int, ...] = (), uses: list[str] | None = None
) -> dict[str, Any]:
    """Write a reading with its dice by place (schema `Reading`).

    Args:
        shown: the reading.
        kept: places kept for the next roll.
        uses: codes of the faces that make the best hand.
    """
    reading = shown.reading
    base = f"/api/v1/readings/{shown.id}"
    by_hand = not shown.width_px
    return {
        "id": shown.id,
        "url": base,
        "picture": None if by_hand else f"{base}/picture.jpg",
        "status": reading.status,
        "use": shown.use,
        "rule": shown.rule or None,
        "sentence": shown.sentence,
        "confidence": round(reading.confidence, 6),
        "width_px": shown.width_px,
        "height_px": shown.height_px,
        "dice_set": reading.dice_set,
        "model": reading.model,
        "elapsed_ms": round(shown.elapsed_ms, 1),
        "problems": [
            {
                "code": problem.code,
                "sentence": problem.sentence,
                "dice": sorted(
                    place
                    for place, die in enumerate(shown.order)
                    if die in problem.dice
                ),
            }
            for problem in reading.problems
        ],
        "dice": [
            _die(shown, place, place in kept, uses or [])
            for place in range(len(shown.order))
        ],
    }


def _die(shown: Shown, place: int, kept: bool, uses: list[str]) -> dict[str, Any]:
    die = shown.dice[place]
    face = shown.faces[place]
    return {
        "place": place,
        "face": face_or_none(face),
        "read": None if die.face is None else die.face.code,
        "confidence": round(die.confidence, 6),
        "doubtful": place in shown.doubtful,
        "answered": shown.answers[place] is not None,
        "state": die.state,
        "quad": quad_record(die.quad),
        "alternatives": [
            face_record(other.face) | {"p": round(other.p, 6)}
            for other in die.alternatives
        ],
        "kept": kept,
        "in_hand": face is not None and face.code in uses,
    }


def face_or_none(face: Face | None) -> dict[str, Any] | None:
    """Write a face, or null for one that cannot be read."""
    return None if face is None else face_record(face)
