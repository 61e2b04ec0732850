"""Odds of a turn, taken from a store if they lie there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from scoring.odds import FirstRolls, Keeps, best_play, first_roll_count, keeps_of
from scoring.odds import first_roll_table as counted_first_rolls
from scoring.odds_error import OddsError
from scoring.rolling import MOST_ROLLS
from scoring.turn_odds import known_layout, place_of, turn_odds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from scoring.turn_ends import Goal
    from web_ui.odds_store import OddsStore

TURN = MOST_ROLLS - 1
"""After the first roll so many are left."""


def keeps_after_roll(
    dice_set: DiceSet,
    goal: Goal,
    faces: Sequence[Face],
    rolls_left: int,
    store: OddsStore | None,
) -> Keeps:
    """Say what each kept set leads to, as `scoring.odds.all_keeps` does.

    Raises:
        OddsError: the dice cannot show these faces, or odds cannot be told.
    """
    place_of(known_layout(dice_set), faces)  # refuse before anything is computed
    odds = turn_odds(dice_set, goal)
    # the last roll is computed as fast as read
    if rolls_left != TURN or store is None or odds.has_counts:
        return keeps_of(odds, faces, rolls_left)
    about = {"what": "turn", **_about(dice_set, goal)}
    data = store.find(about)
    if data is not None:
        try:
            odds.restore(data)
        except OddsError:
            data = None
    keeps = keeps_of(odds, faces, rolls_left)
    if data is None:
        store.keep(about, odds.counts())
    return keeps


def play_from_start(
    dice_set: DiceSet, goal: Goal, rolls: int, store: OddsStore | None
) -> tuple[float, int, int]:
    """The value of a whole turn with best play, and how many first rolls suffice.

    Returns:
        The value, the first rolls that contain the hand, all first rolls.

    Raises:
        OddsError: odds cannot be told for these dice or rolls.
    """
    known_layout(dice_set)
    about = {"what": "play", "rolls": rolls, **_about(dice_set, goal)}
    found = _found(store, about)
    match found:
        case {"value": float(value), "first": int(first), "of": int(of)}:
            return value, first, of
    value = best_play(dice_set, goal, rolls)
    first, of = first_roll_count(dice_set, goal)
    _keep(store, about, {"value": value, "first": first, "of": of})
    return value, first, of


def first_rolls(dice_set: DiceSet, store: OddsStore | None) -> FirstRolls:
    """Count the first rolls that contain each hand.

    Raises:
        OddsError: odds cannot be told for these dice.
    """
    about: dict[str, object] = {"what": "first rolls", "dice": _dice(dice_set)}
    match _found(store, about):
        case {"of": int(of), "blank": list(blank), "wild": list(wild)}:
            return FirstRolls(of, tuple(blank), tuple(wild))
    table = counted_first_rolls(dice_set)
    _keep(store, about, {"of": table.of, "blank": table.blank, "wild": table.wild})
    return table


def _about(dice_set: DiceSet, goal: Goal) -> dict[str, object]:
    """Everything that the odds depend on."""
    target, rules = goal.target, goal.rules
    return {
        "dice": _dice(dice_set),
        "hand": goal.hand.value,
        "target": None
        if target is None
        else {
            "cards": [card.code for card in target.cards],
            "exact": target.chips_exact,
            "type": target.chips_type,
        },
        "jokers_wild": rules.jokers_wild,
        "bonus": rules.bonus,
        "exact_with_joker": rules.exact_with_joker.value,
    }


def _dice(dice_set: DiceSet) -> list[list[str]]:
    return [[face.code for face in die] for die in known_layout(dice_set)]


def _found(store: OddsStore | None, about: dict[str, object]) -> object:
    data = None if store is None else store.find(about)
    return None if data is None else cast("object", json.loads(data))


def _keep(
    store: OddsStore | None, about: dict[str, object], record: Mapping[str, object]
) -> None:
    if store is not None:
        store.keep(about, json.dumps(record).encode("utf-8"))
