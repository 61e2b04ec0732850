"""The state as JSON: all that the pages show, so that no page knows a rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from scoring.cards import parse_face
from scoring.games import GAMES
from web_ui.face_records import face_record
from web_ui.table.beginning import CARD_DICE_SETS
from web_ui.table.desks import DESKS
from web_ui.table.reading_records import reading_on_page
from web_ui.table.shown import Use
from web_ui.table.turn_records import best_hand_of, turn_record
from web_ui.table.verdict import verdict_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web_ui.table.desk import Choice
    from web_ui.table.shown import Shown
    from web_ui.table.state import House, OpenGame, TableState

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
LOG_SHOWN = 40
"""Newest items of the log in a snapshot; older ones are in the game's history."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What belongs on the page but not to the state.

    Attributes:
        advice: what to keep, for the moment shown; None if there is none.
        thinking: whether advice is being worked out.
        pending: events that are not safe yet.
        store: what is wrong with the store; empty if nothing is.
        boxes: how each button box is.
    """

    advice: Mapping[str, Any] | None = None
    thinking: bool = False
    pending: int = 0
    store: str = ""
    boxes: tuple[dict[str, Any], ...] = ()


def state_record(
    house: House, state: TableState, around: Surroundings
) -> dict[str, Any]:
    """Write the table for the pages, as `openapi.json` describes it (schema `State`).

    Args:
        house: the fixed part of the table.
        state: the table.
        around: what belongs on the page besides.
    """
    item = shown_on_tiles(state)
    hand = best_hand_of(state, item)
    uses = hand["uses"] if hand else []
    need, game = state.need, state.game
    dice = _dice_on_tiles(state, item)
    return {
        "demo": house.demo,
        "table": {
            "dice_set": need.dice_set.name if need else house.dice_set.name,
            "dice": dice,
            "places": list(need.places) if need else [],
            "watch": state.watch,
            "watch_words": WATCH_WORDS[state.watch],
            "frozen": state.frozen or None,
            "waits_for_dice": need is not None,
        },
        "camera": {"state": state.camera.state, "sentence": state.camera.sentence},
        "tray": {
            "standing": state.tray.standing,
            "sentence": state.tray.sentence,
            "asks": state.tray.asks,
        },
        "store": {"pending": around.pending, "sentence": around.store or None},
        "boxes": list(around.boxes),
        "verdict": verdict_record(house, state, hand),
        "reading": _reading_or_none(state, item, uses),
        "seen": _seen(state, item),
        "dismissable": _dismissable(state),
        "hand": hand,
        "game": None if game is None else _game(game),
        "turn": turn_record(state, item),
        "players": [] if game is None else _players(game),
        "choices": [] if game is None else _choices(state, game),
        "can": can_record(state, item),
        "log": [] if game is None else _log(game),
        "claims": [] if game is None else [asdict(claim) for claim in game.claims],
        "advice": {
            "on": state.advice_on,
            "thinking": around.thinking,
            "answer": around.advice,
        },
        "timer": _timer(state),
        "notice": _notice(state),
    }


def _timer(state: TableState) -> dict[str, Any]:
    timer = state.timer
    return {
        "total_s": timer.total_s,
        "running": timer.since_s is not None,
        "left_s": round(timer.left_s, 3),
        # on the server's monotonic clock, which every stream tells
        "ends_ms": None if timer.ends_s is None else round(timer.ends_s * 1000),
        "rung": timer.rung,
    }


def _dice_on_tiles(state: TableState, item: Shown | None) -> int:
    """How many places the page shows."""
    if state.need is not None:
        return state.need.dice_set.dice_count
    return len(item.order) if item is not None else 0


def _game(game: OpenGame) -> dict[str, Any]:
    view = game.play.view()
    desk = game.desk
    return {
        "id": game.id,
        "name": desk.name,
        "title": desk.title,
        "unit": desk.unit,
        "step": game.step,
        "started_at": game.started_at,
        "phase": view["phase"],
        "over": game.state.over,
        "winners": view["winners"],
        "hint": desk.hint(game.state),
        "round": view.get("round"),
        "options": dict(game.play.entries[0].action.options or {}),
        "result": view["result"],
        "more": desk.more(game.state),
        "signed_by": game.signed_by or None,
        "can_undo": game.play.can_undo and not game.signed_by,
        "can_redo": game.play.can_redo and not game.signed_by,
        "rolls_can_be_corrected": bool(GAMES[desk.name].actions & {"roll", "toss"}),
    }


def _players(game: OpenGame) -> list[dict[str, Any]]:
    scores = game.play.view()["scores"]
    assert isinstance(scores, dict)
    actor = game.desk.actor(game.state)
    winners = game.play.view()["winners"]
    assert isinstance(winners, list)
    return [
        {
            "name": name,
            "score": scores[name],
            "active": name == actor,
            "won": name in winners,
        }
        for name in game.state.players
    ]


def _choices(state: TableState, game: OpenGame) -> list[dict[str, Any]]:
    """What can be done now, as buttons; nothing while a reading waits."""
    if game.state.over or _waits(state):
        return []
    return [choice_record(choice) for choice in game.desk.choices(game.state)]


def choice_record(choice: Choice) -> dict[str, Any]:
    """Write a button (schema `Choice`)."""
    return {
        "label": choice.label,
        "detail": choice.detail,
        "command": dict(choice.command),
        "group": choice.group,
        "primary": choice.primary,
        "player": choice.player,
        "face": face_record(parse_face(choice.face)) if choice.face else None,
    }


def _log(game: OpenGame) -> list[dict[str, Any]]:
    """The newest items of the log, the newest first."""
    return [asdict(item) for item in reversed(game.log[-LOG_SHOWN:])]


def shown_on_tiles(state: TableState) -> Shown | None:
    """Choose the reading whose dice are the tiles.

    A reading that did not count is shown if it has all dice, for then it may be
    corrected; while some dice are in a hand, the roll before stays to be looked at.
    """
    refused = state.refused
    if refused is None or state.current is None:
        return refused or state.current
    need = state.need
    count = len(state.current.order) if need is None else need.dice_set.dice_count
    whole = len(refused.order) == count
    return refused if whole else state.current


def _waits(state: TableState) -> bool:
    return state.current is not None and state.current.use is Use.WAITING


def can_record(state: TableState, item: Shown | None) -> dict[str, bool]:
    """Say which buttons are of use now; the rules judge again when one is pressed."""
    game, current = state.game, state.current
    waiting = _waits(state)
    unknown = current is not None and None in current.faces
    turn = None if game is None or game.state.over else game.desk.turn(game.state)
    signed = game is not None and bool(game.signed_by)
    return {
        "roll": state.need is not None and not waiting,
        "keep": turn is not None and turn.can_keep and not waiting and item is current,
        "confirm": waiting and not unknown,
        "correct": item is not None and not signed and _correctable(item),
        "dismiss": _dismissable(state) is not None,
        "release": state.refused is not None and state.refused.rule == "CM-17",
        "undo": game is not None and game.play.can_undo and not signed,
        "redo": game is not None and game.play.can_redo and not signed,
        "sign_off": game is not None and game.state.over and not signed,
    }


def _correctable(item: Shown) -> bool:
    return item.use is not Use.TAKEN or item.first_roll is not None


def _seen(state: TableState, item: Shown | None) -> dict[str, Any] | None:
    """Write the dice that lie there now, if they are not those on the tiles."""
    refused = state.refused
    return None if refused is None or refused is item else reading_on_page(refused)


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
    state: TableState, item: Shown | None, uses: list[str]
) -> dict[str, Any] | None:
    if item is None:
        return None
    kept: tuple[int, ...] = ()
    game = state.game
    if game is not None and not game.state.over and item.use is Use.TAKEN:
        turn = game.desk.turn(game.state)
        if turn is not None and turn.rolls and item.known == turn.rolls[-1]:
            kept = turn.kept
    return reading_on_page(item, kept, uses)


def games_record() -> list[dict[str, Any]]:
    """Write all games with their options, to set one up (schema `GameKind`)."""
    return [
        {
            "name": desk.name,
            "title": desk.title,
            "summary": desk.summary,
            "unit": desk.unit,
            "players": list(desk.players),
            "options": [
                {
                    "name": option.name,
                    "default": option.default,
                    "meaning": option.meaning,
                    "rule": option.rule,
                }
                for option in GAMES[desk.name].options.listed
            ],
        }
        for desk in DESKS.values()
    ]


def dice_sets_record() -> list[dict[str, str]]:
    """Write the card dice that a game can be begun with."""
    return [{"name": name, "title": title} for name, title in CARD_DICE_SETS.items()]
