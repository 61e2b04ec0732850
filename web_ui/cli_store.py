"""`tableside store`: look after what was kept of the games."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.printable import printable
from web_ui.settings import Settings, SettingsError, StoreSettings, load_settings
from web_ui.store.archive import write_new
from web_ui.store.backup import back_up, restore, restore_into
from web_ui.store.bundle import export_bundle, import_bundle
from web_ui.store.chain import picture_hashes
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.pictures import Pictures
from web_ui.store.script_export import scores_csv, script_record
from web_ui.store.store import EventStore
from web_ui.table.books import PICTURES, STORE_FILE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from web_ui.store.summaries import GameSummary

UNUSABLE = frozenset({Trouble.REFUSED, Trouble.NEWER_SCHEMA})
"""What the user gave is at fault: exit status 2."""


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser("store", help="verify, back up and export games")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="tableside.toml")
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="where the store lies, instead of the settings'",
    )
    parser.add_argument(
        "--url", metavar="URL", help="its database server, instead of the settings'"
    )
    does = parser.add_subparsers(dest="does", required=True, metavar="WHAT")

    verify = does.add_parser("verify", help="prove that nothing was changed or lost")
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    verify.add_argument(
        "--mend", action="store_true", help="make the list of games anew first"
    )
    verify.set_defaults(work=_verify)

    games = does.add_parser("games", help="list the games")
    games.add_argument("--json", action="store_true", help="print one JSON list")
    games.set_defaults(work=_games)

    backup = does.add_parser("backup", help="write everything into one file")
    backup.add_argument("file", type=Path, help="the file to make")
    backup.set_defaults(work=_back_up)

    back = does.add_parser("restore", help="bring everything back from a backup")
    back.add_argument("file", type=Path, help="a backup")
    back.add_argument(
        "--force", action="store_true", help="replace a store that is there"
    )
    back.set_defaults(work=_restore)

    export = does.add_parser("export", help="write a game into a file")
    export.add_argument("game", help="its id, as `games` lists it")
    how = export.add_mutually_exclusive_group(required=True)
    how.add_argument("--script", type=Path, metavar="FILE", help="as a game script")
    how.add_argument("--csv", type=Path, metavar="FILE", help="its scores as a table")
    how.add_argument("--bundle", type=Path, metavar="FILE", help="with its evidence")
    export.set_defaults(work=_export)

    take = does.add_parser("import", help="take a game from a bundle")
    take.add_argument("file", type=Path, help="a bundle")
    take.set_defaults(work=_import)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        0 done, 1 failed (the store is damaged, locked, gone or full), 2 unusable input.
    """
    try:
        place = _place(args)
        work: Callable[[argparse.Namespace, StoreSettings], int] = args.work
        return work(args, place)
    except SettingsError as error:
        print(printable(f"store: {error}"), file=sys.stderr)
        return 2
    except StoreError as error:
        print(printable(f"store: {error.sentence}"), file=sys.stderr)
        return 2 if error.kind in UNUSABLE else 1


def _place(args: argparse.Namespace) -> StoreSettings:
    path: Path | None = args.settings
    if path is None and Path("tableside.toml").is_file():
        path = Path("tableside.toml")
    store = Settings().store if path is None else load_settings(path).store
    if args.data is not None:
        store = replace(store, folder=args.data)
    return store if args.url is None else replace(store, url=args.url)


def _pictures(place: StoreSettings) -> Pictures:
    return Pictures(Path(place.folder) / PICTURES)


def _opened(place: StoreSettings, *, make: bool = False) -> EventStore:
    file = Path(place.folder) / STORE_FILE
    if not place.url and not make and not file.exists():
        raise StoreError(Trouble.REFUSED, f"There is no store {file}.")
    return EventStore.open(place.url or file)


def _verify(args: argparse.Namespace, place: StoreSettings) -> int:
    with closing(_opened(place)) as store:
        if args.mend:
            store.derive_games()
        verdict = store.verify()
        named: set[str] = set()
        if verdict.ok:
            for page in store.pages():
                for row in page:
                    named |= picture_hashes(row.stored.event.body)
    pictures = _pictures(place).check(named)
    fine = verdict.ok and not pictures.missing and not pictures.damaged
    if args.json:
        record = {"ok": fine, **asdict(verdict), "pictures": asdict(pictures)}
        print(json.dumps(record))
        return 0 if fine else 1
    print(f"{verdict.events} events are whole and in order, head {verdict.head}")
    if not verdict.ok:
        where = f"event {verdict.first_bad}: " if verdict.first_bad else ""
        print(printable(f"DAMAGED: {where}{verdict.why}"))
        return 1
    print(f"{pictures.good} pictures are whole")
    for word in ("missing", "damaged", "orphans"):
        for name in getattr(pictures, word):
            print(f"{word.removesuffix('s')}: picture {name}")
    return 0 if fine else 1


def _games(args: argparse.Namespace, place: StoreSettings) -> int:
    with closing(_opened(place)) as store:
        games = store.games()
    if args.json:
        print(json.dumps([asdict(one) for one in games]))
    for one in () if args.json else games:
        print(printable(_game_line(one)))
    return 0


def _game_line(one: GameSummary) -> str:
    state = "imported" if one.imported else "closed" if one.closed else "open"
    players = ", ".join(one.players)
    return (
        f"{one.game}  {one.started_at[:16]}  {one.name or '?'}  {state}"
        f"  {one.events} events  {players}"
    )


def _back_up(args: argparse.Namespace, place: StoreSettings) -> int:
    with closing(_opened(place)) as store:
        told = back_up(store, _pictures(place), args.file)
    print(f"{told.events} events and {told.pictures} pictures, head {told.head}")
    return 0


def _restore(args: argparse.Namespace, place: StoreSettings) -> int:
    pictures = _pictures(place)
    if place.url:
        with closing(_opened(place, make=True)) as store:
            told = restore_into(args.file, store, pictures)
    else:
        target = Path(place.folder) / STORE_FILE
        told = restore(args.file, target, pictures, force=args.force)
    print(f"{told.events} events and {told.pictures} pictures, head {told.head}")
    return 0


def _export(args: argparse.Namespace, place: StoreSettings) -> int:
    with closing(_opened(place)) as store:
        if args.bundle is not None:
            missing = export_bundle(store, _pictures(place), args.game, args.bundle)
            for name in missing:
                print(f"store: picture {name} is missing", file=sys.stderr)
            return 1 if missing else 0
        events = store.events(args.game)
    if not events:
        raise StoreError(Trouble.REFUSED, f"There is no game {args.game!r:.80}.")
    if args.csv is not None:
        write_new(args.csv, scores_csv(events).encode("utf-8"))
    else:
        text = json.dumps(script_record(events), ensure_ascii=False, indent=1)
        write_new(args.script, text.encode("utf-8"))
    return 0


def _import(args: argparse.Namespace, place: StoreSettings) -> int:
    with closing(_opened(place, make=True)) as store:
        told = import_bundle(store, _pictures(place), args.file)
    news = f"{told.events} new events, {told.pictures} new pictures"
    print(printable(f"{told.game}: {news}"))
    return 0
