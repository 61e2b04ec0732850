"""What a reader knows already, shown to it again while it learns a set.

A network that is taught a few faces in one light unlearns the others and other light
("catastrophic forgetting"; McCloskey and Cohen, 1989). Lessons drawn as for the
published reader, mixed into each batch, keep both ("rehearsal"; Robins, 1995).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from datasets.crops import CropOptions, crops
from datasets.fonts import font_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from datasets.enrolment.tuning import Lessons
    from datasets.enrolment.tuning_options import TuningOptions

MOST = 4096
"""No more lessons are drawn: twenty seconds' worth, of about a thousand designs."""


def rehearsed_lessons(
    crop_px: int,
    options: TuningOptions,
    progress: Callable[[Iterable[int], int], Iterable[int]],
) -> Lessons:
    """Draw lessons of all faces in many designs, as many as the tuning will use.

    Args:
        crop_px: side of the reader's crops.
        options: of the tuning; its seed is that of every choice here, and the fonts
            of the machine matter as well.
        progress: shows a bar.

    Returns:
        (N, crop_px, crop_px, 3) uint8 BGR and their classes.

    Raises:
        FontsError: the machine has too few fonts to draw with.
    """
    count = min(MOST, options.steps * options.rehearsed_a_batch)
    images = np.zeros((count, crop_px, crop_px, 3), np.uint8)
    labels = np.zeros(count, np.int64)
    rng = np.random.default_rng((options.seed, count))
    drawn = islice(crops(rng, font_book(), CropOptions(crop_px)), count)
    for k, crop in zip(progress(range(count), count), drawn, strict=True):
        images[k], labels[k] = crop.image, crop.label
    return images, labels
