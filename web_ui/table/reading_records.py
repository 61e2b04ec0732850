"""A reading as JSON: what a page needs to draw its dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.reading_json import quad_record
from web_ui.face_records import face_record

if TYPE_CHECKING:
    from collections.abc import Collection

    from scoring.cards import Face
    from web_ui.table.shown import Shown


def reading_on_page(
    item: Shown, kept: Collection[int] = (), uses: Collection[str] = ()
) -> dict[str, Any]:
    """Write a reading with its dice by place (schema `Reading`).

    Args:
        item: the reading.
        kept: places kept for the next roll.
        uses: codes of the faces that make the best hand.
    """
    reading = item.reading
    base = f"/api/v1/readings/{item.id}"
    return {
        "id": item.id,
        "url": base,
        "picture": f"{base}/picture.jpg" if item.width_px else None,
        "sha256": item.picture or None,
        "status": reading.status,
        "use": item.use,
        "rule": item.rule or None,
        "sentence": item.sentence,
        "confidence": round(reading.confidence, 6),
        "width_px": item.width_px,
        "height_px": item.height_px,
        "dice_set": reading.dice_set,
        "model": reading.model,
        "elapsed_ms": round(item.elapsed_ms, 1),
        "roll": item.first_roll,
        "problems": [
            {
                "code": problem.code,
                "sentence": problem.sentence,
                "dice": [
                    place for place, die in enumerate(item.order) if die in problem.dice
                ],
            }
            for problem in reading.problems
        ],
        "dice": [
            _die(item, place, place in kept, uses) for place in range(len(item.order))
        ],
    }


def _die(item: Shown, place: int, kept: bool, uses: Collection[str]) -> dict[str, Any]:
    die = item.dice[place]
    face = item.faces[place]
    return {
        "place": place,
        "face": face_or_none(face),
        "read": None if die.face is None else die.face.code,
        "confidence": round(die.confidence, 6),
        "doubtful": place in item.doubtful,
        "answered": item.answers[place] is not None,
        "state": die.state,
        # a die that was set aside, or typed in, lies nowhere
        "quad": quad_record(die.quad) if any(any(xy) for xy in die.quad) else None,
        "alternatives": [
            face_record(other.face) | {"p": round(other.p, 6)}
            for other in die.alternatives
        ],
        "kept": kept,
        "in_hand": face is not None and face.code in uses,
    }


def face_or_none(face: Face | None) -> dict[str, Any] | None:
    """Write a face, or null for one that cannot be read."""
    return None if face is None else face_record(face)
