"""Taking a capture: a decision and its picture become what the album keeps."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.captures.capture import Capture, CapturedDie, Kept, Origin, stamp
from datasets.captures.fields import CaptureError
from datasets.captures.likeness import picture_size
from vision.picture_quality import picture_light

if TYPE_CHECKING:
    from vision.picture_quality import PictureLight
    from vision.reading import DieReading, Quad, Reading
    from web_ui.captures.decisions import Decision

BY_MODEL = frozenset({"", "camera", "table"})
"""Who writes events that no person caused."""


def take_capture(
    decision: Decision, picture: bytes, recording: str, camera: str
) -> Capture:
    """Make a capture.

    Dice that were typed in or set aside lie in no picture, and are left out.

    Args:
        decision: what was decided.
        picture: the JPEG; it may be smaller than the picture that was read.
        recording: this run of the table.
        camera: name of the camera.

    Raises:
        CaptureError: it is no picture.
    """
    width, height = picture_size(picture)
    item = decision.item
    shrunk = width / item.width_px if item.width_px else 1.0
    return Capture(
        picture=hashlib.sha256(picture).hexdigest(),
        width_px=width,
        height_px=height,
        taken_at=stamp(datetime.fromisoformat(decision.read_at)),
        recording=recording,
        dice_set=item.reading.dice_set,
        kept=decision.kept,
        dice=captured_dice(decision, shrunk),
        reading=_seen(replace(item.reading, outside=decision.outside), shrunk),
        models=(item.reading.model,) if item.reading.model else (),
        camera=camera,
        light=_light(picture),
        doubt=doubt_of(decision),
    )


def captured_dice(decision: Decision, shrunk: float) -> tuple[CapturedDie, ...]:
    """The dice of a decision that lie in the picture, in the order of the reading.

    Args:
        decision: what was decided.
        shrunk: pixels of the stored picture for each that was read.
    """
    item = decision.item
    answers = zip(item.answers, decision.roles, strict=True)
    by_die = dict(zip(item.order, answers, strict=True))
    dice = []
    for number, die in enumerate(item.reading.dice):
        if not _lies(die):
            continue
        answer, role = by_die.get(number, (None, ""))
        person = answer is not None and role not in BY_MODEL
        dice.append(
            CapturedDie(
                quad=_scaled(die.quad, shrunk, 0.5),
                face=answer or die.face,
                state=die.state,
                origin=Origin.PERSON if person else Origin.MODEL,
                role=role if person else "",
            )
        )
    return tuple(dice)


def doubt_of(decision: Decision) -> float:
    """How soon a person should look, 0..1.

    First what the reader was sure of and had wrong, then what it asked, then what it
    refused, then what it was sure of; of each the least confident first.
    """
    unsure = 1 - min(max(decision.item.reading.confidence, 0.0), 1.0)
    match decision.kept:
        case Kept.CORRECTED:
            return 1.0
        case Kept.ASKED:
            return 0.5 + unsure / 2.5
        case Kept.REFUSED:
            return 0.25 + unsure / 4
        case _:
            return unsure / 4


def _lies(die: DieReading) -> bool:
    return any(any(corner) for corner in die.quad)


def _scaled(quad: Quad, by: float, half: float) -> Quad:
    """A quad in the stored picture, counted from the pixel's corner or its centre."""
    a, b, c, d = (
        ((x + 0.5) * by - 0.5 + half, (y + 0.5) * by - 0.5 + half) for x, y in quad
    )
    return a, b, c, d


def _seen(reading: Reading, shrunk: float) -> Reading:
    """The reading in pixels of the stored picture, without what lies nowhere."""
    here = [number for number, die in enumerate(reading.dice) if _lies(die)]
    place = {number: k for k, number in enumerate(here)}
    return replace(
        reading,
        dice=tuple(
            replace(
                reading.dice[number], quad=_scaled(reading.dice[number].quad, shrunk, 0)
            )
            for number in here
        ),
        problems=tuple(
            replace(
                problem, dice=tuple(place[die] for die in problem.dice if die in place)
            )
            for problem in reading.problems
        ),
        outside=tuple(
            replace(die, quad=_scaled(die.quad, shrunk, 0)) for die in reading.outside
        ),
    )


def _light(picture: bytes) -> PictureLight:
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_REDUCED_COLOR_4)
    if image is None:
        raise CaptureError("the picture cannot be decoded")
    return picture_light(np.asarray(image, np.uint8))
