"""The target, the hand and what the roll pays, as the pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.cards import Card, Joker
from scoring.dice_sets import CARD_DICE_COUNT
from scoring.hands import best_hand, describe, title
from scoring.refusals import RuleError
from scoring.target_score import score_target
from web_ui.face_records import face_record
from web_ui.table.shown import Use

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.classic_state import ClassicState
    from scoring.target_deck import Target
    from scoring.target_score import Earned
    from web_ui.table.shown import Shown
    from web_ui.table.state import TableState

BARE: dict[str, Any] = {
    "player": None,
    "phase": "none",
    "rolls": 0,
    "rolls_max": 0,
    "kept": [],
    "history": [],
    "target": None,
    "pays": None,
    "pays_words": "",
}


def target_title(target: Target) -> str:
    """Name the hand that a target asks for: `Full house`."""
    return title(target.hand)


def best_hand_of(state: TableState, item: Shown | None) -> dict[str, Any] | None:
    """Write the best hand of the dice shown (schema `Hand`); None if there is none.

    Dice that cannot be read yet, or cannot all be right, have no hand; nor have two
    dice of War, poker dice or the Squint die.
    """
    if item is None or state.game is None or None in item.faces:
        return None
    faces = item.known
    cards = all(isinstance(face, Card | Joker) for face in faces)
    if len(faces) != CARD_DICE_COUNT or not cards:
        return None
    options = state.game.play.entries[0].action.options or {}
    wild = options.get("jokers_wild", True) is True and options.get("jokers") in (
        None,
        "wild",
    )
    try:
        hand = best_hand(faces, wild)
    except RuleError:
        return None
    return {
        "name": hand.name,
        "title": describe(hand),
        "uses": [face.code for face in hand.uses],
    }


def turn_record(state: TableState, item: Shown | None) -> dict[str, Any]:
    """Write the turn (schema `Turn`).

    Args:
        state: the table.
        item: the reading whose dice the page shows.
    """
    game = state.game
    turn = None if game is None else game.desk.turn(game.state)
    if game is None or turn is None:
        return {**BARE, "player": None if game is None else game.desk.actor(game.state)}
    record: dict[str, Any] = {
        "player": turn.player,
        "phase": game.play.view()["phase"],
        "rolls": len(turn.rolls),
        "rolls_max": turn.rolls_max,
        "kept": list(turn.kept),
        "history": [[face_record(face) for face in roll] for roll in turn.rolls],
        "target": None,
        "pays": None,
        "pays_words": "",
    }
    if turn.target is None:
        return record
    waiting = item is not None and item.use is Use.WAITING
    lying = item.faces if waiting and item else turn.rolls[-1] if turn.rolls else ()
    record["target"] = _target(game.state, turn.target, lying)
    if waiting:
        record["pays_words"] = "Answer the doubtful reading first."
    elif not turn.rolls:
        record["pays_words"] = "Roll first."
    else:
        earned = _earned(game.state, turn.target, turn.rolls)
        record["pays"] = _pays(earned, len(turn.rolls))
        record["pays_words"] = record["pays"]["sentence"]
    return record


def _earned(
    state: ClassicState, target: Target, rolls: tuple[tuple[Face, ...], ...]
) -> Earned:
    return score_target(
        target,
        rolls[-1],
        len(rolls),
        state.options.pay,
        kid=state.actor_name in state.options.kids,
        joker_cards=state.joker_cards,
    )


def _target(
    state: ClassicState, target: Target, lying: tuple[Face | None, ...]
) -> dict[str, Any]:
    return {
        "id": target.id,
        "hand": target.hand,
        "title": target_title(target),
        "cards": [face_record(card) | {"have": card in lying} for card in target.cards],
        "chips_exact": target.chips_exact,
        "chips_type": target.chips_type,
        "bonus": state.options.pay.bonus,
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
