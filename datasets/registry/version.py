"""One version of the models: its files, and the hash that names it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.registry.errors import RegistryError
from datasets.release import sha256_of
from vision.limits_file import FILE_NAME, read_limits
from vision.model_files import KINDS, has_card, read_card

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "tableside-version/1"
BUNDLED_VERSION = "bundled"
"""The models that come with Tableside; they are never copied."""
ALL_KINDS = (*KINDS, "body")
FACTS = "version.json"
NAME = re.compile(r"v-[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Version:
    """Models that belong together.

    Attributes:
        name: `v-` and the first 16 digits of the hash over all files, or `bundled`.
        folder: where they lie; None for the bundled ones, as `load_reader` takes it.
        files: name and sha256 of each file, by name.
        models: identity of each model, by its kind.
        calibrated: whether limits of doubt were calibrated for them.
    """

    name: str
    folder: Path | None
    files: tuple[tuple[str, str], ...]
    models: tuple[tuple[str, str], ...]
    calibrated: bool


def file_names(folder: Path) -> tuple[str, ...]:
    """The files of models, cards and limits that are in a folder, by name."""
    wanted = [f"{kind}.{end}" for kind in ALL_KINDS for end in ("json", "onnx")]
    return tuple(sorted(n for n in (*wanted, FILE_NAME) if (folder / n).is_file()))


def hashes(folder: Path) -> tuple[tuple[str, str], ...]:
    """Name and sha256 of each file of models in a folder.

    Raises:
        OSError: one cannot be read.
    """
    return tuple((name, sha256_of(folder / name)) for name in file_names(folder))


def version_name(files: tuple[tuple[str, str], ...]) -> str:
    """The name that follows from the content."""
    text = json.dumps(files, separators=(",", ":"))
    return "v-" + hashlib.sha256(text.encode()).hexdigest()[:16]


def identities(folder: Path | None) -> dict[str, str]:
    """Identity of each model of a folder, each checked against its card.

    Raises:
        ModelError: a card or a model is missing or damaged.
    """
    kinds = [k for k in ALL_KINDS if k in KINDS or has_card(k, folder)]
    return {kind: read_card(kind, folder).identity for kind in kinds}


def looked_up(name: str, folder: Path | None) -> Version:
    """Look at a version and check every file of it.

    Args:
        name: of the version.
        folder: where it lies; None for the bundled one.

    Raises:
        RegistryError: it is not there, or is not what its name says.
        ModelError: a model is not what its card says, or limits belong to others.
    """
    if folder is None:
        models = identities(None)
        read_limits(None, models)
        return Version(name, None, (), tuple(models.items()), True)
    if not folder.is_dir():
        raise RegistryError(f"there is no version {name} here")
    try:
        files = hashes(folder)
    except OSError as error:
        raise RegistryError(
            f"version {name}: cannot be read: {error.strerror}"
        ) from error
    if version_name(files) != name:
        raise RegistryError(
            f"version {name}: its files are damaged or not those of that name: "
            f"they would be {version_name(files)}"
        )
    models = identities(folder)
    read_limits(folder, models)
    calibrated = any(file == FILE_NAME for file, _ in files)
    return Version(name, folder, files, tuple(models.items()), calibrated)
