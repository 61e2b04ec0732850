"""From evidence to a reading: which sightings are dice, what they show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import ALL_FACES
from vision.classes import TURNS
from vision.decode import (
    LEAST_ALTERNATIVE,
    MOST_ALTERNATIVES,
    Beliefs,
    Decision,
    beliefs,
    decide,
)
from vision.lie import cocked_dice
from vision.reading import (
    Alternative,
    DieReading,
    DieState,
    Problem,
    ProblemCode,
    Quad,
    Reading,
    Status,
)

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence

SURE_ROLL = 0.97
"""Least confidence of a whole roll that is scored without asking."""

SURE_DIE = 0.9
"""Dice less sure than this are marked as doubtful."""

CERTAINLY_NONE = 0.6
"""Sightings that are no face of the set with more than this probability are no dice."""

PERHAPS_NONE = 0.98
"""While dice are missing, sightings up to here may be dice that cannot be read."""

WEAK_SCORE = 0.25
"""Sightings the detector is less sure of count only in the place of missing dice ..."""

LEAST_STRONG = 0.5
"""... and only if at least this share of the dice is seen without them."""

FAINT_SCORE = 0.6
"""If there are more dice than belong to the set, those below are no dice: of the top
faces of our held-out rolls one in a hundred scores less, of all else most does."""

SURE_SCORE = 0.6
"""Dice the detector is less sure of are asked about: where a top face is missed, the
side of a die or print on a card may stand in its place and be read quite clearly."""

ODD_SIZE = 1.5
"""If there are more dice than belong to the set, those this many times as large or as
small as the middle one are no dice: print on a card, or dice of another set."""

SMALLEST_PX = 20.0
"""Dice with shorter sides are read, but never without asking."""


def judge(evidence: tuple[Evidence, ...], dice_set: DiceSet, model: str) -> Reading:
    """Decide a roll.

    Args:
        evidence: what was sighted in the tray.
        dice_set: which dice are expected.
        model: name and hash of the face model.
    """
    held = beliefs(evidence, dice_set)
    dice = _dice_among(evidence, held, dice_set.dice_count)
    missing = dice_set.dice_count - len(dice)
    perhaps = sorted(
        (
            k
            for k in range(len(evidence))
            if CERTAINLY_NONE < held.none[k] < PERHAPS_NONE
            and evidence[k].score >= WEAK_SCORE
        ),
        key=lambda k: held.none[k],
    )
    decided, spare = dice[: _most_dice(dice_set)], dice[_most_dice(dice_set) :]
    unread = [*spare, *perhaps[: max(0, missing)]]
    order = _reading_order([*decided, *unread], evidence)
    part = Beliefs(held.faces, held.log_p[decided], held.none[decided])
    decision = decide(part, dice_set)
    said = {
        k: _die_reading(evidence[k], decision, place, held.none[k])
        for place, k in enumerate(decided)
    }
    said |= {k: _unread_die(evidence[k], held, k) for k in unread}
    quads = np.array([evidence[k].quad for k in order]).reshape(-1, 4, 2)
    cocked = cocked_dice(quads)
    readings = tuple(
        replace(said[k], state=DieState.COCKED) if place in cocked else said[k]
        for place, k in enumerate(order)
    )
    places = [order.index(k) for k in decided]
    confidence = 0.0 if unread or not readings else _confidence(decision, part)
    sides_px = [evidence[k].side_px for k in order]
    sure = bool(unread) or confidence >= SURE_ROLL
    faint = {p for p, k in enumerate(order) if evidence[k].score < SURE_SCORE}
    problems = _problems(readings, dice_set, sides_px, _doubtful(readings, sure, faint))
    problems += _contradictions(decision, places)
    return Reading(
        dice_set=dice_set.name,
        status=_status(problems, confidence),
        confidence=confidence,
        dice=readings,
        problems=tuple(problems),
        model=model,
    )


def _dice_among(
    evidence: tuple[Evidence, ...], held: Beliefs, wanted: int
) -> list[int]:
    """Which sightings are dice; the number of dice in the set settles close calls."""
    faces = [k for k in range(len(evidence)) if held.none[k] <= CERTAINLY_NONE]
    faces.sort(key=lambda k: -evidence[k].score)
    strong = [k for k in faces if evidence[k].score >= WEAK_SCORE]
    if len(strong) > wanted:
        strong = _alike_in_size(strong, evidence)
    while len(strong) > wanted and evidence[strong[-1]].score < FAINT_SCORE:
        strong.pop()
    if len(strong) < LEAST_STRONG * wanted:
        return strong
    return strong + faces[len(strong) : wanted]


def _alike_in_size(places: list[int], evidence: tuple[Evidence, ...]) -> list[int]:
    """Those that are about as large as the middle one."""
    middle = float(np.median([evidence[k].side_px for k in places]))
    return [
        k for k in places if middle / ODD_SIZE < evidence[k].side_px < middle * ODD_SIZE
    ]


def _most_dice(dice_set: DiceSet) -> int:
    """How many dice can be decided at all; more are too many in any case."""
    if dice_set.dice is not None:
        return len(dice_set.dice)
    return len(dice_set.faces) if dice_set.unique_faces else 10 * dice_set.dice_count


def _confidence(decision: Decision, held: Beliefs) -> float:
    """Of the roll: the faces are right, and every die is one of the set."""
    return decision.confidence * float(np.prod(1 - held.none))


def _reading_order(places: list[int], evidence: tuple[Evidence, ...]) -> list[int]:
    """Rows from top to bottom, each from left to right."""
    if not places:
        return []
    side = float(np.median([evidence[k].side_px for k in places]))
    middle = {k: evidence[k].quad.mean(axis=0) for k in places}
    rows: list[list[int]] = []
    for k in sorted(places, key=lambda k: float(middle[k][1])):
        if rows and middle[k][1] - middle[rows[-1][0]][1] < 0.7 * side:
            rows[-1].append(k)
        else:
            rows.append([k])
    return [k for row in rows for k in sorted(row, key=lambda k: float(middle[k][0]))]


def _die_reading(
    evidence: Evidence, decision: Decision, place: int, none: float
) -> DieReading:
    face = decision.faces[place]
    turns = evidence.log_p[ALL_FACES.index(face)]
    # the quad shall start at the top left of the upright art
    quad = np.roll(evidence.quad, -int(turns.argmax()) % TURNS, axis=0)
    return DieReading(
        face=face,
        confidence=float(decision.die_confidence[place] * (1 - none)),
        quad=_quad(quad),
        alternatives=tuple(Alternative(f, p) for f, p in decision.alternatives[place]),
    )


def _unread_die(evidence: Evidence, held: Beliefs, place: int) -> DieReading:
    """A die without a face; what it may show is offered all the same."""
    p = np.exp(held.log_p[place])
    likely = [k for k in np.argsort(-p, kind="stable") if p[k] >= LEAST_ALTERNATIVE]
    return DieReading(
        face=None,
        confidence=0.0,
        quad=_quad(evidence.quad),
        alternatives=tuple(
            Alternative(held.faces[int(k)], float(p[k]))
            for k in likely[:MOST_ALTERNATIVES]
        ),
    )


def _quad(corners: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _doubtful(
    readings: tuple[DieReading, ...], sure: bool, faint: set[int]
) -> tuple[int, ...]:
    """Places of dice to look at again; one at least if the roll is not sure."""
    doubts = {k: 1 - die.confidence for k, die in enumerate(readings) if die.face}
    if not doubts:
        return ()
    limit = 1 - SURE_DIE
    if not sure:  # several small doubts add up: name those that weigh most
        limit = min(limit, max(doubts.values()) / 3)
    return tuple(k for k, doubt in doubts.items() if doubt > limit or k in faint)


def _problems(
    readings: tuple[DieReading, ...],
    dice_set: DiceSet,
    sides_px: list[float],
    doubtful: tuple[int, ...],
) -> list[Problem]:
    """What is wrong with the number of dice, and with single ones."""
    count, wanted = len(readings), dice_set.dice_count
    if count == 0:
        return [Problem(ProblemCode.NO_DICE, "There are no dice to be seen")]
    out = []
    if count != wanted:
        code = ProblemCode.TOO_FEW_DICE if count < wanted else ProblemCode.TOO_MANY_DICE
        words = f"{count} dice are to be seen, {wanted} belong to a roll"
        out.append(Problem(code, words))
    unread = tuple(k for k, die in enumerate(readings) if die.face is None)
    if unread:
        words = f"{_dice(len(unread))} cannot be read"
        out.append(Problem(ProblemCode.UNREADABLE_DIE, words, unread))
    if doubtful:
        words = f"{_dice(len(doubtful))} may show something else"
        out.append(Problem(ProblemCode.DOUBTFUL_DIE, words, doubtful))
    cocked = tuple(k for k, die in enumerate(readings) if die.state is DieState.COCKED)
    if cocked:
        words = f"{_dice(len(cocked))} may not lie flat"
        out.append(Problem(ProblemCode.COCKED_DIE, words, cocked))
    small = tuple(k for k, side in enumerate(sides_px) if side < SMALLEST_PX)
    if small:
        words = f"Dice less than {SMALLEST_PX:.0f} pixels wide are hard to read"
        out.append(Problem(ProblemCode.DICE_TOO_SMALL, words, small))
    return out


def _contradictions(decision: Decision, places: list[int]) -> list[Problem]:
    """Dice that cannot all show what each of them alone seems to show.

    Args:
        decision: of the dice that were decided.
        places: of these dice in the reading.
    """
    kinds = (
        (ProblemCode.DUPLICATE_FACE, "look like the same face", decision.clashes),
        (ProblemCode.SAME_DIE_TWICE, "look like faces of one die", decision.same_die),
    )
    return [
        Problem(code, f"{_dice(len(group))} {words}", tuple(places[k] for k in group))
        for code, words, groups in kinds
        for group in groups
    ]


def _dice(count: int) -> str:
    return "One die" if count == 1 else f"{count} dice"


def _status(problems: list[Problem], confidence: float) -> Status:
    codes = {problem.code for problem in problems}
    impossible = {
        ProblemCode.NO_DICE,
        ProblemCode.TOO_FEW_DICE,
        ProblemCode.TOO_MANY_DICE,
    }
    if codes & impossible:
        return Status.REFUSE
    if codes or confidence < SURE_ROLL:
        return Status.ASK
    return Status.SURE
