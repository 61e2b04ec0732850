"""`data.yaml`: the file that tells ultralytics which classes and pictures there are."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import yaml

from datasets.eval_labels import LabelError
from datasets.labels.class_names import read_classes
from datasets.labels.plain_yaml import UnfitYamlError, load_plain
from datasets.labels.text_lines import decode_text, numbered_lines, read_bytes
from datasets.labels.yolo_lines import CORNERS, Rows

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from datasets.labels.class_names import ClassOrder
    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook
    from scoring.cards import Face

DATA_YAML = "data.yaml"
MOST_YAML_BYTES = 1 << 20
MIRRORED = [1, 0, 3, 2]
"""Which corner a corner becomes in a mirrored picture (training should not mirror)."""


@dataclass(frozen=True, slots=True)
class YoloSet:
    """What a YOLO set says of itself.

    Attributes:
        root: folder that everything of the set is below.
        folders: of the pictures; empty: all below the root.
        faces: of each class; None stands for a die whatever it shows.
        listed: the text that names the classes, where `data.yaml` does not.
    """

    root: Path
    folders: tuple[Path, ...]
    faces: tuple[Face | None, ...]
    listed: Path | None = None


def data_yaml(root: Path, sides: Collection[str], order: ClassOrder, rows: Rows) -> str:
    """Write the file.

    Args:
        root: folder of the set; ultralytics wants it absolute.
        sides: those that have pictures.
        order: the classes.
        rows: what the label files hold.

    Returns:
        The text; `class_order` in it is the hash of the names, for our import.
    """
    # ultralytics demands both; a set without one of them can only be looked at
    train = "train" if "train" in sides else sorted(sides)[0]
    chosen = {"train": train, "val": "val" if "val" in sides else train}
    if "test" in sides:
        chosen["test"] = "test"
    lines = [f"path: {json.dumps(str(root), ensure_ascii=False)}"]
    lines += [f"{key}: images/{side}" for key, side in chosen.items()]
    if rows is Rows.POSE:
        lines += [f"kpt_shape: [{CORNERS}, 3]", f"flip_idx: {MIRRORED}"]
    lines += [f"class_order: {order.digest}", "names:"]
    lines += [f"  {n}: {json.dumps(name)}" for n, name in enumerate(order.names)]
    return "\n".join(lines) + "\n"


def read_yolo_set(path: Path, options: ImportOptions, book: NoteBook) -> YoloSet:
    """Read what a set says of itself.

    Args:
        path: `data.yaml`, or a folder with or without one. Without one the classes are
            in `classes.txt`, or must be given.
        options: with `order`, the classes where the set does not name them.
        book: is told of a wrong encoding.

    Raises:
        LabelError: no such set, classes unknown, or a folder outside the set.
    """
    if path.is_dir():
        root, file = path, path / DATA_YAML
    else:
        root, file = path.parent, path
        if path.suffix.lower() not in (".yaml", ".yml"):
            raise LabelError(f"{path}: expected a folder or a data.yaml")
    if file.exists() or not path.is_dir():
        return _from_yaml(file, root, options, book)
    return _without_yaml(root, options, book)


def _without_yaml(root: Path, options: ImportOptions, book: NoteBook) -> YoloSet:
    listed = next(
        (
            p
            for p in (root / "classes.txt", root / "labels" / "classes.txt")
            if p.exists()
        ),
        None,
    )
    if listed is not None:
        text = decode_text(read_bytes(listed, MOST_YAML_BYTES), str(listed), book)
        names = [line for _, line in numbered_lines(text)]
        return YoloSet(root, (), read_classes(names, None, str(listed)), listed)
    if options.order is None:
        raise LabelError(
            f"{root}: the classes are not named (no data.yaml, no classes.txt):"
            " say which order its numbers have"
        )
    return YoloSet(root, (), options.order.faces)


def _from_yaml(
    file: Path, root: Path, options: ImportOptions, book: NoteBook
) -> YoloSet:
    text = decode_text(read_bytes(file, MOST_YAML_BYTES), str(file), book)
    try:
        raw = load_plain(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark is not None else ""
        what = error.problem if isinstance(error, UnfitYamlError) else "not YAML"
        raise LabelError(f"{file}{line}: {what}") from error
    if not isinstance(raw, dict):
        raise LabelError(f"{file}: must be a mapping, not {raw!r:.80}")
    data = cast("dict[object, object]", raw)
    if data.get("names") is None and options.order is not None:
        faces = options.order.faces
    else:
        names = _names(data.get("names"), file)
        faces = read_classes(names, data.get("class_order"), str(file))
    folders: list[Path] = []
    for key in ("train", "val", "test"):
        value = data.get(key)
        entries = value if isinstance(value, list) else [value]
        for entry in entries:
            if entry is not None:
                folders.append(_folder(entry, data.get("path"), root, f"{file}: {key}"))
    return YoloSet(root, tuple(dict.fromkeys(folders)), faces)


def _names(raw: object, file: Path) -> list[object]:
    if isinstance(raw, list):
        return raw
    if isinstance(raw, dict):
        names = cast("dict[object, object]", raw)
        if set(names) == set(range(len(names))):
            return [names[number] for number in range(len(names))]
    raise LabelError(f"{file}: names must be a list, or numbered from 0 without a gap")


def _folder(entry: object, path: object, root: Path, place: str) -> Path:
    """A folder of pictures; the set may have been moved since `path` was written."""
    if not isinstance(entry, str) or "\0" in entry:
        raise LabelError(f"{place}: must be a folder, not {entry!r:.80}")
    if entry.lower().endswith(".txt"):
        raise LabelError(
            f"{place}: {entry}: lists of pictures are not read: folders are"
        )
    home = root.resolve()
    stated = home / path if isinstance(path, str) and "\0" not in path else home
    for start in (stated, home):
        with suppress(OSError):  # a name too long for any folder
            folder = (start / entry).resolve()
            if folder.is_relative_to(home) and folder.is_dir():
                return folder
    raise LabelError(f"{place}: {entry:.80}: there is no such folder below {root}")
