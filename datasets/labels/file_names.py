"""Names of pictures in label files: kept below one folder, one label file each."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

from datasets.eval_labels import LabelError


def safe_name(name: str, place: str) -> str:
    """Check that a name stays below the folder it is looked for in.

    Args:
        name: with `/` or, from Windows, with a backslash between its parts.
        place: file and entry, for the error.

    Returns:
        The name with `/`, without `.` in it.

    Raises:
        LabelError: empty, absolute, climbing with `..`, or with control characters.
    """
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name):
        raise LabelError(f"{place}: control characters in the file name {name!r:.80}")
    if name.startswith(("/", "\\")) or PureWindowsPath(name).drive:
        raise LabelError(f"{place}: {name!r:.80} must not be an absolute path")
    parts = [part for part in name.replace("\\", "/").split("/") if part != "."]
    if ".." in parts:
        raise LabelError(f"{place}: {name!r:.80} leads out of its folder")
    if not parts or not all(part.strip() for part in parts):
        raise LabelError(f"{place}: {name!r:.80} is no name of a file")
    return "/".join(parts)


class FreshNames:
    """Gives each exported picture a name whose stem no other one has.

    Label files of YOLO are called as their pictures without the suffix, and some file
    systems do not tell `A` from `a`.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def give(self, name: str) -> str:
        """A name for this picture, its own wherever possible.

        Args:
            name: as `safe_name` gives it.
        """
        # ultralytics turns the last folder `images` of a path into `labels`
        parts = ["images-" if p == "images" else p for p in name.split("/")]
        path = PurePosixPath(*parts)
        stem, number = path.stem, 1
        while self._key(path) in self._taken:
            suffix = path.suffix.lstrip(".") or "file"
            again = f"-{number}" if number > 1 else ""
            path = path.with_name(f"{stem}-{suffix}{again}{path.suffix}")
            number += 1
        self._taken.add(self._key(path))
        return str(path)

    @staticmethod
    def _key(path: PurePosixPath) -> str:
        return unicodedata.normalize("NFC", str(path.with_suffix(""))).casefold()
