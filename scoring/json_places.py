"""Where things stand in a JSON text: lines of elements, and what JSON should not hold.

`json` tells no places, so the text is walked once more, and only when somebody must be
told a line. The walk has no recursion: nothing is nested too deeply for it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Key = str | int
"""A name in an object, or a place in a list from 0."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
NO_NUMBERS = frozenset({"NaN", "Infinity", "-Infinity"})
"""Python reads them, JSON does not have them."""

_KEY = -1  # the place of a key that is still to come


def element_lines(text: str, *path: Key) -> list[int]:
    """Lines, from 1, at which the elements of a list (or values of an object) begin.

    Args:
        text: valid JSON, no key of an object twice.
        path: the way to the list: keys and places from the outermost value on.

    Returns:
        One line for each element; none if there is no such list.
    """
    lines, line, last = [], 1, 0
    wanted = list(path)
    for offset, _token, keys in _values(text):
        if len(keys) == len(wanted) + 1 and keys[:-1] == wanted:
            line, last = line + text.count("\n", last, offset), offset
            lines.append(line)
    return lines


def oddity(text: str) -> str | None:
    """What a text holds that `json` lets pass, though JSON has no such thing.

    Args:
        text: JSON as Python's `json` reads it.

    Returns:
        The first key that an object has twice, number that is none, or half of a
        character, with its line; None if there is none.
    """
    seen: list[set[str]] = [set()]
    for offset, token, keys in _values(text):
        del seen[len(keys) + 1 :]
        key = keys[-1] if keys else 0
        if isinstance(key, str):
            if key in seen[-1]:
                return f"{key!r} is there twice in line {_line(text, offset)}"
            seen[-1].add(key)
        if token == "{" or token == "[":
            seen.append(set())
        if token in NO_NUMBERS:
            return f"{token} is no number in line {_line(text, offset)}"
        strings = [key] if isinstance(key, str) else []
        if token.startswith('"'):
            strings.append(json.loads(token))
        if any(_HALF.search(string) for string in strings):
            return f"half of a character in line {_line(text, offset)}"
    return None


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _values(text: str) -> Iterator[tuple[int, str, list[Key]]]:
    """Every value: where it begins, its first token, and the way to it.

    The way is one list that goes on changing.
    """
    keys: list[Key] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if keys and keys[-1] == _KEY:
            if token == "}":
                keys.pop()
            else:
                keys[-1] = str(json.loads(token))
            continue
        match token:
            case ":":
                continue
            case ",":
                last = keys[-1]
                keys[-1] = last + 1 if isinstance(last, int) else _KEY
            case "}" | "]":
                keys.pop()
            case _:
                yield match.start(), token, keys
                if token == "{":
                    keys.append(_KEY)
                elif token == "[":
                    keys.append(0)
