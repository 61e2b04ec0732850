"""The face reader of an enrolled set, beside the models it was tuned from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scoring.json_files import JsonFileError, read_json
from vision.errors import ModelError
from vision.model_files import read_card

if TYPE_CHECKING:
    from pathlib import Path

TEMPERATURE = 0.85
"""Log-probabilities of a tuned reader are divided by it: the smoothing of its labels
makes it less certain than it may be. `tableside bench enrolment` counts how often that
is wrong."""


def enrolled_on(folder: Path) -> str:
    """Identity of the face model that a set's own reader was tuned from.

    Args:
        folder: of the set.

    Raises:
        ModelError: no usable reader there, or its card does not say.
    """
    read_card("faces", folder)  # the model is whole
    path = folder / "faces.json"
    try:
        based_on = cast("dict[str, Any]", read_json(path))["training"]["based_on"]
    except (JsonFileError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: does not say what it was tuned from") from error
    if not isinstance(based_on, str):
        raise ModelError(f"{path}: based_on must be a text, not {based_on!r}")
    return based_on


def check_tuned_from(folder: Path, models: Path | None) -> str:
    """Identity of the face model here, if a set's reader was tuned from just that.

    Args:
        folder: of the set.
        models: folder of the models; None for those that come with Tableside.

    Raises:
        ModelError: it was tuned from another, or one of both is damaged.
    """
    base, own = read_card("faces", models).identity, enrolled_on(folder)
    if own != base:
        raise ModelError(
            f"{folder}: was enrolled with {own}, the face model here is {base};"
            " run `tableside enrol` again"
        )
    return base
