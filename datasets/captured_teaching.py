"""Which captured pictures teach: those labelled by persons, of recordings that may."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from datasets.labels.picture_tags import Labeller, labeller_of, recording_of
from datasets.labels.sources import each_picture
from datasets.labels.splits import Split
from datasets.release import sha256_of
from datasets.shards import DataSetError
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from datasets.eval_labels import LabelledDie, LabelledPicture

NEVER = frozenset(("val", "test", "bench", "held-out"))
"""Tags of pictures that only measure."""
NO_PERSON = (Labeller.MODEL, Labeller.MIXED)
"""Who gave the labels that teach only if asked for; none named counts as a person."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """Captured pictures dealt to teaching and measuring.

    Attributes:
        pictures: those that teach.
        taught: names of the recordings they are from.
        held_out: recordings that are there and must not teach.
        unsure: how many pictures were left out because no person labelled them.
        digest: hash of what teaches: pictures, labels.
    """

    pictures: tuple[LabelledPicture, ...]
    taught: tuple[str, ...]
    held_out: tuple[str, ...]
    unsure: int
    digest: str

    def record(self) -> dict[str, Any]:
        """What manifests and cards say of it."""
        return {
            "pictures": len(self.pictures),
            "dice": sum(len(known_dice(picture)) for picture in self.pictures),
            "recordings": list(self.taught),
            "held_out": list(self.held_out),
            "not_by_a_person": self.unsure,
            "digest": self.digest,
        }


def known_dice(picture: LabelledPicture) -> tuple[LabelledDie, ...]:
    """The dice of a picture that teach a face reader: flat, with face and quad."""
    return tuple(
        die
        for die in picture.dice
        if die.state is DieState.FLAT and die.face is not None and die.quad is not None
    )


def captured_pictures(
    source: Path, *, by_model: bool = False
) -> tuple[LabelledPicture, ...]:
    """The labelled pictures of a folder with `labels.json`, or of an album.

    Args:
        source: folder of either.
        by_model: of an album, also what no person looked at but the reader was sure of.

    Raises:
        DataSetError: it is neither, or its labels cannot be used.
    """
    return tuple(each_picture(source, reviewed_only=not by_model))


def teaching_of(
    pictures: Sequence[LabelledPicture],
    name: str,
    by_model: bool = False,
    split: Split | None = None,
) -> Teaching:
    """Choose those pictures that may teach.

    A picture of which a model gave labels (tag `labels:model` or `labels:mixed`)
    teaches only if asked for. A
    recording (tag `recording:NAME`) teaches whole or not at all, see `Split`; pictures
    without one count as one recording together. Tags as `val` and `test` never teach.

    Args:
        pictures: with their labels.
        name: recording of those that name none.
        by_model: whether labels that a model gave teach too.
        split: how recordings are dealt; None: the usual way.

    Raises:
        DataSetError: none may teach; says why.
    """
    split = split or Split()
    taught: set[str] = set()
    held: set[str] = set()
    chosen, unsure = [], 0
    for picture in pictures:
        recording = recording_of(picture) or name
        if NEVER & set(picture.groups) or split.side_of(recording) != "train":
            held.add(recording)
        elif not by_model and labeller_of(picture) in NO_PERSON:
            unsure += 1
        elif not picture.throws and known_dice(picture):
            taught.add(recording)
            chosen.append(picture)
    if not chosen:
        raise DataSetError(
            f"{name}: no captured picture may teach: of {len(pictures)}, {unsure} were"
            f" not labelled by a person, {len(held)} recordings are held out"
        )
    return Teaching(
        tuple(chosen),
        tuple(sorted(taught)),
        tuple(sorted(held)),
        unsure,
        _digest(chosen),
    )


def _digest(pictures: Sequence[LabelledPicture]) -> str:
    digest = hashlib.sha256()
    for picture in sorted(pictures, key=lambda one: one.name):
        try:
            content = sha256_of(picture.path)
        except OSError as error:
            raise DataSetError(f"{picture.path}: cannot be read: {error}") from error
        dice = [
            [die.face.code if die.face else None, die.quad, die.state.value]
            for die in picture.dice
        ]
        line = [picture.name, content, dice]
        digest.update(json.dumps(line).encode() + b"\n")
    return digest.hexdigest()
