"""What was done, in sentences for the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.hands import HandName, title
from web_ui.table.desk_classic import CARD_TITLES
from web_ui.table.desk_showdown import row_title

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.action import Action


def tell(action: Action, actor: str, result: Mapping[str, Any] | None) -> str:
    """Say what an action did.

    Args:
        action: as accepted.
        actor: who acts where the action names nobody.
        result: what came of it, as the rules give it.
    """
    who = action.player or actor
    got: Mapping[str, Any] = result or {}
    match action.do:
        case "roll":
            return f"{who} rolled {' '.join(action.faces or ())}"
        case "toss":
            return f"{who} tossed {action.face}{_battle(got)}"
        case "keep":
            count = len(action.dice or ())
            return f"{who} keeps {_dice(count)}" if count else f"{who} keeps nothing"
        case "draw":
            return f"{who} drew {_card(action, got)}"
        case "stop":
            return f"{who} stopped: {_stopped(got)}"
        case "play_card":
            name = CARD_TITLES.get(action.card, action.card)  # type: ignore[call-overload]
            return f"{who} played {name}"
        case "duel":
            return f"{who} faces {action.opponent}"
        case "draft":
            return f"{who} took die {action.die}"
        case "deal":
            return f"{who} dealt"
        case "play":
            trick = got.get("trick")
            won = f"; {trick} takes the trick" if trick else ""
            return f"{who} played {action.card}{won}"
        case "choose" if action.row is not None:
            return f"{who} took {row_title(action.row)}: {got.get('points')} points"
        case "choose":
            return f"{who} chose item {action.item}"
        case "pass":
            return f"{who} scored nothing"
        case "start_timer":
            return f"{who} started the timer"
        case "guess":
            right = got.get("guess") == "right"
            paid = f": {_chips(got.get('chips', 0))} each" if right else ""
            return f"{who} guessed {'right' if right else 'wrong'}{paid}"
        case "time_up":
            return "Time was up"
        case _:
            return f"{who}: {action.do}"


def _dice(count: int) -> str:
    return "one die" if count == 1 else f"{count} dice"


def _chips(count: int) -> str:
    return "1 chip" if count == 1 else f"{count} chips"


def _card(action: Action, got: Mapping[str, Any]) -> str:
    kind = got.get("drawn")
    if kind is None:
        return action.card or "a card"
    if kind == "target":
        return f"target {action.card}"
    return f"a {CARD_TITLES[kind]} card"


def _battle(got: Mapping[str, Any]) -> str:
    match got.get("case"):
        case "joker":
            return ": a joker, toss again"
        case "tie":
            return ": level, both toss again"
        case None:
            return ""
        case _:
            won = f"; {got['winner']} wins the battle"
            return won + (
                f" and the game: {got['winner']}" if "game_won" in got else ""
            )


def _stopped(got: Mapping[str, Any]) -> str:
    if "duel" in got:
        if got["duel"] == "tie":
            return "the Showdown is level"
        return f"{got['duel']} wins the Showdown: {_chips(got.get('chips', 0))}"
    if "hand" in got:
        words = title(HandName(got["hand"])).lower()
        best = got.get("round")
        return words + (f"; best of the round: {' and '.join(best)}" if best else "")
    if "points" in got:
        return f"{got['points']} points"
    kinds = {"exact": "exact", "type": "the hand", "none": "nothing"}
    return f"{kinds.get(str(got.get('kind')), '')}, {_chips(got.get('total', 0))}"
