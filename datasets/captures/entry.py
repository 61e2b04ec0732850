"""An entry: what the manifest knows of a capture, so that lists open no other file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING

from datasets.captures.capture import Kept, Origin, Review, is_id, is_stamp
from datasets.captures.fields import CaptureError, Fields

if TYPE_CHECKING:
    from datasets.captures.capture import Capture

_HASH = re.compile(r"[0-9a-f]{64}")
_KEPT = {word.value: word for word in Kept}
_REVIEW = {word.value: word for word in Review}
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Entry:
    """One capture as lists show it.

    Attributes:
        id: of the capture.
        picture: SHA-256 of the picture, hex.
        sidecar: SHA-256 of the sidecar, hex.
        size: bytes of picture and sidecar together.
        taken_at: as in the capture.
        recording: as in the capture.
        dice_set: as in the capture.
        kept: as in the capture.
        review: as in the capture.
        doubt: as in the capture.
        faces: codes of all faces, sorted, `?` for those that nobody knows.
        by_person: dice that a person named.
        likeness: as in the capture.
    """

    id: str
    picture: str
    sidecar: str
    size: int
    taken_at: str
    recording: str
    dice_set: str
    kept: Kept
    review: Review
    doubt: float
    faces: str
    by_person: int
    likeness: str


KEYS = Entry.__slots__
_TEXTS = ("taken_at", "recording", "dice_set", "faces", "likeness")


def entry_of(capture: Capture, sidecar: str, size: int) -> Entry:
    """What the manifest says of a capture.

    Args:
        capture: as its sidecar has it.
        sidecar: SHA-256 of the sidecar, hex.
        size: bytes of picture and sidecar.
    """
    return Entry(
        id=capture.id,
        picture=capture.picture,
        sidecar=sidecar,
        size=size,
        taken_at=capture.taken_at,
        recording=capture.recording,
        dice_set=capture.dice_set,
        kept=capture.kept,
        review=capture.review,
        doubt=capture.doubt,
        faces=faces_key(capture),
        by_person=sum(die.origin is Origin.PERSON for die in capture.dice),
        likeness=capture.likeness,
    )


def faces_key(capture: Capture) -> str:
    """All faces of a capture in one text, in no order."""
    codes = (die.face.code if die.face else UNKNOWN for die in capture.dice)
    return " ".join(sorted(codes))


def put_line(entry: Entry) -> str:
    """The line of the manifest that puts an entry, or replaces it."""
    record: dict[str, object] = {"op": "put"}
    record.update((key, getattr(entry, key)) for key in KEYS)
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def entry_from(record: dict[str, object]) -> Entry:
    """Read the record of a `put` line.

    Quick, because an album has many: a record that is right is looked at once.

    Raises:
        CaptureError: naming the key at fault.
    """
    try:
        entry = Entry(
            id=record["id"],  # type: ignore[arg-type]  # _check looks at the types
            picture=record["picture"],  # type: ignore[arg-type]
            sidecar=record["sidecar"],  # type: ignore[arg-type]
            size=record["size"],  # type: ignore[arg-type]
            taken_at=record["taken_at"],  # type: ignore[arg-type]
            recording=intern(record["recording"]),  # type: ignore[call-overload]
            dice_set=intern(record["dice_set"]),  # type: ignore[call-overload]
            kept=_KEPT[record["kept"]],  # type: ignore[index]
            review=_REVIEW[record["review"]],  # type: ignore[index]
            doubt=record["doubt"],  # type: ignore[arg-type]
            faces=record["faces"],  # type: ignore[arg-type]
            by_person=record["by_person"],  # type: ignore[arg-type]
            likeness=record["likeness"],  # type: ignore[arg-type]
        )
        good = len(record) == len(KEYS) + 1 and _is_right(entry)
    except (KeyError, TypeError):
        good = False
    if not good:
        _explain(record)
    return entry


def _is_right(entry: Entry) -> bool:
    texts = (entry.taken_at, entry.recording, entry.dice_set, entry.faces)
    return (
        type(entry.size) is int
        and type(entry.by_person) is int
        and entry.size >= 0
        and type(entry.doubt) in (int, float)
        and 0 <= entry.doubt <= 1
        and _HASH.fullmatch(entry.picture) is not None
        and _HASH.fullmatch(entry.sidecar) is not None
        and entry.picture.startswith(entry.id)
        and is_id(entry.id)
        and len(entry.taken_at) == 32
        and len(entry.likeness) in (0, 16)
        and all(type(text) is str for text in texts)
    )


def _explain(record: dict[str, object]) -> None:
    """Look at a wrong record key by key, to name the one at fault.

    Raises:
        CaptureError: always.
    """
    fields = Fields(record)
    fields.text("op")
    for key in ("id", "picture", "sidecar", *_TEXTS):
        value = fields.text(key)
        if key == "id" and not is_id(value):
            raise fields.wrong(key, "the id of a capture", value)
        if key in ("picture", "sidecar") and not _HASH.fullmatch(value):
            raise fields.wrong(key, "a SHA-256", value)
        if key == "taken_at" and not is_stamp(value):
            raise fields.wrong(key, "a moment in UTC", value)
    fields.whole("size")
    fields.whole("by_person")
    fields.word("kept", Kept)
    fields.word("review", Review)
    fields.number("doubt", 0, 1)
    fields.end()
    raise CaptureError("id is not the beginning of picture, or likeness no likeness")
