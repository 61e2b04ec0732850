"""What can go wrong on the way from a file or camera to a reading."""

from __future__ import annotations


class VisionError(Exception):
    """Base of the errors of `vision`; the message names the thing at fault."""


class SourceError(VisionError):
    """A source that cannot be opened or stopped giving frames: choose another one.

    Attributes:
        source: path, address or camera as the user named it.
        why: what is wrong with it, for places that name it already.
    """

    def __init__(self, source: str, why: str) -> None:
        super().__init__(f"{source}: {why}")
        self.source, self.why = source, why


class PictureError(SourceError):
    """A file that cannot be used as a picture; others may still be read."""


class ModelError(VisionError):
    """A model that is missing, damaged or of the wrong shape: install it again."""
