"""Rolls out of files: game scripts, and readings as `tableside read --json` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.dice_sets import bundled_dice_set
from scoring.fairness_rolls import Throw, throws_of
from scoring.json_files import (
    JsonFileError,
    read_json_file,
    read_json_lines,
    read_text,
)
from vision.reading import Status
from vision.unmoved import Stay, follow
from web_ui.recorded_readings import RecordError, parse_reading
from web_ui.script_files import FORMAT, Refused, run_script, script_of

if TYPE_CHECKING:
    from pathlib import Path

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.reading import DieReading


@dataclass(frozen=True, slots=True)
class RollLog:
    """The rolls of one file.

    Attributes:
        path: the file.
        throws: what was rolled, in order.
        dice: the dice as the game knows them; None in a log of readings.
        set_name: name of the dice set.
        unsure: readings left out because they were not sure.
        refused: actions of the script that the rules refuse.
        readings: whether it is a log of readings, which does not tell kept dice.
        newly_shown: of each throw, the faces of dice that were surely thrown for it: in
            a log of readings none that lie where a die lay in the reading before, nor
            any that show what it showed.
    """

    path: Path
    throws: tuple[Throw, ...]
    dice: DiceSet | None
    set_name: str
    unsure: int = 0
    refused: tuple[Refused, ...] = ()
    readings: bool = False
    newly_shown: tuple[tuple[Face, ...], ...] = ()


def read_roll_log(path: Path) -> RollLog:
    """Read the rolls of a file.

    Raises:
        JsonFileError: it is neither a game script nor a log of readings, or a game
            without dice.
    """
    if _has_lines(read_text(path)):
        return _readings(path)
    file = read_json_file(path)
    if isinstance(file.content, Mapping) and file.content.get("format") == FORMAT:
        script = script_of(file)
        play, refused = run_script(script)
        if play.state is None:
            raise JsonFileError(f"{path}: the game was not started")
        dice = _dice_of(script.game.name, play.state)
        if dice is None:
            raise JsonFileError(f"{path}: {script.game.name} is played without dice")
        throws = tuple(throws_of(play))
        shown = tuple(throw.faces for throw in throws)
        return RollLog(path, throws, dice, dice.name, 0, refused, newly_shown=shown)
    return _readings(path)


def _has_lines(text: str) -> bool:
    """Whether the text holds one JSON value a line, several of them."""
    first, *more = (line for line in text.splitlines() if line.strip())
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return bool(more)


_DICE = {"war": "square-shooters", "squint": "squint-die", "showdown": "poker-dice"}
"""Games whose dice are always the same; the others know theirs by an option."""


def _dice_of(game: str, state: Any) -> DiceSet | None:
    if game == "straight_shooter":
        return None
    if game in _DICE:
        return bundled_dice_set(_DICE[game])
    dice: DiceSet = state.options.dice_set
    return dice


def _readings(path: Path) -> RollLog:
    throws, names, unsure = [], set[str](), 0
    newly: list[tuple[Face, ...]] = []
    before: tuple[DieReading, ...] = ()
    for number, record in enumerate(read_json_lines(path), start=1):
        if not isinstance(record, Mapping):
            raise JsonFileError(f"{path}: neither a game script nor a log of readings")
        try:
            reading = parse_reading(record)
        except RecordError as error:
            raise JsonFileError(f"{path}: reading {number}: {error}") from error
        names.add(reading.dice_set)
        faces = tuple(die.face for die in reading.dice if die.face is not None)
        if reading.status is Status.SURE and len(faces) == len(reading.dice):
            throws.append(Throw(faces, whole=True))
            newly.append(_newly_shown(before, reading.dice))
        else:
            unsure += 1
        before = reading.dice
    if len(names) > 1:
        raise JsonFileError(f"{path}: readings of several dice sets: {sorted(names)}")
    return RollLog(
        path,
        tuple(throws),
        None,
        names.pop(),
        unsure,
        readings=True,
        newly_shown=tuple(newly),
    )


def _newly_shown(
    before: tuple[DieReading, ...], after: tuple[DieReading, ...]
) -> tuple[Face, ...]:
    """The faces of dice that were thrown since the reading before.

    A die that was kept may have been pushed: one that shows a face of before is left
    out, wherever it lies. One thrown die in six is lost so, and none is seen twice.
    """
    followed = follow(before, after)
    return tuple(
        die.face
        for die, one in zip(after, followed, strict=True)
        if die.face is not None and one.stay is Stay.NEW
    )
