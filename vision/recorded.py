"""Recorded sightings: a detector that replays what another one found."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, cast

from scoring.json_files import JsonFileError, read_json
from vision.errors import VisionError
from vision.reading import Sighting

if TYPE_CHECKING:
    from pathlib import Path

    from vision.ports import BgrImage, Detector

FORMAT = "tableside-sightings/1"


class RecordingError(VisionError):
    """A recording that cannot be read, or a picture that is not in it."""


def picture_digest(image: BgrImage) -> str:
    """What tells pictures apart: a hash of size and pixels."""
    digest = hashlib.sha256(repr(image.shape).encode())
    digest.update(image.tobytes())
    return digest.hexdigest()


class RecordingDetector:
    """Passes pictures on to a detector and remembers what it found.

    Args:
        detector: who finds.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.name = detector.name
        self._found: dict[str, tuple[Sighting, ...]] = {}

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        """Find the top faces, and remember them."""
        found = self._detector.detect(image)
        self._found[picture_digest(image)] = found
        return found

    def save(self, path: Path) -> None:
        """Write what was found to a JSON file."""
        pictures = {
            digest: [[seen.score, *map(list, seen.quad)] for seen in found]
            for digest, found in self._found.items()
        }
        record = {"format": FORMAT, "name": self.name, "pictures": pictures}
        path.write_text(json.dumps(record) + "\n", "utf-8")


class RecordedDetector:
    """Finds in known pictures what was found before, without a model.

    Args:
        path: a file that `RecordingDetector.save` wrote.

    Raises:
        RecordingError: the file cannot be read or is no recording.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            record = read_json(path)
        except JsonFileError as error:
            raise RecordingError(str(error)) from error
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise RecordingError(f"{path}: is not a recording of the format {FORMAT}")
        fields = cast("dict[str, object]", record)
        try:
            self.name = str(fields["name"])
            pictures = cast("dict[str, list[list[object]]]", fields["pictures"])
            self._found = {
                digest: tuple(_sighting(row) for row in rows)
                for digest, rows in pictures.items()
            }
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordingError(f"{path}: is damaged: {error!r}") from error

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        """What was found in this very picture.

        Raises:
            RecordingError: the picture is not in the recording.
        """
        found = self._found.get(picture_digest(image))
        if found is None:
            height, width = image.shape[:2]
            what = f"a picture of {width} x {height} pixels"
            raise RecordingError(f"{self._path}: {what} is not in the recording")
        return found


def _sighting(row: list[object]) -> Sighting:
    score, *corners = row
    a, b, c, d = ((float(x), float(y)) for x, y in cast("list[list[float]]", corners))
    return Sighting((a, b, c, d), float(cast("float", score)))
