"""Stored trays: one JSON file, a tray with the view it was set in for each camera."""

from __future__ import annotations

import base64
import binascii
import json
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np

from datasets.captures.private_files import write_private
from scoring.json_files import JsonFileError, read_json
from vision.errors import VisionError
from vision.tray import TrayError, parse_tray, tray_record
from vision.tray_watch import Calibration

if TYPE_CHECKING:
    from pathlib import Path

    from vision.picture_motion import Grey
    from vision.tray import Tray

FORMAT = "tableside-trays/1"
VIEW_QUALITY = 90
MOST_VIEW_BYTES = 2 * 1024 * 1024


class TrayStoreError(VisionError):
    """A file of trays that cannot be used; the message begins with its path."""


def camera_key(word: str) -> str:
    """Under which name the tray of a camera is stored.

    Args:
        word: what the user calls the camera: number, address, file.

    Returns:
        The same without user name, password and query of an address.
    """
    if "://" not in word:
        return word
    try:
        parts = urlsplit(word)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))
    except ValueError:
        return word


def load_tray(path: Path) -> Tray:
    """Read a tray from the file that `tableside tray find --out` or `show` makes.

    Raises:
        TrayError: missing, unreadable, or no tray; the message begins with the path.
    """
    try:
        return parse_tray(read_json(path))  # type: ignore[arg-type]  # it looks itself
    except JsonFileError as error:
        raise TrayError(str(error)) from error
    except TrayError as error:
        raise TrayError(f"{path}: {error}") from error


class TrayStore:
    """The trays of all cameras in one file, which need not be there yet.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def get(self, camera: str) -> Calibration | None:
        """Find the tray of a camera; None if none is stored.

        Raises:
            TrayStoreError: the file cannot be used.
        """
        with self._lock:
            record = self._read().get(camera_key(camera))
        if record is None:
            return None
        try:
            return Calibration(parse_tray(record), _view_of(record.get("view")))
        except TrayError as error:
            raise TrayStoreError(f"{self.path}: {camera}: {error}") from error

    def put(self, camera: str, calibration: Calibration | None) -> None:
        """Store the tray of a camera, or forget it if None.

        Raises:
            TrayStoreError: the file cannot be used or written.
        """
        with self._lock:
            trays = self._read()
            trays.pop(camera_key(camera), None)
            if calibration is not None:
                record = tray_record(calibration.tray)
                record["view"] = _view_text(calibration.grey)
                trays[camera_key(camera)] = record
            body = json.dumps({"format": FORMAT, "trays": trays}, indent=1)
            try:
                write_private(self.path, body.encode())
            except OSError as error:
                why = error.strerror or str(error)
                raise TrayStoreError(
                    f"{self.path}: cannot be written: {why}"
                ) from error

    def _read(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        try:
            whole = read_json(self.path)
        except JsonFileError as error:
            raise TrayStoreError(str(error)) from error
        if not isinstance(whole, dict) or whole.get("format") != FORMAT:
            raise TrayStoreError(f"{self.path}: format must be {FORMAT!r}")
        trays = whole.get("trays")
        if not isinstance(trays, dict):
            raise TrayStoreError(f"{self.path}: trays must be an object")
        return {key: record for key, record in trays.items() if record}


def _view_text(grey: Grey | None) -> str | None:
    if grey is None:
        return None
    good, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, VIEW_QUALITY])
    return base64.b64encode(data.tobytes()).decode("ascii") if good else None


def _view_of(text: object) -> Grey | None:
    """The view from its text; None if there is none or if it is damaged."""
    if not isinstance(text, str) or len(text) > MOST_VIEW_BYTES:
        return None
    try:
        data = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
        grey = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if len(data) else None
    except (binascii.Error, ValueError, cv2.error):
        return None
    return None if grey is None else np.asarray(grey, np.uint8)
