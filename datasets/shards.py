"""Shards: files of a few thousand crops each, the unit of rendering and of resuming."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from datasets.whole_files import write_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANIFEST = "manifest.json"
Files = tuple[tuple[str, bytes], ...]
"""Files of one piece of a set: path below the set's folder, content."""


class DataSetError(RuntimeError):
    """A data set on disk that cannot be used; the message names the file."""


@dataclass(frozen=True, slots=True)
class CropManifest:
    """What a folder of crop shards holds; written before the first shard.

    Attributes:
        seed: of the whole set; shard `k` is drawn from `(seed, k)`.
        crop_px: side of the crops.
        shard_crops: crops in each shard.
        held_out: drawn with the fonts that training never sees.
        fonts: digest of the fonts used.
        photos: number of background photos used.
        classes: number of classes.
    """

    seed: int
    crop_px: int
    shard_crops: int
    held_out: bool
    fonts: str
    photos: int
    classes: int


def write_manifest(folder: Path, manifest: CropManifest) -> None:
    """Write the manifest, or check that the one there says the same.

    Raises:
        DataSetError: the folder holds another set.
    """
    path = folder / MANIFEST
    text = json.dumps(asdict(manifest), indent=1)
    if path.exists():
        if json.loads(path.read_text()) != asdict(manifest):
            raise DataSetError(
                f"{path} describes another set; give another folder or the same options"
            )
        return
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, text + "\n")


def read_manifest(folder: Path) -> CropManifest:
    """Read the manifest of a folder of shards.

    Raises:
        DataSetError: there is none, or it is not one of ours.
    """
    path = folder / MANIFEST
    try:
        return CropManifest(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError) as error:
        raise DataSetError(f"{path}: not a crop manifest: {error}") from error


def shard_path(folder: Path, k: int) -> Path:
    """File of shard `k`."""
    return folder / f"crops-{k:05d}.npy"


def shard_files(
    k: int,
    images: NDArray[np.uint8],
    labels: NDArray[np.int16],
    die_px: NDArray[np.float32],
) -> Files:
    """The files of one shard, those first that the last one needs."""
    facts, crops = io.BytesIO(), io.BytesIO()
    np.savez(facts, labels=labels, die_px=die_px)
    np.save(crops, images)
    name = shard_path(Path(), k)
    return (
        (name.with_suffix(".npz").name, facts.getvalue()),
        (name.name, crops.getvalue()),
    )


def write_files(folder: Path, files: Files) -> None:
    """Write the files of one piece in their order; each is there whole or not at all.

    The last tells that the piece is done, so it is written last.
    """
    for name, data in files:
        write_whole(folder / name, data)


def whole_shards(folder: Path) -> list[Path]:
    """The shards written so far, in order."""
    return sorted(p for p in folder.glob("crops-*.npy") if ".part" not in p.name)


def read_shard(
    path: Path,
) -> tuple[NDArray[np.uint8], NDArray[np.int16], NDArray[np.float32]]:
    """Open one shard.

    Returns:
        (N, S, S, 3) uint8 BGR, mapped from disk; (N,) labels; (N,) die widths, pixels.
    """
    images = np.load(path, mmap_mode="r")
    with np.load(path.with_suffix(".npz")) as facts:
        return images, facts["labels"], facts["die_px"]
