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
from vision.lie import lies_of
from vision.limits import SHIPPED
from vision.problems import (
    contradictions,
    count_problems,
    die_problems,
    light_problems,
    size_problems,
)
from vision.reading import (
    Alternative,
    DieReading,
    Problem,
    ProblemCode,
    Quad,
    Reading,
    Status,
)
from vision.which_dice import choose_dice

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence
    from vision.limits import Limits
    from vision.picture_quality import PictureLight


def judge(
    evidence: tuple[Evidence, ...],
    dice_set: DiceSet,
    model: str,
    limits: Limits = SHIPPED,
    light: PictureLight | None = None,
) -> Reading:
    """Decide a roll.

    Args:
        evidence: what was sighted in the tray.
        dice_set: which dice are expected.
        model: name and hash of the face model.
        limits: where doubt begins.
        light: of the whole picture, if that is known.
    """
    evidence = tuple(_tempered(piece, limits.temperature) for piece in evidence)
    held = beliefs(evidence, dice_set)
    chosen = choose_dice(evidence, held, dice_set.dice_count, limits)
    most = _most_dice(dice_set)
    decided, unread = chosen.dice[:most], (*chosen.dice[most:], *chosen.perhaps)
    order = _reading_order([*decided, *unread], evidence)
    part = Beliefs(held.faces, held.log_p[list(decided)], held.none[list(decided)])
    decision = decide(part, dice_set)
    said = {
        k: _die_reading(evidence[k], decision, place, held.none[k])
        for place, k in enumerate(decided)
    }
    said |= {k: _unread_die(evidence[k], held, k) for k in unread}
    ordered = [evidence[k] for k in order]
    lies = lies_of(ordered, limits)
    readings = tuple(
        replace(said[k], state=lie.state) for k, lie in zip(order, lies, strict=True)
    )
    confidence = 0.0 if unread or not readings else _confidence(decision, part)
    sure = bool(unread) or confidence >= limits.sure_roll
    faint = {
        place
        for place, (piece, lie) in enumerate(zip(ordered, lies, strict=True))
        if piece.score < limits.sure_score or lie.printed > limits.printed
    }
    sides_px = [piece.side_px for piece in ordered]
    problems = [
        *count_problems(readings, dice_set.dice_count),
        *die_problems(readings, _doubtful(readings, sure, faint, limits)),
        *size_problems(sides_px, limits),
        *light_problems([piece.look for piece in ordered], sides_px, light, limits),
        *contradictions(decision, [order.index(k) for k in decided]),
    ]
    return Reading(
        dice_set=dice_set.name,
        status=_status(problems, confidence, limits),
        confidence=confidence,
        dice=readings,
        problems=tuple(problems),
        model=model,
    )


def _tempered(piece: Evidence, temperature: float) -> Evidence:
    """Evidence as if its model were less (or, below 1, more) certain."""
    if temperature == 1.0:
        return piece
    log_p, log_none = piece.log_p / temperature, piece.log_none / temperature
    whole = np.logaddexp(np.logaddexp.reduce(log_p, axis=None), log_none)
    return replace(piece, log_p=log_p - whole, log_none=float(log_none - whole))


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
    readings: tuple[DieReading, ...], sure: bool, faint: set[int], limits: Limits
) -> tuple[int, ...]:
    """Places of dice to look at again; one at least if the roll is not sure."""
    doubts = {k: 1 - die.confidence for k, die in enumerate(readings) if die.face}
    if not doubts:
        return ()
    limit = 1 - limits.sure_die
    if not sure:  # several small doubts add up: name those that weigh most
        limit = min(limit, max(doubts.values()) / 3)
    return tuple(k for k, doubt in doubts.items() if doubt > limit or k in faint)


def _status(problems: list[Problem], confidence: float, limits: Limits) -> Status:
    codes = {problem.code for problem in problems}
    impossible = {
        ProblemCode.NO_DICE,
        ProblemCode.TOO_FEW_DICE,
        ProblemCode.TOO_MANY_DICE,
    }
    if codes & impossible:
        return Status.REFUSE
    if codes or confidence < limits.sure_roll:
        return Status.ASK
    return Status.SURE
