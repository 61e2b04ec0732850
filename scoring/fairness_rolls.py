"""Which dice were really rolled, and what they then showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.cards import parse_face
from scoring.play import ROLL_ACTIONS

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.play import Play


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that were rolled together.

    Attributes:
        faces: what the rolled dice showed; kept dice are not among them.
        whole: whether every die of the set was rolled.
    """

    faces: tuple[Face, ...]
    whole: bool


def throws_of(play: Play[Any]) -> list[Throw]:
    """The throws of a game, as its log finally tells them, in order.

    Every roll and toss counts, Showdowns and rolls of the same die again among them; a
    kept die was not rolled (CM-12).
    """
    throws = []
    for before, entry in zip(play.entries, play.entries[1:], strict=False):
        action = entry.action
        if action.do not in ROLL_ACTIONS:
            continue
        if action.face is not None:  # a single die of several (War)
            throws.append(Throw((parse_face(action.face),), whole=False))
            continue
        kept = before.state.kept_places
        faces = tuple(
            parse_face(text)
            for place, text in enumerate(action.faces or ())
            if place not in kept
        )
        throws.append(Throw(faces, whole=not kept))
    return throws
