"""The verdict: whether the roll is sure, asked or refused, in a word and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.classic_turn import Phase
from web_ui.shown import Use

if TYPE_CHECKING:
    from web_ui.shown import Shown
    from web_ui.table_state import House, TableState

WORDS = {
    "sure": "Sure",
    "ask": "Please check",
    "refuse": "Not counted",
    "idle": "Ready",
}
"""The one word for each kind of verdict."""


def verdict_record(
    house: House, state: TableState, hand: dict[str, Any] | None
) -> dict[str, str]:
    """Say what became of the last roll.

    Args:
        house: the fixed part of the table.
        state: the table.
        hand: the best hand of the dice shown, if there is one.

    Returns:
        `kind` (`sure`, `ask`, `refuse` or `idle`), `word` and `sentence`.
    """
    kind, sentence = _judge(house, state, hand)
    return {"kind": kind, "word": WORDS[kind], "sentence": sentence}


def _judge(
    house: House, state: TableState, hand: dict[str, Any] | None
) -> tuple[str, str]:
    refused, current = state.refused, state.current
    if refused is not None:
        rule = f" ({refused.rule})" if refused.rule else ""
        return "refuse", refused.sentence + rule
    if current is None:
        return "idle", _invitation(house, state)
    if current.use is Use.WAITING:
        return "ask", _question(current)
    title = f"{hand['title']}." if hand else "Counted."
    changed = sum(answer is not None for answer in current.answers)
    if changed:
        dice = "one die" if changed == 1 else f"{changed} dice"
        title = f"{title} A person named {dice}."
    return "sure", f"{title}{_advice(house, state)}"


def _advice(house: House, state: TableState) -> str:
    turn = state.turn
    if turn is None or house.demo:
        return ""
    if turn.phase is Phase.OVER:
        return " The turn is scored."
    if turn.phase is Phase.STOP:
        return " That was the last roll: stop to score it."
    return " Tap dice to keep them and roll the others, or stop."


def _invitation(house: House, state: TableState) -> str:
    if state.turn is None and not house.demo:
        return f"{state.player.name}: draw a target, then roll."
    return f"{state.player.name}: roll all {house.dice_set.dice_count} dice."


def _question(current: Shown) -> str:
    doubtful = current.doubtful
    if not doubtful:
        return "Are all dice read right? Confirm, or correct a die."
    if len(doubtful) == 1:
        return "One die is doubtful: tap it, or confirm if all are right."
    return f"{len(doubtful)} dice are doubtful: tap them, or confirm if all are right."
