"""Where labelled pictures come from: a folder with `labels.json`, or an album."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.captures.album import Album
from datasets.captures.files import MANIFEST
from datasets.captures.labelled import each_labelled
from datasets.eval_labels import LABELS, LabelError, read_labels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture


def is_album(source: Path) -> bool:
    """Whether a folder is an album, and no folder with `labels.json`."""
    return not (source / LABELS).exists() and (source / MANIFEST).exists()


def each_picture(
    source: Path, *, reviewed_only: bool = True
) -> Iterator[LabelledPicture]:
    """The labelled pictures of a folder or an album, one after the other.

    Args:
        source: a folder with `labels.json` (read whole), or an album of captures (read
            capture by capture).
        reviewed_only: of an album, only what a person looked at; without it also what
            the reader was sure of.

    Raises:
        LabelError: neither, or the labels cannot be used.
        CaptureError: a capture cannot be used.
    """
    if is_album(source):
        yield from each_labelled(Album(source), reviewed_only=reviewed_only)
        return
    if source.is_dir() and not (source / LABELS).exists():
        raise LabelError(f"{source}: holds neither {LABELS} nor an album")
    yield from read_labels(source)
