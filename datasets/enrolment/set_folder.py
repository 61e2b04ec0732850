"""Dice sets of one owner, kept under their names in the table's data folder."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from datasets.captures.private_files import make_private, write_private
from datasets.whole_files import sync
from scoring.dice_sets import (
    DiceSet,
    DiceSetError,
    bundled_dice_set,
    bundled_names,
    dice_set_text,
    load_dice_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
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
    """The enrolled sets below one folder.

    Args:
        folder: `DATA/sets`; need not be there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Names of the sets that are there, in alphabetical order."""
        if not self._folder.is_dir():
            return ()
        self._recover_all()
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
        if not path.parent.exists():
            self._recover_all()
        dice_set = load_dice_set(path)
        if dice_set.name != name:
            raise DiceSetError(
                f"{path}: is named {dice_set.name!r}, its folder {name!r}"
            )
        return dice_set

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Keep others from replacing a set meanwhile, also in other processes.

        Raises:
            DiceSetError: no set can have this name, or somebody else holds it.
            OSError: the folder cannot be written to.
        """
        self.place(name)
        make_private(self._folder)
        flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC
        handle = os.open(self._folder / f".{name}.lock", flags, _PRIVATE_FILE)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise DiceSetError(
                    f"{name!r} is being enrolled already; wait until that has ended"
                ) from error
            self._recover(name)
            yield
        finally:
            os.close(handle)

    def put(self, dice_set: DiceSet, fill: Callable[[Path], None]) -> Path:
        """Put a set with all its files in the place of one of the same name.

        Whenever the program is stopped, either the old set is there with all its files
        or the new one. Call it within `alone`.

        Args:
            dice_set: the layout.
            fill: writes the other files into the folder that it is given.

        Returns:
            The set's folder.

        Raises:
            DiceSetError: no set can have this name.
            OSError: the folder cannot be written to.
        """
        place = self.place(dice_set.name)
        half, before = (self._beside(dice_set.name, word) for word in ("half", "old"))
        shutil.rmtree(half, ignore_errors=True)  # left by a program that was stopped
        make_private(half)
        try:
            fill(half)
            (half / SET_FILE).write_text(dice_set_text(dice_set), "utf-8")
            for path in half.iterdir():
                path.chmod(_PRIVATE_FILE)
                sync(path)
            if place.exists():
                place.rename(before)
            half.rename(place)
        finally:
            self._recover(dice_set.name)
            shutil.rmtree(half, ignore_errors=True)
        return place

    def _beside(self, name: str, word: str) -> Path:
        return self._folder / f".{name}.{word}"

    def _recover(self, name: str) -> None:
        """End what was stopped between the two steps of taking another's place."""
        place, before = self._folder / name, self._beside(name, "old")
        if before.is_symlink() and place.exists():
            before.unlink()  # what it leads to is somebody else's
        elif before.is_dir():
            if place.exists():
                shutil.rmtree(before, ignore_errors=True)
            else:
                before.rename(place)

    def _recover_all(self) -> None:
        for before in self._folder.glob(".*.old"):
            name = before.name[1:].removesuffix(".old")
            # somebody who is just replacing it will end it himself
            with suppress(DiceSetError, OSError), self.alone(name):
                pass

    def save(self, dice_set: DiceSet) -> Path:
        """Write a layout, whole or not at all; one of the same name is replaced.

        Returns:
            The file.

        Raises:
            DiceSetError: no set can have this name, or there is a face reader under it,
                which may know other dice.
            OSError: the folder cannot be written to.
        """
        place = self.place(dice_set.name)
        if has_reader(place):
            raise DiceSetError(
                f"{place} holds a face reader: choose another name, or enrol it again"
            )
        make_private(place)
        path = place / SET_FILE
        write_private(path, dice_set_text(dice_set).encode())
        return path


def has_reader(place: Path) -> bool:
    """Whether a set's folder holds a face reader of its own, or what is left of one."""
    return any((place / f"faces.{end}").exists() for end in ("onnx", "json"))


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
        raise DiceSetError(
            f"{name!r} is no dice set: expected {known}; enrolled ones are looked for"
            f" in {data_folder / SETS}, `tableside enrol NAME` makes one"
        )
    return sets.load(name)
