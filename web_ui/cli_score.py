"""`tableside score`: run a game script and print the state and the scores."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError
from web_ui.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    import argparse

    from scoring.games import AnyGame

FORMAT = "tableside-script/1"


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
        print("score: name a game script, or a game with --options", file=sys.stderr)
        return 2
    try:
        game, script = read_script(args.file)
    except JsonFileError as error:
        print(error, file=sys.stderr)
        return 2
    play = Play(game)
    refused = []
    for place, action in enumerate(script):
        try:
            play.act(action)
        except RuleError as error:
            refused.append({"at": place, "rule": error.rule, "why": error.sentence})
            print(f"{args.file}: action {place}: {error}", file=sys.stderr)
    view = play.view()
    if args.json:
        record = {"game": game.name, "refused": refused, "state": view}
        print(json.dumps(record, ensure_ascii=False))
    else:
        _print_view(game, view)
    return 1 if refused else 0


def read_script(path: Path) -> tuple[AnyGame, list[object]]:
    """Read a game script.

    Returns:
        Its game, and its actions as JSON gives them.

    Raises:
        JsonFileError: not readable, not a script, or a game that does not exist.
    """
    content = read_json(path)
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise JsonFileError(f"{path}: not a game script: the format must be {FORMAT!r}")
    name = content.get("game")
    if not isinstance(name, str) or name not in GAMES:
        known = ", ".join(sorted(GAMES))
        raise JsonFileError(f"{path}: there is no game {name!r}: expected {known}")
    script = content.get("script")
    if not isinstance(script, list):
        raise JsonFileError(f"{path}: 'script' must be a list of actions")
    return GAMES[name], script


def _print_options(game: AnyGame, *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(game.options))
        return 0
    width = max(len(name) for name in game.options)
    for name, default in game.options.items():
        print(f"{name:<{width}}  {json.dumps(default)}")
    return 0


def _print_view(game: AnyGame, view: Mapping[str, object]) -> None:
    after = view["next_player"]
    next_words = f", next: {after}" if after else ""
    print(f"{game.name}: phase {view['phase']}{next_words}")
    for player, score in cast("Mapping[str, object]", view["scores"]).items():
        print(f"  {player}: {score}")
    winners = cast("list[str]", view["winners"])
    if winners:
        print(f"won by {' and '.join(winners)}")
    shown = {"phase", "next_player", "scores", "winners"}
    for name, value in view.items():
        if name not in shown:
            print(f"  {name}: {json.dumps(value, ensure_ascii=False)}")
