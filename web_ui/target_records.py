"""The target, the hand and what the roll pays, as the page shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.hands import best_hand, describe, title
from scoring.refusals import RuleError
from scoring.rolling import MOST_ROLLS
from web_ui.face_records import face_record
from web_ui.shown import Use

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.target_deck import Target
    from scoring.target_score import Earned
    from web_ui.shown import Shown
    from web_ui.table_state import House, TableState


def target_title(target: Target) -> str:
    """Name the hand that a target asks for: `Full house`."""
    return title(target.hand)


def best_hand_of(house: House, shown: Shown | None) -> dict[str, Any] | None:
    """Write the best hand of the dice shown (schema `Hand`); None if there is none.

    Dice that cannot be read yet, or cannot all be right, have no hand.
    """
    if shown is None or None in shown.faces:
        return None
    faces = tuple(face for face in shown.faces if face is not None)
    if len(faces) != house.dice_set.dice_count:
        return None
    try:
        hand = best_hand(faces, house.game.jokers_wild)
    except RuleError:
        return None
    return {
        "name": hand.name,
        "title": describe(hand),
        "uses": [face.code for face in hand.uses],
    }


def turn_record(house: House, state: TableState, shown: Shown | None) -> dict[str, Any]:
    """Write the turn (schema `Turn`).

    Args:
        house: the fixed part of the table.
        state: the table.
        shown: the reading whose dice the page shows.
    """
    turn = state.turn
    record: dict[str, Any] = {
        "number": state.turn_number,
        "player": state.player.name,
        "phase": "draw" if turn is None else turn.phase,
        "rolls": 0 if turn is None else turn.roll_number,
        "rolls_max": MOST_ROLLS,
        "kept": [] if turn is None else list(turn.kept),
        "history": [],
        "target": None,
        "pays": None,
        "result": None,
        "pays_words": "Roll first.",
        "stop_words": "Stop and score",
    }
    if turn is None:
        return record | {"pays_words": "Draw a target first."}
    waiting = shown is not None and shown.use is Use.WAITING
    lying = shown.faces if waiting and shown else turn.faces
    record["target"] = _target(house, turn.target, lying)
    record["history"] = [[face_record(face) for face in roll] for roll in turn.rolls]
    if waiting:
        record["pays_words"] = "Answer the doubtful reading first."
    elif turn.result is not None:
        record["result"] = _pays(turn.result, turn.roll_number)
    elif turn.earns is not None:
        record["pays"] = _pays(turn.earns, turn.roll_number)
        record["stop_words"] = f"Stop: {_chips(turn.earns.total)}"
    paid = record["result"] or record["pays"]
    return record | ({"pays_words": paid["sentence"]} if paid else {})


def _target(
    house: House, target: Target, lying: tuple[Face | None, ...]
) -> dict[str, Any]:
    return {
        "id": target.id,
        "hand": target.hand,
        "title": target_title(target),
        "cards": [face_record(card) | {"have": card in lying} for card in target.cards],
        "chips_exact": target.chips_exact,
        "chips_type": target.chips_type,
        "bonus": house.game.bonus,
    }


def _pays(earned: Earned, rolls: int) -> dict[str, Any]:
    sentences = {
        "exact": "All pictured cards are there",
        "type": "The hand, with other cards",
        "none": "Neither the cards nor the hand",
    }
    sentence = sentences[str(earned.kind)]
    if earned.bonus:
        times = "one roll" if rolls == 1 else f"{rolls} rolls"
        sentence += f", in {times}: {earned.bonus} more"
    return {
        "kind": earned.kind,
        "chips": earned.chips,
        "bonus": earned.bonus,
        "total": earned.total,
        "sentence": sentence + ".",
    }


def _chips(count: int) -> str:
    return "1 chip" if count == 1 else f"{count} chips"
