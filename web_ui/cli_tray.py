"""`tableside tray`: print its sheet, find it, set it, show it, clear it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.whole_files import write_whole
from vision.camera_nudge import grey_view
from vision.errors import SourceError, VisionError
from vision.sources import open_source
from vision.tray import TrayError, tray_of, tray_record
from vision.tray_find import find_trays
from vision.tray_sheet import PLANS
from vision.tray_watch import Calibration
from web_ui.settings import Settings, SettingsError, load_settings
from web_ui.tray_store import TrayStore, TrayStoreError, load_tray

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from vision.ports import BgrImage
    from vision.tray import Tray
    from vision.tray_find import Proposal

DONE, FAILED, UNUSABLE = 0, 1, 2
SETTLE_FRAMES = 8
"""Frames that a camera gets to find its exposure before its picture is taken."""
COLOURS = ((255, 232, 143), (80, 170, 255))
"""BGR outlines of the first proposal and of the others."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and what it can do."""
    parser = subparsers.add_parser(
        "tray",
        help="the area in which dice count: print its sheet, find it, set it",
        description="Dice outside the tray are told, but do not count.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    sheet = actions.add_parser("sheet", help="make the sheet to lay under the dice")
    sheet.add_argument("--out", type=Path, required=True, metavar="FILE.pdf")
    sheet.add_argument("--paper", choices=list(PLANS), default="a4")
    sheet.set_defaults(run=_sheet)
    find = actions.add_parser("find", help="look for a tray; store nothing")
    _add_camera(find)
    find.add_argument("--json", action="store_true", help="print what is found as JSON")
    find.add_argument("--overlay", type=Path, metavar="OUT.jpg", help="draw it there")
    find.add_argument(
        "--out", type=Path, metavar="TRAY.json", help="write the first for read --tray"
    )
    find.set_defaults(run=_find)
    setting = actions.add_parser("set", help="store the tray of a camera")
    _add_camera(setting)
    how = setting.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--corners",
        nargs=4,
        metavar="X,Y",
        help="in pixels from the outer corner of the picture, in any order",
    )
    how.add_argument("--file", type=Path, metavar="TRAY.json", help="as find writes it")
    how.add_argument(
        "--found",
        choices=("sheet", "edge"),
        help="what is found now; look at it with find before",
    )
    _add_settings(setting)
    setting.set_defaults(run=_set)
    for name, work, words in (
        ("show", _show, "print the stored tray of a camera as JSON"),
        ("clear", _clear, "forget the tray of a camera"),
    ):
        other = actions.add_parser(name, help=words)
        other.add_argument("camera", metavar="CAMERA", help="as given to play")
        _add_settings(other)
        other.set_defaults(run=work)


def _add_camera(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "camera", metavar="PICTURE|CAMERA", help="picture, clip, camera number, stream"
    )


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="settings (tableside.toml)"
    )


class _NotFoundError(Exception):
    """What was to be found was not; the message says where."""


def _told(sentence: str, status: int = UNUSABLE) -> int:
    print(f"tableside tray: {sentence}", file=sys.stderr)
    return status


def _sheet(args: argparse.Namespace) -> int:
    from web_ui.tray_pdf import sheet_pdf  # takes a moment to import

    try:
        write_whole(args.out, sheet_pdf(PLANS[args.paper]))
    except OSError as error:
        return _told(f"{args.out}: cannot be written: {error.strerror}")
    print(f"{args.out}: print it at 100 % on {PLANS[args.paper].title}")
    return DONE


def _find(args: argparse.Namespace) -> int:
    try:
        image = _picture(args.camera)
        found = find_trays(image)
        _write_found(args, image, found)
    except VisionError as error:
        return _told(str(error))
    except OSError as error:
        return _told(f"{error.filename}: cannot be written: {error.strerror}")
    if args.json:
        proposals = [
            {
                "tray": tray_record(proposal.tray),
                "confidence": proposal.confidence,
                "sentence": proposal.sentence,
            }
            for proposal in found
        ]
        print(json.dumps({"image": args.camera, "proposals": proposals}))
    else:
        for proposal in found:
            corners = "  ".join(f"{x:.0f},{y:.0f}" for x, y in _written(proposal.tray))
            print(
                f"{100 * proposal.confidence:3.0f} %  {proposal.sentence}\n  {corners}"
            )
    return DONE if found else _told(f"{args.camera}: no tray was found", FAILED)


