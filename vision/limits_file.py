"""Calibrated limits beside the models they were calibrated for."""

from __future__ import annotations

import math
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, cast

from scoring.json_files import JsonFileError, read_json
from vision.errors import ModelError
from vision.limits import SHIPPED
from vision.model_files import BUNDLED

if TYPE_CHECKING:
    from pathlib import Path

    from vision.limits import Limits

FILE_NAME = "limits.json"
CALIBRATED = (
    "temperature",
    "sure_roll",
    "sure_die",
    "sure_score",
    "most_spreads",
    "most_foot_off",
    "covered",
)
"""The limits that a calibration sets; the others are part of the program."""

PROBABILITIES = ("sure_roll", "sure_die", "sure_score", "covered")


def read_limits(folder: Path | None, models: dict[str, str]) -> Limits:
    """Read the limits of a folder of models.

    Args:
        folder: where; None for the models that come with Tableside.
        models: identity of each model that was loaded from there, by its kind.

    Returns:
        The program's own limits if there is no such file.

    Raises:
        ModelError: the file is malformed, or was made for other models.
    """
    path = (BUNDLED if folder is None else folder) / FILE_NAME
    if not path.exists():
        return SHIPPED
    try:
        record = cast("dict[str, Any]", read_json(path))
        made_for, given = dict(record["models"]), dict(record["limits"])
        values = {name: float(given[name]) for name in CALIBRATED}
    except JsonFileError as error:
        raise ModelError(str(error)) from error
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise ModelError(
            f"{path}: not calibrated limits (needs models, and limits with "
            f"{', '.join(CALIBRATED)}): {error!r}"
        ) from error
    if made_for != models:
        raise ModelError(
            f"{path}: made for {_names(made_for)}, the models here are "
            f"{_names(models)}; run `tableside calibrate` or remove the file"
        )
    for name, value in values.items():
        high = 1.0 if name in PROBABILITIES else float("inf")
        if not 0 < value <= high or not math.isfinite(value):
            raise ModelError(f"{path}: {name} must be above 0 to {high:g}, not {value}")
    return replace(SHIPPED, **values)


def limits_record(
    limits: Limits, models: dict[str, str], more: dict[str, Any]
) -> dict[str, Any]:
    """What the file says of some limits.

    Args:
        limits: as calibrated.
        models: identity of each model they belong to, by its kind.
        more: what they rest on, for people.
    """
    assert {field.name for field in fields(limits)} >= set(CALIBRATED)
    given = asdict(limits)
    return {
        "models": models,
        "limits": {name: round(given[name], 6) for name in CALIBRATED},
        **more,
    }


def _names(models: dict[str, str]) -> str:
    return ", ".join(models[kind] for kind in sorted(models)) or "none"
