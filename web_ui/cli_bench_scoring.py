"""`tableside bench scoring`: hands per second beside others, and proof of hands."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.cards import CARD_DICE_FACES
from scoring.dice_sets import reference_dice_set
from scoring.face_bits import face_bit
from scoring.hand_numbers import number_of_roll
from scoring.hands import best_hand
from scoring.many_hands import best_numbers, bits_of_rolls, count_best_hands
from scoring.turn_odds import known_layout
from web_ui.bench_scoring_others import PACKAGES, other_evaluator

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from numpy.typing import NDArray

    from scoring.cards import Face
    from web_ui.bench_scoring_others import Other

KINDS = ((5, 0), (7, 0), (9, 0), (5, 2), (9, 1), (9, 2))
"""Faces, and wild jokers among them. Others take up to seven cards, no jokers."""

MOST_OF_OTHERS = 7
CARDS = 52


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "scoring",
        help="hands per second, beside other evaluators; proof of hands",
        description="Finds the best hands of the same random faces, one at a time and "
        "many at once, beside the evaluators that are installed of "
        f"{', '.join(PACKAGES)}: these take five to seven cards without jokers. With "
        "--prove, checks all natural five-card hands and random hands with jokers "
        "instead, and ends with 1 if any differ.",
    )
    parser.add_argument(
        "--hands", type=int, default=20_000, help="of each kind (default %(default)s)"
    )
    parser.add_argument("--prove", action="store_true", help="prove instead")
    parser.add_argument(
        "--random",
        type=int,
        default=200_000,
        help="with --prove: random hands with jokers (default %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure or prove, and print.

    Returns:
        0 done, 1 a proof failed, 2 unusable input.
    """
    if args.hands < 1 or args.random < 1 or args.seed < 0:
        print(
            "tableside bench scoring: --hands and --random must be 1 or more, --seed 0"
            " or more",
            file=sys.stderr,
        )
        return 2
    record = prove(args.random, args.seed) if args.prove else speeds(args)
    if args.json:
        print(json.dumps(record))
    elif args.prove:
        for key, value in record.items():
            print(f"{key.replace('_', ' '):42} {value}")
    else:
        _tell(record)
    return 0 if record.get("proven", True) else 1


def speeds(args: argparse.Namespace) -> dict[str, Any]:
    """Hands per second of each evaluator and kind of hand."""
    faces = sorted(CARD_DICE_FACES, key=face_bit)
    rng = np.random.default_rng(args.seed)
    others = {package: other_evaluator(package) for package in PACKAGES}
    installed = [other for other in others.values() if other is not None]
    rows: dict[str, dict[str, float]] = {}
    for size, jokers in KINDS:
        kind = f"{size} faces" + (f", {jokers} wild" if jokers else "")
        cards = rng.random((args.hands, CARDS)).argsort(axis=1)[:, : size - jokers]
        wild = np.tile(np.arange(CARDS, CARDS + jokers), (args.hands, 1))
        places = np.hstack([cards, wild])
        hands = [[faces[place] for place in row] for row in places.tolist()]
        rows[kind] = _ours(hands, bits_of_rolls(places))
        if not jokers and size <= MOST_OF_OTHERS:
            rows[kind] |= {
                other.name: _theirs(other, places.tolist()) for other in installed
            }
    dice = known_layout(reference_dice_set())
    began = time.perf_counter()
    count_best_hands(dice)
    return {
        "hands": args.hands,
        "hands_per_second": rows,
        "all_rolls_s": round(time.perf_counter() - began, 3),
        "not_installed": [name for name, other in others.items() if other is None],
    }


def _ours(hands: list[list[Face]], rolls: NDArray[np.uint64]) -> dict[str, float]:
    bits, count = rolls.tolist(), len(rolls)
    return {
        "best_hand": _rate(count, lambda: [best_hand(hand) for hand in hands]),
        "number_of_roll": _rate(count, lambda: [number_of_roll(roll) for roll in bits]),
        "best_numbers": _rate(count, lambda: best_numbers(rolls)),
    }


def _theirs(other: Other, hands: list[list[int]]) -> float:
    # turning faces into the library's cards is not measured
    theirs = [[other.card(place) for place in hand] for hand in hands]
    return _rate(len(hands), lambda: [other.rank(hand) for hand in theirs])


def _rate(count: int, work: Callable[[], object]) -> float:
    """Hands per second, the best of three."""
    taken = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return round(count / min(taken))


def _tell(record: dict[str, Any]) -> None:
    rows = record["hands_per_second"]
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    print(f"hands per second, {record['hands']} random hands of each kind")
    print(f"{'':16}" + "".join(f"{name:>19}" for name in names))
    for kind, row in rows.items():
        cells = (f"{row[name]:,.0f}" if name in row else "-" for name in names)
        print(f"{kind:16}" + "".join(f"{cell:>19}" for cell in cells))
    print("best_hand, number_of_roll: one at a time; best_numbers: all at once")
    print(f"all 6^9 rolls of nine dice: {record['all_rolls_s']} s")
    for name in record["not_installed"]:
        print(f"left out, not installed: {name}")


def prove(count: int, seed: int) -> dict[str, Any]:
    """Check all natural five-card hands and random ones with jokers."""
    from web_ui import bench_scoring_proof as proof

    fives = proof.all_fives()
    numbers = best_numbers(bits_of_rolls(fives))
    record: dict[str, Any] = {
        "natural_five_card_hands": len(fives),
        "classes_of_ties": len(np.unique(numbers)),
    }
    good = []
    for package in ("phevaluator", "treys"):
        judge = other_evaluator(package)
        if judge is None:
            record[f"{package}_order"] = "left out, not installed"
            continue
        same = proof.same_order(numbers.astype(np.int64), proof.judged(fives, judge))
        good.append(same)
        record[f"{judge.name}_order"] = "the same, ties included" if same else "DIFFERS"
    hands = proof.random_faces(count, seed)
    wrong = proof.differing(hands, proof.PlainJudge(fives, numbers))
    record["random_hands_with_wild_jokers"] = len(hands)
    record["of_them_not_as_brute_force"] = len(wrong)
    record["first_such"] = wrong[:3]
    record["all_rolls_by_best_hand"] = {
        way: {name.value: number for name, number in counts.items()}
        for way, counts in (
            ("blank", count_best_hands(known_layout(reference_dice_set()), wild=False)),
            ("wild", count_best_hands(known_layout(reference_dice_set()))),
        )
    }
    record["proven"] = bool(good) and all(good) and not wrong
    return record
