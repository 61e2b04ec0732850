"""Game scripts in files: read, and played with the line of every refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.games import GAMES
from scoring.json_files import JsonFile, JsonFileError, read_json_file
from scoring.play import Play
from scoring.refusals import RuleError, shown

if TYPE_CHECKING:
    from pathlib import Path

    from scoring.games import AnyGame

FORMAT = "tableside-script/1"


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
    return script_of(read_json_file(path))


def script_of(file: JsonFile) -> Script:
    """Take a JSON file as a game script.

    Raises:
        JsonFileError: not a script, or a game that does not exist.
    """
    path, content = file.path, file.content
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
