"""Clips of painted dice, and what a watcher says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from painted_dice import scene, with_hand

from vision.ports import BgrImage, Frame
from vision.watch import Observation, Watcher

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.reader import RollReader
    from vision.reading import Reading

OTHER = "QS JH TD 9C KS AH 2D 3C 4S"
RATE = 20.0
Pictures = list[BgrImage]


def still(image: BgrImage, count: int) -> Pictures:
    return [image] * count


def thrown(codes: str, first_slot: int = 0, count: int = 8) -> Pictures:
    """Dice that slide into their slots from the left, more and more slowly."""
    return [
        scene(codes, first_slot, (-200.0 * 0.6**k, 6 * 0.6**k)) for k in range(count)
    ]


def reaching(image: BgrImage) -> Pictures:
    """A hand that comes and goes and touches nothing."""
    reaches = [0.1, 0.2, 0.3, 0.4, 0.45, 0.45, 0.4, 0.3, 0.2, 0.1]
    return [with_hand(image, reach) for reach in reaches]


def watched(
    reader: RollReader, pictures: Iterable[BgrImage], rate: float = RATE
) -> list[Observation]:
    """All observations, the one at the end included."""
    watcher = Watcher(reader)
    seen = [
        watcher.see(Frame(image, f"clip#{k}", k, k / rate))
        for k, image in enumerate(pictures)
    ]
    return [*seen, watcher.finish()]


def rolls(seen: list[Observation]) -> list[str]:
    found: list[Reading] = [o.reading for o in seen if o.reading is not None]
    numbers = [o.roll for o in seen if o.roll is not None]
    assert len(numbers) == len(found)
    assert sorted(set(numbers)) == list(range(1, len(set(numbers)) + 1))
    return [
        " ".join(die.face.code if die.face else "--" for die in reading.dice)
        for reading in found
    ]
