"""Names that people give themselves: short, and without signs that deceive.

Markup and paths are only text here: templates escape it, and no file is named so.
"""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 24


class NameRefusedError(ValueError):
    """A name that is not taken; the message says why."""


def clean_name(text: str) -> str:
    """Tidy a name.

    Args:
        text: as typed.

    Returns:
        The name composed (NFC), spaces single; empty if nothing was typed.

    Raises:
        NameRefusedError: longer than 24 signs, or with signs that are not seen or
            turn the direction of writing.
    """
    # before it is composed, because that takes time with its length
    if len(text) > 8 * LONGEST_NAME:
        raise NameRefusedError(f"name must have at most {LONGEST_NAME} signs")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name.isprintable():
        raise NameRefusedError("name must have no control signs")
    if len(name) > LONGEST_NAME:
        raise NameRefusedError(f"name must have at most {LONGEST_NAME} signs")
    return name
