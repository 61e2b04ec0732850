"""`tableside odds`: exact chances of a turn and the best keep."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.cards import FaceCodeError, ScoringError, parse_face
from scoring.hand_shapes import HandName
from scoring.hands import title
from scoring.json_files import JsonFileError
from scoring.keep_waits import waits_of
from scoring.odds import Goal, OddsError
from scoring.showdown_odds import showdown_odds
from scoring.showdown_rows import ROWS
from scoring.target_score import ExactWithJoker, PayRules
from scoring.turn_odds import known_layout
from scoring.war_odds import battle_odds
from web_ui.dice_set_option import DICE_SET_HELP
from web_ui.odds_answers import first_rolls, keeps_after_roll, play_from_start
from web_ui.odds_dice import odds_dice_of, target_named
from web_ui.odds_records import (
    first_rolls_record,
    keeps_record,
    showdown_record,
    war_record,
)
from web_ui.odds_store import OddsStore, user_store
from web_ui.odds_text import (
    first_rolls_text,
    keeps_text,
    showdown_text,
    war_text,
)
from web_ui.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from scoring.cards import Face
    from web_ui.odds_records import Record

Answer = tuple["Record", list[str]]
"""The same as JSON and in plain words."""

REFERENCE = "square-shooters-reference"


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser(
        "odds",
        help="exact chances and the best keep",
        description="Tells exact chances, no simulation: of a turn against a target, "
        "of the rows of Showdown, of a battle of War.",
        epilog="Examples: tableside odds --target T18 --faces '5H TS 9D 9C 9H TC KS TD "
        "TH'; tableside odds --game showdown --open aces,maiden --faces 'Q Q 9 T A'; "
        "tableside odds --game war --dice 1,5; tableside odds --table",
    )
    parser.add_argument(
        "--game", choices=tuple(_GAMES), default="classic", help="default: %(default)s"
    )
    parser.add_argument(
        "--target",
        help="a hand (full_house: chances) or a target card (T18: expected chips)",
    )
    parser.add_argument("--faces", help='the dice that lie there: "TS KH ..."')
    parser.add_argument(
        "--rolls-left",
        type=int,
        help="rolls still to go (default: 2 with --faces, 3 without)",
    )
    parser.add_argument(
        "--all", action="store_true", help="with --faces: every kept set, best first"
    )
    parser.add_argument(
        "--table", action="store_true", help="first rolls that contain each hand"
    )
    parser.add_argument(
        "--jokers-blank", action="store_true", help="jokers stand for no card"
    )
    parser.add_argument(
        "--bonus", type=int, help="chips for an early exact hand (default 2)"
    )
    parser.add_argument(
        "--exact-with-joker",
        choices=[each.value for each in ExactWithJoker],
        help="what an exact hand with jokers pays (default full)",
    )
    parser.add_argument(
        "--kid", action="store_true", help="the type pays all chips of the card"
    )
    parser.add_argument(
        "--open", metavar="ROWS", help="showdown: the open rows (default all)"
    )
    parser.add_argument(
        "--five-is-full-house",
        action="store_true",
        help="showdown: five of a kind is a full house too",
    )
    parser.add_argument(
        "--dice", metavar="R,B", help="war: numbers of the red and the black die"
    )
    parser.add_argument(
        "--joker", choices=("reroll", "high"), help="war: what a joker does"
    )
    parser.add_argument("--set", help=DICE_SET_HELP.replace("%(default)s", REFERENCE))
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="folder of odds computed before"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="compute anew and keep nothing"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        0 done, 2 unusable input.
    """
    try:
        _check_options(args)
        record, lines = _GAMES[args.game](args)
    except (ScoringError, JsonFileError) as error:
        print(printable(str(error)), file=sys.stderr)
        return 2
    print(json.dumps(record) if args.json else "\n".join(lines))
    return 0


ALWAYS = {"set", "json", "cache", "no_cache"}
_TURN = {"target", "faces", "rolls_left", "all", "jokers_blank"}
_PAY = {"bonus", "exact_with_joker", "kid"}
_USED = {
    "classic": {*ALWAYS, *_TURN, *_PAY, "table"},
    "showdown": {"json", "open", "faces", "rolls_left", "five_is_full_house"},
    "war": {"set", "json", "dice", "joker"},
}
"""Which options each game understands; the others are refused."""


