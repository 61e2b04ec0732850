"""Model files and their cards: found, checked against their hash, described."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from scoring.json_files import JsonFileError, read_json
from vision.errors import ModelError

BUNDLED = Path(__file__).parent / "models"
KINDS = ("detector", "faces")
MOST_PX = 8192
"""No network here looks at more in a row."""
PRECISIONS = ("f32", "bf16")
"""What a network may compute in. `bf16` is about twice as fast where the processor has
units for it and only a wish elsewhere; a card says so if the readings stay equal."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the runtime must know of a model.

    Attributes:
        kind: `detector`, `faces` or `body`.
        name: for readings and logs.
        sha256: hash of the ONNX file.
        input_px: height and width of the network's input.
        classes: names in the order of the output.
        path: the ONNX file.
        precision: one of `PRECISIONS`, in which it reads as it was trained.
        quick_px: a smaller input that the network takes too, for a first look.
    """

    kind: str
    name: str
    sha256: str
    input_px: tuple[int, int]
    classes: tuple[str, ...]
    path: Path
    precision: str = PRECISIONS[0]
    quick_px: tuple[int, int] | None = None

    @property
    def identity(self) -> str:
        """`NAME@sha256:…`, as readings carry it."""
        return f"{self.name}@sha256:{self.sha256[:12]}"


def has_card(kind: str, folder: Path | None = None) -> bool:
    """Whether a folder (or, with None, Tableside) has a model of a kind."""
    return ((BUNDLED if folder is None else folder) / f"{kind}.json").exists()


def read_card(kind: str, folder: Path | None = None) -> ModelCard:
    """Read a model's card and check the model against it.

    Args:
        kind: one of `KINDS`, or `body`, which may be missing.
        folder: where; None for the models that come with Tableside.

    Raises:
        ModelError: card or model is missing, malformed, or they do not belong together.
    """
    place = BUNDLED if folder is None else folder
    card_path, path = place / f"{kind}.json", place / f"{kind}.onnx"
    try:
        card = cast("dict[str, Any]", read_json(card_path))
        quick = card.get("quick_px")
        made = ModelCard(
            kind=kind,
            name=str(card["name"]),
            sha256=str(card["sha256"]),
            input_px=_sides(card["input_px"]),
            classes=tuple(str(name) for name in card["classes"]),
            path=path,
            precision=PRECISIONS[PRECISIONS.index(card.get("precision", "f32"))],
            quick_px=None if quick is None else _sides(quick),
        )
    except JsonFileError as error:
        if not card_path.exists():
            why = f"{card_path}: no model card: there is no such file"
            raise ModelError(why) from error
        raise ModelError(f"{error}; a model card was expected") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ModelError(
            f"{card_path}: not a model card (needs name, sha256, input_px, classes, "
            f"precision if any of {', '.join(PRECISIONS)}, quick_px if any two sides): "
            f"{error!r}"
        ) from error
    _check_hash(made)
    return made


def _sides(raw: Any) -> tuple[int, int]:
    height, width = (int(side) for side in raw)
    if not (1 <= height <= MOST_PX and 1 <= width <= MOST_PX):
        raise ValueError(f"sides of 1..{MOST_PX} pixels expected, not {raw!r:.80}")
    return height, width


def _check_hash(card: ModelCard) -> None:
    try:
        with card.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{card.path}: no model file: {error.strerror}") from error
    if found != card.sha256:
        raise ModelError(
            f"{card.path}: the file is damaged or not the one its card describes "
            f"(sha256 {found[:12]}…, expected {card.sha256[:12]}…)"
        )
