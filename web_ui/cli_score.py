"""`tableside score`: run a game script and print the state and the scores."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scoring.games import GAMES
from scoring.json_files import JsonFileError
from web_ui.printable import printable
from web_ui.script_files import read_script, run_script

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from scoring.games import AnyGame

SHORT = 12
"""Defaults up to this length stand in a column."""


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser("score", help="run a game script and print scores")
    parser.add_argument("file", type=Path, nargs="?", help="a game script (JSON)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--options", choices=sorted(GAMES), help="list the options of a game"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        0 every action was accepted, 1 some were refused, 2 unusable input.
    """
    if args.options:
        return _print_options(GAMES[args.options], as_json=args.json)
    if args.file is None:
        print(
            "tableside score: name a game script, or a game with --options",
            file=sys.stderr,
        )
        return 2
    try:
        script = read_script(args.file)
    except JsonFileError as error:
        print(printable(f"tableside score: {error}"), file=sys.stderr)
        return 2
    play, refused = run_script(script)
    for fault in refused:
        told = f"tableside score: {args.file}: {fault.told}"
        print(printable(told), file=sys.stderr)
    if args.json:
        record = {
            "game": script.game.name,
            "refused": [fault.record for fault in refused],
            "state": play.view(),
        }
        print(json.dumps(record))
    else:
        for line in _view_lines(script.game, play.view()):
            print(printable(line))
    return 1 if refused else 0


def _print_options(game: AnyGame, *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(dict(game.options)))
        return 0
    told = [(option, json.dumps(option.default)) for option in game.options.listed]
    name_width = max(len(option.name) for option, _ in told)
    # a long default (the order of hands) gets a line of its own
    width = max(len(text) for _, text in told if len(text) <= SHORT)
    for option, text in told:
        short = text if len(text) <= SHORT else ""
        print(
            f"{option.name:<{name_width}}  {short:<{width}}"
            f"  {option.meaning} ({option.rule})"
        )
        if not short:
            print(f"{'':<{name_width}}  {text}")
    return 0


def _view_lines(game: AnyGame, view: Mapping[str, object]) -> list[str]:
    after = view["next_player"]
    next_words = f", next: {after}" if after else ""
    lines = [f"{game.name}: phase {view['phase']}{next_words}"]
    for player, score in cast("Mapping[str, object]", view["scores"]).items():
        lines.append(f"  {player}: {score}")
    winners = cast("list[str]", view["winners"])
    if winners:
        lines.append(f"won by {' and '.join(winners)}")
    shown_already = {"phase", "next_player", "scores", "winners"}
    for name, value in view.items():
        if name not in shown_already:
            lines.append(f"  {name}: {json.dumps(value, ensure_ascii=False)}")
    return lines
