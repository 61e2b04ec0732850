"""Readings back from their JSON, as `tableside read --json` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.cards import parse_face
from vision.reading import (
    Alternative,
    DieReading,
    DieState,
    Problem,
    ProblemCode,
    Reading,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.reading import Quad


class RecordError(ValueError):
    """A record that is not a reading: says which part is wrong."""


def parse_reading(record: Mapping[str, Any]) -> Reading:
    """Turn a reading's JSON into the reading. Fields not known are ignored.

    Raises:
        RecordError: a field is missing or malformed.
    """
    try:
        return Reading(
            dice_set=str(record["set"]),
            status=Status(record["status"]),
            confidence=float(record["confidence"]),
            dice=tuple(_die(die) for die in record["dice"]),
            problems=tuple(_problem(problem) for problem in record["problems"]),
            model=str(record.get("model", "")),
        )
    except KeyError as error:
        raise RecordError(f"a reading needs {error.args[0]!r}") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"not a reading: {error}") from error


def _die(record: Mapping[str, Any]) -> DieReading:
    face = record["face"]
    return DieReading(
        face=None if face is None else parse_face(face),
        confidence=float(record["confidence"]),
        quad=_quad(record["quad"]),
        alternatives=tuple(
            Alternative(parse_face(other["face"]), float(other["p"]))
            for other in record.get("alternatives", [])
        ),
        state=DieState(record.get("state", "flat")),
    )


def _quad(corners: list[list[float]]) -> Quad:
    # JSON counts from the outer corner of the first pixel, a quad from its centre
    a, b, c, d = ((float(x) - 0.5, float(y) - 0.5) for x, y in corners)
    return a, b, c, d


def _problem(record: Mapping[str, Any]) -> Problem:
    return Problem(
        code=ProblemCode(record["code"]),
        sentence=str(record["sentence"]),
        dice=tuple(int(die) for die in record.get("dice", [])),
    )
