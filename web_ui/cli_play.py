"""`tableside play`: watch the table, score the turn, show it in the browser."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.dice_sets import DiceSetError
from scoring.games import GAMES
from web_ui.access.access_file import AccessFileError
from web_ui.access.door import needs_login
from web_ui.access.keeper import Keeper
from web_ui.cli_access import codes_text
from web_ui.models_in_use import MODELS_HELP, chosen_models, model_swap
from web_ui.play_parts import (
    PlayError,
    choose_house,
    open_eyes,
    open_virtual,
    own_reader,
)
from web_ui.running import RunningTable
from web_ui.server import ListenError, address_of, listen
from web_ui.settings import Settings, SettingsError, load_settings
from web_ui.store.errors import StoreError
from web_ui.table.books import open_books
from web_ui.tray_store import TrayStore, TrayStoreError

if TYPE_CHECKING:
    import argparse
    from types import FrameType

    from web_ui.access.roles import Role

EPILOG = """\
A picture or folder is shown as if it lay under the camera; a clip plays at its rate.
Stop with Ctrl-C. Exit: 0 done, 1 failed later, 2 unusable input."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "play", help="watch the table and show the game", epilog=EPILOG
    )
    parser.add_argument(
        "--camera",
        metavar="0|URL|FILE|DIR",
        help="camera number, stream, clip, picture, folder or watch script (default 0)",
    )
    parser.add_argument(
        "--demo",
        action="store_true",
        help="play the bundled clip; turns end by themselves",
    )
    parser.add_argument(
        "--virtual",
        action="store_true",
        help="throw drawn dice under a simulated camera (page: /virtual)",
    )
    parser.add_argument(
        "--set",
        metavar="NAME",
        help="dice set, bundled or enrolled (square-shooters)",
    )
    parser.add_argument(
        "--game", choices=tuple(GAMES), help="game that is played first (classic)"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder that keeps the games (tableside-data)"
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help=MODELS_HELP)
    parser.add_argument("--port", type=int, help="port of the page (8765; 0: any)")
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="settings (tableside.toml)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="do not open the page"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until stopped."""
    if args.virtual and (args.demo or args.camera):
        return _unusable("--virtual is a camera of its own: no --camera or --demo")
    try:
        with ExitStack() as opened:
            table, address, codes = _set_up(args, opened)
            opened.pop_all()
    except ListenError as error:
        return _unusable(f"{error} (choose another with --port or --host)")
    except StoreError as error:
        return _unusable(error.sentence)
    except (
        AccessFileError,
        DiceSetError,
        PlayError,
        SettingsError,
        TrayStoreError,
        ValueError,
    ) as error:
        return _unusable(str(error))
    _stop_on_signals(table)
    _announce(address, codes, browser=not args.no_browser)
    table.serve()
    return 1 if table.failure else 0


def _set_up(
    args: argparse.Namespace, opened: ExitStack
) -> tuple[RunningTable, str, dict[Role, str]]:
    """Open everything; what was opened is closed again if the rest cannot be."""
    settings = gather_settings(args)
    house = choose_house(settings, demo=args.demo)
    sock = listen(settings.server.host, settings.server.port)
    opened.callback(sock.close)
    data, own = Path(settings.store.folder), own_reader(settings)
    chosen = chosen_models(args.models, data)
    if chosen.problem:
        print(f"tableside play: {chosen.problem}", file=sys.stderr)
    if args.virtual:
        eyes = open_virtual(house, chosen.folder, own)
    else:
        eyes = open_eyes(args.camera, house, chosen.folder, own)
    opened.callback(eyes.source.close)
    trays = TrayStore(Path(settings.tray.file))
    books = open_books(settings, demo=args.demo)
    opened.callback(books.close)
    keeper, codes = open_door(settings)
    table = RunningTable(
        settings,
        house,
        eyes.plan,
        eyes.source,
        eyes.watcher,
        books,
        sock,
        trays,
        args.camera or _camera_name(args),
        eyes.virtual,
        keeper,
        model_swap(eyes.reader, chosen, data, own),
        lambda: chosen_models(args.models, data).folder,
    )
    return table, address_of(sock), codes


def _camera_name(args: argparse.Namespace) -> str:
    if args.virtual:
        return "virtual"
    return "demo" if args.demo else "0"


def gather_settings(args: argparse.Namespace) -> Settings:
    """Read the settings file and let the options overrule it.

    Raises:
        SettingsError: the file cannot be used.
        ValueError: an option is outside its range.
    """
    path: Path | None = args.settings
    if path is None and Path("tableside.toml").is_file():
        path = Path("tableside.toml")
    settings = Settings() if path is None else load_settings(path)
    server, game = settings.server, settings.game
    if args.port is not None:
        server = replace(server, port=args.port)
    if args.host is not None:
        server = replace(server, host=args.host)
    if args.set is not None:
        game = replace(game, dice_set=args.set)
    elif args.virtual:
        # its dice are drawn by this layout, so exact odds can be told
        game = replace(game, dice_set="square-shooters-reference")
    if args.game is not None:
        game = replace(game, name=args.game)
    store = settings.store
    if args.data is not None:
        store = replace(store, folder=args.data)
    return replace(settings, server=server, game=game, store=store)


def _stop_on_signals(table: RunningTable) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        table.stop()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, stop)


def open_door(settings: Settings) -> tuple[Keeper | None, dict[Role, str]]:
    """Open the file of logins, or make it, where people must log in.

    Returns:
        Who judges logins, None where nobody must log in; and codes made just now.

    Raises:
        AccessFileError: the file cannot be used.
    """
    if not needs_login(settings, settings.server.host):
        return None, {}
    folder = Path(settings.store.folder)
    return Keeper.open(folder, settings.access.session_hours)


def _announce(address: str, codes: dict[Role, str], *, browser: bool) -> None:
    print(f"Tableside is at {address}", flush=True)
    if codes:
        print(
            "People log in with these codes. They are shown this once; "
            "`tableside access new-pin ROLE` makes another.\n" + codes_text(codes),
            flush=True,
        )
    if browser and _has_screen():
        # some browsers return only when they are closed
        opening = threading.Thread(target=webbrowser.open, args=(address,))
        opening.daemon = True
        opening.start()


def _has_screen() -> bool:
    """Whether a browser would be a window, not a program that takes the terminal."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _unusable(sentence: str) -> int:
    print(f"tableside play: {sentence}", file=sys.stderr)
    return 2
