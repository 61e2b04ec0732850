"""What an errand's process does: sets exported to a zip file, or imported from one.

Run as `python -m web_ui.reviewing.errand_work`: it takes a line of JSON on its standard
input, and writes lines of JSON about how it is going. When the input ends, so does it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.captures.album import Album
from datasets.captures.capture import Review, stamp
from datasets.captures.labelled import each_labelled
from datasets.captures.listing import Filter
from datasets.eval_labels import LABELS
from datasets.labels.class_names import ORDERS
from datasets.labels.export_marks import EXPORT_FILE, marks_about
from datasets.labels.exporting import Carries, ExportOptions, export_set
from datasets.labels.formats import FORMATS, READERS
from datasets.labels.importing import ImportOptions, read_all
from datasets.labels.into_album import Entered, enter_all
from datasets.labels.notes import NoteBook
from datasets.labels.picture_tags import Labeller
from datasets.labels.sources import with_files
from datasets.labels.splits import Split, parse_shares
from datasets.labels.yolo_lines import FIRST_CORNER
from datasets.labels.yolo_yaml import DATA_YAML
from datasets.shards import DataSetError
from scoring.cards import ScoringError
from web_ui.reviewing.zips import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from datasets.eval_labels import LabelledPicture
    from datasets.labels.notes import Note

LESS_URGENT = 10
"""How much nicer than the table, as `nice` counts."""
TELL_EVERY_S = 0.2
MOST_NOTES = 50
ONE_FILE = {"coco": "annotations", "label-studio": "tasks.json"}
"""What a set of these has; else its only JSON file is taken."""


class StoppedError(Exception):
    """Somebody does not want it any more."""


class _Teller:
    """Tells how far the work is; raises `StoppedError` when it shall stop."""

    def __init__(self) -> None:
        self.stopped = False
        self._last = 0.0

    def go_on(self) -> None:
        if self.stopped:
            raise StoppedError

    def told(self, done: int, total: int, doing: str) -> None:
        self.go_on()
        now = time.monotonic()
        if now - self._last >= TELL_EVERY_S:
            self._last = now
            say({"done": done, "total": total, "doing": doing})

    def each(
        self, pictures: Iterable[LabelledPicture], total: int, doing: str
    ) -> Iterator[LabelledPicture]:
        for done, picture in enumerate(pictures):
            self.told(done, total, doing)
            yield picture


def say(record: dict[str, Any]) -> None:
    """Write a line for the table."""
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def export_to_zip(spec: dict[str, Any], teller: _Teller) -> dict[str, Any]:
    """Write a set, and pack it.

    Raises:
        LabelError: it cannot be written.
    """
    album, scratch = Album(Path(spec["album"])), Path(spec["scratch"])
    which = Filter(dice_set=spec["dice_set"])
    reviewed = Filter(review=Review.REVIEWED, dice_set=spec["dice_set"])
    total = album.page(which if spec["sure"] else reviewed, count=0).total
    split = Split(parse_shares(spec["shares"])) if spec["shares"] else None
    book = NoteBook()
    pictures = with_files(
        each_labelled(
            album, which, reviewed_only=not spec["sure"], left_out=book.leave_out
        ),
        book.leave_out,
    )
    report = export_set(
        teller.each(pictures, total, "writing labels"),
        scratch / "set",
        FORMATS[spec["format"]],
        ExportOptions(ORDERS[spec["classes"]], split=split, marked=True),
        book,
    )
    _make_movable(scratch / "set" / DATA_YAML)
    pack(
        scratch / "set",
        Path(spec["file"]),
        lambda done, of: teller.told(done, of, "packing"),
    )
    return {
        "pictures": dict(report.pictures),
        "dice": report.dice,
        "notes": _notes(report.notes),
    }


def _make_movable(data_yaml: Path) -> None:
    """Leave out where the set lay: without it, a reader takes the file's own folder."""
    if data_yaml.exists():
        lines = data_yaml.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("path:")]
        data_yaml.write_text("".join(kept), "utf-8")


