"""What can be wrong with a store, by what somebody can do about it."""

from __future__ import annotations

from enum import StrEnum


class Trouble(StrEnum):
    """Why the store could not do what was asked."""

    LOCKED = "locked"
    """Somebody else writes: it goes away by itself."""

    FULL = "full"
    """No room on the disk, or in memory: make room."""

    GONE = "gone"
    """The file, folder or server is not there, or may not be written: bring it back."""

    BROKEN = "broken"
    """What is stored is not what was written: restore a backup."""

    NEWER_SCHEMA = "newer_schema"
    """Written by a newer version of the program: use that one."""

    REFUSED = "refused"
    """What was given cannot be stored: nothing is wrong with the store."""


class StoreError(Exception):
    """The store could not do what was asked; nothing has changed then.

    Attributes:
        kind: what somebody can do about it.
        sentence: for people.
    """

    def __init__(self, kind: Trouble, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence
