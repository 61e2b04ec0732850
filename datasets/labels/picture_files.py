"""Pictures that labels are about: found by name or stem, and their upright size."""

from __future__ import annotations

import unicodedata
import warnings
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from PIL import Image

from datasets.eval_labels import LabelError
from vision.pictures import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.labels.notes import NoteBook

Size = tuple[int, int]
"""Width and height in pixels, as a person sees the picture."""

MOST_BYTES = 256 * 1024**2
"""Of one picture; what has more is something else."""
OUTSIDE = "is a link to a file outside the folder: left out"

_ORIENTATION = 0x0112
_TURNED = range(5, 9)
"""Values of the EXIF orientation that lay the picture on its side."""


def upright_size(path: Path) -> Size:
    """Size of a picture as a person sees it, EXIF orientation applied.

    Only the start of the file is read: it may still be damaged further on.

    Raises:
        LabelError: missing, or no picture.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise LabelError(f"{path}: is not an ordinary file")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path) as opened:
                width, height = opened.size
                turned = opened.getexif().get(_ORIENTATION) in _TURNED
    except OSError as error:
        why = error.strerror or "is not a picture"
        raise LabelError(f"{path}: {why[0].lower()}{why[1:]}") from error
    except Image.DecompressionBombError as error:
        raise LabelError(f"{path}: has too many pixels") from error
    # damaged headers: whatever Pillow's parsers run into
    except (ValueError, SyntaxError, EOFError, LookupError, TypeError) as error:
        raise LabelError(f"{path}: is damaged ({error})") from error
    return (height, width) if turned else (width, height)


def check_size(path: Path, stated: tuple[float, float], place: str) -> Size:
    """The upright size of a picture, which must be what the labels say.

    Args:
        path: the picture.
        stated: width and height that the labels are for; 0: not stated.
        place: file and entry, for the error.

    Raises:
        LabelError: another size, or no picture.
    """
    size = upright_size(path)
    if stated == size or 0 in stated:
        return size
    seen = f"{size[0]}x{size[1]}"
    turned = stated == size[::-1]
    raise LabelError(
        f"{place}: labels are for {stated[0]:g}x{stated[1]:g} pixels, the picture"
        f" {path.name} has {seen}{' as a person sees it (EXIF)' if turned else ''}"
    )


class PictureFolder:
    """The pictures below a folder, by name and by stem.

    Names are compared in Unicode NFC. Links out of the folder and names that are not
    UTF-8 are left out and told.

    Args:
        root: the folder.
        book: is told what was left out.

    Raises:
        LabelError: no such folder.
    """

    def __init__(self, root: Path, book: NoteBook) -> None:
        if not root.is_dir():
            raise LabelError(f"{root}: there is no such folder")
        self.root = root
        self._names: dict[str, Path] = {}
        self._bases: dict[str, list[str]] = {}
        for path in sorted(_pictures(root.resolve(), book)):
            name = _key(path.relative_to(root.resolve()).as_posix())
            self._names[name] = path
            self._bases.setdefault(PurePosixPath(name).name, []).append(name)

    def items(self) -> Iterable[tuple[str, Path]]:
        """Name below the folder and path of each picture, in order of names."""
        return self._names.items()

    def find(self, name: str, place: str) -> Path | None:
        """The picture of that name below the root, below `images`, or anywhere.

        Anywhere means: the only one whose path ends with the name, else the only one
        with the same last part.

        Args:
            name: as `safe_name` gives it.
            place: file and entry, for the error.

        Raises:
            LabelError: several pictures are called so.
        """
        key = _key(name)
        for candidate in (key, f"images/{key}"):
            if candidate in self._names:
                return self._names[candidate]
        called = self._bases.get(PurePosixPath(key).name, [])
        same = [one for one in called if one.endswith(f"/{key}")] or called
        if len(same) > 1:
            raise LabelError(
                f"{place}: {name} may be {same[0]} or {same[1]}: name the folder, too"
            )
        return self._names[same[0]] if same else None


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _pictures(root: Path, book: NoteBook) -> Iterable[Path]:
    for path in root.rglob("*"):
        if path.suffix.lower() not in PICTURE_SUFFIXES or not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        if any("\ud800" <= sign <= "\udfff" for sign in name):
            shown = name.encode("utf-8", "backslashreplace").decode()
            book.tell("the file's name is not UTF-8: left out", shown)
        elif not path.resolve().is_relative_to(root):
            book.tell(OUTSIDE, name)
        else:
            yield path
