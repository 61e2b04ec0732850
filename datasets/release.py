"""From trained weights to a shipped model: ONNX, its card and its hash."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.whole_files import write_whole

CARD_FORMAT = "tableside-model/1"


@dataclass(frozen=True, slots=True)
class Release:
    """What a card says besides the hash.

    Attributes:
        kind: `detector` or `faces`; also the file's name.
        input_px: height and width the network takes.
        classes: names in the order of the output.
        data: seed and measures of the sets it learned from.
        training: epochs, batch, learning rate, base network.
        metrics: measured on held-out data with the exported file.
        precision: what the runtime may compute in, see `vision.model_files`.
        quick_px: a smaller input that it takes too.
    """

    kind: str
    input_px: tuple[int, int]
    classes: tuple[str, ...]
    data: dict[str, Any]
    training: dict[str, Any]
    metrics: dict[str, Any]
    precision: str = "f32"
    quick_px: tuple[int, int] | None = None


def sha256_of(path: Path) -> str:
    """Hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def commit_of(folder: Path) -> str:
    """Commit the code is at, with `+` if files are changed; `unknown` without git."""
    try:
        head = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + ("+" if changed else "")


def export_onnx(weights: Path, input_px: tuple[int, int], *, one_picture: bool) -> Path:
    """Export trained weights with ultralytics.

    Args:
        weights: a `.pt` of ours.
        input_px: height and width.
        one_picture: whether it takes one picture of any size (whose sides must be
            multiples of the network's greatest stride) or, if not, any number of
            pictures of this size.

    Returns:
        The ONNX file beside the weights.
    """
    import onnx

    from datasets.ultralytics_adapter import YOLO  # torch: only where a model is made

    out = YOLO(str(weights)).export(
        format="onnx", imgsz=list(input_px), dynamic=True, simplify=True, opset=17
    )
    path = Path(str(out))
    model = onnx.load(path)
    # the exporter notes date and folder of the run; the card says what matters, and
    # the same weights shall give the same file
    del model.metadata_props[:]
    axes = model.graph.input[0].type.tensor_type.shape.dim
    for place, size in enumerate((1, 3, *input_px)):
        if (place < 2) == one_picture:
            axes[place].dim_value = size
    onnx.save(model, path)
    return path


def publish(onnx: Path, folder: Path, release: Release) -> Path:
    """Put a model and its card where the runtime looks.

    The card is written last and names the hash of the file, so that a half-published
    model is refused at load.

    Returns:
        The card.

    Raises:
        OSError: it cannot be written; what was there before stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{release.kind}.onnx"
    half = target.with_suffix(".part")
    try:
        shutil.copyfile(onnx, half)
        return _put(half, target, release)
    finally:  # a full disk is not filled further by what is of no use
        half.unlink(missing_ok=True)


def _put(half: Path, target: Path, release: Release) -> Path:
    """Let a whole copy take its place, and write its card."""
    digest = sha256_of(half)
    card = {
        "format": CARD_FORMAT,
        "name": f"{release.kind}-{digest[:8]}",
        "sha256": digest,
        "input_px": list(release.input_px),
        "classes": list(release.classes),
        "precision": release.precision,
        **({"quick_px": list(release.quick_px)} if release.quick_px else {}),
        "data": release.data,
        "training": release.training,
        "metrics": release.metrics,
        "commit": commit_of(Path(__file__).parent),
    }
    path = target.with_suffix(".json")
    text = json.dumps(_as_json(card), indent=1, allow_nan=False) + "\n"
    half.replace(target)
    write_whole(path, text)
    return path


def _as_json(value: Any) -> Any:
    """A value with null for figures that are no numbers, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
