"""Small pictures of every state a roll can be in, drawn by the project's generator.

`python tests/support/state_pictures.py` draws them anew into `tests/vision/pictures`,
with a list of what is true of each; it needs what drawing needs (fonts).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.fonts import font_book
from datasets.odd_rolls import Oddity, OddOptions, OddRoll, make_odd_roll

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "vision" / "pictures"
MOST_BYTES = 52_000
WIDTH, HEIGHT = 960, 540


@dataclass(frozen=True, slots=True)
class StatePicture:
    """One picture.

    Attributes:
        name: of the file, without suffix.
        oddity: what is odd about the roll.
        seed: of the roll.
        lean_deg: of a cocked die.
        spoil: what the camera did to it: "", "dark", "glare", "motion", "defocus",
            "far".
    """

    name: str
    oddity: Oddity
    seed: int
    lean_deg: float | None = None
    spoil: str = ""


PICTURES = (
    StatePicture("ordinary", Oddity.NONE, 26),
    StatePicture("cocked", Oddity.COCKED, 23, 40),
    StatePicture("cocked_a_little", Oddity.COCKED, 21, 25),
    StatePicture("stacked", Oddity.STACKED, 24),
    StatePicture("hidden", Oddity.HIDDEN, 24),
    StatePicture("cut", Oddity.CUT, 24),
    StatePicture("eight", Oddity.EIGHT, 24),
    StatePicture("ten", Oddity.TEN, 24),
    StatePicture("empty", Oddity.EMPTY, 24),
    StatePicture("dark", Oddity.NONE, 24, spoil="dark"),
    StatePicture("glare", Oddity.NONE, 24, spoil="glare"),
    StatePicture("motion", Oddity.NONE, 24, spoil="motion"),
    StatePicture("defocus", Oddity.NONE, 24, spoil="defocus"),
    StatePicture("far", Oddity.NONE, 24, spoil="far"),
)


def draw(picture: StatePicture) -> tuple[NDArray[np.uint8], OddRoll]:
    """Draw one picture, and what is true of it before the camera spoils it."""
    options = OddOptions(WIDTH, HEIGHT, 42, 52, most_tilt_deg=28)
    rng = np.random.default_rng((2026, picture.seed))
    roll = make_odd_roll(rng, font_book(), picture.oddity, options, picture.lean_deg)
    return spoiled(roll.image, picture.spoil, roll.die_px), roll


def spoiled(image: NDArray[np.uint8], how: str, die_px: float) -> NDArray[np.uint8]:
    """What a badly lit, shaken, unfocused or far camera makes of a picture."""
    grain = np.random.default_rng(0).normal(0, 2.5, image.shape)
    light = image.astype(np.float64)
    if how == "dark":
        light = light * 0.1 + grain
    elif how == "glare":
        light = light * 7 + 60
    elif how == "motion":
        length = round(0.35 * die_px)
        kernel = np.eye(length) / length
        light = np.asarray(cv2.filter2D(light, -1, kernel), np.float64)
    elif how == "defocus":
        blurred = cv2.GaussianBlur(light, (0, 0), 0.09 * die_px)
        light = np.asarray(blurred, np.float64)
    elif how == "far":
        small = cv2.resize(light, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
        middle = light.mean(axis=(0, 1))
        light = np.empty_like(light)
        light[:] = middle
        light += grain
        y, x = (HEIGHT - small.shape[0]) // 2, (WIDTH - small.shape[1]) // 2
        light[y : y + small.shape[0], x : x + small.shape[1]] = small
    return np.clip(light, 0, 255).astype(np.uint8)


def small_jpeg(image: NDArray[np.uint8]) -> bytes:
    """A JPEG of at most `MOST_BYTES`."""
    for quality in range(90, 30, -5):
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(data) <= MOST_BYTES:
            break
    return bytes(data.tobytes())


def record(picture: StatePicture, roll: OddRoll) -> dict[str, Any]:
    return {
        "image": f"{picture.name}.jpg",
        "dice": [
            {
                "face": face.code,
                "state": state.value,
                "quad": [[round(float(v), 1) for v in corner] for corner in quad],
            }
            for face, state, quad in zip(
                roll.faces, roll.states, roll.quads, strict=True
            )
        ],
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    records = []
    for picture in PICTURES:
        image, roll = draw(picture)
        (FOLDER / f"{picture.name}.jpg").write_bytes(small_jpeg(image))
        records.append(record(picture, roll))
    lines = ",\n".join(json.dumps(one) for one in records)
    (FOLDER / "truth.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
