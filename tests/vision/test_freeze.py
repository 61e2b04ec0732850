"""A freeze is told from a source that repeats frames by its nature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.freeze import FreezeSense

if TYPE_CHECKING:
    from vision.ports import BgrImage

RNG = np.random.default_rng(1)


def noise(count: int) -> list[BgrImage]:
    return [RNG.integers(0, 256, (90, 160, 3), dtype=np.uint8) for _ in range(count)]


def told(frames: list[BgrImage]) -> list[bool]:
    sense = FreezeSense()
    return [sense.see(frame) for frame in frames]


def test_frames_with_noise_are_not_frozen() -> None:
    assert not any(told(noise(100)))


def test_noise_that_is_gone_is_a_freeze_until_it_is_back() -> None:
    live = noise(30)
    seen = told([*live, *[live[-1]] * 20, *noise(10)])
    assert seen[:31] == [False] * 31
    assert seen[31:50] == [True] * 19
    assert seen[51:] == [False] * 9


def test_one_refreshed_frame_does_not_end_a_freeze() -> None:
    live, again = noise(30), noise(1)
    seen = told([*live, *[live[-1]] * 10, *again * 10])
    assert all(seen[32:])


def test_long_freeze_does_not_make_the_source_a_repeating_one() -> None:
    live = noise(60)
    sense = FreezeSense()
    for _ in range(3):
        for frame in [*live, *[live[-1]] * 300]:
            sense.see(frame)
        assert sense.see(live[-1])
        sense.see(live[0])
        assert not sense.see(live[1])


def test_source_that_repeats_itself_never_freezes() -> None:
    still = noise(1) * 100
    assert not any(told(still))
    doubled = [frame for frame in noise(60) for _ in range(2)]
    assert not any(told(doubled)[40:])


def test_change_of_size_is_survived() -> None:
    sizes = [np.zeros((k, 9, 3), np.uint8) for k in range(1, 20)]
    assert not any(told(sizes))
