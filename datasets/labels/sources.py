"""Where labelled pictures come from: a folder with `labels.json`, or an album."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.captures.album import Album
from datasets.captures.files import MANIFEST
from datasets.captures.labelled import each_labelled
from datasets.eval_labels import LABELS, LabelError, read_labels
from datasets.labels.picture_files import check_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture


def is_album(source: Path) -> bool:
    """Whether a folder is an album, and no folder with `labels.json`."""
    return not (source / LABELS).exists() and (source / MANIFEST).exists()


def each_picture(
    source: Path,
    *,
    reviewed_only: bool = True,
    left_out: Callable[[str, str], None] | None = None,
) -> Iterator[LabelledPicture]:
    """The labelled pictures of a folder or an album, one after the other.

    Args:
        source: a folder with `labels.json` (read whole), or an album of captures (read
            capture by capture).
        reviewed_only: of an album, only what a person looked at; without it also what
            the reader was sure of.
        left_out: of an album, see `each_labelled`.

    Raises:
        LabelError: neither, or the labels cannot be used.
        CaptureError: a capture cannot be used, and nobody is told.
    """
    if is_album(source):
        yield from each_labelled(
            Album(source), reviewed_only=reviewed_only, left_out=left_out
        )
        return
    if source.is_dir() and not (source / LABELS).exists():
        raise LabelError(f"{source}: holds neither {LABELS} nor an album")
    yield from read_labels(source)


def with_files(
    pictures: Iterable[LabelledPicture], left_out: Callable[[str, str], None]
) -> Iterator[LabelledPicture]:
    """Those whose picture is there, as the labels have it; the others are told.

    Args:
        pictures: of an album: one that lost a file has thousands of others.
        left_out: gets the name of a picture, and why it is not given.
    """
    for picture in pictures:
        try:
            check_size(picture.path, (picture.width, picture.height), picture.name)
        except LabelError as error:
            left_out(picture.name, str(error))
        else:
            yield picture
