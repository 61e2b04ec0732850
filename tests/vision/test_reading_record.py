"""The JSON of a reading is what the design promises."""

from __future__ import annotations

import json

import pytest

from scoring.cards import parse_face
from vision.reading import (
    Alternative,
    DieReading,
    Problem,
    ProblemCode,
    Reading,
    Status,
)
from vision.reading_json import reading_record

QUAD = ((411.5, 299.5), (454.5, 303.5), (450.5, 346.5), (407.5, 342.5))
DIE = DieReading(
    parse_face("QH"), 0.99812345, QUAD, (Alternative(parse_face("QD"), 0.001),)
)
PROBLEM = Problem(ProblemCode.UNREADABLE_DIE, "One die cannot be read", (1,))
READING = Reading(
    "square-shooters",
    Status.ASK,
    0.9991,
    (DIE, DieReading(None, 0.0, QUAD)),
    (PROBLEM,),
    "faces-3@sha256:12",
)


def test_record_holds_what_the_design_lists() -> None:
    record = json.loads(json.dumps(reading_record(READING, "a.jpg", 41.23)))
    assert record == {
        "image": "a.jpg",
        "set": "square-shooters",
        "status": "ask",
        "confidence": 0.9991,
        "dice": [
            {
                "face": "QH",
                "confidence": 0.9981,
                "quad": [[412, 300], [455, 304], [451, 347], [408, 343]],
                "alternatives": [{"face": "QD", "p": 0.001}],
                "state": "flat",
            },
            {
                "face": None,
                "confidence": 0.0,
                "quad": [[412, 300], [455, 304], [451, 347], [408, 343]],
                "alternatives": [],
                "state": "flat",
            },
        ],
        "problems": [
            {
                "code": "unreadable_die",
                "sentence": "One die cannot be read",
                "dice": [1],
            }
        ],
        "elapsed_ms": 41.2,
        "model": "faces-3@sha256:12",
    }


def test_record_of_a_clip_names_the_frame() -> None:
    assert reading_record(READING, "a.mp4", 1.0, frame=18)["frame"] == 18
    assert "frame" not in reading_record(READING, "a.jpg", 1.0)


def test_corners_are_those_of_the_stored_picture() -> None:
    record = reading_record(READING, "a.jpg", 1.0, shrunk=4)
    assert record["dice"][0]["quad"][0] == pytest.approx([1648, 1200])
