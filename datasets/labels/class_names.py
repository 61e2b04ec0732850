"""Classes of label files: fixed orders, each with a hash, and names read back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError
from scoring.cards import (
    ALL_FACES,
    CARD_DICE_FACES,
    EXPECTED,
    Face,
    FaceCodeError,
    parse_face,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

DIE = "die"
"""Class of a die whatever it shows: all the detector knows."""


@dataclass(frozen=True, slots=True)
class ClassOrder:
    """Which classes there are; the number of a class is its place.

    Attributes:
        name: how a command names the order.
        faces: the face of each class; a single None stands for `DIE`.
    """

    name: str
    faces: tuple[Face | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each class: the code of its face, or `die`."""
        return tuple(face.code if face else DIE for face in self.faces)

    @property
    def digest(self) -> str:
        """SHA-256 of the names in their order, in hex."""
        return names_digest(self.names)

    def number_of(self, face: Face | None) -> int | None:
        """Class of a die that shows this face; None if no class fits."""
        if self.faces == (None,):
            return 0
        return self.faces.index(face) if face in self.faces else None


ORDERS = {
    order.name: order
    for order in (
        ClassOrder("faces", CARD_DICE_FACES),
        ClassOrder("die", (None,)),
        ClassOrder("all-faces", ALL_FACES),
    )
}
"""The 54 faces of card dice; the die alone; the faces of every kind of die."""


def names_digest(names: Sequence[str]) -> str:
    """Hash an order of class names: no two orders have the same.

    Args:
        names: of the classes, none with a line break in it.
    """
    return hashlib.sha256("\n".join(names).encode("utf-8")).hexdigest()


def face_named(name: object, place: str) -> Face | None:
    """The face that a class stands for; None for `die`.

    Args:
        name: as the file has it; lenient as `parse_face` is.
        place: file and entry, for the error.

    Raises:
        LabelError: no class of ours is called so.
    """
    if isinstance(name, str):
        if name.strip().casefold() == DIE:
            return None
        try:
            return parse_face(name)
        except FaceCodeError:
            pass
    raise LabelError(
        f"{place}: unknown class {name!r:.80}: expected {DIE} or {EXPECTED}"
    )


def read_classes(
    names: Sequence[object], digest: object, place: str
) -> tuple[Face | None, ...]:
    """Map the classes of a file by their names.

    Args:
        names: of class 0, 1 and so on.
        digest: the hash that the file states for its order; None if it states none.
        place: the file, for errors.

    Raises:
        LabelError: no names, an unknown one, two for one face, or a hash of another
            order.
    """
    if not names:
        raise LabelError(f"{place}: names no classes")
    faces = tuple(face_named(n, f"{place}: class {k}") for k, n in enumerate(names))
    for number, face in enumerate(faces):
        first = faces.index(face)
        if first != number:
            raise LabelError(
                f"{place}: classes {first} and {number} are both"
                f" {face.code if face else DIE}"
            )
    found = names_digest([str(name) for name in names])
    if digest is not None and digest != found:
        raise LabelError(
            f"{place}: states the class order {digest!s:.12}, but its names have"
            f" {found:.12}: names or numbers were changed after the export"
        )
    return faces
