"""Dice sets of one owner, kept under their names in the table's data folder."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from datasets.whole_files import write_whole
from scoring.dice_sets import (
    DiceSet,
    DiceSetError,
    bundled_dice_set,
    bundled_names,
    dice_set_text,
    load_dice_set,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SETS = "sets"
"""Folder of all enrolled sets, in the data folder."""
SET_FILE = "set.json"
"""The dice of one set, in the folder with its name."""
NAME_RULE = "1 to 40 small letters, digits and hyphens, a letter or digit at each end"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
# Windows opens a device under these names, in every folder
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}
)
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600


def check_set_name(name: str) -> None:
    """Check that an enrolled set can have this name.

    Raises:
        DiceSetError: it breaks `NAME_RULE`, or a bundled set is called so.
    """
    if _NAME.fullmatch(name) is None or name in _DEVICES:
        raise DiceSetError(f"{name!r} cannot name a dice set: expected {NAME_RULE}")
    if name in bundled_names():
        raise DiceSetError(f"{name!r} comes with Tableside: choose another name")


class SetFolder:
    """The enrolled sets below one folder; other files in a set's folder are left.

    Args:
        folder: `DATA/sets`; need not be there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Names of the sets that are there, in alphabetical order."""
        if not self._folder.is_dir():
            return ()
        return tuple(
            sorted(
                path.parent.name
                for path in self._folder.glob(f"*/{SET_FILE}")
                if path.is_file() and _allowed(path.parent.name)
            )
        )

    def place(self, name: str) -> Path:
        """The folder of a set, there or not.

        Raises:
            DiceSetError: no set can have this name.
        """
        check_set_name(name)
        return self._folder / name

    def load(self, name: str) -> DiceSet:
        """Read a set.

        Raises:
            DiceSetError: no set can have this name, there is none, its file cannot be
                used, or it tells another name.
        """
        path = self.place(name) / SET_FILE
        dice_set = load_dice_set(path)
        if dice_set.name != name:
            raise DiceSetError(
                f"{path}: is named {dice_set.name!r}, its folder {name!r}"
            )
        return dice_set

    def save(self, dice_set: DiceSet) -> Path:
        """Write a set, whole or not at all; one of the same name is replaced.

        Returns:
            The file.

        Raises:
            DiceSetError: no set can have this name.
            OSError: the folder cannot be written to.
        """
        place = self.place(dice_set.name)
        for folder in (self._folder, place):
            folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
        path = place / SET_FILE
        half = path.with_name(path.name + ".part")
        with suppress(FileNotFoundError):
            half.unlink()  # left by a program that was stopped
        os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE_FILE))
        write_whole(path, dice_set_text(dice_set))
        return path


def _allowed(name: str) -> bool:
    try:
        check_set_name(name)
    except DiceSetError:
        return False
    return True


def find_dice_set(name: str, data_folder: Path) -> DiceSet:
    """The dice set of that name: bundled, or enrolled in the data folder.

    Raises:
        DiceSetError: there is none, or its file cannot be used.
    """
    if name in bundled_names():
        return bundled_dice_set(name)
    sets = SetFolder(data_folder / SETS)
    enrolled: Sequence[str] = sets.names()
    if name not in enrolled:
        known = ", ".join([*bundled_names(), *enrolled])
        raise DiceSetError(f"{name!r} is no dice set: expected {known}")
    return sets.load(name)
