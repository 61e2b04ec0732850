"""The verdict: whether the roll is sure, asked or refused, in a word and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web_ui.table.shown import Use

if TYPE_CHECKING:
    from web_ui.table.shown import Shown
    from web_ui.table.state import House, TableState

WORDS = {
    "sure": "Sure",
    "ask": "Please check",
    "refuse": "Not counted",
    "idle": "Ready",
    "over": "Game over",
    "frozen": "Frozen",
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
        `kind` (`sure`, `ask`, `refuse`, `idle`, `over` or `frozen`), `word` and
        `sentence`.
    """
    kind, sentence = _judge(house, state, hand)
    return {"kind": kind, "word": WORDS[kind], "sentence": sentence}


def _judge(
    house: House, state: TableState, hand: dict[str, Any] | None
) -> tuple[str, str]:
    refused, current, game = state.refused, state.current, state.game
    if state.frozen:
        return "frozen", f"A referee stopped the table: {state.frozen}"
    if refused is not None:
        rule = f" ({refused.rule})" if refused.rule else ""
        return "refuse", refused.sentence + rule
    if current is not None and current.use is Use.WAITING:
        return "ask", _question(current)
    hint = "Start a game." if game is None else game.desk.hint(game.state)
    if game is not None and game.state.over:
        return "over", hint
    if current is None:
        return "idle", hint
    first = f"{hand['title']}." if hand else "Counted."
    changed = sum(answer is not None for answer in current.answers)
    if changed:
        dice = "one die" if changed == 1 else f"{changed} dice"
        first = f"{first} A person named {dice}."
    return "sure", first if house.demo else f"{first} {hint}"


def _question(current: Shown) -> str:
    doubtful = current.doubtful
    if not doubtful:
        return "Are all dice read right? Confirm, or correct a die."
    if len(doubtful) == 1:
        return "One die is doubtful: tap it, or confirm if all are right."
    return f"{len(doubtful)} dice are doubtful: tap them, or confirm if all are right."
