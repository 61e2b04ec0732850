"""What sets from captured pictures share: opening a picture, claiming a folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_places import with_size
from datasets.shards import MANIFEST, DataSetError
from datasets.whole_files import write_whole
from vision.errors import SourceError
from vision.pictures import load_picture

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.eval_labels import LabelledPicture
    from datasets.pinhole import Floats


def opened(picture: LabelledPicture) -> tuple[NDArray[np.uint8], float]:
    """A picture, and pixels of its file per pixel of it.

    Raises:
        DataSetError: it cannot be read or is not as large as its label says.
    """
    try:
        loaded = load_picture(picture.path)
    except SourceError as error:
        raise DataSetError(str(error)) from error
    with_size(picture, loaded.image, loaded.shrunk)
    return loaded.image, loaded.shrunk


def corners(quad: object, shrunk: float) -> Floats:
    """Corners of a label as pixel corners (pixel centres are whole numbers)."""
    return np.asarray(quad, np.float64) / shrunk - 0.5


def side_of(quad: Floats) -> float:
    """Mean side of a quad, pixels."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


def claim(folder: Path, facts: dict[str, object]) -> None:
    """Write the manifest of a set, or check that the one there says the same.

    Raises:
        DataSetError: the folder holds another set.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / MANIFEST
    if path.exists() and json.loads(path.read_text("utf-8")) != facts:
        raise DataSetError(
            f"{path} describes other captured pictures: they changed since the run"
            " began; give the run another name"
        )
    write_whole(path, json.dumps(facts, indent=1) + "\n")
