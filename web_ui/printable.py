"""Texts from files as a terminal may show them: no sign that commands it."""

from __future__ import annotations

import unicodedata

_COMMANDING = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    r"""Write control signs, line breaks and turns of direction as escapes.

    Letters of every language and joined emoji stay as they are.

    >>> printable("Zoë\n\x1b[31m")
    'Zoë\\n\\x1b[31m'
    """
    return "".join(_escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    if unicodedata.category(sign) in _COMMANDING or sign in _TURNING:
        return sign.encode("unicode_escape").decode("ascii")
    return sign
