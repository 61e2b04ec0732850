"""A reading as JSON, in the form that `tableside read --json` and the web share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.reading import DieReading, Quad, Reading


def quad_record(quad: Quad, shrunk: float = 1.0) -> list[list[float]]:
    """Corners in continuous coordinates: (0, 0) is the outer corner of the first pixel.

    Inside, quads count in OpenCV's way, where (0, 0) is that pixel's centre.

    Args:
        quad: in the picture that was read.
        shrunk: pixels of the picture as stored per pixel that was read.
    """
    return [
        [round((x + 0.5) * shrunk, 2), round((y + 0.5) * shrunk, 2)] for x, y in quad
    ]


def die_record(die: DieReading, shrunk: float = 1.0) -> dict[str, Any]:
    """One die; `face` is null if it cannot be read."""
    return {
        "face": die.face.code if die.face else None,
        "confidence": round(die.confidence, 4),
        "quad": quad_record(die.quad, shrunk),
        "alternatives": [
            {"face": other.face.code, "p": round(other.p, 4)}
            for other in die.alternatives
        ],
        "state": die.state.value,
    }


def reading_record(
    reading: Reading,
    image: str,
    elapsed_ms: float,
    shrunk: float = 1.0,
    frame: int | None = None,
) -> dict[str, Any]:
    """A reading with the name of its picture and the time it took.

    Args:
        reading: the roll.
        image: path or name of the picture or clip.
        elapsed_ms: from the decoded picture to the reading.
        shrunk: pixels of the picture as stored per pixel that was read; see `Frame`.
        frame: of a clip, counted from 0; None for pictures.
    """
    return {
        "image": image,
        **({} if frame is None else {"frame": frame}),
        "set": reading.dice_set,
        "status": reading.status.value,
        "confidence": round(reading.confidence, 4),
        "dice": [die_record(die, shrunk) for die in reading.dice],
        **_outside(reading, shrunk),
        "problems": [
            {
                "code": problem.code.value,
                "sentence": problem.sentence,
                "dice": list(problem.dice),
            }
            for problem in reading.problems
        ],
        "elapsed_ms": round(elapsed_ms, 1),
        "model": reading.model,
    }


def _outside(reading: Reading, shrunk: float) -> dict[str, Any]:
    """The dice outside the tray; nothing if there are none."""
    if not reading.outside:
        return {}
    return {"outside": [die_record(die, shrunk) for die in reading.outside]}
