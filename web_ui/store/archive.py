"""Zip files that prove what they hold: a manifest with the hash of every other file.

What is read here may come from anybody, so nothing is taken on trust: no name but those
of the manifest, no size but the one it states, no more than a stated total.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from datasets.captures.private_files import open_new_private
from datasets.whole_files import sync
from web_ui.store.chain import is_hash, sha256
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.sqlite_file import put_new

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MANIFEST = "manifest.json"
MOST_MANIFEST_BYTES = 32 * 1024 * 1024
MOST_FILES = 200_000
BLOCK = 1024 * 1024

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}(/[A-Za-z0-9_.-]{1,100}){0,3}\Z")


class ArchiveWriter:
    """Files being put into an archive; their hashes go into its manifest."""

    def __init__(self, zip_file: zipfile.ZipFile) -> None:
        self._zip = zip_file
        self.files: dict[str, dict[str, object]] = {}

    def add(self, name: str, source: bytes | Path, *, packed: bool = False) -> None:
        """Put a file in.

        Args:
            name: its name in the archive.
            source: what it holds, or where that lies.
            packed: whether packing makes it smaller.
        """
        info = zipfile.ZipInfo(name)  # of 1980: two exports of one game are alike
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as out:
            for block in _blocks(source):
                digest.update(block)
                size += len(block)
                out.write(block)
        self.files[name] = {"bytes": size, "sha256": digest.hexdigest()}


@contextmanager
def writing(path: Path, about: dict[str, object]) -> Iterator[ArchiveWriter]:
    """Write an archive: there whole, or not at all.

    Args:
        path: where; what is there is not overwritten.
        about: the rest of the manifest; may be filled while files are added.

    Raises:
        StoreError: refused: there is such a file. Full or gone: it cannot be written.
    """
    half = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        if path.exists():
            raise FileExistsError(path)
        with zipfile.ZipFile(half, "x") as zip_file:
            writer = ArchiveWriter(zip_file)
            yield writer
            text = json.dumps({**about, "files": writer.files}, indent=1)
            zip_file.writestr(zipfile.ZipInfo(MANIFEST), text)
        sync(half)
        put_new(half, path)
    except FileExistsError as error:
        raise StoreError(Trouble.REFUSED, f"{path} is there already.") from error
    except OSError as error:
        kind = Trouble.FULL if error.errno in {27, 28, 122} else Trouble.GONE
        why = error.strerror or str(error)
        raise StoreError(kind, f"{path} cannot be written: {why}.") from error
    finally:
        half.unlink(missing_ok=True)


class ArchiveReader:
    """An archive whose outside is right: names, number and sizes of its files.

    Attributes:
        about: its manifest.
        files: name, size in bytes and hash of every file.
    """

    def __init__(
        self, path: Path, zip_file: zipfile.ZipFile, form: str, most_bytes: int
    ) -> None:
        self._path = path
        self._zip = zip_file
        self.about = self._manifest(form)
        self.files: dict[str, tuple[int, str]] = {}
        stated = self.about.get("files")
        if not isinstance(stated, dict):
            raise self.bad("its manifest names no files")
        for name, record in stated.items():
            self.files[name] = self._stated(name, record)
        if sum(size for size, _ in self.files.values()) > most_bytes:
            raise self.bad(f"it would hold more than {most_bytes} bytes")
        self._check_names()

    def _manifest(self, form: str) -> dict[str, Any]:
        try:
            info = self._zip.getinfo(MANIFEST)
            data = self._read(info, min(info.file_size, MOST_MANIFEST_BYTES + 1))
        except KeyError:
            raise self.bad("it has no manifest") from None
        if len(data) > MOST_MANIFEST_BYTES:
            raise self.bad("its manifest is too long")
        try:
            about = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self.bad("its manifest is not JSON") from error
        if not isinstance(about, dict) or about.get("format") != form:
            raise self.bad(f"its format is not {form!r}")
        return about

    def _stated(self, name: str, record: object) -> tuple[int, str]:
        if not _NAME.match(name) or ".." in name or name == MANIFEST:
            raise self.bad(f"it holds a file with a strange name: {name!r:.80}")
        if not isinstance(record, dict):
            raise self.bad(f"its manifest says nothing of {name}")
        size, hash_ = record.get("bytes"), record.get("sha256")
        if type(size) is not int or size < 0 or not is_hash(hash_):
            raise self.bad(f"its manifest has no size and hash of {name}")
        return size, str(hash_)

    def _check_names(self) -> None:
        infos = self._zip.infolist()
        if len(infos) > MOST_FILES:
            raise self.bad(f"it holds more than {MOST_FILES} files")
        if sorted(info.filename for info in infos) != sorted([MANIFEST, *self.files]):
            raise self.bad("it holds other files than its manifest says")
        for info in infos:
            stated = self.files.get(info.filename)
            if stated is not None and info.file_size != stated[0]:
                raise self.bad(f"{info.filename} has not the size that was written")

    def read(self, name: str, most_bytes: int) -> bytes:
        """What a file holds, proved by its hash.

        Raises:
            StoreError: refused: it is not there, too long, or not what was written.
        """
        if name not in self.files:
            raise self.bad(f"it has no {name}")
        size, hash_ = self.files[name]
        if size > most_bytes:
            raise self.bad(f"{name} is longer than {most_bytes} bytes")
        data = self._read(self._zip.getinfo(name), size)
        if len(data) != size or sha256(data) != hash_:
            raise self.bad(f"{name} is not what was written")
        return data

    def extract(self, name: str, path: Path) -> None:
        """Write a file of any length to a place of our choice, proved by its hash.

        Raises:
            StoreError: refused: it is not what was written.
            OSError: it cannot be written.
        """
        if name not in self.files:
            raise self.bad(f"it has no {name}")
        size, hash_ = self.files[name]
        digest, left = hashlib.sha256(), size
        try:
            with (
                self._zip.open(self._zip.getinfo(name)) as file,
                open_new_private(path) as out,
            ):
                while block := file.read(min(BLOCK, left + 1)):
                    left -= len(block)
                    if left < 0:
                        break
                    digest.update(block)
                    out.write(block)
                out.flush()
                os.fsync(out.fileno())
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise self.bad(f"{name}: {error}") from error
        if left or digest.hexdigest() != hash_:
            raise self.bad(f"{name} is not what was written")

    def bad(self, why: str) -> StoreError:
        """What to raise when something in it is wrong."""
        return StoreError(Trouble.REFUSED, f"{self._path} is refused: {why}.")

    def _read(self, info: zipfile.ZipInfo, size: int) -> bytes:
        try:
            with self._zip.open(info) as file:
                return _whole(file, size)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise self.bad(f"{info.filename}: {error}") from error
        except (NotImplementedError, RuntimeError) as error:  # encrypted, odd packing
            raise self.bad(f"{info.filename}: {error}") from error


@contextmanager
def reading(path: Path, form: str, most_bytes: int) -> Iterator[ArchiveReader]:
    """Open an archive of a certain form.

    Args:
        path: the file.
        form: what its manifest must have as `format`.
        most_bytes: most that its files may hold together.

    Raises:
        StoreError: refused, or it cannot be read.
    """
    try:
        if not path.is_file():
            raise StoreError(Trouble.REFUSED, f"{path} is no file that is there.")
        with zipfile.ZipFile(path) as zip_file:
            yield ArchiveReader(path, zip_file, form, most_bytes)
    except (zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise StoreError(
            Trouble.REFUSED, f"{path} is refused: it is no whole zip file."
        ) from error
    except NotImplementedError as error:
        raise StoreError(Trouble.REFUSED, f"{path} is refused: {error}.") from error
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(Trouble.GONE, f"{path} cannot be used: {why}.") from error


def stated_text(about: Mapping[str, Any], name: str) -> str:
    """A text of a manifest; empty if there is none."""
    value = about.get(name)
    return value if isinstance(value, str) else ""


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet: whole, or not at all.

    Raises:
        StoreError: refused: it is there. Gone: it cannot be written.
    """
    half = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        half.write_bytes(data)
        put_new(half, path)
        sync(path.parent)
    except FileExistsError as error:
        raise StoreError(Trouble.REFUSED, f"{path} is there already.") from error
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(Trouble.GONE, f"{path} cannot be written: {why}.") from error
    finally:
        half.unlink(missing_ok=True)


def _whole(file: BinaryIO | Any, size: int) -> bytes:
    data: bytes = file.read(size)
    return data + bytes(file.read(1))  # one more shows that there is more


def _blocks(source: bytes | Path) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    with source.open("rb") as file:
        while block := file.read(BLOCK):
            yield block
