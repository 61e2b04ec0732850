"""Captures as JSON for the review page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datasets.captures.entry import entry_of
from datasets.captures.reading_form import quad_form
from web_ui.face_records import face_record
from web_ui.reviewing.typed import faces_of, ways_to_type

if TYPE_CHECKING:
    from datasets.captures.capture import Capture, CapturedDie
    from datasets.captures.entry import Entry
    from datasets.captures.listing import Tally
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.reading import DieReading, Reading
    from web_ui.reviewing.judging import Judged, Remark

MOST_ALTERNATIVES = 5
SAME_PLACE = 0.5
"""A reading's die is a label's if their centres are nearer than this much of a side."""


def entry_record(entry: Entry) -> dict[str, Any]:
    """A capture as lists show it."""
    return {
        "id": entry.id,
        "taken_at": entry.taken_at,
        "recording": entry.recording,
        "dice_set": entry.dice_set,
        "kept": entry.kept.value,
        "review": entry.review.value,
        "doubt": entry.doubt,
        "faces": entry.faces.split(),
        "by_person": entry.by_person,
    }


def seen_record(entry: Entry) -> dict[str, Any]:
    """What lists know of a capture, and the version that changes must name."""
    return {**entry_record(entry), "version": entry.sidecar}


def capture_record(capture: Capture, version: str, *, undo: bool) -> dict[str, Any]:
    """A capture whole.

    Args:
        capture: what is known of it.
        version: tells this state of it from all others.
        undo: whether the last decision can be undone.
    """
    reading = capture.reading
    return {
        **entry_record(entry_of(capture, version, 0)),
        "version": version,
        "width_px": capture.width_px,
        "height_px": capture.height_px,
        "camera": capture.camera,
        "models": [*capture.models],
        "status": None if reading is None else reading.status.value,
        "confidence": None if reading is None else reading.confidence,
        "problems": [] if reading is None else [p.sentence for p in reading.problems],
        "dice": [_die_record(die, reading) for die in capture.dice],
        "undo": undo,
    }


def _die_record(die: CapturedDie, reading: Reading | None) -> dict[str, Any]:
    read = None if reading is None else _read_at(die, reading)
    return {
        "face": None if die.face is None else face_record(die.face),
        "quad": quad_form(die.quad),
        "state": die.state.value,
        "origin": die.origin.value,
        "role": die.role,
        "read": None if read is None else _read_record(read),
    }


def _read_record(read: DieReading) -> dict[str, Any]:
    return {
        "face": None if read.face is None else face_record(read.face),
        "confidence": read.confidence,
        "alternatives": [
            {**face_record(one.face), "p": one.p}
            for one in read.alternatives[:MOST_ALTERNATIVES]
        ],
    }


def _read_at(die: CapturedDie, reading: Reading) -> DieReading | None:
    """What the reader saw where a die is labelled; None if nothing."""
    xs, ys = zip(*die.quad, strict=True)
    side = max(max(xs) - min(xs), max(ys) - min(ys))
    nearest, best = None, SAME_PLACE * side
    for one in reading.dice:
        # readings count from the centre of the first pixel
        across = abs(sum(x + 0.5 for x, _ in one.quad) - sum(xs)) / 4
        down = abs(sum(y + 0.5 for _, y in one.quad) - sum(ys)) / 4
        if max(across, down) < best:
            nearest, best = one, max(across, down)
    return nearest


def judged_record(judged: Judged) -> dict[str, Any]:
    """What there is to say about labels."""
    return {
        "faces": [None if face is None else face_record(face) for face in judged.faces],
        "remarks": remark_records(judged.remarks),
        "blocked": judged.blocked(meant=False),
        "blocked_always": judged.blocked(meant=True),
    }


def remark_records(remarks: tuple[Remark, ...]) -> list[dict[str, Any]]:
    """Remarks for the page."""
    return [
        {
            "code": one.code,
            "sentence": one.sentence,
            "resolve": one.resolve,
            "dice": [*one.dice],
            "blocks": one.blocks,
        }
        for one in remarks
    ]


def set_record(name: str, dice_set: DiceSet | None) -> dict[str, Any]:
    """A dice set: its faces, and how each is typed."""

    def typed(face: Face) -> dict[str, Any]:
        return {**face_record(face), "typed": [*ways_to_type(face)]}

    return {
        "name": name,
        "known": dice_set is not None,
        "dice_count": None if dice_set is None else dice_set.dice_count,
        "layout": dice_set is not None and dice_set.dice is not None,
        "faces": [typed(face) for face in faces_of(dice_set)],
    }


def tally_record(tally: Tally) -> dict[str, Any]:
    """How many captures there are, by what filters can ask for."""
    return {
        "total": tally.total,
        "size": tally.size,
        "by_review": tally.by_review,
        "by_kept": tally.by_kept,
        "by_set": tally.by_set,
        "by_day": dict(sorted(tally.by_day.items(), reverse=True)),
        "gone": tally.dropped,
    }
