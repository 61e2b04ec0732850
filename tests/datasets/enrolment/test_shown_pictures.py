"""Pictures of shown sides in a folder, and what was said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.enrolment.shown_pictures import shots_of_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class NoDie:
    """Stands for a reader that sees no die, as `RollReader` does."""

    light = None

    def evidence(self, image: np.ndarray) -> tuple[object, ...]:
        return ()


def quietly(pictures: Iterable[int], count: int) -> Iterable[int]:
    return pictures


def test_refused_pictures_name_their_path_once(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    broken, dark = tmp_path / "1" / "QH-1.jpg", tmp_path / "1" / "QH-2.png"
    broken.write_bytes(b"no picture")
    cv2.imwrite(str(dark), np.zeros((240, 240, 3), np.uint8))
    shown = shots_of_folder(NoDie(), tmp_path, quietly)  # type: ignore[arg-type]
    assert shown.refused == (
        f"{broken}: is not a picture",
        f"{dark}: no die is to be seen",
    )
