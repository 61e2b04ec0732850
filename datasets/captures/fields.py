"""Fields of JSON that may be anything: each is checked, all must be asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from datasets.shards import DataSetError

if TYPE_CHECKING:
    from enum import StrEnum
    from typing import TypeVar

    Word = TypeVar("Word", bound=StrEnum)

LONGEST_TEXT = 2000
"""Signs of a text; nothing that we write comes near."""


class CaptureError(DataSetError):
    """A capture or an album that cannot be used; the message names file and key."""


class Fields:
    """One JSON object, read key by key.

    Args:
        raw: as JSON gave it.
        where: what it is, for messages: `dice[3]`.

    Raises:
        CaptureError: it is no object.
    """

    def __init__(self, raw: object, where: str = "") -> None:
        if not isinstance(raw, dict):
            raise CaptureError(f"{where or 'it'} must be an object, not {raw!r:.80}")
        self._left = dict(cast("dict[str, object]", raw))
        self._where = where

    def name(self, key: str) -> str:
        """The whole name of a key, for messages."""
        return f"{self._where}.{key}" if self._where else key

    def raw(self, key: str) -> object:
        """Take a value as it is.

        Raises:
            CaptureError: it is not there.
        """
        try:
            return self._left.pop(key)
        except KeyError:
            raise CaptureError(f"{self.name(key)} is missing") from None

    def wrong(self, key: str, expected: str, value: object) -> CaptureError:
        """An error that says what a value must be."""
        return CaptureError(f"{self.name(key)} must be {expected}, not {value!r:.80}")

    def text(self, key: str) -> str:
        """Take a text that can be written as UTF-8."""
        value = self.raw(key)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise self.wrong(key, f"a text of at most {LONGEST_TEXT} signs", value)
        if any("\ud800" <= sign <= "\udfff" for sign in value):
            raise self.wrong(key, "a text without halves of signs", value)
        return value

    def word(self, key: str, words: type[Word]) -> Word:
        """Take one of a few words."""
        value = self.text(key)
        if value not in list(words):
            raise self.wrong(key, f"one of {', '.join(words)}", value)
        return words(value)

    def number(self, key: str, low: float = -1e9, high: float = 1e9) -> float:
        """Take a finite number of a range."""
        value = self.raw(key)
        good = isinstance(value, int | float) and not isinstance(value, bool)
        # a whole number of a thousand digits is no float
        if not good or not low <= cast("float", value) <= high:
            raise self.wrong(key, f"a number {low:g}..{high:g}", value)
        return float(cast("float", value))

    def whole(self, key: str, low: int = 0, high: int = 2**53) -> int:
        """Take a whole number of a range."""
        value = self.raw(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, "a whole number", value)
        if not low <= value <= high:
            raise self.wrong(key, f"a whole number {low}..{high}", value)
        return value

    def items(self, key: str, most: int) -> list[object]:
        """Take a list of at most so many things."""
        value = self.raw(key)
        if not isinstance(value, list) or len(value) > most:
            raise self.wrong(key, f"a list of at most {most}", value)
        return value

    def end(self) -> None:
        """Refuse what nobody asked for.

        Raises:
            CaptureError: naming the first key that is not known.
        """
        if self._left:
            raise CaptureError(
                f"{self.name(next(iter(self._left)))!r:.80} is not known"
            )


def finite(value: object) -> bool:
    """Whether it is a finite number (and no truth value)."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < 1e9
        and math.isfinite(value)
    )
