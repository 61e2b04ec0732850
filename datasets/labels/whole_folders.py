"""Folders that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.labels.notes import NoteBook

COPIED = "could not be linked (another disk?): copied"


class Placing(StrEnum):
    """How pictures come into a folder."""

    LINK = "link"
    COPY = "copy"
    NONE = "none"


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """Fill a folder under another name, then give it its own.

    When the work fails, nothing is left; when the program is killed, a hidden folder
    `.NAME-*.part` beside it. The folder is for its owner only (0700).

    Args:
        out: must not be there, or be empty.

    Yields:
        The folder to fill.

    Raises:
        LabelError: `out` holds something, or cannot be made.
    """
    out = out.absolute()
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise LabelError(f"{out}: is there already: choose another folder")
        out.parent.mkdir(parents=True, exist_ok=True)
        half = Path(mkdtemp(prefix=f".{out.name}-", suffix=".part", dir=out.parent))
    except OSError as error:
        raise LabelError(f"{out}: cannot be made: {error.strerror}") from error
    try:
        yield half
        half.rename(out)
    except OSError as error:
        shutil.rmtree(half, ignore_errors=True)
        named = error.filename or out
        raise LabelError(f"{named}: cannot be written: {error.strerror}") from error
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)
        raise


def place_picture(source: Path, target: Path, placing: Placing, book: NoteBook) -> None:
    """Bring a picture into a folder.

    Args:
        source: the picture; a link is followed.
        target: where it shall be; its folder is made.
        placing: a hard link (shares its bytes, survives the removal of the source), a
            copy, or nothing at all.
        book: is told of a copy where a link was asked for.

    Raises:
        OSError: cannot be read or written.
    """
    if placing is Placing.NONE:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if placing is Placing.LINK:
        try:
            os.link(source.resolve(), target)
        except FileNotFoundError:
            raise
        except OSError:
            book.tell(COPIED, source.name)
        else:
            return
    shutil.copyfile(source, target)
