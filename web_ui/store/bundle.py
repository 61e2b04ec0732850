"""One game with its evidence in one file, to be looked at or kept elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from web_ui.store.archive import ArchiveReader, reading, stated_text, writing
from web_ui.store.chain import (
    MOST_BODY_BYTES,
    Row,
    parse_line,
    picture_hashes,
    sha256,
)
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.pictures import MOST_PICTURE_BYTES
from web_ui.store.script_export import script_record
from web_ui.store.summaries import IMPORTED
from web_ui.table.events import NewEvent

if TYPE_CHECKING:
    from pathlib import Path

    from web_ui.store.pictures import Pictures
    from web_ui.store.store import EventStore

FORMAT = "tableside-bundle/1"
EVENTS = "events.jsonl"
SCRIPT = "script.json"
MOST_EVENTS_BYTES = 64 * 1024 * 1024
MOST_BYTES = 4 * 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a bundle.

    Attributes:
        game: id of the game.
        events: how many of its events were new here.
        pictures: how many of its pictures were new here.
    """

    game: str
    events: int
    pictures: int


def export_bundle(
    store: EventStore, pictures: Pictures, game: str, path: Path
) -> tuple[str, ...]:
    """Write a game into a bundle.

    Args:
        store: where its events are.
        pictures: where its evidence is.
        game: its id.
        path: the file to make.

    Returns:
        Hashes of pictures that its events name and that are not there any more.

    Raises:
        StoreError: there is no such game, or a picture was damaged, or the file cannot
            be written.
    """
    rows = store.rows(game)
    if not rows:
        raise StoreError(Trouble.REFUSED, f"There is no game {game!r:.80}.")
    named = set().union(*(picture_hashes(row.stored.event.body) for row in rows))
    about: dict[str, object] = {
        "format": FORMAT,
        "store": store.store_id,
        "game": game,
        "events": len(rows),
        "head": rows[-1].hash,
    }
    missing = []
    with writing(path, about) as archive:
        lines = "".join(row.text + "\n" for row in rows)
        archive.add(EVENTS, lines.encode("utf-8"), packed=True)
        archive.add(SCRIPT, _script(rows), packed=True)
        for name in sorted(named):
            data = pictures.get(name)
            if data is None:
                missing.append(name)
            else:
                archive.add(f"pictures/{name}", data)
        about["missing_pictures"] = missing
    return tuple(missing)


def _script(rows: tuple[Row, ...]) -> bytes:
    try:
        record = script_record([row.stored for row in rows])
    except StoreError:  # not a game that can be played
        record = {}
    return json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8")


def import_bundle(store: EventStore, pictures: Pictures, path: Path) -> Imported:
    """Take a game from a bundle; one that is there already is not taken twice.

    Nothing is stored before all of it is proved.

    Raises:
        StoreError: refused: the bundle is not what was written, or the game went on
            differently here. Or the store cannot be written.
    """
    with reading(path, FORMAT, MOST_BYTES) as archive:
        rows = _proved_rows(archive)
        bodies = [row.stored.event.body for row in rows]
        named = set().union(*map(picture_hashes, bodies))
        names = _proved_pictures(archive, named)
        if archive.read(SCRIPT, MOST_EVENTS_BYTES) != _script(rows):
            raise archive.bad("its game script is not that of its events")
        new = _new_rows(store, archive, rows)
        there = {one.hash for one in pictures.listed()}
        for name in names:
            pictures.put(archive.read(f"pictures/{name}", MOST_PICTURE_BYTES))
        if new:
            source = stated_text(archive.about, "store")
            store.append([*(row.stored.event for row in new), _note(rows, source)])
    return Imported(rows[0].game, len(new), len(set(names) - there))


def _proved_rows(archive: ArchiveReader) -> tuple[Row, ...]:
    """The events, if each is whole and they hang together as far as they can."""
    lines = archive.read(EVENTS, MOST_EVENTS_BYTES).split(b"\n")
    if lines.pop() != b"" or not lines:
        raise archive.bad(f"{EVENTS} does not end as it should")
    rows: list[Row] = []
    for place, line in enumerate(lines, start=1):
        if len(line) > MOST_BODY_BYTES + 10_000:
            raise archive.bad(f"line {place} of {EVENTS} is too long")
        try:
            row = parse_line(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise archive.bad(f"line {place} of {EVENTS}: {error}") from error
        if rows:
            last = rows[-1]
            if row.number <= last.number or row.game != last.game:
                raise archive.bad(f"line {place} of {EVENTS} does not follow")
            if row.number == last.number + 1 and row.previous != last.hash:
                raise archive.bad(f"the chain breaks at line {place} of {EVENTS}")
        rows.append(row)
    about = archive.about
    stated = (about.get("game"), about.get("events"), about.get("head"))
    if stated != (rows[0].game, len(rows), rows[-1].hash) or not rows[0].game:
        raise archive.bad("its events are not those that its manifest states")
    if len({row.key for row in rows}) < len(rows):
        raise archive.bad("it holds an event twice")
    return tuple(rows)


def _proved_pictures(archive: ArchiveReader, named: set[str]) -> list[str]:
    names = []
    for file, (_, hash_) in archive.files.items():
        if file in {EVENTS, SCRIPT}:
            continue
        name = file.removeprefix("pictures/")
        if file == name or name not in named or hash_ != name:
            raise archive.bad(f"{file} belongs to none of its events")
        archive.read(file, MOST_PICTURE_BYTES)
        names.append(name)
    stated = archive.about.get("missing_pictures")
    if stated != sorted(named - set(names)):
        raise archive.bad("pictures are missing from it")
    return names


def _new_rows(
    store: EventStore, archive: ArchiveReader, rows: tuple[Row, ...]
) -> tuple[Row, ...]:
    """Those that are not here; what is here must be how the game began."""
    here = [row.key for row in store.rows(rows[0].game)]
    keys = [row.key for row in rows]
    both = min(len(here), len(keys))
    if here[:both] != keys[:both]:
        raise archive.bad("this game went on differently here")
    return rows[both:]


def _note(rows: tuple[Row, ...], source: str) -> NewEvent:
    """That a game came from elsewhere: so nobody takes it for the one on the table."""
    last = rows[-1]
    body = {"game": last.game, "store": source, "head": last.hash, "events": len(rows)}
    key = sha256(f"imported {last.game} {last.hash}".encode())[:32]
    return NewEvent("", IMPORTED, body, "import", last.at, key)