def import_from_zip(spec: dict[str, Any], teller: _Teller) -> dict[str, Any]:
    """Unpack a set, read all of it, then add its pictures to the album.

    Raises:
        LabelError: something in it cannot be used; `taken` tells what was added.
    """
    scratch, book, name = Path(spec["scratch"]), NoteBook(), spec["format"]
    folder = scratch / "set"
    folder.mkdir(mode=0o700)
    say({"done": 0, "total": 0, "doing": "unpacking"})
    unpack(Path(spec["file"]), folder, book, teller.go_on)
    options = ImportOptions(
        order=ORDERS[spec["classes"]] if spec["classes"] else None,
        recording=spec["recording"],
        labeller=Labeller(spec["by"]) if spec["by"] else None,
    )
    places = set_places(folder, name)
    read = read_all(places, READERS[name], options, book)
    # all of it before the first is added: a bad line must leave the album as it was
    pictures = tuple(teller.each(read, 0, "reading labels"))
    unknown = any(note.sentence == FIRST_CORNER for note in book.notes())
    about = Entered(
        spec["recording"],
        spec["dice_set"],
        stamp(datetime.now(UTC)),
        turn_known=spec["first_corner"] or not unknown,
        states_known=Carries.STATE in FORMATS[name].carries,
        marks=marks_about(places, book),
    )
    album = Album(Path(spec["album"]), spec["budget_bytes"])
    taken: Counter[str] = Counter()
    try:
        for picture in teller.each(pictures, len(pictures), "adding pictures"):
            for outcome, count in enter_all(album, (picture,), about, book).items():
                taken[outcome.value] += count
    finally:
        say({"taken": dict(taken)})
    return {"pictures": len(pictures), "notes": _notes(book.notes())}


def set_places(folder: Path, name: str) -> list[Path]:
    """Where in an unpacked zip file the set lies: at the top, or in the only folder.

    Args:
        folder: what was unpacked.
        name: of the format.
    """
    found = [*folder.iterdir()]
    # crops lie in folders that mean something
    while len(found) == 1 and found[0].is_dir() and name != "yolo-classify":
        if found[0].name in ("annotations", "images", "labels"):
            break
        folder = found[0]
        found = [*folder.iterdir()]
    if name == "native" and not (folder / LABELS).exists():
        sides = sorted(path.parent for path in folder.glob(f"*/{LABELS}"))
        return sides or [folder]
    if name in ONE_FILE and not (folder / ONE_FILE[name]).exists():
        lone = [path for path in folder.glob("*.json") if path.name != EXPORT_FILE]
        return lone if len(lone) == 1 else [folder]
    if name == "cvat" and not (folder / "annotations.xml").exists():
        lone = [*folder.glob("*.xml")]
        return lone if len(lone) == 1 else [folder]
    return [folder]


def _notes(notes: Iterable[Note]) -> list[str]:
    every = [str(note) for note in notes]
    more = len(every) - MOST_NOTES
    return every[:MOST_NOTES] + ([f"and {more} more kinds"] if more > 0 else [])


WORK = {"export": export_to_zip, "import": import_from_zip}


def main() -> int:
    """Do what the first line says."""
    spec = json.loads(sys.stdin.readline())
    teller = _Teller()

    def stop(number: int, frame: object) -> None:
        teller.stopped = True

    signal.signal(signal.SIGTERM, stop)
    threading.Thread(target=_watch_table, args=(teller,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(LESS_URGENT)
    try:
        result = WORK[spec["kind"]](spec, teller)
    except StoppedError:
        say({"cancelled": True})
        return 1
    except (DataSetError, ScoringError, OSError) as error:
        say({"error": _plain(str(error), spec)})
        return 1
    result["notes"] = [_plain(note, spec) for note in result["notes"]]
    say({"result": result})
    return 0


def _plain(sentence: str, spec: dict[str, Any]) -> str:
    """A sentence without the folder that nobody knows: names are those of the set."""
    for place in (f"{spec['scratch']}/set/", spec["scratch"]):
        sentence = sentence.replace(str(Path(place).resolve()) + "/", "")
        sentence = sentence.replace(place, "")
    return sentence


def _watch_table(teller: _Teller) -> None:
    """Stop when the table has ended, however it ended."""
    sys.stdin.read()
    teller.stopped = True
    time.sleep(5)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
