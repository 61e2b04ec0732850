"""What people said of a proposed layout, kept in the data folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from datasets.captures.private_files import make_private, write_private
from scoring.dice_sets import check_card_faces, parse_layout

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "layout"
"""Folder of these files, in the data folder."""
REAL, VIRTUAL = "table.json", "virtual.json"
"""Files of real dice and of drawn ones, which lie on one die as they please."""
MOST_BYTES = 1_000_000
MOST_WRONG = 20

Dice = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """What people said.

    Attributes:
        since: number of the event after which throws count: all before were of other
            dice, or taught a layout that was wrong.
        put_off: throws there were when somebody said "not now"; 0 if nobody did.
        name: the set that was made of the layout; empty before it is confirmed.
        dice: its layout, codes of six faces of each die; nothing before.
        by: who confirmed it.
        confirmed_at: number of the last event then.
        wrong: layouts that were called wrong, the newest last: who, which die.
        games: ids of games played with drawn dice; only in the file of these.
        store: id of the store whose events are meant; empty if it is not known.
    """

    since: int = 0
    put_off: int = 0
    name: str = ""
    dice: Dice = ()
    by: str = ""
    confirmed_at: int = 0
    wrong: tuple[tuple[str, tuple[str, ...]], ...] = ()
    games: tuple[str, ...] = ()
    store: str = ""

    def in_store(self, store: str, head: int) -> Notes:
        """The same for the store that is there now; it may be another one.

        Args:
            store: its id.
            head: number of its last event.
        """
        if self.store and self.store != store:
            return replace(self, since=0, confirmed_at=0, put_off=0, store=store)
        if max(self.since, self.confirmed_at) > head:
            # an older state of it was brought back: what it holds came before
            since, confirmed_at = min(self.since, head), min(self.confirmed_at, head)
            return replace(
                self, since=since, confirmed_at=confirmed_at, put_off=0, store=store
            )
        return (
            self if self.since == self.confirmed_at == 0 else replace(self, store=store)
        )


def read_notes(path: Path) -> Notes:
    """Read notes; empty ones if there are none, or if they cannot be understood.

    A layout is told again from the store whatever happens to this file.

    Raises:
        OSError: the file is there and cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        return _parsed(json.loads(data))
    except FileNotFoundError:
        return Notes()
    except (ValueError, TypeError, KeyError, RecursionError):
        return Notes()


def _parsed(record: dict[str, Any]) -> Notes:
    whole = {key: _count(record[key]) for key in ("since", "put_off", "confirmed_at")}
    layout = parse_layout(record["dice"])
    if layout:
        check_card_faces(layout)
    return Notes(
        **whole,
        name=str(record["name"]) if layout else "",
        dice=tuple(tuple(face.code for face in die) for die in layout),
        by=str(record["by"]),
        wrong=tuple((str(by), tuple(map(str, die))) for by, die in record["wrong"]),
        games=tuple(map(str, record["games"])),
        store=str(record.get("store", "")),
    )


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"not a number of events: {value!r}")
    return value


def write_notes(path: Path, notes: Notes) -> None:
    """Write notes, whole or not at all; for the owner alone.

    Raises:
        OSError: the folder cannot be written to.
    """
    make_private(path.parent)
    text = json.dumps(asdict(notes), indent=1) + "\n"
    write_private(path, text.encode("utf-8"))


def virtual_games(data: Path) -> tuple[str, ...]:
    """Games of a data folder that were played with drawn dice.

    Raises:
        OSError: the notes are there and cannot be read.
    """
    return read_notes(data / FOLDER / VIRTUAL).games
