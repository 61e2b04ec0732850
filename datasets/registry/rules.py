"""What a candidate must show before it replaces the models in use.

`docs/promotion.md` states the test. Every check must be passed, each at 95 %, so that
a model that is worse in just one respect by its margin gets in at most once in twenty
times, however many checks there are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from datasets.registry.paired import (
    LEVEL,
    Finding,
    Paired,
    chance_of_so_many,
    clustered,
    median_bounds,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.registry.contest import Bout


@dataclass(frozen=True, slots=True)
class Margins:
    """What a candidate may lose at most, as shares, 0..1.

    Attributes:
        faces: of the flat dice whose face is known.
        rolls: of ordinary rolls that are right as a whole.
        wrong_sure: of all rolls that are wrong while sure.
        asked: of ordinary rolls that are not sure.
    """

    faces: float
    rolls: float
    wrong_sure: float
    asked: float


HELD_OUT = Margins(faces=0.01, rolls=0.02, wrong_sure=0.01, asked=0.05)
CAPTURED = Margins(faces=0.03, rolls=0.06, wrong_sure=0.03, asked=0.10)
"""Wider: a table has hundreds of reviewed rolls at best, and the doubtful ones."""
SLOWEST = 1.15
"""Most that a reading may take, in readings of the models in use."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: in short.
        finding: what it shows.
        sentence: the same for people, with its figures.
        figures: ready for JSON.
    """

    name: str
    finding: Finding
    sentence: str
    figures: tuple[tuple[str, float | int | str], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it speaks for the candidate."""
        return self.finding is Finding.NOT_WORSE

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "check": self.name,
            "passed": self.passed,
            "finding": self.finding.value,
            "sentence": self.sentence,
            **dict(self.figures),
        }


def compare(bouts: Sequence[Bout], margins: Margins, where: str) -> tuple[Check, ...]:
    """Judge what two readers made of the same pictures.

    Args:
        bouts: the pictures.
        margins: what may be lost.
        where: name of the set, for sentences.
    """
    faces = [
        (
            sum(b and not a for a, b in _pairs(bout)),
            sum(a and not b for a, b in _pairs(bout)),
            len(bout.current.faces),
        )
        for bout in bouts
    ]
    dice = sum(row[2] for row in faces)
    pictures = sum(row[2] > 0 for row in faces)
    good = sum(sum(bout.current.faces) for bout in bouts)
    rolls = [(b.current.roll, b.candidate.roll) for b in bouts]
    wrong = [(b.current.wrong_sure, b.candidate.wrong_sure) for b in bouts]
    asked = [(b.current.asked, b.candidate.asked) for b in bouts]
    return (
        _check(
            "faces right",
            where,
            clustered(faces),
            margins.faces,
            (good / dice if dice else 0.0, dice, pictures),
        ),
        _marks("rolls right", where, rolls, margins.rolls, good=True),
        _wrong_while_sure(where, wrong, margins.wrong_sure),
        _marks("asked", where, asked, margins.asked, good=False),
    )


def _pairs(bout: Bout) -> list[tuple[bool, bool]]:
    return list(zip(bout.current.faces, bout.candidate.faces, strict=True))


Marks = list[tuple[bool | None, bool | None]]


def _counts(marks: Marks) -> tuple[int, int, int, int]:
    """Of pictures that have the mark: only candidate, only current, all, current."""
    known = [(a, b) for a, b in marks if a is not None and b is not None]
    only = sum(b and not a for a, b in known)
    lost = sum(a and not b for a, b in known)
    return only, lost, len(known), sum(a for a, _ in known)


def _marks(name: str, where: str, marks: Marks, margin: float, *, good: bool) -> Check:
    """A mark of whole pictures, good or bad to have."""
    only, lost, n, had = _counts(marks)
    paired = Paired(only, lost, n) if good else Paired(lost, only, n)
    return _check(name, where, paired, margin, (had / n if n else 0.0, n, n), good)


def _wrong_while_sure(where: str, marks: Marks, margin: float) -> Check:
    """As `_marks`, and never clearly more, however many pictures thin it out."""
    name = "wrong while sure"
    check = _marks(name, where, marks, margin, good=False)
    more, fewer, n, _ = _counts(marks)
    chance = chance_of_so_many(more, fewer)
    figures = (*check.figures, ("p_more", round(chance, 6)))
    if check.finding is not Finding.WORSE and chance <= 1 - LEVEL:
        sentence = (
            f"{name} on {where}: {more} of {n} rolls for the candidate only, {fewer} "
            f"for the current models only; by chance so many come up in "
            f"{100 * chance:.1f} % of cases (exact test)"
        )
        return Check(f"{name}, {where}", Finding.WORSE, sentence, figures)
    return Check(check.name, check.finding, check.sentence, figures)


def _check(
    name: str,
    where: str,
    paired: Paired,
    margin: float,
    counted: tuple[float, int, int],
    good: bool = True,
) -> Check:
    """Put a comparison into words; `counted`: current share, things, pictures."""
    had, things, pictures = counted
    finding = paired.finding(margin)
    sign = 1 if good else -1
    bound = sign * paired.low
    has = had + sign * paired.difference
    worst = "at worst" if finding is Finding.NOT_WORSE else "perhaps"
    sentence = (
        f"{name} on {where}: {100 * has:.2f} %, the current models {100 * had:.2f} %; "
        f"{worst} {100 * bound:+.2f} % (95 % bound, {-sign * 100 * margin:+g} % "
        f"allowed), {things} counted in {pictures} pictures"
    )
    figures: list[tuple[str, float | int | str]] = [
        ("current", round(had, 6)),
        ("candidate", round(has, 6)),
        ("bound", round(bound, 6)),
        ("margin", -sign * margin),
        ("counted", things),
        ("pictures", pictures),
    ]
    if finding is Finding.OPEN:
        wanted = paired.wanted(margin)
        if name == "faces right" and paired.total:
            wanted = math.ceil(wanted * pictures / paired.total)
        sentence = (
            f"not enough evidence: {pictures} pictures, need {wanted}: {sentence}"
        )
        figures.append(("wanted", wanted))
    return Check(f"{name}, {where}", finding, sentence, tuple(figures))


def speed(
    bouts: Sequence[Bout], more: Sequence[float] = (), slowest: float = SLOWEST
) -> Check:
    """Judge the time of readings by the median of its ratios, pair by pair.

    Args:
        bouts: the pictures.
        more: ratios of further pairs.
        slowest: most that is allowed.
    """
    ratios = [b.candidate.elapsed_ms / b.current.elapsed_ms for b in bouts] + [*more]
    low, ratio, high = median_bounds(ratios)
    finding = Finding.OPEN
    if high <= slowest:
        finding = Finding.NOT_WORSE
    elif low > slowest:
        finding = Finding.WORSE
    sentence = (
        f"speed: a reading takes {ratio:.2f} times as long (95 % interval {low:.2f} to "
        f"{high:.2f}, {slowest:g} allowed), {len(ratios)} pairs, turn by turn"
    )
    if finding is Finding.OPEN:
        sentence = f"not enough evidence: {sentence}"
    figures = (
        ("ratio", round(ratio, 4)),
        ("low", round(low, 4) if math.isfinite(low) else 0.0),
        ("high", round(high, 4) if math.isfinite(high) else 1e9),
        ("margin", slowest),
        ("pairs", len(ratios)),
    )
    return Check("speed", finding, sentence, figures)
