"""Choosing the limits of doubt so that a promised rate of mistakes holds.

Selective prediction with risk control (Geifman and El-Yaniv, 2017): the limit of the
confidence is lowered step by step as long as the upper bound of the mistakes on
held-out rolls stays under the promised rate, and the first step that breaks the promise
ends it.

How many rolls of a set are ordinary and how many have a die that leans, stands on
another or is partly hidden says nothing of play. So both kinds are counted apart, and
weighed by how often the second kind is supposed to come up in play.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from datasets.calibration import LEAST_IOU, fit_temperature
from datasets.eval_results import RollKind
from datasets.evaluation import EvalOptions, Evaluator
from datasets.intervals import clopper_pearson
from datasets.shards import DataSetError
from vision.reading import Status
from vision.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.calibration import Observed
    from vision.limits import Limits
    from vision.reader import RollReader

CHOICES: dict[str, tuple[float, ...]] = {
    "most_spreads": (2.0, 2.5, 3.0, 4.0, 5.0),
    "most_foot_off": (0.08, 0.12, 0.17, 0.25),
    "covered": (0.2, 0.4, 0.7, 0.9),
    "sure_score": (0.3, 0.45, 0.6),
}
"""Values of further limits among which the calibration chooses: of a foot out of place,
of a face that is covered, and of the detector's score."""

ROUNDS = 2
"""How often each of them is chosen anew while the others stay."""

MOST_SURE_DIE = 0.95
"""A die less likely than the whole roll must be is doubtful by itself, or than this."""


@dataclass(frozen=True, slots=True)
class Told:
    """How one picture was decided.

    Attributes:
        sure: whether it was sure but for its confidence.
        confidence: of the roll.
        wrong: whether being sure would be wrong.
        ordinary: whether it should be read: all dice there, lying flat and free.
    """

    sure: bool
    confidence: float
    wrong: bool
    ordinary: bool


@dataclass(frozen=True, slots=True)
class Share:
    """Rolls of one kind.

    Attributes:
        pictures: all that were judged.
        sure: how many were sure.
        wrong: how many of these should not have been.
    """

    pictures: int
    sure: int
    wrong: int

    def __add__(self, other: Share) -> Share:
        """Both together."""
        return Share(
            self.pictures + other.pictures,
            self.sure + other.sure,
            self.wrong + other.wrong,
        )

    def bound(self, confidence: float) -> float:
        """One-sided upper bound of the share of wrong ones among all pictures."""
        return clopper_pearson(self.wrong, self.pictures, 2 * confidence - 1)[1]


@dataclass(frozen=True, slots=True)
class Risk:
    """How often rolls of a set were wrong while sure.

    Attributes:
        ordinary: rolls that should be read.
        disturbed: all others.
        disturbed_share: of the rolls in play.
    """

    ordinary: Share
    disturbed: Share
    disturbed_share: float

    @property
    def bound(self) -> float:
        """95 % upper bound of wrong-while-sure among rolls in play (Clopper-Pearson).

        Each kind has its own at 97.5 %, so that both hold together in 95 of 100 cases.
        """
        share = self.disturbed_share
        plain = self.ordinary.bound(0.975)
        if share == 0:
            return self.ordinary.bound(0.95)
        return (1 - share) * plain + share * self.disturbed.bound(0.975)

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "ordinary": asdict(self.ordinary),
            "disturbed": asdict(self.disturbed),
            "disturbed_share": self.disturbed_share,
            "bound": round(self.bound, 6),
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """Limits, and what they rest on.

    Attributes:
        limits: as chosen.
        rate: wanted rate of wrong-while-sure.
        chosen_on: the half on which they were chosen.
        checked_on: the other half, which had no say.
        loss_before: mean negative log-probability of the right face, untempered.
        loss_after: the same with the temperature.
    """

    limits: Limits
    rate: float
    chosen_on: Risk
    checked_on: Risk
    loss_before: float
    loss_after: float

    @property
    def together(self) -> Risk:
        """Both halves."""
        one, other = self.chosen_on, self.checked_on
        return Risk(
            one.ordinary + other.ordinary,
            one.disturbed + other.disturbed,
            one.disturbed_share,
        )

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "rate": self.rate,
            "chosen_on": self.chosen_on.record(),
            "checked_on": self.checked_on.record(),
            "together": self.together.record(),
            "loss_before": round(self.loss_before, 5),
            "loss_after": round(self.loss_after, 5),
        }


def judged(
    reader: RollReader, observed: Sequence[Observed], limits: Limits
) -> list[Told]:
    """Decide all pictures under some limits."""
    evaluator = Evaluator(reader, EvalOptions(LEAST_IOU))
    out = []
    for one in observed:
        reading = judge(
            one.evidence, reader.dice_set, reader.faces.name, limits, one.light
        )
        verdict = evaluator.judged(one.label, reading, ()).verdict
        sure = reading.status is Status.SURE
        wrong = verdict.wrong_sure if sure else False
        ordinary = verdict.kind is RollKind.ORDINARY
        out.append(Told(sure, reading.confidence, wrong, ordinary))
    return out


def risk_of(told: Sequence[Told], disturbed_share: float, level: float = 0.0) -> Risk:
    """Count mistakes.

    Args:
        told: pictures as decided.
        disturbed_share: of the rolls in play.
        level: confidence that a roll needs to be sure.
    """

    def share(ordinary: bool) -> Share:
        kind = [one for one in told if one.ordinary is ordinary]
        sure = [one for one in kind if one.sure and one.confidence >= level]
        return Share(len(kind), len(sure), sum(one.wrong for one in sure))

    return Risk(share(True), share(False), disturbed_share)


def lowest_level(
    told: Sequence[Told], rate: float, disturbed_share: float
) -> float | None:
    """The least confidence down to which the promise holds at every step; or None."""
    sure = sorted((one for one in told if one.sure), key=lambda one: -one.confidence)
    found = None
    for level, group in itertools.groupby(sure, key=lambda one: one.confidence):
        # only a mistake can break the promise, and counting all of them takes time
        mistaken = any(one.wrong for one in group) or found is None
        if mistaken and risk_of(told, disturbed_share, level).bound > rate:
            return found
        found = level
    return found


def calibrate(
    reader: RollReader,
    observed: Sequence[Observed],
    rate: float,
    disturbed_share: float = 0.02,
) -> Calibration:
    """Choose temperature and limits on one half of the pictures, check on the other.

    Of the further limits (`CHOICES`) those are taken, one after the other, that leave
    most ordinary rolls sure while the promise holds.

    Args:
        reader: whose evidence it is; its own limits are the base.
        observed: held-out pictures, ordinary ones and others.
        rate: wanted share of rolls in play that are wrong while sure, above 0 to 1.
        disturbed_share: how many rolls in play have a die that leans, stands on another
            or is partly hidden, 0..1.

    Raises:
        DataSetError: there are too few pictures to promise the rate at all, or none
            with disturbed dice though these come up in play.
    """
    kinds = [one.ordinary for one in judged(reader, observed, reader.limits)]
    half, rest = _halves(observed, kinds)
    if disturbed_share > 0 and all(kinds):
        raise DataSetError(
            "none of these pictures has a die that leans, stands on another or is "
            "hidden: add some, or suppose that none comes up in play"
        )
    temperature, before, after = fit_temperature(half, reader.dice_set)
    base = replace(reader.limits, temperature=temperature, sure_die=0.0, sure_roll=0.0)
    best = _best_limits(reader, half, base, rate, disturbed_share)
    if best is None:
        raise DataSetError(
            f"{len(half)} pictures are too few, or too often read wrong, to promise a "
            f"rate of {rate:g}: no limit keeps the bound under it"
        )
    return Calibration(
        best,
        rate,
        risk_of(judged(reader, half, best), disturbed_share),
        risk_of(judged(reader, rest, best), disturbed_share),
        before,
        after,
    )


def _halves(
    observed: Sequence[Observed], kinds: Sequence[bool]
) -> tuple[list[Observed], list[Observed]]:
    """Every second picture of each kind, and the others."""
    plain = [one for one, ordinary in zip(observed, kinds, strict=True) if ordinary]
    other = [one for one, ordinary in zip(observed, kinds, strict=True) if not ordinary]
    return plain[::2] + other[::2], plain[1::2] + other[1::2]


def _best_limits(
    reader: RollReader,
    observed: Sequence[Observed],
    base: Limits,
    rate: float,
    disturbed_share: float,
) -> Limits | None:
    """One limit after the other at its best value, and the level that goes with all."""

    def tried(limits: Limits) -> tuple[int, float] | None:
        told = judged(reader, observed, limits)
        level = lowest_level(told, rate, disturbed_share)
        if level is None:
            return None
        return risk_of(told, disturbed_share, level).ordinary.sure, level

    current, best = base, tried(base)
    for _ in range(ROUNDS):
        start = current
        for name, values in CHOICES.items():
            for value in values:
                other = replace(current, **{name: value})
                found = None if other == current else tried(other)
                if found is not None and (best is None or found[0] > best[0]):
                    current, best = other, found
        if current == start:
            break
    if best is None:
        return None
    level = best[1]
    return replace(current, sure_roll=level, sure_die=min(level, MOST_SURE_DIE))
