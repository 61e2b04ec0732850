"""`tableside dataset captures`: look at the rolls that were kept from play."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from datasets.captures.entry import Entry
    from datasets.captures.listing import Tally

ACTIONS = ("list", "show", "verify", "drop", "rebuild")
KEPT = ("asked", "corrected", "refused", "sure", "entered", "enrolled")
REVIEWS = ("waiting", "reviewed", "dropped")
MEGABYTE = 1_000_000


def add_captures_parser(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to `tableside dataset`."""
    parser = kinds.add_parser(
        "captures",
        help="look at the rolls that were kept from play",
        description="list: what there is, page by page. show ID: one capture whole. "
        "verify: looks into every file. drop ID: removes captures for good. rebuild: "
        "makes a lost or damaged manifest anew from the sidecars. "
        "Exit: 0 done, 1 verify or rebuild found faults, 2 unusable input.",
    )
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="list")
    parser.add_argument("ids", nargs="*", metavar="ID", help="captures, for show, drop")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("tableside-data"),
        metavar="DIR",
        help="folder of the table (default %(default)s)",
    )
    parser.add_argument("--review", choices=REVIEWS, help="list only these")
    parser.add_argument("--kept", choices=KEPT, help="list only these")
    parser.add_argument("--recording", default="", metavar="NAME", help="only of this")
    parser.add_argument(
        "--face", default="", metavar="CODE", help="only with this face"
    )
    parser.add_argument(
        "--order", choices=("newest", "oldest", "doubt"), default="newest"
    )
    parser.add_argument(
        "--start", type=int, default=0, metavar="N", help="first of the list, from 0"
    )
    parser.add_argument(
        "--count", type=int, default=20, metavar="N", help="how many (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    from datasets.captures.fields import CaptureError

    doing: dict[str, Callable[[argparse.Namespace, Path], int]] = {
        "list": _list,
        "show": _show,
        "verify": _verify,
        "drop": _drop,
        "rebuild": _rebuild,
    }
    try:
        if args.ids and args.action not in ("show", "drop"):
            raise CaptureError(f"{args.action} takes no ID")
        return doing[args.action](args, _album_folder(args.data))
    except CaptureError as error:
        print(f"tableside dataset captures: {error}", file=sys.stderr)
        return 2


def _album_folder(data: Path) -> Path:
    """The album of a table; the folder of an album itself may be named too."""
    from datasets.captures.fields import CaptureError
    from datasets.captures.files import MANIFEST, SIDECARS
    from web_ui.captures.opening import captures_folder

    for folder in (captures_folder(data), data):
        if (folder / MANIFEST).exists() or (folder / SIDECARS).is_dir():
            return folder
    raise CaptureError(f"{data}: no roll was kept there")


def _list(args: argparse.Namespace, folder: Path) -> int:
    from datasets.captures.album import Album
    from datasets.captures.capture import Kept, Review
    from datasets.captures.checking import sidecars_there
    from datasets.captures.listing import Filter, Order

    there = sidecars_there(folder)  # first: what is written meanwhile is listed then
    album = Album(folder)
    which = Filter(
        review=Review(args.review) if args.review else None,
        kept=Kept(args.kept) if args.kept else None,
        recording=args.recording,
        face=args.face.upper(),
    )
    page = album.page(which, Order(args.order), args.start, args.count)
    if (unlisted := there - len(album)) > 0:
        what = "lies" if unlisted == 1 else "lie"
        _tell(
            [
                f"{unlisted} more {what} in {folder} that the manifest does not list:"
                " `tableside dataset captures rebuild` makes it anew"
            ]
        )
    if args.json:
        for entry in page.entries:
            print(json.dumps(_record(entry), ensure_ascii=False))
        return 0
    _tell(album.told)
    print(_summary(album.tally()))
    print(f"{page.total} listed, from {page.start}:")
    for entry in page.entries:
        print(
            f"{entry.id}  {entry.taken_at[:19]}  {entry.kept:<9} {entry.review:<8}"
            f" {entry.doubt:.2f}  {printable(entry.faces)}"
        )
    return 0


def _record(entry: Entry) -> dict[str, object]:
    return {key: getattr(entry, key) for key in entry.__slots__}


def _counted(captures: int) -> str:
    return f"{captures} capture{' is' if captures == 1 else 's are'}"


def _summary(tally: Tally) -> str:
    def counts(of: dict[str, int]) -> str:
        return ", ".join(f"{printable(k)} {n}" for k, n in sorted(of.items())) or "none"

    return (
        f"{tally.total} capture{'s' * (tally.total != 1)} of"
        f" {tally.recordings} recording{'s' * (tally.recordings != 1)},"
        f" {tally.size / MEGABYTE:.1f} MB\n"
        f"kept: {counts(tally.by_kept)}; review: {counts(tally.by_review)};"
        f" dropped: {counts(tally.dropped)}"
    )


def _show(args: argparse.Namespace, folder: Path) -> int:
    from datasets.captures.album import Album
    from datasets.captures.sidecar import capture_form

    album = Album(folder)
    for name in _named(args):
        path, form = album.path(name), capture_form(album.get(name))
        if args.json:
            print(json.dumps({"path": str(path), **form}, ensure_ascii=False))
            continue
        print(f"{printable(str(path))}")
        for key, value in form.items():
            if key in ("dice", "reading"):
                continue
            print(f"  {key:<10} {printable(_short(value))}")
        for die in form["dice"]:
            x, y = (sum(corner[k] for corner in die["quad"]) / 4 for k in (0, 1))
            by = printable(" ".join(filter(None, (die["origin"], die["role"]))))
            print(f"  die {die['face'] or '?':<3} at {x:.0f},{y:.0f} by {by}")
        reading = form["reading"]
        if reading is not None:
            faces = " ".join(die["face"] or "?" for die in reading["dice"])
            print(f"  read {reading['status']} {reading['confidence']:.4f}: {faces}")
            for problem in reading["problems"]:
                print(f"    {problem['code']}: {printable(problem['sentence'])}")
    return 0


def _short(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _named(args: argparse.Namespace) -> list[str]:
    from datasets.captures.fields import CaptureError

    if not args.ids:
        raise CaptureError(f"{args.action} needs the ID of a capture")
    named: list[str] = args.ids
    return named


def _verify(args: argparse.Namespace, folder: Path) -> int:
    from datasets.captures.album import Album
    from datasets.captures.checking import verify

    album = Album(folder)
    check = verify(album)
    if args.json:
        record = {"ok": check.ok, "good": check.good, "faults": check.faults}
        print(json.dumps({**record, "orphans": check.orphans}, ensure_ascii=False))
        return 0 if check.ok else 1
    _tell(album.told)
    for fault in check.faults:
        print(printable(fault))
    for orphan in check.orphans:
        print(f"{printable(orphan)}: belongs to no capture")
    print(f"{_counted(check.good)} whole" + ("" if check.ok else "; see above"))
    return 0 if check.ok else 1


def _drop(args: argparse.Namespace, folder: Path) -> int:
    from datasets.captures.album import Album

    album = Album(folder)
    for name in _named(args):
        album.drop(name)
        print(f"{name} was removed")
    return 0


def _rebuild(args: argparse.Namespace, folder: Path) -> int:
    from datasets.captures.rebuilding import rebuild

    listed, faults = rebuild(folder)
    _tell([*faults])
    print(f"{_counted(listed)} listed")
    return 1 if faults else 0


def _tell(sentences: list[str]) -> None:
    for sentence in sentences:
        print(printable(sentence), file=sys.stderr)
