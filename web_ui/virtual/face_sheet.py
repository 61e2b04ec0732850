"""The faces of the virtual dice: one picture that comes with Tableside.

Fonts differ between machines and may be missing, so the faces are drawn once and kept.
`python -m web_ui.virtual.face_sheet` draws them anew.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.canvas import ART_PX
from scoring.cards import ALL_FACES

if TYPE_CHECKING:
    from datasets.canvas import Art, Bgr
    from scoring.cards import Face

COLUMNS = 9
"""Faces in a row of the sheet, in the order of `ALL_FACES`."""

BODY: Bgr = (248.0, 249.0, 250.0)
RED: Bgr = (38.0, 22.0, 205.0)
BLACK: Bgr = (26.0, 24.0, 24.0)
FONT = "LiberationSansNarrow-Bold.ttf"


def sheet_path() -> Path:
    """Where the sheet lies."""
    return Path(str(resources.files("web_ui.virtual").joinpath("faces.png")))


def load_faces() -> dict[Face, Art]:
    """Cut the sheet into faces.

    Raises:
        RuntimeError: the installation lacks the sheet, or it has another size.
    """
    sheet = cv2.imread(str(sheet_path()), cv2.IMREAD_COLOR)
    rows = -(-len(ALL_FACES) // COLUMNS)
    if sheet is None or sheet.shape[:2] != (rows * ART_PX, COLUMNS * ART_PX):
        raise RuntimeError(f"{sheet_path()}: the faces of the virtual dice are damaged")
    out: dict[Face, Art] = {}
    for k, face in enumerate(ALL_FACES):
        row, column = divmod(k, COLUMNS)
        y, x = row * ART_PX, column * ART_PX
        out[face] = np.asarray(sheet[y : y + ART_PX, x : x + ART_PX], np.uint8)
    return out


def draw_sheet() -> Art:
    """Draw all faces in one plain style.

    Raises:
        StopIteration: this machine lacks the font.
    """
    # here, because the table itself draws nothing anew
    from datasets.art import draw_face
    from datasets.demo import demo_style
    from datasets.fonts import font_book

    font = next(path for path in font_book().ranks if Path(path).name == FONT)
    style = replace(
        demo_style(np.random.default_rng((5, 1))),
        rank_font=font,
        body=BODY,
        inks=(BLACK, RED, RED, BLACK),
        joker_inks=(RED, BLACK),
        wear=0.0,
        marble=0.0,
    )
    faces = [draw_face(style, face) for face in ALL_FACES]
    while len(faces) % COLUMNS:
        faces.append(np.full_like(faces[0], 255))
    rows = [np.hstack(faces[k : k + COLUMNS]) for k in range(0, len(faces), COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def main() -> None:
    """Write the sheet."""
    cv2.imwrite(str(sheet_path()), draw_sheet(), [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
