"""`tableside odds`: exact chances of a turn and the best keep."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from scoring.cards import ScoringError
from scoring.dice_sets import codes
from scoring.hand_shapes import HandName
from scoring.hands import parse_faces, title
from scoring.odds import Goal, OddsError, best_keep, best_play, first_roll_count
from scoring.target_deck import builtin_targets
from scoring.target_score import PayRules
from web_ui.dice_set_option import DICE_SET_HELP, dice_set_of

if TYPE_CHECKING:
    import argparse

    from scoring.dice_sets import DiceSet


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser("odds", help="exact chances and the best keep")
    parser.add_argument(
        "--target",
        required=True,
        help="a hand (full_house: chances) or a target card (T18: expected chips)",
    )
    parser.add_argument("--faces", help='the dice that lie there: "TS KH ..."')
    parser.add_argument(
        "--rolls-left",
        type=int,
        help="rolls still to go (default: 2 with --faces, 3 without)",
    )
    parser.add_argument(
        "--jokers-blank", action="store_true", help="jokers stand for no card"
    )
    parser.add_argument(
        "--set", default="square-shooters-reference", help=DICE_SET_HELP
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        0 done, 2 unusable input.
    """
    try:
        goal = _goal(args.target, not args.jokers_blank)
        dice_set = dice_set_of(args.set)
        if args.faces is None:
            rolls = 3 if args.rolls_left is None else args.rolls_left
            record = _turn_record(dice_set, goal, rolls)
        else:
            left = 2 if args.rolls_left is None else args.rolls_left
            record = _keep_record(dice_set, goal, args.faces, left)
    except ScoringError as error:
        print(error, file=sys.stderr)
        return 2
    record = {"target": args.target, "set": dice_set.name, **record}
    print(json.dumps(record) if args.json else _told(record, goal))
    return 0


def _goal(text: str, jokers_wild: bool) -> Goal:
    rules = PayRules(jokers_wild=jokers_wild)
    if text in [name.value for name in HandName]:
        return Goal(HandName(text), None, rules)
    for target in builtin_targets():
        if target.id == text.upper():
            return Goal(target.hand, target, rules)
    names = ", ".join(HandName)
    raise OddsError(f"{text!r} is no target: expected T1 to T34 or a hand ({names})")


def _turn_record(dice_set: DiceSet, goal: Goal, rolls: int) -> dict[str, object]:
    value = best_play(dice_set, goal, rolls)
    count, of = first_roll_count(dice_set, goal)
    return {"rolls_left": rolls, "value": value, "first_roll": count, "of": of}


def _keep_record(
    dice_set: DiceSet, goal: Goal, text: str, left: int
) -> dict[str, object]:
    faces = parse_faces(text.replace(",", " ").split())
    advice = best_keep(dice_set, goal, faces, left)
    keep = None if advice.keep is None else [face.code for face in advice.keep]
    return {
        "rolls_left": left,
        "faces": codes(faces).split(),
        "value": advice.value,
        "stop": advice.stop,
        "roll": advice.roll,
        "keep": keep,
    }


def _told(record: dict[str, object], goal: Goal) -> str:
    unit = "chance" if goal.target is None else "chips"
    lines = [f"{record['target']} with {record['set']}"]
    if "stop" not in record:
        share = f"{record['first_roll']} of {record['of']}"
        lines += [
            f"{title(goal.hand)} on the first roll: {share} rolls",
            f"best play, {record['rolls_left']} roll(s): {unit} {record['value']:.9f}",
        ]
        return "\n".join(lines)
    keep = record["keep"]
    if isinstance(keep, list):
        kept = "keep " + (" ".join(keep) or "nothing")
    else:
        kept = "several keeps are equally good"
    return "\n".join(
        [
            *lines,
            f"stop: {unit} {record['stop']:.9f}",
            f"roll: {unit} {record['roll']:.9f} ({kept})",
        ]
    )
