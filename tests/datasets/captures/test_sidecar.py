"""Sidecars: a capture as JSON without loss, and what is refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from capture_makers import capture, dice, picture, square

from datasets.captures.capture import Capture, CapturedDie, Kept, Origin, Review, is_id
from datasets.captures.fields import CaptureError
from datasets.captures.sidecar import (
    MOST_BYTES,
    capture_form,
    parse_sidecar,
    read_sidecar,
    sidecar_text,
)
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
    from pathlib import Path

DATA = picture(1)


def reading() -> Reading:
    """A reading in which every kind of field is used."""
    die = DieReading(
        parse_face("QH"),
        1 / 3,
        square(1 / 7, 2.5),
        (Alternative(parse_face("QD"), 1e-12), Alternative(parse_face("RJ"), 0.25)),
        DieState.COCKED,
    )
    unread = DieReading(None, 0.0, square(50, 60))
    problem = Problem(ProblemCode.DOUBTFUL_DIE, "“Die” 1: 10♥?\n", (0, 1))
    return Reading(
        "square-shooters", Status.ASK, 0.123456789012345, (die, unread), (problem,),
        "faces@sha256:0123456789ab", (unread,),
    )  # fmt: skip


def full() -> Capture:
    """A capture in which every field is used."""
    return capture(
        DATA,
        Kept.CORRECTED,
        dice=(*dice("QH ?"), *dice("2C", Origin.PERSON), *dice("3C", Origin.DRAWN)),
        reading=reading(),
        models=("faces@sha256:0123456789ab", "detector@sha256:ab"),
        review=Review.REVIEWED,
        doubt=1 / 3,
        likeness="0123456789abcdef",
        recording="Ann's evening, ½ dark",
    )


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(capture(DATA, dice=(), light=None, camera=""), id="least"),
        pytest.param(full(), id="full"),
    ],
)
def test_sidecar_keeps_everything(one: Capture) -> None:
    assert parse_sidecar(sidecar_text(one).encode()) == one


def test_sidecar_keeps_random_captures() -> None:
    chance = random.Random(7)

    def point() -> tuple[float, float]:
        return chance.uniform(-50, 2000), chance.gauss(0, 1e-9)

    for _ in range(100):
        some = tuple(
            CapturedDie(
                (point(), point(), point(), point()),
                chance.choice([None, parse_face("AS"), parse_face("BJ")]),
                chance.choice(list(DieState)),
                chance.choice(list(Origin)),
            )
            for _ in range(9)
        )
        one = replace(full(), dice=some, doubt=chance.random())
        assert parse_sidecar(sidecar_text(one).encode()) == one


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value of a record stands."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += _paths(inner, (*path, key))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            found += _paths(inner, (*path, place))
    return found


def _with(record: Any, path: tuple[Any, ...], value: object) -> bytes:
    copy = json.loads(json.dumps(record))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(copy).encode()


@pytest.mark.parametrize("value", [{"x": 1}, [[]], 10**400, -1e300, "\ud800", True])
def test_hostile_value_anywhere_is_refused_with_a_name(value: object) -> None:
    record = json.loads(sidecar_text(full()))
    for path in _paths(record):
        with pytest.raises(CaptureError) as caught:
            parse_sidecar(_with(record, path, value))
        keys = [key for key in path if isinstance(key, str)]
        assert any(key in str(caught.value) for key in keys), (path, caught.value)


def test_key_that_is_missing_or_unknown_is_named() -> None:
    form = capture_form(full())
    for key in form:
        record = {"format": "tableside-capture/1", **form}
        del record[key]
        with pytest.raises(CaptureError, match=f"^{key} is missing"):
            parse_sidecar(json.dumps(record).encode())
    record = json.loads(sidecar_text(full()))
    record["dice"][1]["colour"] = "red"
    with pytest.raises(CaptureError, match=r"dice\[1\]\.colour.* is not known"):
        parse_sidecar(json.dumps(record).encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"[]", b"{", b"[" * 100_000, b'{"format": "other/2"}', b"NaN"],
)
def test_what_is_no_sidecar_is_refused_naming_the_file(
    tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "one.json"
    path.write_bytes(data)
    with pytest.raises(CaptureError, match=r"one\.json: "):
        read_sidecar(path)


def test_sidecar_that_is_missing_or_huge_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="cannot be read"):
        read_sidecar(tmp_path / "none.json")
    path = tmp_path / "huge.json"
    path.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(CaptureError, match="are no sidecar"):
        read_sidecar(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("picture", "../../etc/passwd"),
        ("picture", "A" * 64),
        ("width_px", 0),
        ("taken_at", "2026-01-31 12:00"),
        ("taken_at", "2026-01-31T12:00:00.000000+01:00"),
        ("recording", " "),
        ("recording", "a\nb"),
        ("recording", "x" * 201),
        ("dice_set", ""),
        ("doubt", float("nan")),
        ("doubt", 1.1),
        ("likeness", "0123"),
        ("dice", dice() * 30),
    ],
)
def test_bad_capture_cannot_be_made(key: str, value: Any) -> None:
    with pytest.raises(CaptureError, match=key):
        capture(DATA, **{key: value})


def test_id_is_no_path() -> None:
    assert is_id(capture(DATA).id)
    for text in (
        "",
        "..",
        "0" * 23,
        "0" * 25,
        "../" + "0" * 21,
        "G" * 24,
        "0" * 23 + "\n",
    ):
        assert not is_id(text)
