"""Other networks for a reader that is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.detect import YoloDetector

if TYPE_CHECKING:
    from vision.reader import RollReader


def take_over(reader: RollReader, other: RollReader) -> None:
    """Let a reader read with the networks and limits of another one.

    Dice, tray and what a watcher knows of the table stay. To be called by whoever calls
    the reader, between two of its pictures and not in the middle of a roll: frames of
    one roll that are read by different networks must not be put together.

    Args:
        reader: the one in use.
        other: loaded for the same dice; not to be used any more.
    """
    reader.detector, reader.faces = other.detector, other.faces
    reader.bodies, reader.limits = other.bodies, other.limits
    reader.turns, reader.load_ms = other.turns, other.load_ms
    if isinstance(reader.detector, YoloDetector):
        reader.detector.expected = reader.dice_set.dice_count
