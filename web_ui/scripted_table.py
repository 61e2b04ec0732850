"""A scripted table: recorded readings played back instead of a camera and models.

It plays the part of the camera and of the watcher, to look at the pages and to try
games where there is no camera and no model. A script is a JSON file:

    {"format": "tableside-watch/1", "width_px": 1280, "height_px": 720, "length_s": 9,
     "moments": [{"at_s": 0, "watch": "empty"}, {"at_s": 1, "watch": "moving"},
                 {"at_s": 2, "watch": "settled", "reading": {... as read --json ...}}]}

It begins anew when `length_s` is over.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from scoring.cards import Card, Colour, Joker
from scoring.json_files import JsonFileError, read_json
from vision.ports import BgrImage, Frame
from vision.watch import Observation, WatchState
from web_ui.recorded_readings import RecordError, parse_reading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vision.reading import DieReading, Reading

FORMAT = "tableside-watch/1"
FRAMES_PER_S = 10.0
FELT = (58, 84, 44)
IVORY = (224, 238, 244)
INKS = {Colour.RED: (40, 20, 178), Colour.BLACK: (24, 24, 24)}


class ScriptError(ValueError):
    """A file that is not a watch script; names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What happens from a time on.

    Attributes:
        at_s: since the script began.
        watch: what the watcher tells from then on.
        reading: the roll that settles at that moment, if one does.
    """

    at_s: float
    watch: WatchState
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class WatchScript:
    """A whole script.

    Attributes:
        width_px: width of its pictures.
        height_px: their height.
        length_s: when it begins anew.
        moments: in order of time, the first at 0.
    """

    width_px: int
    height_px: int
    length_s: float
    moments: tuple[Moment, ...]

    def __post_init__(self) -> None:
        times = [moment.at_s for moment in self.moments]
        if not times or times[0] != 0 or times != sorted(set(times)):
            raise ValueError("moments must begin at 0 and each come after the other")
        if self.length_s <= times[-1]:
            raise ValueError(f"length_s must be more than {times[-1]:g}")
        if not (16 <= self.width_px <= 4096 and 16 <= self.height_px <= 4096):
            raise ValueError("width_px and height_px must be 16..4096")

    def place(self, time_s: float) -> tuple[int, int]:
        """Find where a time falls: the lap, and the moment in it."""
        lap, into_s = divmod(time_s, self.length_s)
        times = [moment.at_s for moment in self.moments]
        return int(lap), bisect_right(times, into_s) - 1


def load_watch_script(path: Path) -> WatchScript:
    """Read a script.

    Raises:
        ScriptError: unreadable, not JSON or not a script.
    """
    try:
        data = read_json(path)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ScriptError(f"{path}: format must be {FORMAT!r}")
        moments = tuple(_moment(moment) for moment in data["moments"])
        size = (int(data["width_px"]), int(data["height_px"]))
        return WatchScript(*size, float(data["length_s"]), moments)
    except JsonFileError as error:
        raise ScriptError(str(error)) from error
    except KeyError as error:
        raise ScriptError(f"{path}: needs {error.args[0]!r}") from error
    except ScriptError:
        raise
    except (
        TypeError,
        ValueError,
        OverflowError,
    ) as error:  # RecordError is one of these
        raise ScriptError(f"{path}: {error}") from error


def _moment(data: dict[str, Any]) -> Moment:
    record = data.get("reading")
    if record is not None and not isinstance(record, dict):
        raise RecordError(f"a reading must be an object, not {record!r}")
    reading = None if record is None else parse_reading(record)
    return Moment(float(data["at_s"]), WatchState(data["watch"]), reading)


class ScriptedSource:
    """Gives drawn pictures of the script's dice, at ten frames a second, for ever."""

    def __init__(self, script: WatchScript) -> None:
        self._script = script
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Yield frames until closed."""
        drawn: tuple[int, BgrImage] | None = None
        index = 0
        while not self._closed:
            time_s = index / FRAMES_PER_S
            _, place = self._script.place(time_s)
            if drawn is None or drawn[0] != place:
                drawn = place, draw_moment(self._script, place)
            yield Frame(drawn[1], f"scripted frame {index}", index, time_s)
            index += 1

    def close(self) -> None:
        """End the frames."""
        self._closed = True


class ScriptedWatcher:
    """Tells what the script says, by the time of the frame."""

    def __init__(self, script: WatchScript) -> None:
        self._script = script
        self._told: tuple[int, int] | None = None
        self._rolls = 0

    def see(self, frame: Frame) -> Observation:
        """Judge a frame: a reading comes once, with the first frame of its moment."""
        place = self._script.place(frame.time_s)
        moment = self._script.moments[place[1]]
        if place == self._told or moment.reading is None:
            self._told = place
            return Observation(moment.watch, None, None)
        self._told = place
        self._rolls += 1
        return Observation(moment.watch, moment.reading, self._rolls)


def draw_moment(script: WatchScript, place: int) -> BgrImage:
    """Draw what lies on the table: the last reading, unless the tray is empty."""
    image = np.full((script.height_px, script.width_px, 3), FELT, np.uint8)
    moment = script.moments[place]
    if moment.watch == WatchState.EMPTY:
        return image
    readings = [item.reading for item in script.moments[: place + 1] if item.reading]
    for die in readings[-1].dice if readings else ():
        _draw_die(image, die)
    return image


def _draw_die(image: BgrImage, die: DieReading) -> None:
    quad = np.array(die.quad, np.float32)
    corners = quad.round().astype(np.int32)
    cv2.fillConvexPoly(image, corners + 6, (34, 50, 26), cv2.LINE_AA)
    cv2.fillConvexPoly(image, corners, IVORY, cv2.LINE_AA)
    face = die.face
    if not isinstance(face, Card | Joker):
        return
    centre = quad.mean(axis=0)
    side = float(np.linalg.norm(quad[1] - quad[0]))
    scale = side / 48
    (width, height), _ = cv2.getTextSize(face.code, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
    at = (int(centre[0] - width / 2), int(centre[1] + height / 2))
    ink = INKS[face.colour]
    cv2.putText(
        image, face.code, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, 2, cv2.LINE_AA
    )
