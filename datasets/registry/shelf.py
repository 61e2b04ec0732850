"""The registry: versions of models in a folder, one of them in use.

```
models/versions/v-0123456789abcdef/   models, cards, limits; never changed
models/current.json                   which is in use; replaced whole
models/history.jsonl                  what became of all, line by line
```
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.captures.private_files import make_private, write_private
from datasets.registry.errors import RegistryError
from datasets.registry.history import (
    PRIVATE,
    PROMOTED,
    REFUSED,
    ROLLED_BACK,
    Entry,
    append_entry,
    now_text,
    parse_entry,
    read_history,
)
from datasets.registry.version import (
    BUNDLED_VERSION,
    NAME,
    Version,
    file_names,
    hashes,
    looked_up,
    version_name,
)
from datasets.whole_files import sync
from scoring.json_files import JsonFileError, read_json
from vision.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "models"
"""Inside the data folder of a table."""
_OWN = 0o700
_FIXED = 0o400
_HALF = ".half-"


class Registry:
    """Models of a table, kept side by side. Several processes may use one at once.

    Args:
        folder: made when something is first kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._current = folder / "current.json"
        self._history = folder / "history.jsonl"

    def place(self, name: str) -> Path | None:
        """Folder of a version; None for the bundled one.

        Raises:
            RegistryError: no version can have that name.
        """
        if name == BUNDLED_VERSION:
            return None
        if not NAME.fullmatch(name):
            raise RegistryError(
                f"{name!r} is no version: they are called {BUNDLED_VERSION}, or v- and "
                "16 digits, see `tableside promote --list`"
            )
        return self.folder / "versions" / name

    def current_name(self) -> str:
        """Name of the version in use; `bundled` if none was ever promoted.

        Raises:
            RegistryError: the file that says so is damaged.
        """
        entry = self._latest()
        return BUNDLED_VERSION if entry is None else entry.version

    def named(self) -> str:
        """Name of the version in use; empty if the file that says so is damaged."""
        try:
            return self.current_name()
        except RegistryError:
            return ""

    def stamp(self) -> tuple[str, int]:
        """Name of the version in use, and how often that was decided; quick to ask.

        Raises:
            RegistryError: the file that says so is damaged.
        """
        entry = self._latest()
        return (BUNDLED_VERSION, 0) if entry is None else (entry.version, entry.number)

    def _latest(self) -> Entry | None:
        try:
            entry = parse_entry(read_json(self._current))
        except JsonFileError as error:
            if not self._current.exists():
                return None
            raise RegistryError(str(error)) from error
        if entry is None:
            raise RegistryError(f"{self._current}: does not say which models are used")
        return entry

    def version(self, name: str) -> Version:
        """A version, every file of it checked.

        Raises:
            RegistryError: there is none, or it is damaged.
        """
        try:
            return looked_up(name, self.place(name))
        except ModelError as error:
            raise RegistryError(f"version {name}: {error}") from error

    def names(self) -> tuple[str, ...]:
        """All versions that are kept, the bundled one first."""
        try:
            inside = sorted(p.name for p in (self.folder / "versions").iterdir())
        except (FileNotFoundError, NotADirectoryError):
            inside = []
        return (BUNDLED_VERSION, *(name for name in inside if NAME.fullmatch(name)))

    def history(self) -> tuple[Entry, ...]:
        """What became of all, oldest first.

        Raises:
            RegistryError: it cannot be read.
        """
        try:
            return read_history(self._history)
        except OSError as error:
            raise RegistryError(f"{self._history}: {error.strerror}") from error

    def keep(self, source: Path) -> Version:
        """Copy models, cards and limits as a version; one that is there stays.

        A version that lies there damaged is replaced.

        Raises:
            RegistryError: the models there cannot be used or not be copied.
        """
        with self._changing():
            versions = self.folder / "versions"
            try:
                versions.mkdir(mode=_OWN, exist_ok=True)
                # nobody else is at it now: whoever made these was killed
                for half in versions.glob(f"{_HALF}*"):
                    shutil.rmtree(half, ignore_errors=True)
                return self._kept(source, versions)
            except OSError as error:
                raise RegistryError(f"{versions}: {error.strerror}") from error
            except ModelError as error:
                raise RegistryError(str(error)) from error

    def _kept(self, source: Path, versions: Path) -> Version:
        half = Path(tempfile.mkdtemp(prefix=_HALF, dir=versions))
        try:
            for name in file_names(source):
                shutil.copyfile(source / name, half / name)
                (half / name).chmod(_FIXED)
                sync(half / name)
            name = version_name(hashes(half))
            target = versions / name
            with contextlib.suppress(RegistryError, ModelError):
                return looked_up(name, target)
            shutil.rmtree(target, ignore_errors=True)
            half.rename(target)
            sync(versions)
        finally:
            shutil.rmtree(half, ignore_errors=True)
        return looked_up(name, target)

    def promote(
        self,
        name: str,
        who: str,
        why: tuple[str, ...] = (),
        figures: dict[str, Any] | None = None,
        seen: str | None = None,
    ) -> Entry:
        """Take a version into use from now on.

        Args:
            name: of the version.
            who: who wants it.
            why: the reasons.
            figures: what was measured.
            seen: what `named` gave when the version was compared with the one in use;
                None if it was not.

        Raises:
            RegistryError: it is not kept here whole, another one than `seen` is in
                use, or nothing can be written.
        """
        with self._changing():
            if seen is not None and seen != (now := self.named()):
                raise RegistryError(
                    f"{now or 'another version'} was taken into use meanwhile: try"
                    " again"
                )
            return self._switch(PROMOTED, name, who, why, figures or {})

    def refuse(
        self, name: str, who: str, why: tuple[str, ...], figures: dict[str, Any]
    ) -> Entry:
        """Write down that models were refused.

        Args:
            name: what they are called; they need not be kept.
            who: who had them tested.
            why: the reasons.
            figures: what was measured.

        Raises:
            RegistryError: nothing can be written.
        """
        with self._changing():
            last = self._last()
            before = BUNDLED_VERSION if last is None else last.version
            entry = Entry(0, now_text(), who, REFUSED, name, before, why, figures)
            self._write_down(entry)
            return entry

    def roll_back(
        self, who: str, name: str | None = None, why: tuple[str, ...] = ()
    ) -> Entry:
        """Take an earlier version into use again.

        Args:
            who: who wants it.
            name: which; None for the one that the version in use replaced.
            why: the reasons.

        Raises:
            RegistryError: there is none before, it is damaged, or it is in use.
        """
        with self._changing():
            last = self._last()
            now = BUNDLED_VERSION if last is None else last.version
            target = self._replaced_by(now) if name is None else name
            if target == self.named():
                raise RegistryError(f"{target} is in use already")
            return self._switch(ROLLED_BACK, target, who, why, {})

    def _replaced_by(self, now: str) -> str:
        for entry in reversed(self.history()):
            if entry.action == PROMOTED and entry.version == now != entry.before:
                return entry.before
        raise RegistryError(f"there is nothing before {now} to go back to")

    def _switch(
        self, action: str, name: str, who: str, why: tuple[str, ...], facts: Any
    ) -> Entry:
        self.version(name)  # whole, or refused
        last = self._last()
        if last is not None and last not in self.history():
            self._write_down(last)  # a crash came between both files
        number = 1 if last is None else last.number + 1
        before = BUNDLED_VERSION if last is None else last.version
        entry = Entry(number, now_text(), who, action, name, before, why, facts)
        text = json.dumps(entry.record(), ensure_ascii=False, indent=1) + "\n"
        try:
            write_private(self._current, text.encode())
            sync(self.folder)
        except OSError as error:
            raise RegistryError(f"{self._current}: {error.strerror}") from error
        self._write_down(entry)
        return entry

    def _last(self) -> Entry | None:
        """What was decided last; a damaged word is replaced by the history's own."""
        try:
            return self._latest()
        except RegistryError:
            decided = (entry for entry in self.history() if entry.number)
            return max(decided, key=lambda entry: entry.number, default=None)

    def _write_down(self, entry: Entry) -> None:
        try:
            append_entry(self._history, entry)
        except OSError as error:
            raise RegistryError(f"{self._history}: {error.strerror}") from error

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Let one process at a time change something."""
        lock = self.folder / ".lock"
        try:
            make_private(self.folder)
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        except OSError as error:
            raise RegistryError(f"{self.folder}: {error.strerror}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def registry_of(data: Path) -> Registry:
    """The registry in the data folder of a table."""
    return Registry(data / FOLDER)


def models_in_use(registry: Registry) -> tuple[Version, str]:
    """The version to read with, and what people should know of it.

    A version that is damaged is not used: the bundled one takes its place.

    Returns:
        The version, and a sentence, empty if all is well.

    Raises:
        ModelError: the bundled models are damaged as well.
    """
    try:
        return registry.version(registry.current_name()), ""
    except RegistryError as error:
        sentence = f"{error}. The models that come with Tableside are used instead."
        return looked_up(BUNDLED_VERSION, None), sentence