def _write_found(
    args: argparse.Namespace, image: BgrImage, found: Sequence[Proposal]
) -> None:
    if args.overlay is not None:
        good, data = cv2.imencode(".jpg", draw_proposals(image, found))
        if good:
            write_whole(args.overlay, data.tobytes())
    if args.out is not None and found:
        write_whole(args.out, json.dumps(tray_record(found[0].tray)) + "\n")


def draw_proposals(image: BgrImage, found: Sequence[Proposal]) -> BgrImage:
    """Draw proposed trays into a copy of their picture, the first one last.

    Args:
        image: (H, W, 3) uint8 BGR.
        found: in its pixels.
    """
    drawn = image.copy()
    thick = max(2, round(image.shape[1] / 320))
    for place in reversed(range(len(found))):
        quad = np.round(np.clip(found[place].tray.quad, -30000, 30000))
        colour = COLOURS[min(place, 1)]
        outline = [quad.astype(np.int32)]
        cv2.polylines(drawn, outline, True, (20, 20, 20), thick + 2, cv2.LINE_AA)
        cv2.polylines(drawn, outline, True, colour, thick, cv2.LINE_AA)
    return drawn


def _written(tray: Tray) -> list[list[float]]:
    corners: list[list[float]] = tray_record(tray)["quad"]
    return corners


def _set(args: argparse.Namespace) -> int:
    try:
        store = _store(args)
        image = _picture(args.camera)
        tray = _wanted(args, image)
        fitted = tray.fitted(image.shape[1], image.shape[0])
        store.put(args.camera, Calibration(fitted, grey_view(image)))
    except (VisionError, SettingsError) as error:
        return _told(str(error))
    except _NotFoundError as error:
        return _told(str(error), FAILED)
    print(f"The tray of {args.camera} is stored in {store.path}")
    return DONE


def _wanted(args: argparse.Namespace, image: BgrImage) -> Tray:
    if args.file is not None:
        return load_tray(args.file)
    if args.corners is not None:
        points = [_point(text) for text in args.corners]
        return tray_of(points, image.shape[1], image.shape[0])
    found = [p.tray for p in find_trays(image) if p.tray.origin == args.found]
    if not found:
        raise _NotFoundError(f"{args.camera}: no {args.found} was found")
    return found[0]


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError as error:
        raise TrayError(f"a corner is written X,Y, not {text!r}") from error
    return x - 0.5, y - 0.5


def _show(args: argparse.Namespace) -> int:
    try:
        stored = _store(args).get(args.camera)
    except (TrayStoreError, SettingsError) as error:
        return _told(str(error))
    if stored is None:
        return _told(f"no tray is stored for {args.camera}", FAILED)
    record: dict[str, Any] = tray_record(stored.tray)
    print(json.dumps(record))
    return DONE


def _clear(args: argparse.Namespace) -> int:
    try:
        store = _store(args)
        there = store.get(args.camera) is not None
        store.put(args.camera, None)
    except (TrayStoreError, SettingsError) as error:
        return _told(str(error))
    words = "is forgotten" if there else "was not set"
    print(f"The tray of {args.camera} {words}")
    return DONE


def _store(args: argparse.Namespace) -> TrayStore:
    path: Path | None = args.settings
    if path is None and Path("tableside.toml").is_file():
        path = Path("tableside.toml")
    settings = Settings() if path is None else load_settings(path)
    return TrayStore(Path(settings.tray.file))


def _picture(camera: str) -> BgrImage:
    """A picture of a camera that has had time to see, or the picture itself.

    Raises:
        SourceError: it cannot be opened or shows nothing.
    """
    source = open_source(camera)
    image = None
    try:
        for count, frame in enumerate(source.frames()):
            image = frame.image
            if count >= SETTLE_FRAMES or Path(camera).is_dir():
                break
    finally:
        source.close()
    if image is None:
        raise SourceError(camera, "shows no picture")
    return image
