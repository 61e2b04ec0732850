"""Endless answers end with the login of whoever opened them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from flask import Response

ENDLESS = frozenset({"text/event-stream", "multipart/x-mixed-replace"})


class AllowedStream:
    """Bytes that flow for as long as they are allowed to.

    Args:
        items: the bytes; closed with this, if they can be.
        allowed: asked before each of them.
    """

    def __init__(self, items: Iterable[bytes], allowed: Callable[[], bool]) -> None:
        self._items = items
        self._allowed = allowed

    def __iter__(self) -> Generator[bytes]:
        """Yield the bytes until they end or are no longer allowed."""
        for item in self._items:
            if not self._allowed():
                return
            yield item

    def close(self) -> None:
        """Close what the bytes come from."""
        close = getattr(self._items, "close", None)
        if close is not None:
            close()


def end_with_login(response: Response, allowed: Callable[[], bool]) -> None:
    """Bind an endless answer to a login; others stay as they are."""
    if response.is_streamed and response.mimetype in ENDLESS:
        items: Iterable[bytes] = response.response  # type: ignore[assignment]  # as made
        response.response = AllowedStream(items, allowed)
