"""Measures of odds, each in a process of its own so that nothing is remembered."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.dice_sets import DiceSet, reference_dice_set
from scoring.odds import Goal, all_keeps
from scoring.turn_odds import known_layout
from web_ui.odds_answers import keeps_after_roll
from web_ui.odds_dice import target_named
from web_ui.odds_store import OddsStore
from web_ui.peak_memory import peak_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.cards import Face
    from scoring.target_deck import Target

MIB = 1024**2
"""Linux tells the largest memory in KiB, macOS in bytes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One target in a fresh process.

    Attributes:
        first_ms: the first answer.
        cpu_ms: computing time of it.
        later_ms: each later answer, other rolls and the same target.
        peak_mib: the most memory that the process had.
    """

    first_ms: float
    cpu_ms: float
    later_ms: tuple[float, ...]
    peak_mib: float


@dataclass(frozen=True, slots=True)
class OddsFigures:
    """All targets and rounds with so many dice.

    Attributes:
        dice: how many dice.
        first_ms: the first answer for a target, the median.
        first_most_ms: the slowest one.
        cpu_ms: computing time of the first answer, the median.
        stored_ms: the first answer if it lies on the disk, the median.
        later_ms: later answers for the same target, the median.
        later_p99_ms: 99 of 100 of them took no longer.
        peak_mib: the most memory that any process had.
    """

    dice: int
    first_ms: float
    first_most_ms: float
    cpu_ms: float
    stored_ms: float
    later_ms: float
    later_p99_ms: float
    peak_mib: float


def measure_odds(
    dice: int, targets: Sequence[str], rounds: int, answers: int
) -> OddsFigures:
    """Measure each target in fresh processes.

    Args:
        dice: how many dice of the reference set, from its first.
        targets: ids of target cards.
        rounds: processes for each target.
        answers: later answers in each process.

    Raises:
        subprocess.CalledProcessError: a process failed.
    """
    fresh: list[Measured] = []
    stored: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            for _ in range(rounds):
                fresh.append(_in_new_process(dice, target, answers, None))
            _in_new_process(dice, target, 0, folder)  # writes it down
            for _ in range(rounds):
                stored.append(_in_new_process(dice, target, 0, folder))
    later = sorted(ms for each in fresh for ms in each.later_ms)
    return OddsFigures(
        dice=dice,
        first_ms=statistics.median(each.first_ms for each in fresh),
        first_most_ms=max(each.first_ms for each in fresh),
        cpu_ms=statistics.median(each.cpu_ms for each in fresh),
        stored_ms=statistics.median(each.first_ms for each in stored),
        later_ms=statistics.median(later),
        later_p99_ms=later[min(len(later) - 1, len(later) * 99 // 100)],
        peak_mib=max(each.peak_mib for each in fresh),
    )


def _in_new_process(
    dice: int, target: str, answers: int, folder: str | None
) -> Measured:
    words = [str(dice), target, str(answers), *([] if folder is None else [folder])]
    done = subprocess.run(
        [sys.executable, "-m", "web_ui.bench_odds", *words],
        check=True,
        capture_output=True,
        text=True,
    )
    record = json.loads(done.stdout)
    return Measured(**{**record, "later_ms": tuple(record["later_ms"])})


def measure_here(
    dice: int, target: Target, answers: int, store: OddsStore | None
) -> Measured:
    """Measure in this process, which should be fresh."""
    few = first_dice(dice)
    rolls = _rolls(few)
    goal = Goal(target.hand, target)
    began, cpu = time.perf_counter(), time.process_time()
    keeps_after_roll(few, goal, next(rolls), 2, store)
    first_ms = (time.perf_counter() - began) * 1000
    cpu_ms = (time.process_time() - cpu) * 1000
    later: list[float] = []
    for _ in range(answers):
        faces = next(rolls)
        began = time.perf_counter()
        all_keeps(few, goal, faces, 2)
        later.append((time.perf_counter() - began) * 1000)
    return Measured(first_ms, cpu_ms, tuple(later), peak_bytes() / MIB)


def first_dice(count: int) -> DiceSet:
    """The first dice of the reference set."""
    dice = known_layout(reference_dice_set())[:count]
    faces = tuple(face for die in dice for face in die)
    return DiceSet(f"{count} dice", faces, count, dice)


def _rolls(dice_set: DiceSet) -> Iterator[tuple[Face, ...]]:
    chance = random.Random(1)
    while True:
        yield tuple(chance.choice(die) for die in known_layout(dice_set))


def _main(words: Sequence[str]) -> None:
    dice, name, answers, *folder = words
    target = target_named(name)
    assert target is not None
    store = OddsStore(Path(folder[0])) if folder else None
    found = measure_here(int(dice), target, int(answers), store)
    sys.stdout.write(json.dumps(asdict(found)))


if __name__ == "__main__":
    _main(sys.argv[1:])