def _check_options(args: argparse.Namespace) -> None:
    known = set().union(*_USED.values())
    given = {name for name in known if getattr(args, name) not in (None, False)}
    used, what = _USED[args.game], f"odds of {args.game}"
    if args.table and "table" in used:
        used, what = {"table", *ALWAYS}, "--table"
    if strange := sorted(given - used):
        names = ", ".join("--" + name.replace("_", "-") for name in strange)
        raise OddsError(f"{what} cannot do anything with {names}")
    if args.all and args.faces is None:
        raise OddsError("--all needs --faces")
    if args.no_cache and args.cache is not None:
        raise OddsError("--cache and --no-cache cannot both be")


def _classic(args: argparse.Namespace) -> Answer:
    dice_set = odds_dice_of(args.set or REFERENCE)
    store = None
    if not args.no_cache:
        store = user_store() if args.cache is None else OddsStore(args.cache)
    if args.table:
        table = first_rolls(dice_set, store)
        record = {"set": dice_set.name, **first_rolls_record(table)}
        return record, [printable(dice_set.name), *first_rolls_text(table)]
    if args.target is None:
        raise OddsError("odds need --target, or --table")
    goal = _goal(args)
    lines = [f"{args.target} with {printable(dice_set.name)}"]
    record = {"target": args.target, "set": dice_set.name}
    if args.faces is None:
        left = 3 if args.rolls_left is None else args.rolls_left
        value, count, of = play_from_start(dice_set, goal, left, store)
        record |= {"rolls_left": left, "value": value, "first_roll": count, "of": of}
        unit = "chance" if goal.target is None else "chips"
        lines += [
            f"{title(goal.hand)} on the first roll: {count} of {of} rolls",
            f"best play, {left} roll(s): {unit} {value:.9f}",
        ]
        return record, lines
    left = 2 if args.rolls_left is None else args.rolls_left
    faces = _faces(args.faces)
    keeps = keeps_after_roll(dice_set, goal, faces, left, store)
    waits = waits_of(dice_set, goal, faces, keeps.kept(keeps.best[0]))
    record |= {"rolls_left": left, **keeps_record(keeps, waits, every=args.all)}
    return record, [*lines, *keeps_text(keeps, goal, waits, every=args.all)]


def _goal(args: argparse.Namespace) -> Goal:
    default = PayRules()
    rules = PayRules(
        jokers_wild=not args.jokers_blank,
        bonus=default.bonus if args.bonus is None else args.bonus,
        exact_with_joker=ExactWithJoker(args.exact_with_joker or "full"),
    )
    text = args.target
    if text in [name.value for name in HandName]:
        return Goal(HandName(text), None, rules)
    target = target_named(text)
    if target is not None:
        if args.kid:  # CL-11
            chips = max(target.chips_exact, target.chips_type)
            target = replace(target, chips_type=chips)
        return Goal(target.hand, target, rules)
    names = ", ".join(HandName)
    raise OddsError(f"{text!r} is no target: expected T1 to T34 or a hand ({names})")


def _showdown(args: argparse.Namespace) -> Answer:
    rows = ROWS if args.open is None else tuple(dict.fromkeys(_words(args.open)))
    faces = None if args.faces is None else _faces(args.faces)
    odds = showdown_odds(
        rows, faces, args.rolls_left, five_is_full_house=args.five_is_full_house
    )
    left = args.rolls_left if args.rolls_left is not None else 3 if not faces else 2
    record: Record = {"game": "showdown", "rolls_left": left}
    if faces is not None:
        record["faces"] = [face.code for face in faces]
    return {**record, **showdown_record(odds)}, showdown_text(odds)


def _war(args: argparse.Namespace) -> Answer:
    if args.dice is None:
        raise OddsError("odds of war need --dice: the red and the black die, as in 1,5")
    dice_set = odds_dice_of(args.set or REFERENCE)
    dice = known_layout(dice_set)
    words = _words(args.dice)
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    if len(words) != 2 or len(numbers) != 2:
        raise OddsError(f"dice must be two numbers as in 1,5, not {args.dice!r}")
    for number in numbers:
        if not 1 <= number <= len(dice):
            raise OddsError(f"there is no die {number}: 1 to {len(dice)} are")
    red, black = (dice[number - 1] for number in numbers)
    odds = battle_odds(red, black, joker_high=args.joker == "high")
    record = {"game": "war", "set": dice_set.name, "dice": numbers, **war_record(odds)}
    head = f"die {numbers[0]} (red) against die {numbers[1]} (black)"
    return record, [f"{head}, {printable(dice_set.name)}", *war_text(odds)]


_GAMES: dict[str, Callable[[argparse.Namespace], Answer]] = {
    "classic": _classic,
    "showdown": _showdown,
    "war": _war,
}


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _faces(text: str) -> tuple[Face, ...]:
    try:
        return tuple(parse_face(word) for word in _words(text))
    except FaceCodeError as error:
        raise OddsError(str(error)) from error
