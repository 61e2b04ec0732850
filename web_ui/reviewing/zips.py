"""Zip files in and out: nothing hostile is unpacked, nothing half-written is left."""

from __future__ import annotations

import lzma
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError
from datasets.labels.file_names import safe_name
from vision.pictures import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.labels.notes import NoteBook

MOST_FILES = 200_000
MOST_BYTES = 8 * 1024**3
"""Of all files together, unpacked."""
MOST_LABEL_BYTES = 512 * 1024**2
"""Of one file that is no picture."""
MOST_PICTURE_BYTES = 64 * 1024**2
MOST_RATIO = 200
"""No labels and no pictures shrink more than this; what does is made to harm."""
RATIO_FROM_BYTES = 16 * 1024**2
"""Smaller files may shrink as they like."""
SPARE_BYTES = 200 * 1024**2
"""Of the disk, that must stay free."""
LABEL_SUFFIXES = frozenset({".txt", ".yaml", ".yml", ".json", ".xml"})
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    ValueError,
    struct.error,
    OSError,
)
"""What the standard library raises for zip files with wrong bytes in them."""
BROKEN = "damaged in the zip file"
AT_ONCE = 1024 * 1024
OTHER = "is neither a picture nor a label file: left out"


def unpack(
    archive: Path, folder: Path, book: NoteBook, go_on: Callable[[], None]
) -> None:
    """Unpack pictures and label files.

    Args:
        archive: the zip file.
        folder: to unpack into; empty.
        book: is told what was left out.
        go_on: called now and then; may raise to stop.

    Raises:
        LabelError: no zip file, or one that must not be unpacked; the file is named.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            wanted = _wanted(opened.infolist(), book)
            _check_room(folder, sum(one.file_size for one, _ in wanted))
            for one, name in wanted:
                go_on()
                _unpack_one(opened, one, folder / name)
    except LabelError:  # one of those below by its parents
        raise
    except NotImplementedError as error:  # a method or a version of others
        raise LabelError(f"the zip file cannot be unpacked: {error}") from error
    except DAMAGED as error:
        raise LabelError(f"this is no zip file, or a damaged one: {error}") from error


def _wanted(
    found: list[zipfile.ZipInfo], book: NoteBook
) -> list[tuple[zipfile.ZipInfo, str]]:
    if len(found) > MOST_FILES:
        raise LabelError(f"{len(found)} files in the zip: at most {MOST_FILES}")
    wanted, taken, total = [], set(), 0
    for one in found:
        if one.is_dir() or one.filename.startswith("__MACOSX/"):
            continue
        name = safe_name(one.filename, "the zip file")
        if one.flag_bits & 1:
            raise LabelError(f"{name}: is encrypted")
        kind = one.external_attr >> 16
        if kind and not (stat.S_ISREG(kind) or not stat.S_IFMT(kind)):
            raise LabelError(f"{name}: is a link or a device, not an ordinary file")
        suffix = "." + name.rpartition("/")[2].rpartition(".")[2].lower()
        picture = suffix in PICTURE_SUFFIXES
        if not picture and suffix not in LABEL_SUFFIXES:
            book.tell(OTHER, name)
            continue
        _check_size(one, name, MOST_PICTURE_BYTES if picture else MOST_LABEL_BYTES)
        key = unicodedata.normalize("NFC", name).casefold()
        if key in taken:
            raise LabelError(f"{name}: is in the zip file twice")
        taken.add(key)
        total += one.file_size
        wanted.append((one, name))
    if total > MOST_BYTES:
        raise LabelError(
            f"the files have {total / 1e9:.1f} GB: at most {MOST_BYTES / 1e9:.1f} GB"
        )
    if not wanted:
        raise LabelError("the zip file holds neither pictures nor label files")
    return wanted


def _check_size(one: zipfile.ZipInfo, name: str, most: int) -> None:
    if one.file_size > most:
        raise LabelError(
            f"{name}: has {one.file_size / 1e6:.0f} MB: at most {most / 1e6:.0f} MB"
        )
    ratio = one.file_size / max(1, one.compress_size)
    if one.file_size > RATIO_FROM_BYTES and ratio > MOST_RATIO:
        raise LabelError(f"{name}: grows {ratio:.0f} times when unpacked: refused")


def _check_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if size + SPARE_BYTES > free:
        raise LabelError(
            f"unpacked it needs {size / 1e6:.0f} MB: {free / 1e6:.0f} MB are free"
        )


def _unpack_one(opened: zipfile.ZipFile, one: zipfile.ZipInfo, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(one) as source, path.open("xb") as target:
            left = one.file_size
            while data := source.read(AT_ONCE):
                left -= len(data)
                if left < 0:
                    raise LabelError(f"{one.filename}: is longer than it says")
                target.write(data)
    except LabelError:
        raise
    except OSError as error:
        # bzip2 tells of damage by an error without a number
        why = f"cannot be unpacked: {error.strerror}" if error.errno else f"is {BROKEN}"
        raise LabelError(f"{one.filename}: {why}") from error
    except NotImplementedError as error:
        raise LabelError(f"{one.filename}: cannot be unpacked: {error}") from error
    except DAMAGED as error:
        raise LabelError(f"{one.filename}: is {BROKEN}") from error


def pack(folder: Path, archive: Path, told: Callable[[int, int], None]) -> None:
    """Pack a folder; pictures are stored as they are.

    Args:
        folder: what is packed, without its own name.
        archive: the zip file; there only when it is whole.
        told: gets how many files are packed, of how many; may raise to stop.

    Raises:
        OSError: it cannot be written; nothing is left of the try.
    """
    half = archive.with_name(archive.name + ".part")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    try:
        with zipfile.ZipFile(half, "w") as opened:
            for number, path in enumerate(files):
                told(number, len(files))
                stored = path.suffix.lower() in PICTURE_SUFFIXES
                opened.write(
                    path,
                    path.relative_to(folder).as_posix(),
                    zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED,
                )
        half.replace(archive)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
