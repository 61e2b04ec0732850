"""Where labelled pictures come from: a folder with `labels.json`, or an album."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from datasets.captures.album import Album
from datasets.captures.capture import Review
from datasets.captures.files import MANIFEST
from datasets.captures.labelled import each_labelled
from datasets.eval_labels import LABELS, LabelError, read_labels
from datasets.labels.picture_files import check_size
from datasets.labels.picture_tags import recording_of, with_origin
from datasets.shards import MANIFEST as DRAWN
from scoring.json_files import JsonFileError, read_json

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


def why_none(source: Path) -> str:
    """Why a source has no picture to give, though it is one."""
    if (source / LABELS).exists():
        return f"{source}: there is no picture"
    by_review = Album(source).tally().by_review
    if waiting := by_review.get(Review.WAITING.value, 0):
        return (
            f"{source}: no picture was reviewed yet: {waiting} wait for a person on the"
            " page /dataset"
        )
    return f"{source}: there is no capture" + (
        ", but some that were set aside" if by_review else ""
    )


def each_to_deal(
    source: Path,
    *,
    reviewed_only: bool = True,
    left_out: Callable[[str, str], None] | None = None,
) -> Iterator[LabelledPicture]:
    """The same, each with the recording that it is dealt by, where that is known.

    Pictures that `tableside dataset rolls` drew are a recording each: dice, light and
    table of every one are drawn anew.

    Raises:
        LabelError: neither, or the labels cannot be used.
        CaptureError: a capture cannot be used.
    """
    seed = _seed_of(source)
    for picture in each_picture(source, reviewed_only=reviewed_only, left_out=left_out):
        if seed is None or recording_of(picture) is not None:
            yield picture
        else:
            stem = picture.name.rpartition(".")[0]
            yield with_origin(picture, f"drawn {seed} {stem}", None)


def _seed_of(source: Path) -> int | None:
    """The seed of a set of drawn rolls; None if it is none."""
    try:
        facts = cast("dict[str, Any]", read_json(source / DRAWN))
        drawn = facts["rolls"] is True and isinstance(facts["seed"], int)
    except (JsonFileError, TypeError, KeyError):
        return None
    return int(facts["seed"]) if drawn else None


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
