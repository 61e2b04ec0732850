"""Tags of a picture that say from which recording it is and who gave its labels."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datasets.eval_labels import LabelledPicture

RECORDING = "recording:"
LABELS = "labels:"

NO_RECORDING = (
    "the recording is not known: pictures of one are kept together; lay those of each"
    " in a folder of its own (EVENING/a.jpg in the labels), tag them recording:NAME, or"
    " bring them in by `tableside dataset import DIR --format native --recording NAME"
    " --out NEW`"
)
"""What to say of a picture that cannot be dealt to a side."""


class Labeller(StrEnum):
    """Who gave the labels of a picture."""

    PERSON = "person"
    MODEL = "model"
    DRAWN = "drawn"
    MIXED = "mixed"


def recording_of(picture: LabelledPicture) -> str | None:
    """Name of the recording a picture is from.

    The tag `recording:NAME`; without one, the folder in the picture's name. In Unicode
    NFC, so that a name is the same from every file system.

    Returns:
        None if neither tells.
    """
    for tag in picture.groups:
        if tag.startswith(RECORDING) and tag != RECORDING:
            return unicodedata.normalize("NFC", tag.removeprefix(RECORDING))
    folder = picture.name.rpartition("/")[0]
    return unicodedata.normalize("NFC", folder) or None


def labeller_of(picture: LabelledPicture) -> Labeller | None:
    """Who gave the labels, by the tag `labels:WHO`; None if no tag tells."""
    who = [t.removeprefix(LABELS) for t in picture.groups if t.startswith(LABELS)]
    return Labeller(who[0]) if who and who[0] in list(Labeller) else None


def with_origin(
    picture: LabelledPicture, recording: str | None, labeller: Labeller | None
) -> LabelledPicture:
    """Add the tags that are not there yet."""
    tags = list(picture.groups)
    if recording and not any(tag.startswith(RECORDING) for tag in tags):
        tags.append(RECORDING + recording)
    if labeller and not any(tag.startswith(LABELS) for tag in tags):
        tags.append(LABELS + labeller)
    return replace(picture, groups=tuple(tags))
