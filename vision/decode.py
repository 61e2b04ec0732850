"""Deciding the roll as a whole: the most likely legal faces, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import ALL_FACES, Face
from vision.assignment import best_assignment, extra_cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence

FORBIDDEN = 1e6
"""Cost of what no legal roll contains; above any sum of real costs."""

PLACES = {face: place for place, face in enumerate(ALL_FACES)}
MOST_ALTERNATIVES = 5
AGAINST_CROP = 0.05
"""A die whose legal face is less likely than this by its own crop is contradicted."""

LEAST_ALTERNATIVE = 0.001
"""Other faces less likely than this are not worth showing."""


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What each die may show, within a dice set.

    Attributes:
        faces: the faces of the set, the columns of `log_p`.
        log_p: (N, F) log-probability of each face given that the die shows one.
        none: (N,) probability of showing no face of the set.
    """

    faces: tuple[Face, ...]
    log_p: NDArray[np.float64]
    none: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decision:
    """The most likely legal roll.

    Attributes:
        faces: of each die, in the order given.
        die_confidence: of each face, 0..1: against the best legal roll without it.
        confidence: of the whole roll, 0..1.
        alternatives: other faces of each die with their probability, legal ones first.
        clashes: groups of dice that would show what only one can, read one by one, and
            of which one shows hardly anything else.
        same_die: likewise, groups of dice that would show faces of one die.
    """

    faces: tuple[Face, ...]
    die_confidence: tuple[float, ...]
    confidence: float
    alternatives: tuple[tuple[tuple[Face, float], ...], ...]
    clashes: tuple[tuple[int, ...], ...] = ()
    same_die: tuple[tuple[int, ...], ...] = ()


def beliefs(evidence: tuple[Evidence, ...], dice_set: DiceSet) -> Beliefs:
    """Reduce evidence to the faces of a dice set.

    Faces of other kinds of dice count as "none": a poker die's ace is no card.
    """
    faces = tuple(dict.fromkeys(dice_set.faces))
    columns = [PLACES[face] for face in faces]
    if not evidence:
        return Beliefs(faces, np.zeros((0, len(faces))), np.zeros(0))
    log_all = np.stack([np.logaddexp.reduce(e.log_p, axis=1) for e in evidence])
    inside = log_all[:, columns]
    others = np.delete(log_all, columns, axis=1)
    outside = np.column_stack([np.array([e.log_none for e in evidence]), others])
    known = np.logaddexp.reduce(inside, axis=1)
    unknown = np.logaddexp.reduce(outside, axis=1)
    none = np.exp(unknown - np.logaddexp(known, unknown))
    return Beliefs(faces, inside - known[:, None], none)


def decide(held: Beliefs, dice_set: DiceSet) -> Decision:
    """Find the most likely legal roll and the runners-up.

    Without a layout no face shows twice (if the set's faces are unique); with a layout
    every die shows one of its own faces. The confidence of a die weighs the best legal
    roll against the best one in which this die shows something else; the confidence of
    the roll weighs it against all these rivals together.

    Args:
        held: beliefs about at most as many dice as the set has faces (or dice, with a
            layout).
        dice_set: what is legal.
    """
    count = len(held.log_p)
    if count == 0:
        return Decision((), (), 0.0, ())
    cost = -held.log_p
    chosen, margins = _best(cost, held.faces, dice_set)
    rivals = np.exp(-np.clip(margins, 0, 700))
    own = held.log_p.argmax(axis=1)
    torn = held.log_p[np.arange(count), chosen] < np.log(AGAINST_CROP)
    unique = dice_set.unique_faces
    clashes = _groups([int(c) for c in own]) if unique else ()
    same_die = _same_die(own, held.faces, dice_set) if unique else ()
    return Decision(
        faces=tuple(held.faces[int(c)] for c in chosen),
        die_confidence=tuple(float(c) for c in 1 / (1 + rivals)),
        confidence=float(1 / (1 + rivals.sum())),
        alternatives=tuple(
            _alternatives(held, k, chosen, unique) for k in range(count)
        ),
        clashes=tuple(group for group in clashes if torn[list(group)].any()),
        same_die=tuple(group for group in same_die if torn[list(group)].any()),
    )


def _best(
    cost: NDArray[np.float64], faces: tuple[Face, ...], dice_set: DiceSet
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Column of each row in the cheapest legal roll, and the margins of its rows.

    The margin of a row is how much more the cheapest legal roll costs in which this
    row has another column.
    """
    if dice_set.dice is not None:
        return _best_by_die(cost, faces, dice_set.dice)
    if dice_set.unique_faces:
        best = best_assignment(cost)
        margins = [
            extra_cost(best, k, _without(cost[k], int(column)))
            for k, column in enumerate(best.chosen)
        ]
        return best.chosen, np.array(margins)
    two = np.argsort(cost, axis=1, kind="stable")[:, :2]
    rows = np.arange(len(cost))
    return two[:, 0], cost[rows, two[:, -1]] - cost[rows, two[:, 0]]


def _best_by_die(
    cost: NDArray[np.float64],
    faces: tuple[Face, ...],
    dice: tuple[tuple[Face, ...], ...],
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Assign rows to dice, each die showing its cheapest face."""
    columns = [[faces.index(face) for face in die] for die in dice]

    def by_die(costs: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack([costs[..., own].min(axis=-1) for own in columns], axis=-1)

    best = best_assignment(by_die(cost))
    chosen = [
        columns[d][int(cost[row, columns[d]].argmin())]
        for row, d in enumerate(int(w) for w in best.chosen)
    ]
    margins = [
        extra_cost(best, k, by_die(_without(cost[k], column)))
        for k, column in enumerate(chosen)
    ]
    return np.array(chosen, np.intp), np.array(margins)


def _without(costs: NDArray[np.float64], column: int) -> NDArray[np.float64]:
    """Costs of a row that shall have another column."""
    other = costs.copy()
    other[column] = FORBIDDEN
    return other


def _alternatives(
    held: Beliefs, die: int, chosen: NDArray[np.intp], unique: bool
) -> tuple[tuple[Face, float], ...]:
    p = np.exp(held.log_p[die])
    shown = {int(c) for c in chosen} if unique else {int(chosen[die])}
    order = [int(k) for k in np.argsort(-p, kind="stable") if k != chosen[die]]
    order = [k for k in order if p[k] >= LEAST_ALTERNATIVE]
    legal_first = sorted(order, key=lambda k: k in shown)
    return tuple((held.faces[k], float(p[k])) for k in legal_first[:MOST_ALTERNATIVES])


def _groups(values: list[int]) -> tuple[tuple[int, ...], ...]:
    """Places that hold the same value, where there are several."""
    places: dict[int, list[int]] = {}
    for place, value in enumerate(values):
        places.setdefault(value, []).append(place)
    return tuple(tuple(group) for group in places.values() if len(group) > 1)


def _same_die(
    own: NDArray[np.intp], faces: tuple[Face, ...], dice_set: DiceSet
) -> tuple[tuple[int, ...], ...]:
    if dice_set.dice is None:
        return ()
    die_of = {face: d for d, die in enumerate(dice_set.dice) for face in die}
    groups = _groups([die_of[faces[int(k)]] for k in own])
    twins = set(_groups([int(k) for k in own]))
    return tuple(group for group in groups if group not in twins)
