"""Choosing what plays: dice, source of pictures and watcher, from the user's words."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.cards import CARD_DICE_FACES
from scoring.dice_sets import DiceSetError
from vision.errors import SourceError, VisionError
from vision.sources import is_clip, open_source
from web_ui.camera_thread import CameraPlan, Pace
from web_ui.dice_set_option import dice_set_of, own_reader_of
from web_ui.table.state import House

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet
    from vision.ports import Source
    from vision.reader import RollReader
    from vision.tray import Tray
    from web_ui.settings import Settings
    from web_ui.virtual.table import VirtualTable
    from web_ui.watch_thread import RollWatcher


class PlayError(RuntimeError):
    """The table cannot be set up; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at the table.

    Attributes:
        plan: what to open, now and whenever it is lost.
        source: opened already.
        watcher: judges its frames.
        virtual: the table, if it is drawn; None where a camera looks at a real one.
        reader: reads the rolls; None where a script says what there is.
    """

    plan: CameraPlan
    source: Source
    watcher: RollWatcher
    virtual: VirtualTable | None = None
    reader: RollReader | None = None


def choose_house(settings: Settings, *, demo: bool) -> House:
    """Choose the dice.

    Raises:
        DiceSetError: no such set, or one that a classic turn cannot be played with.
    """
    dice_set = dice_set_of(settings.game.dice_set, Path(settings.store.folder))
    if set(dice_set.faces) != set(CARD_DICE_FACES):
        raise DiceSetError(
            f"the set of a table is one of card dice, not {dice_set.name}: poker dice"
            " and the Squint die are taken for the games that are played with them"
        )
    chance = random.SystemRandom().randrange
    return House(dice_set, settings.game, chance, demo, settings.table)


def pace_of(text: str) -> Pace:
    """Tell from the user's word who sets the pace of a source."""
    if text.isdecimal() or "://" in text or text.startswith("/dev/"):
        return Pace.DEVICE
    return Pace.RECORDING if is_clip(Path(text)) else Pace.STILLS


def demo_clip() -> Path:
    """Where the bundled clip lies."""
    return Path(str(resources.files("web_ui").joinpath("demo", "demo.mp4")))


def own_reader(settings: Settings) -> Path | None:
    """Folder of the face reader that was tuned to the dice; None without one."""
    return own_reader_of(settings.game.dice_set, Path(settings.store.folder))


def open_eyes(
    camera: str | None,
    house: House,
    models: Path | None = None,
    enrolled: Path | None = None,
) -> Eyes:
    """Open the source and what watches it.

    Args:
        camera: the user's word; None for the demo's clip, or else camera 0.
        house: the fixed part of the table.
        models: folder of the models; None for those that come with Tableside.
        enrolled: folder of the enrolled set whose own face reader is used.

    Raises:
        PlayError: the source or the models cannot be opened.
    """
    if camera is None:
        camera = str(demo_clip()) if house.demo else "0"
    if camera.lower().endswith(".json"):
        return _scripted(Path(camera))
    name = "The demo clip" if house.demo else _name(camera)
    open_it = partial(open_source, camera)
    plan = CameraPlan(open_it, (SourceError,), name, pace_of(camera), house.demo)
    try:
        if plan.pace is not Pace.DEVICE:
            _check_first_frame(plan.open(), camera)
        source = plan.open()
    except SourceError as error:
        raise PlayError(str(error)) from error
    try:
        watcher, reader = _load_watcher(house, models, enrolled)
    except VisionError as error:
        source.close()
        raise PlayError(f"{error} (see `tableside doctor`)") from error
    return Eyes(plan, source, watcher, reader=reader)


def open_virtual(
    house: House,
    models: Path | None = None,
    enrolled: Path | None = None,
    seed: int | None = None,
) -> Eyes:
    """Set up the virtual table and what watches it; see `open_eyes`.

    Args:
        house: the fixed part of the table.
        models: folder of the models; None: the bundled ones.
        enrolled: folder of an enrolled set.
        seed: of every throw; None: each time another.

    Raises:
        PlayError: the models cannot be opened.
    """
    # here, because a table with a camera need not load what draws dice
    from web_ui.virtual.painter import TablePainter
    from web_ui.virtual.source import virtual_plan
    from web_ui.virtual.table import VirtualTable

    table = VirtualTable(house.dice_set, seed)
    plan = virtual_plan(table, TablePainter())
    try:
        watcher, reader = _load_watcher(house, models, enrolled)
    except VisionError as error:
        raise PlayError(f"{error} (see `tableside doctor`)") from error
    return Eyes(plan, plan.open(), watcher, table, reader)


def _load_watcher(
    house: House, models: Path | None, enrolled: Path | None
) -> tuple[RollWatcher, RollReader]:
    # here, because loading the runtime of the models takes a second
    from vision.reader import load_reader
    from vision.tray_watch import TrayWatcher
    from vision.watch import Watcher

    reader = load_reader(house.dice_set, models, enrolled=enrolled)
    return TrayWatcher(reader, lambda: Watcher(reader)), reader


def _check_first_frame(source: Source, camera: str) -> None:
    """Find out before anything is served whether a file can be decoded."""
    try:
        if next(iter(source.frames()), None) is None:
            raise SourceError(camera, "holds no picture")
    finally:
        source.close()


def _name(camera: str) -> str:
    return f"Camera {camera}" if camera.isdecimal() else Path(camera).name or camera


class _NoReader:
    """Reads nothing: what a script says does not depend on a tray."""

    tray: Tray | None = None

    def expect(self, dice_set: DiceSet, fewer: tuple[int, ...] = ()) -> None:
        """Nothing changes: a script says what it says."""


def _scripted(path: Path) -> Eyes:
    from vision.tray_watch import TrayWatcher
    from web_ui.scripted_table import (
        ScriptedSource,
        ScriptedWatcher,
        ScriptError,
        load_watch_script,
    )

    try:
        script = load_watch_script(path)
    except ScriptError as error:
        raise PlayError(str(error)) from error
    plan = CameraPlan(
        partial(ScriptedSource, script), (ScriptError,), path.name, Pace.RECORDING
    )
    watcher = ScriptedWatcher(script)
    return Eyes(plan, plan.open(), TrayWatcher(_NoReader(), lambda: watcher))
