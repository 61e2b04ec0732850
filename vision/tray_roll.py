"""A roll in its tray: dice outside do not count, and are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.limits import SHIPPED
from vision.reading import Problem, ProblemCode, Status
from vision.tray import Place, TrayError

if TYPE_CHECKING:
    from vision.face_reading import Evidence
    from vision.reading import DieReading, Reading
    from vision.tray import Tray

Judge = Callable[[tuple["Evidence", ...]], "Reading"]

_SHORT = (ProblemCode.NO_DICE, ProblemCode.TOO_FEW_DICE)
MOST_NAMED = 9
"""Dice outside that are named one by one."""


def judge_roll(
    evidence: tuple[Evidence, ...],
    tray: Tray | None,
    size_px: tuple[int, int],
    judge: Judge,
) -> Reading:
    """Decide a roll, in the tray if there is one.

    Args:
        evidence: of the whole picture.
        tray: where dice count; None for the whole picture.
        size_px: width and height of the picture.
        judge: decides a roll from evidence.
    """
    if tray is None:
        return judge(evidence)
    try:
        fitted = tray.fitted(*size_px)
    except TrayError as error:
        return doubted(judge(evidence), ProblemCode.CAMERA_MOVED, str(error))
    return judge_in_tray(evidence, fitted, judge)


def doubted(reading: Reading, code: ProblemCode, sentence: str) -> Reading:
    """The reading with a problem of the whole roll more, and so not sure."""
    status = Status.ASK if reading.status is Status.SURE else reading.status
    problems = (*reading.problems, Problem(code, sentence[0].upper() + sentence[1:]))
    return replace(reading, status=status, problems=problems)


def judge_in_tray(
    evidence: tuple[Evidence, ...],
    tray: Tray,
    judge: Judge,
) -> Reading:
    """Decide the roll that lies in the tray.

    What lies outside is no part of it. If that may be dice of the set, the reading says
    so and is not sure: a die of the roll may have jumped out.

    Args:
        evidence: of the whole picture.
        tray: in pixels of that picture.
        judge: decides a roll from evidence.

    Returns:
        The reading of the dice inside; those outside are in `Reading.outside`.
    """
    places = [tray.place_of(piece.quad) for piece in evidence]
    within = [
        (piece, place)
        for piece, place in zip(evidence, places, strict=True)
        if place is not Place.OUTSIDE
    ]
    reading = judge(tuple(piece for piece, _ in within))
    beside = tuple(
        piece
        for piece, place in zip(evidence, places, strict=True)
        if place is Place.OUTSIDE
    )
    short = any(p.code in _SHORT for p in reading.problems)
    outside = _dice_beside(beside, [piece for piece, _ in within], short, judge)
    over = tuple(
        k
        for k, die in enumerate(reading.dice)
        if tray.place_of(np.array(die.quad)) is Place.OVER_EDGE
    )
    if not outside and not over:
        return reading
    problem = Problem(ProblemCode.DIE_OUTSIDE_TRAY, _sentence(outside, len(over)), over)
    status = Status.ASK if reading.status is Status.SURE else reading.status
    problems = (*reading.problems, problem)
    return replace(reading, status=status, problems=problems, outside=outside)


def _dice_beside(
    beside: tuple[Evidence, ...],
    within: list[Evidence],
    short: bool,
    judge: Judge,
) -> tuple[DieReading, ...]:
    """Which sightings outside are dice of the set.

    While dice are missing inside, anything that may be one is told; if all are there,
    only what looks like one through and through: print on a card beside the tray must
    not make every roll a question.
    """
    least = SHIPPED.weak_score if short else SHIPPED.faint_score
    likely = [piece for piece in beside if piece.score >= least]
    if within and not short:
        usual = float(np.median([piece.side_px for piece in within]))
        odd = SHIPPED.odd_size
        likely = [p for p in likely if usual / odd < p.side_px < usual * odd]
    if not likely:
        return ()
    read = judge(tuple(likely)).dice
    return tuple(die for die in read if die.face is not None)


def _sentence(outside: tuple[DieReading, ...], over: int) -> str:
    said = []
    if outside:
        names = [die.face.code for die in outside[:MOST_NAMED] if die.face]
        dice = "One die lies" if len(outside) == 1 else f"{len(outside)} dice lie"
        said.append(f"{dice} outside the tray ({', '.join(names)}) and did not count")
    if over:
        dice = "One die lies" if over == 1 else f"{over} dice lie"
        said.append(f"{dice} over the edge of the tray")
    return "; ".join(said)
