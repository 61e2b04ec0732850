"""Cases without a script: a hand, a comparison or a target to be judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scoring.dice_sets import reference_dice_set
from scoring.hands import (
    HandName,
    best_hand,
    compare,
    contains,
    hand_record,
    parse_faces,
)
from scoring.refusals import RuleError
from scoring.target_deck import read_target
from scoring.target_score import ExactWithJoker, PayRules, score_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face
    from scoring.game import Record

ODDS_KINDS = ("first_roll", "best_play", "best_keep")
"""Kinds that ask for exact odds (OD-01 to OD-06)."""

SETUP_KINDS = ("hand", "contains", "compare", "target", *ODDS_KINDS)
"""Kinds of setup that `judge_setup` knows."""


def judge_setup(setup: Record) -> dict[str, object]:
    """Judge what a case sets up.

    Returns:
        The fields that its expectation can name, `uses` sorted.

    Raises:
        RuleError: the faces are refused.
        KeyError, TypeError, ValueError: the setup is malformed.
    """
    match setup["kind"]:
        case "hand":
            return _judge_hand(setup)
        case "contains":
            name = HandName(_text(setup, "hand"))
            faces = _faces(setup["faces"])
            return {"contains": contains(faces, name, _flag(setup, "jokers_wild"))}
        case "compare":
            return _judge_compare(setup)
        case "target":
            return _judge_target(setup)
        case _:
            return _judge_odds(setup)


def expected_setup(expect: Record) -> dict[str, object]:
    """The expectation with `uses` in the order that `judge_setup` gives."""
    expected = dict(expect)
    if isinstance(expect.get("uses"), list):
        expected["uses"] = sorted(cast("list[str]", expect["uses"]))
    return expected


def _judge_hand(setup: Record) -> dict[str, object]:
    hand = best_hand(
        _faces(setup["faces"]),
        _flag(setup, "jokers_wild"),
        six_of_a_kind=_flag(setup, "six_of_a_kind"),
    )
    return {
        **hand_record(hand),
        "uses": sorted(face.code for face in hand.uses),
    }


def _judge_compare(setup: Record) -> dict[str, object]:
    rolls = cast("Sequence[object]", setup["hands"])
    wild = _flag(setup, "jokers_wild")
    hands = [best_hand(_faces(faces), wild) for faces in rolls]
    return {"order": [list(group) for group in compare(hands)]}


def _judge_target(setup: Record) -> dict[str, object]:
    card = setup["target"]
    if not isinstance(card, dict):
        raise TypeError(f"target must be an object, not {card!r}")
    faces = _faces(setup["faces"])
    if len(faces) != 9:
        raise RuleError("CM-13", f"A target is scored on nine dice, not {len(faces)}.")
    earned = score_target(
        read_target(str(card.get("id", "target")), card),
        faces,
        _number(setup, "roll_number", 3),
        PayRules(
            jokers_wild=_flag(setup, "jokers_wild"),
            bonus=_number(setup, "bonus", 2),
            exact_with_joker=ExactWithJoker(_text(setup, "exact_with_joker", "full")),
            joker_card_bonus=_flag(setup, "joker_card_bonus", False),
        ),
        kid=_flag(setup, "kid", False),
        joker_cards=_number(setup, "joker_cards", 0),
    )
    return {"kind": earned.kind.value, "chips": earned.chips, "bonus": earned.bonus}


def _judge_odds(setup: Record) -> dict[str, object]:
    # numpy is loaded for odds only: `tableside score` must start at once
    from scoring.odds import Goal, best_keep, best_play, first_roll_count

    rules = PayRules(
        jokers_wild=_flag(setup, "jokers_wild"), bonus=_number(setup, "bonus", 2)
    )
    card = setup.get("target")
    if isinstance(card, dict):
        target = read_target(str(card.get("id", "target")), card)
        goal = Goal(target.hand, target, rules)
    else:
        goal = Goal(HandName(_text(setup, "hand")), None, rules)
    dice_set = reference_dice_set()
    if setup["kind"] == "first_roll":
        count, of = first_roll_count(dice_set, goal)
        return {"count": count, "of": of}
    if setup["kind"] == "best_play":
        return {"value": best_play(dice_set, goal, _number(setup, "rolls", 3))}
    faces, left = _faces(setup["faces"]), _number(setup, "rolls_left", 2)
    advice = best_keep(dice_set, goal, faces, left)
    found = {"value": advice.value, "stop": advice.stop, "roll": advice.roll}
    if advice.keep is None:
        return dict(found)
    return {**found, "keep": [face.code for face in advice.keep]}


def _faces(value: object) -> tuple[Face, ...]:
    if not isinstance(value, list) or not all(isinstance(t, str) for t in value):
        raise TypeError(f"faces must be a list of texts, not {value!r}")
    return parse_faces(value)


def _flag(setup: Record, name: str, default: bool = True) -> bool:
    value = setup.get(name, default)
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be true or false, not {value!r}")
    return value


def _number(setup: Record, name: str, default: int) -> int:
    value = setup.get(name, default)
    if not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    return value


def _text(setup: Record, name: str, default: str | None = None) -> str:
    value = setup.get(name, default)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r}")
    return value
