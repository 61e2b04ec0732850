"""A camera that gives the same picture again and again: what it shows is not news."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.ports import BgrImage

STEP = 4
"""Every so many pixels are compared: noise is everywhere."""
MEMORY = 60
"""Pairs of frames by which a source is judged ..."""
LEAST_KNOWN = 12
"""... once there are so many."""
MOST_REPEATS = 0.15
"""A source whose frames repeat more often than this gives repeats by its nature."""
COUNTED_OF_A_RUN = 3
"""Pairs of one run of repeats that count, so that one long freeze changes nothing."""
FROZEN_FROM = 2
"""Repeats in a row that make a freeze; one may be a frame shown twice."""
THAWED_FROM = 2
"""New frames in a row that end it: a codec refreshes a frozen picture now and then."""


class FreezeSense:
    """Tells whether the frames of a source have frozen.

    The noise of a real camera never gives one frame twice. Clips without noise and
    cameras that double their frames do: a source is believed to freeze only if its
    frames differed before.
    """

    def __init__(self) -> None:
        self._last: BgrImage | None = None
        self._repeats: deque[bool] = deque(maxlen=MEMORY)
        self._run = 0
        self._fresh = 0
        self._frozen = False

    def see(self, image: BgrImage) -> bool:
        """Take the next frame.

        Args:
            image: (H, W, 3) uint8 BGR.

        Returns:
            Whether it shows an earlier moment.
        """
        sample = np.array(image[::STEP, ::STEP])
        last, self._last = self._last, sample
        repeated = last is not None and np.array_equal(sample, last)
        noisy = self._noisy()
        if repeated:
            self._run, self._fresh = self._run + 1, 0
            self._frozen = self._frozen or (noisy and self._run >= FROZEN_FROM)
        else:
            self._run, self._fresh = 0, self._fresh + 1
            self._frozen = self._frozen and self._fresh < THAWED_FROM
        if last is not None and self._run <= COUNTED_OF_A_RUN and not self._frozen:
            self._repeats.append(repeated)
        return self._frozen

    def _noisy(self) -> bool:
        known = len(self._repeats)
        return known >= LEAST_KNOWN and sum(self._repeats) <= MOST_REPEATS * known
