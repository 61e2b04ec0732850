"""Percentiles of small pictures are NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from vision.ranks import percentile

SHARES = [0.0, 5.0, 33.3, 50.0, 90.0, 98.0, 100.0]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("shape", [(1,), (2,), (7,), (16, 16), (71, 73)])
def test_percentile_is_that_of_numpy(share: float, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    for values in (
        rng.integers(0, 256, shape, np.uint8),
        rng.integers(200, 203, shape, np.uint8),
        rng.normal(0, 9, shape).astype(np.float32),
        np.round(rng.normal(0, 2, shape)).astype(np.float32),
    ):
        expected = np.percentile(values.astype(np.float64), share)
        assert percentile(values, share) == pytest.approx(expected, abs=1e-5)


def test_percentile_takes_parts_of_pictures() -> None:
    picture = np.random.default_rng(6).integers(0, 256, (40, 50, 3), np.uint8)
    part = picture[5:30, 7:33, 1]
    assert percentile(part, 50) == pytest.approx(float(np.median(part)))
