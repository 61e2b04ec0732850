"""`tableside score`: run a game script and print the state and the scores."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError, shown
from web_ui.json_files import JsonFile, JsonFileError, read_json_file
from web_ui.printable import printable

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
        script = read_script(args.file)
    except JsonFileError as error:
        print(printable(str(error)), file=sys.stderr)
        return 2
    play, refused = run_script(script)
    for fault in refused:
        print(f"{args.file}: {printable(fault.told)}", file=sys.stderr)
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


@dataclass(frozen=True, slots=True)
class Script:
    """A game script as its file gives it.

    Attributes:
        file: where it was read.
        game: its game.
        actions: as JSON gives them.
    """

    file: JsonFile
    game: AnyGame
    actions: list[object]


@dataclass(frozen=True, slots=True)
class Refused:
    """An action that a rule refuses.

    Attributes:
        at: its place in the script, from 0.
        line: its line in the file, from 1.
        error: the rule and why.
    """

    at: int
    line: int
    error: RuleError

    @property
    def told(self) -> str:
        """Where it stands and why it is refused."""
        return f"line {self.line}: action {self.at}: {self.error}"

    @property
    def record(self) -> dict[str, object]:
        """The same for `--json`."""
        rule, why = self.error.rule, self.error.sentence
        return {"at": self.at, "line": self.line, "rule": rule, "why": why}


def run_script(script: Script) -> tuple[Play[Any], tuple[Refused, ...]]:
    """Play a script; an action that is refused changes nothing (CM-02)."""
    play = Play(script.game)
    refused: list[tuple[int, RuleError]] = []
    for place, action in enumerate(script.actions):
        try:
            play.act(action)
        except RuleError as error:
            refused.append((place, error))
    lines = script.file.lines("script") if refused else []
    return play, tuple(Refused(at, lines[at], error) for at, error in refused)


def read_script(path: Path) -> Script:
    """Read a game script.

    Raises:
        JsonFileError: not readable, not a script, or a game that does not exist.
    """
    file = read_json_file(path)
    content = file.content
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise JsonFileError(f"{path}: not a game script: the format must be {FORMAT!r}")
    name = content.get("game")
    if not isinstance(name, str) or name not in GAMES:
        known = ", ".join(sorted(GAMES))
        raise JsonFileError(f"{path}: there is no game {shown(name)}: expected {known}")
    actions = content.get("script")
    if not isinstance(actions, list):
        raise JsonFileError(f"{path}: 'script' must be a list of actions")
    return Script(file, GAMES[name], actions)


def _print_options(game: AnyGame, *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(game.options))
        return 0
    width = max(len(name) for name in game.options)
    for name, default in game.options.items():
        print(f"{name:<{width}}  {json.dumps(default)}")
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
