"""Values of a JSON file that must be of one kind; errors name the place."""

from __future__ import annotations

import math
from typing import cast

from datasets.eval_labels import LabelError


def mapping(raw: object, place: str) -> dict[str, object]:
    """An object.

    Raises:
        LabelError: something else.
    """
    if not isinstance(raw, dict):
        raise LabelError(f"{place}: must be an object, not {raw!r:.80}")
    return cast("dict[str, object]", raw)


def entries(raw: object, place: str) -> list[object]:
    """A list.

    Raises:
        LabelError: something else.
    """
    if not isinstance(raw, list):
        raise LabelError(f"{place}: must be a list, not {raw!r:.80}")
    return cast("list[object]", raw)


def number(raw: object, place: str) -> float:
    """A finite number.

    Raises:
        LabelError: something else, a truth value among it.
    """
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        try:
            value = float(raw)
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return value
    raise LabelError(f"{place}: must be a finite number, not {raw!r:.80}")


def numbers(raw: object, place: str) -> list[float]:
    """A list of finite numbers.

    Raises:
        LabelError: something else.
    """
    return [number(value, place) for value in entries(raw, place)]


def words(raw: object, place: str) -> str:
    """A text that is not empty.

    Raises:
        LabelError: something else.
    """
    if not isinstance(raw, str) or not raw:
        raise LabelError(f"{place}: must be a text, not {raw!r:.80}")
    return raw
