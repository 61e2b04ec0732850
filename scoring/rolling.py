"""Rolling and keeping dice within one turn (CM-13 to CM-22), for every dice game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.cards import Face, FaceCodeError, parse_face
from scoring.dice_sets import DiceSet, bundled_dice_set, codes, repeated
from scoring.refusals import RuleError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.action import Action

MOST_ROLLS = 3
"""CM-18."""

CARD_DICE = bundled_dice_set("square-shooters")


@dataclass(frozen=True, slots=True)
class Throws:
    """The dice of one turn.

    Attributes:
        dice_set: the dice; its layout is obeyed if it is known (CM-16).
        rolls: the faces of each roll so far, in place order.
        kept: places that the next roll leaves, ascending; None before a selection.
    """

    dice_set: DiceSet = CARD_DICE
    rolls: tuple[tuple[Face, ...], ...] = ()
    kept: tuple[int, ...] | None = None

    @property
    def faces(self) -> tuple[Face, ...]:
        """What lies there; nothing before the first roll."""
        return self.rolls[-1] if self.rolls else ()

    @property
    def kept_places(self) -> tuple[int, ...]:
        """Places that the next roll leaves (CM-21: none without a selection)."""
        return self.kept or ()

    @property
    def count(self) -> int:
        """Rolls made so far, 0 to 3."""
        return len(self.rolls)

    @property
    def phase(self) -> str:
        """What the turn waits for: `roll` (the first), `decide` or `stop`."""
        if not self.rolls:
            return "roll"
        return "decide" if self.can_keep else "stop"

    @property
    def can_roll(self) -> bool:
        """Whether another roll is allowed (CM-18, CM-20)."""
        full = len(self.kept_places) == self.dice_set.dice_count
        return self.count < MOST_ROLLS and not full

    @property
    def can_keep(self) -> bool:
        """Whether dice can be selected now (CM-19)."""
        return 0 < self.count < MOST_ROLLS

    @property
    def can_stop(self) -> bool:
        """Whether the turn can be scored now (CM-22)."""
        return self.count > 0


def roll(throws: Throws, faces: Sequence[Face]) -> Throws:
    """Add a roll.

    Raises:
        RuleError: CM-13 to CM-18 or CM-20; `throws` stays as it was.
    """
    if throws.count >= MOST_ROLLS:
        raise RuleError("CM-18", "The turn has three rolls, and they are made.")
    if not throws.can_roll:
        raise RuleError("CM-20", "All dice are kept: nothing to roll. Stop instead.")
    check_faces(throws.dice_set, faces)
    for place in throws.kept_places:
        before = throws.faces[place]
        if faces[place] != before:
            raise RuleError(
                "CM-17",
                f"The die at place {place} was kept: it shows {before.code},"
                f" it cannot show {faces[place].code}.",
            )
    return replace(throws, rolls=(*throws.rolls, tuple(faces)), kept=None)


def keep(throws: Throws, places: Iterable[int]) -> Throws:
    """Select the dice that the next roll leaves, instead of an earlier selection.

    Raises:
        RuleError: CM-19 for a wrong place, CM-06 at the wrong moment.
    """
    if not throws.can_keep:
        raise RuleError("CM-06", "Dice are kept after the first or the second roll.")
    chosen = tuple(places)
    last = throws.dice_set.dice_count - 1
    for place in chosen:
        if not 0 <= place <= last:
            raise RuleError("CM-19", f"There is no place {place}: 0 to {last} are.")
        if chosen.count(place) > 1:
            raise RuleError("CM-19", f"The place {place} is named twice.")
    return replace(throws, kept=tuple(sorted(chosen)))


def roll_or_keep(throws: Throws, action: Action) -> Throws:
    """Carry out a `roll` or a `keep` as the script writes it (CM-13 to CM-21).

    Raises:
        RuleError: as `read_faces`, `roll` and `keep` do.
    """
    if action.do == "roll":
        return roll(throws, read_faces(throws.dice_set, action.faces or ()))
    return keep(throws, action.dice or ())


def check_stop(throws: Throws) -> None:
    """Check that a turn can be scored (CM-22).

    Raises:
        RuleError: CM-22, nothing was rolled.
    """
    if not throws.can_stop:
        raise RuleError("CM-22", "Roll at least once before you stop.")


def check_faces(dice_set: DiceSet, faces: Sequence[Face]) -> None:
    """Check that the dice can show these faces at once.

    Raises:
        RuleError: CM-13 to CM-16.
    """
    if len(faces) != dice_set.dice_count:
        raise RuleError(
            "CM-13",
            f"A roll names all {dice_set.dice_count} dice, not {len(faces)}.",
        )
    for face in faces:
        if face not in dice_set.faces:
            raise RuleError("CM-14", f"{face.code} is not a face of these dice.")
    if not dice_set.unique_faces:
        return
    if twice := repeated(faces):
        raise RuleError("CM-15", f"A face cannot show twice: {codes(twice)}.")
    for number, die in enumerate(dice_set.dice or (), start=1):
        shown = [face for face in faces if face in die]
        if len(shown) > 1:
            raise RuleError(
                "CM-16", f"{codes(shown)} are faces of one die, number {number}."
            )


def read_faces(dice_set: DiceSet, texts: Sequence[str]) -> tuple[Face, ...]:
    """Read the face codes of a roll leniently (HD-01).

    Raises:
        RuleError: CM-14, naming the code that is no face of these dice.
    """
    faces = []
    for text in texts:
        try:
            face = parse_face(text)
        except FaceCodeError as error:
            raise RuleError(
                "CM-14", f"{shown(text)} is not a face of these dice."
            ) from error
        if face not in dice_set.faces:
            raise RuleError("CM-14", f"{shown(text)} is not a face of these dice.")
        faces.append(face)
    return tuple(faces)
