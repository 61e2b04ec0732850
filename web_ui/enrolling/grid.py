"""What was shown, face by face, as the page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.enrolment.faces_shown import match_faces, set_of
from datasets.enrolment.shots import PATCH_MARGIN, upright
from scoring.dice_sets import CARD_DICE_COUNT, FACES_A_DIE, DiceSetError
from web_ui.enrolling.shown_dice import DICE
from web_ui.face_records import face_record
from web_ui.live_picture import encode_jpeg

if TYPE_CHECKING:
    from datasets.enrolment.faces_shown import ShownFace, Side
    from web_ui.enrolling.guide import EnrolmentGuide
    from web_ui.enrolling.shown_dice import ShownDice

CROP_PX = 96
CROP_QUALITY = 85
CROP_MARGIN = 0.1
"""A cell shows the face and this share of its side round it."""
ALL_SIDES = CARD_DICE_COUNT * FACES_A_DIE


def number_of(side: Side) -> int:
    """Number of a side, from 1."""
    return int(side[1].removeprefix("side"))


def side_of(die: int, number: int) -> Side:
    """The side of that number."""
    return die, f"side{number}"


def faces_of(shown: ShownDice) -> dict[Side, ShownFace]:
    """What the sides shown so far are thought to be."""
    return match_faces(shown.sides, shown.shots, shown.said)


def set_problems(guide: EnrolmentGuide, faces: dict[Side, ShownFace]) -> list[str]:
    """Why these dice cannot be a set, in words; empty if nothing is known against it.

    Args:
        guide: knows what was shown.
        faces: what the sides are thought to be.
    """
    found = [
        f"Dice {one} and {other} look alike: was one die shown twice?"
        for one, other in guide.doubles()
    ]
    if len(faces) == ALL_SIDES:
        try:
            set_of("shown", faces)
        except DiceSetError as error:
            found += [f"{part}." for part in str(error).split("; ")]
    return found


def dice_records(
    guide: EnrolmentGuide, faces: dict[Side, ShownFace], edition: int
) -> list[dict[str, Any]]:
    """All nine dice for the page.

    Args:
        guide: knows what was shown.
        faces: what the sides are thought to be.
        edition: changes whenever a picture does, so that browsers ask anew.
    """
    return [
        {
            "die": die,
            "whole": guide.is_whole(die),
            "sides": [
                {
                    "side": number_of(side),
                    "shots": len(guide.shown.of(side)),
                    "face": face_record(faces[side].face),
                    "p": round(faces[side].p, 4),
                    "by_person": faces[side].by_person,
                    "picture": f"sides/{die}-{number_of(side)}.jpg?{edition}",
                }
                for side in guide.shown.sides_of(die)
            ],
        }
        for die in DICE
    ]


def crop_of(shown: ShownDice, side: Side) -> bytes | None:
    """The face of a side as JPEG, as upright as can be told; None if not shown."""
    shots = shown.of(side)
    if not shots:
        return None
    patch = upright(shots)[0]
    px = patch.shape[0]
    edge = round(px * (PATCH_MARGIN - CROP_MARGIN) / (1 + 2 * PATCH_MARGIN))
    inner = patch[edge : px - edge, edge : px - edge]
    size = (CROP_PX, CROP_PX)
    crop = cv2.resize(inner, size, interpolation=cv2.INTER_AREA)
    return encode_jpeg(np.asarray(crop, np.uint8), CROP_PX, CROP_QUALITY)
