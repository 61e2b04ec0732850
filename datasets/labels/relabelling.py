"""Labels that come back to an album: what of them differs from those it keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.captures.capture import CapturedDie, Origin
from datasets.labels.outlines import clipped_box, quad_box, whole_box

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.captures.capture import Capture
    from datasets.eval_labels import Box, LabelledDie, LabelledPicture
    from vision.reading import Quad

SAME_PX = 0.5
"""Corners of one outline are at most so far apart, whatever format it went through."""
SAME_DIE = 0.5
"""Boxes about one die share at least so much of what both cover."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What the labels that come can say at all; the rest stays as it is kept.

    Attributes:
        turns: the first corner of each outline is the art's top left.
        states: how the dice lie.
    """

    turns: bool = True
    states: bool = True


def relabelled(
    kept: Capture, come: LabelledPicture, carried: Carried
) -> tuple[CapturedDie, ...] | None:
    """The dice of a capture by labels of a person that come for its picture.

    A die in the place of a kept one keeps what the labels leave open; one that is as it
    was is the very same.

    Args:
        kept: as it is in the album.
        come: for the same picture.
        carried: what the labels can say.

    Returns:
        None if a die remains without its four corners or its face.
    """
    left, dice = [*kept.dice], []
    for die in come.dice:
        outline = whole_box(die, kept.width_px, kept.height_px)
        twin = max(left, key=lambda one: _overlap(one, outline, kept), default=None)
        if twin is not None and _overlap(twin, outline, kept) >= SAME_DIE:
            left.remove(twin)
        else:
            twin = None
        made = _die(die, twin, kept, carried)
        if made is None:
            return None
        dice.append(made)
    # a tool may list them in another order: that alone is no change
    return kept.dice if Counter(dice) == Counter(kept.dice) else tuple(dice)


def difference(before: tuple[CapturedDie, ...], after: tuple[CapturedDie, ...]) -> str:
    """What became of labels, in words: enough to put it back by hand."""
    old, new = (", ".join(_words(dice)) or "no dice" for dice in (before, after))
    return f"{new}; was {old}" if old != new else f"{new}; outlines moved"


def _words(dice: tuple[CapturedDie, ...]) -> Iterator[str]:
    for die in dice:
        x, y = die.quad[0]
        yield f"{die.face.code if die.face else '?'} at {x:.0f},{y:.0f}"


def _die(
    die: LabelledDie, twin: CapturedDie | None, kept: Capture, carried: Carried
) -> CapturedDie | None:
    if twin is None:
        if die.quad is None or die.face is None or not carried.turns:
            return None
        return CapturedDie(die.quad, die.face, die.state, Origin.PERSON)
    face = die.face or twin.face
    if face is None:
        return None
    state = die.state if carried.states else twin.state
    quad = twin.quad
    if not _same_place(quad, die, kept, carried):
        if die.quad is None or not carried.turns:
            return None
        quad = die.quad
    if (quad, face, state) == (twin.quad, twin.face, twin.state):
        return twin
    return replace(
        twin, quad=quad, face=face, state=state, origin=Origin.PERSON, role=""
    )


def _overlap(one: CapturedDie, outline: Box, kept: Capture) -> float:
    """Shared area of two boxes in the picture, of the area of both."""
    size = float(kept.width_px), float(kept.height_px)
    a, b = clipped_box(quad_box(one.quad), *size), clipped_box(outline, *size)
    if a is None or b is None:
        return 0.0
    width, height = (min(a[k + 2], b[k + 2]) - max(a[k], b[k]) for k in (0, 1))
    shared = max(width, 0.0) * max(height, 0.0)
    return shared / (_area(a) + _area(b) - shared)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _same_place(quad: Quad, die: LabelledDie, kept: Capture, carried: Carried) -> bool:
    size = float(kept.width_px), float(kept.height_px)
    if die.quad is None:
        mine = clipped_box(quad_box(quad), *size)
        its = clipped_box(whole_box(die, *size), *size)
        return mine is not None and its is not None and _near(mine, its)
    return any(
        _near(_flat(quad[k:] + quad[:k]), _flat(die.quad))
        or _near(_flat(_inside(quad[k:] + quad[:k], size)), _flat(die.quad))
        for k in (range(1) if carried.turns else range(4))
    )


def _inside(
    quad: tuple[tuple[float, float], ...], size: tuple[float, float]
) -> tuple[tuple[float, float], ...]:
    """A quad whose corners outside the picture were moved to its edge, as OBB does."""
    return tuple(
        (min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1])) for x, y in quad
    )


def _flat(quad: tuple[tuple[float, float], ...]) -> tuple[float, ...]:
    return tuple(value for point in quad for value in point)


def _near(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(abs(a - b) <= SAME_PX for a, b in zip(one, other, strict=True))
