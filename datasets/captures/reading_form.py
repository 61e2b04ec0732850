"""A reading as JSON without loss: nothing is rounded, unlike on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from datasets.captures.capture import MOST_DICE
from datasets.captures.fields import CaptureError, Fields, finite
from scoring.cards import FaceCodeError, parse_face
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
    from scoring.cards import Face
    from vision.reading import Quad

MOST_PROBLEMS = 200
MOST_ALTERNATIVES = 64


def reading_form(reading: Reading) -> dict[str, object]:
    """Write a reading."""
    return {
        "dice_set": reading.dice_set,
        "status": reading.status.value,
        "confidence": reading.confidence,
        "dice": [_die_form(die) for die in reading.dice],
        "problems": [
            {
                "code": problem.code.value,
                "sentence": problem.sentence,
                "dice": [*problem.dice],
            }
            for problem in reading.problems
        ],
        "model": reading.model,
        "outside": [_die_form(die) for die in reading.outside],
    }


def _die_form(die: DieReading) -> dict[str, object]:
    return {
        "face": die.face.code if die.face else None,
        "confidence": die.confidence,
        "quad": quad_form(die.quad),
        "alternatives": [[one.face.code, one.p] for one in die.alternatives],
        "state": die.state.value,
    }


def read_form(raw: object, where: str) -> Reading:
    """Read a reading.

    Raises:
        CaptureError: naming the key at fault.
    """
    fields = Fields(raw, where)
    dice = _dice(fields, "dice")
    reading = Reading(
        dice_set=fields.text("dice_set"),
        status=fields.word("status", Status),
        confidence=fields.number("confidence", 0, 1),
        dice=dice,
        problems=tuple(
            _problem(value, f"{where}.problems[{k}]", len(dice))
            for k, value in enumerate(fields.items("problems", MOST_PROBLEMS))
        ),
        model=fields.text("model"),
        outside=_dice(fields, "outside"),
    )
    fields.end()
    return reading


def _dice(fields: Fields, key: str) -> tuple[DieReading, ...]:
    return tuple(
        _die(value, f"{fields.name(key)}[{k}]")
        for k, value in enumerate(fields.items(key, MOST_DICE))
    )


def _die(raw: object, where: str) -> DieReading:
    fields = Fields(raw, where)
    die = DieReading(
        face=face_of(fields, "face"),
        confidence=fields.number("confidence", 0, 1),
        quad=quad_of(fields, "quad"),
        alternatives=tuple(
            _alternative(value, f"{where}.alternatives[{k}]")
            for k, value in enumerate(fields.items("alternatives", MOST_ALTERNATIVES))
        ),
        state=fields.word("state", DieState),
    )
    fields.end()
    return die


def _alternative(raw: object, where: str) -> Alternative:
    if isinstance(raw, list) and len(raw) == 2:
        fields = Fields({"face": raw[0], "p": raw[1]}, where)
        face = face_of(fields, "face")
        if face is not None:
            return Alternative(face, fields.number("p", 0, 1))
    raise CaptureError(f"{where} must be [face, probability], not {raw!r:.80}")


def _problem(raw: object, where: str, dice: int) -> Problem:
    fields = Fields(raw, where)
    code, sentence = fields.word("code", ProblemCode), fields.text("sentence")
    places = fields.items("dice", MOST_DICE)
    fields.end()
    for place in places:
        whole = isinstance(place, int) and not isinstance(place, bool)
        if not whole or not 0 <= cast("int", place) < dice:
            raise CaptureError(
                f"{where}.dice must be places of dice, not {place!r:.80}"
            )
    return Problem(code, sentence, tuple(cast("list[int]", places)))


def quad_form(quad: Quad) -> list[list[float]]:
    """Write a quad as it is."""
    return [[float(x), float(y)] for x, y in quad]


def quad_of(fields: Fields, key: str) -> Quad:
    """Read four corners.

    Raises:
        CaptureError: naming the key.
    """
    raw = fields.raw(key)
    if isinstance(raw, list) and len(raw) == 4:
        corners = [one for one in raw if isinstance(one, list) and len(one) == 2]
        if len(corners) == 4 and all(finite(v) for one in corners for v in one):
            a, b, c, d = ((float(x), float(y)) for x, y in corners)
            return a, b, c, d
    raise fields.wrong(key, "four [x, y] corners", raw)


def face_of(fields: Fields, key: str) -> Face | None:
    """Read a face, or null.

    Raises:
        CaptureError: naming the key.
    """
    raw = fields.raw(key)
    if raw is None:
        return None
    try:
        if isinstance(raw, str):
            return parse_face(raw)
    except FaceCodeError:
        pass
    raise fields.wrong(key, "a face's code or null", raw)
