"""Fair dice or not: what the faces that came up say, and how little that often is.

With a known layout every die is judged by its faces. Poker dice cannot be told apart:
all dice of the set are judged together. If the layout of card dice is not known, it is
not known which faces are on one die; then each face of the set is judged for itself, by
the throws of all dice: one of the dice has it, and shows it once in six throws.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import ScoringError
from scoring.dice_sets import FACES_A_DIE, codes
from scoring.fairness_evidence import Evidence, interval, rolls_to_see
from scoring.fairness_exact import equal_chances_p, one_chance_p

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from scoring.fairness_rolls import Throw

ALPHA = 0.05
"""How often fair dice may be called unfair, over all looks and dice together."""

LOADED = 1 / 5
"""The loaded die of which it is told how many rolls it takes to see it."""

MOST_POINTS = 200
"""Points of the way of the evidence that are kept for a picture."""


class FairnessError(ScoringError, ValueError):
    """Throws that the dice cannot have made; the message says which."""


@dataclass(frozen=True, slots=True)
class FaceCount:
    """A face of a die.

    Attributes:
        code: the face.
        count: how often it came up.
        chance: its chance if the die is fair.
        low, high: chances that the rolls do not speak against, for all faces of the
            die and all looks together.
    """

    code: str
    count: int
    chance: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DieReport:
    """What the rolls say about one die, or about one face of dice not known apart.

    Attributes:
        name: `die 1`, `all dice`, or the code of the face.
        rolls: how often it was rolled.
        faces: its faces.
        exact_p: chance of counts at least as uneven with a fair die, for this number of
            rolls only, not for many looks; None if it would take too long.
        evidence: the factor by which a bet against the die has grown, now.
        most: the largest that it has been; at most 1 / p is expected by chance.
        way: the evidence as it grew: (rolls of the die, evidence), thinned out.
    """

    name: str
    rolls: int
    faces: tuple[FaceCount, ...]
    exact_p: float | None
    evidence: float
    most: float
    way: tuple[tuple[int, float], ...]

    @property
    def anytime_p(self) -> float:
        """A p-value that stays right when it is looked at after every roll."""
        return min(1.0, 1 / self.most)


@dataclass(frozen=True, slots=True)
class FairnessReport:
    """What the rolls say about a set of dice.

    Attributes:
        dice_set: its name.
        by: `die`, `set` (dice that cannot be told apart) or `face` (layout not known).
        throws: how many were counted.
        left_out: throws that say nothing: some dice kept while the layout is unknown.
        dice: each die, or face.
        evidence: against all of them together: the mean of their evidence, now.
        most: the largest that it has been.
        alpha: how often fair dice may be called unfair.
        rolls_needed: rolls of a die after which one whose face comes up 1 in 5 is seen
            about four times in five.
    """

    dice_set: str
    by: str
    throws: int
    left_out: int
    dice: tuple[DieReport, ...]
    evidence: float
    most: float
    alpha: float
    rolls_needed: int

    @property
    def enough(self) -> float:
        """Evidence against the set that is enough (Ville's inequality)."""
        return 1 / self.alpha

    @property
    def enough_each(self) -> float:
        """Evidence that is enough against one die, as so many are looked at."""
        return len(self.dice) / self.alpha

    @property
    def unfair(self) -> bool:
        """Whether there is enough evidence against the set, or against a die of it."""
        return self.most >= self.enough or bool(self.suspects)

    @property
    def suspects(self) -> tuple[DieReport, ...]:
        """The dice against which there is enough evidence."""
        return tuple(die for die in self.dice if die.most >= self.enough_each)


@dataclass(slots=True)
class _Judged:
    """A die under way: its faces, and which of them each face of the set is."""

    name: str
    faces: tuple[str, ...]
    evidence: Evidence
    way: list[tuple[int, float]]


def fairness(
    dice_set: DiceSet, throws: Iterable[Throw], alpha: float = ALPHA
) -> FairnessReport:
    """Judge the dice of a set by what they showed when they were rolled.

    Args:
        dice_set: the dice.
        throws: what was rolled, in order.
        alpha: how often fair dice may be called unfair, between 0 and 1.

    Raises:
        FairnessError: the dice cannot show these faces, or alpha is out of range.
    """
    if not 0 < alpha < 1:
        raise FairnessError(f"alpha must be between 0 and 1, not {alpha}")
    by, judged = _dice(dice_set)
    most, counted, left_out = 1.0, 0, 0
    for number, throw in enumerate(throws):
        _check(dice_set, throw, number)
        if by == "face" and not throw.whole:
            left_out += 1
            continue
        counted += 1
        for die, side in _seen(by, judged, throw):
            die.evidence.see(side)
            die.way.append((die.evidence.rolls, die.evidence.now))
        most = max(most, _mean(judged))
    chances = judged[0].evidence.chances
    return FairnessReport(
        dice_set=dice_set.name,
        by=by,
        throws=counted,
        left_out=left_out,
        dice=tuple(_report(die, by, alpha) for die in judged),
        evidence=_mean(judged),
        most=most,
        alpha=alpha,
        rolls_needed=rolls_to_see(chances, _loaded(chances), len(judged) / alpha),
    )


def _mean(judged: Sequence[_Judged]) -> float:
    return sum(die.evidence.now for die in judged) / len(judged)


def _loaded(chances: Sequence[float]) -> tuple[float, ...]:
    """The first face comes up too often by a fifth, the others share the rest."""
    more = chances[0] * LOADED * FACES_A_DIE
    return (more, *(p * (1 - more) / (1 - chances[0]) for p in chances[1:]))


def _dice(dice_set: DiceSet) -> tuple[str, list[_Judged]]:
    if dice_set.dice is None:
        sixth = (1 / FACES_A_DIE, 1 - 1 / FACES_A_DIE)
        faces = dice_set.faces
        return "face", [_new(face.code, (face.code, "other"), sixth) for face in faces]
    if dice_set.unique_faces:
        dice = [(f"die {n}", die) for n, die in enumerate(dice_set.dice, start=1)]
        return "die", [_new(name, *_sides(die)) for name, die in dice]
    if len({frozenset(Counter(die).items()) for die in dice_set.dice}) > 1:
        raise FairnessError(
            f"{dice_set.name}: the dice can neither be told apart nor are they alike"
        )
    return "set", [_new("all dice", *_sides(dice_set.dice[0]))]


def _sides(die: Sequence[Face]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    counts = Counter(face.code for face in die)
    return tuple(counts), tuple(n / len(die) for n in counts.values())


def _new(name: str, faces: tuple[str, ...], chances: tuple[float, ...]) -> _Judged:
    return _Judged(name, faces, Evidence(chances), [(0, 1.0)])


def _check(dice_set: DiceSet, throw: Throw, number: int) -> None:
    where = f"throw {number + 1}: {codes(throw.faces)}"
    known = set(dice_set.faces)
    if any(face not in known for face in throw.faces):
        raise FairnessError(f"{where}: not faces of {dice_set.name}")
    fits = len(throw.faces) <= dice_set.dice_count
    if throw.whole:
        fits = len(throw.faces) == dice_set.dice_count
    if not fits:
        raise FairnessError(f"{where}: {dice_set.name} has {dice_set.dice_count} dice")
    if dice_set.unique_faces and len(set(throw.faces)) < len(throw.faces):
        raise FairnessError(f"{where}: a face shows twice")
    for count, die in enumerate(dice_set.dice or (), start=1):
        shown = [face for face in throw.faces if face in die]
        if dice_set.unique_faces and len(shown) > 1:
            raise FairnessError(f"{where}: {codes(shown)} are on die {count}")


def _seen(
    by: str, judged: Sequence[_Judged], throw: Throw
) -> Iterable[tuple[_Judged, int]]:
    """Which dice were rolled, and which of their faces came up."""
    shown = [face.code for face in throw.faces]
    if by == "set":
        return [(judged[0], judged[0].faces.index(code)) for code in shown]
    if by == "face":
        up = set(shown)
        return [(die, 0 if die.name in up else 1) for die in judged]
    return [
        (die, die.faces.index(code))
        for die in judged
        for code in shown
        if code in die.faces
    ]


def _report(die: _Judged, by: str, alpha: float) -> DieReport:
    seen = die.evidence
    chances, counts = seen.chances, seen.counts
    sides = range(1) if by == "face" else range(len(counts))
    faces = []
    for side in sides:
        low, high = interval(
            counts[side], seen.rolls, chances[side], alpha / len(sides)
        )
        faces.append(FaceCount(die.faces[side], counts[side], chances[side], low, high))
    if by == "face":
        exact: float | None = one_chance_p(counts[0], seen.rolls, FACES_A_DIE)
    else:
        exact = equal_chances_p(counts) if len(set(chances)) == 1 else None
    every = max(1, -(-len(die.way) // MOST_POINTS))
    way = (*die.way[:-1:every], die.way[-1])
    return DieReport(
        die.name, seen.rolls, tuple(faces), exact, seen.now, seen.most, way
    )
