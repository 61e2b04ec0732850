"""Recorded readings played back: read from their JSON, told at their time."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest
from table_makers import (
    FIRST,
    HEIGHT_PX,
    SECOND,
    WIDTH_PX,
    moment,
    reading,
    write_script,
)

from vision.reading import Status
from vision.reading_json import reading_record
from vision.watch import WatchState
from web_ui.recorded_readings import RecordError, parse_reading
from web_ui.scripted_table import (
    ScriptedSource,
    ScriptedWatcher,
    ScriptError,
    draw_moment,
    load_watch_script,
)

if TYPE_CHECKING:
    from pathlib import Path

    from vision.reading import Reading

MOMENTS = [
    moment(0, "empty"),
    moment(0.5, "moving"),
    moment(1, "settled", reading(FIRST, 1)),
    moment(2, "settled", reading(SECOND, 2)),
]


@pytest.mark.parametrize(
    "made",
    [
        reading(FIRST, 1),
        reading(FIRST.replace("5H", "?"), 2, Status.ASK, (2,)),
        reading("", 3, Status.REFUSE),
    ],
    ids=["sure", "ask", "none"],
)
def test_reading_comes_back_from_its_json(made: Reading) -> None:
    record = json.loads(json.dumps(reading_record(made, "a.jpg", 4.2)))
    back = parse_reading(record)
    assert reading_record(back, "a.jpg", 4.2) == record
    assert [die.face for die in back.dice] == [die.face for die in made.dice]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "maybe"}, "maybe"),
        ({"dice": [{}]}, "'face'"),
        ({"dice": 5}, "not a reading"),
        ({"confidence": "high"}, "high"),
        ({"confidence": 10**400}, "too large"),
    ],
)
def test_record_that_is_no_reading_is_refused(
    change: dict[str, Any], said: str
) -> None:
    record = reading_record(reading(FIRST, 1), "a.jpg", 0.0) | change
    with pytest.raises(RecordError, match=said):
        parse_reading(record)
    with pytest.raises(RecordError, match="'set'"):
        parse_reading({})


def test_watcher_tells_each_roll_once_a_lap(tmp_path: Path) -> None:
    script = load_watch_script(write_script(tmp_path / "w.json", MOMENTS, 3))
    source, watcher = ScriptedSource(script), ScriptedWatcher(script)
    seen = [watcher.see(frame) for frame in itertools.islice(source.frames(), 60)]
    source.close()
    assert [item.roll for item in seen if item.reading] == [1, 2, 3, 4]
    assert [place for place, item in enumerate(seen) if item.reading] == [
        10,
        20,
        40,
        50,
    ]
    assert seen[0].state is WatchState.EMPTY
    assert seen[7].state is WatchState.MOVING
    assert seen[15].state is WatchState.SETTLED


def test_source_ends_when_closed(tmp_path: Path) -> None:
    script = load_watch_script(write_script(tmp_path / "w.json", MOMENTS, 3))
    source = ScriptedSource(script)
    frames = source.frames()
    assert next(frames).image.shape == (HEIGHT_PX, WIDTH_PX, 3)
    source.close()
    assert list(frames) == []


def test_dice_are_drawn_where_they_were_read(tmp_path: Path) -> None:
    script = load_watch_script(write_script(tmp_path / "w.json", MOMENTS, 3))
    empty, rolled = draw_moment(script, 0), draw_moment(script, 2)
    for die in reading(FIRST, 1).dice:
        x, y = (int(value) + 4 for value in die.quad[0])
        assert int(rolled[y, x].min()) > 200
        assert int(empty[y, x].min()) < 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("{", "w.json: ", id="no-json"),
        pytest.param("[]", "format must be", id="no-object"),
        pytest.param('{"format": "other"}', "format must be", id="other-format"),
        pytest.param(
            '{"format": "tableside-watch/1"}', "needs 'moments'", id="no-moments"
        ),
    ],
)
def test_file_that_is_no_script_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "w.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ScriptError, match=said) as caught:
        load_watch_script(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("moments", "length_s", "said"),
    [
        ([], 5, "begin at 0"),
        ([moment(1, "empty")], 5, "begin at 0"),
        ([moment(0, "empty"), moment(0, "hand")], 5, "each come after"),
        ([moment(0, "empty"), moment(6, "hand")], 5, "more than 6"),
        ([moment(0, "asleep")], 5, "asleep"),
        ([{"at_s": 0, "watch": "empty", "reading": []}], 5, "must be an object"),
    ],
)
def test_script_that_cannot_be_played_is_refused(
    tmp_path: Path, moments: list[dict[str, Any]], length_s: float, said: str
) -> None:
    path = write_script(tmp_path / "w.json", moments, length_s)
    with pytest.raises(ScriptError, match=said):
        load_watch_script(path)


def test_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be read"):
        load_watch_script(tmp_path / "absent.json")
