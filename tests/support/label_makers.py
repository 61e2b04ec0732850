"""Small labelled sets on disk, and the notes that came of reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image

from datasets.eval_labels import LabelledDie, LabelledPicture, rank_of
from datasets.labels.formats import FORMATS, READERS
from datasets.labels.importing import ImportOptions
from datasets.labels.notes import NoteBook
from scoring.cards import parse_face
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.labels.exporting import ExportFormat
    from vision.reading import Quad

WIDTH, HEIGHT = 64, 48
EXIF_ORIENTATION = 0x0112


def draw_picture(
    path: Path, size: tuple[int, int] = (WIDTH, HEIGHT), turn: int = 1
) -> Path:
    """A picture with a colour ramp; `size` is as stored, `turn` the EXIF value."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ramp = np.linspace(0, 255, size[0] * size[1] * 3).reshape(size[1], size[0], 3)
    image = Image.fromarray(ramp.astype(np.uint8))
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = turn
    kind = "JPEG" if path.suffix.lower() in (".jpg", ".jpeg") else None
    if turn == 1:
        image.save(path, kind)
    else:
        image.save(path, kind, exif=exif)
    return path


def square(x: float, y: float, side: float = 10.0) -> Quad:
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def a_die(
    code: str | None,
    quad: Quad | None = None,
    box: tuple[float, float, float, float] | None = None,
    state: DieState = DieState.FLAT,
    rank: str | None = None,
) -> LabelledDie:
    face = parse_face(code) if code else None
    return LabelledDie(face, rank_of(face) if face else rank, quad, box, state)


def a_picture(
    path: Path, *dice: LabelledDie, name: str = "", tags: tuple[str, ...] = ()
) -> LabelledPicture:
    """A label of a picture that is drawn unless it is there."""
    if not path.exists():
        draw_picture(path)
    size = (float(WIDTH), float(HEIGHT))
    return LabelledPicture(name or path.name, path, *size, dice, tags)


def read_back(
    name: str, path: Path, options: ImportOptions | None = None
) -> tuple[list[LabelledPicture], list[str]]:
    """What a reader gives, and the sentences it tells with their first places."""
    book = NoteBook()
    found = list(READERS[name](path, options or ImportOptions(), book))
    return found, [str(note) for note in book.notes()]


def near(quad: Quad | None, other: Quad | None, within_px: float = 1e-3) -> bool:
    """Whether corner by corner two quads are the same, or none is there."""
    if quad is None or other is None:
        return quad is other
    return bool(np.abs(np.array(quad) - np.array(other)).max() <= within_px)


def a_format(name: str) -> ExportFormat:
    return FORMATS[name]


def pixels(path: Path) -> np.ndarray:
    image = cv2.imread(str(path))
    assert image is not None
    return np.asarray(image)
