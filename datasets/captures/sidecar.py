"""The sidecar: a capture as a JSON file beside its picture, without loss."""

from __future__ import annotations

import json
import stat
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from datasets.captures.capture import (
    MOST_DICE,
    Capture,
    CapturedDie,
    Kept,
    Origin,
    Review,
)
from datasets.captures.fields import CaptureError, Fields
from datasets.captures.reading_form import (
    face_of,
    quad_form,
    quad_of,
    read_form,
    reading_form,
)
from vision.picture_quality import PictureLight
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "tableside-capture/1"
MOST_BYTES = 1024 * 1024
"""A sidecar has about 5 kB; who finds one of more than this looks at another file."""
MOST_MODELS = 16


def sidecar_text(capture: Capture) -> str:
    """Write a capture; equal captures give equal texts."""
    record = {"format": FORMAT, **capture_form(capture)}
    # a line a key: people can read it, and nothing is slow as with `indent`
    lines = (
        f'"{key}": {json.dumps(value, ensure_ascii=False, allow_nan=False)}'
        for key, value in record.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def capture_form(capture: Capture) -> dict[str, Any]:
    """A capture as JSON can hold it."""
    return {
        "picture": capture.picture,
        "width_px": capture.width_px,
        "height_px": capture.height_px,
        "taken_at": capture.taken_at,
        "recording": capture.recording,
        "dice_set": capture.dice_set,
        "kept": capture.kept.value,
        "review": capture.review.value,
        "doubt": capture.doubt,
        "likeness": capture.likeness,
        "camera": capture.camera,
        "light": None if capture.light is None else asdict(capture.light),
        "models": [*capture.models],
        "dice": [_die_form(die) for die in capture.dice],
        "reading": None if capture.reading is None else reading_form(capture.reading),
    }


def _die_form(die: CapturedDie) -> dict[str, Any]:
    return {
        "face": die.face.code if die.face else None,
        "quad": quad_form(die.quad),
        "state": die.state.value,
        "origin": die.origin.value,
        "role": die.role,
    }


def read_sidecar(path: Path) -> Capture:
    """Read a sidecar.

    Raises:
        CaptureError: it is not there or cannot be used; names file and key.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for
            raise CaptureError("is not an ordinary file")
        if found.st_size > MOST_BYTES:
            raise CaptureError(f"more than {MOST_BYTES} bytes are no sidecar")
        return parse_sidecar(path.read_bytes())
    except OSError as error:
        raise CaptureError(f"{path}: cannot be read: {error.strerror}") from error
    except CaptureError as error:
        raise CaptureError(f"{path}: {error}") from error


def parse_sidecar(data: bytes) -> Capture:
    """Read the text of a sidecar.

    Raises:
        CaptureError: naming the key at fault.
    """
    try:
        raw: object = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CaptureError(f"not JSON: {error}") from error
    fields = Fields(raw)
    form = fields.text("format")
    if form != FORMAT:
        raise CaptureError(f"format must be {FORMAT}, not {form!r:.80}")
    return _capture(fields)


def _capture(fields: Fields) -> Capture:
    light, reading = fields.raw("light"), fields.raw("reading")
    models = fields.items("models", MOST_MODELS)
    capture = Capture(
        picture=fields.text("picture"),
        width_px=fields.whole("width_px", 1, 65535),
        height_px=fields.whole("height_px", 1, 65535),
        taken_at=fields.text("taken_at"),
        recording=fields.text("recording"),
        dice_set=fields.text("dice_set"),
        kept=fields.word("kept", Kept),
        dice=tuple(
            _die(value, f"dice[{k}]")
            for k, value in enumerate(fields.items("dice", MOST_DICE))
        ),
        reading=None if reading is None else read_form(reading, "reading"),
        models=tuple(
            Fields({"model": value}, f"models[{k}]").text("model")
            for k, value in enumerate(models)
        ),
        camera=fields.text("camera"),
        light=None if light is None else _light(light),
        review=fields.word("review", Review),
        doubt=fields.number("doubt", 0, 1),
        likeness=fields.text("likeness"),
    )
    fields.end()
    return capture


def _light(raw: object) -> PictureLight:
    fields = Fields(raw, "light")
    darkest, brightest = (fields.number(k, 0, 255) for k in ("darkest", "brightest"))
    fields.end()
    return PictureLight(darkest, brightest)


def _die(raw: object, where: str) -> CapturedDie:
    fields = Fields(raw, where)
    die = CapturedDie(
        quad=quad_of(fields, "quad"),
        face=face_of(fields, "face"),
        state=fields.word("state", DieState),
        origin=fields.word("origin", Origin),
        role=fields.text("role"),
    )
    fields.end()
    return die
