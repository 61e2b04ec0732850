"""Which enrolled sets go with the models in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.enrolment.set_folder import SETS, SetFolder, has_reader
from vision.enrolled import check_tuned_from
from vision.errors import VisionError

if TYPE_CHECKING:
    from pathlib import Path


def sets_to_enrol_again(data: Path, models: Path | None) -> tuple[str, ...]:
    """Names of the enrolled sets whose readers cannot be used beside some models.

    Args:
        data: folder of the table.
        models: folder of the models; None for those that come with Tableside.
    """
    return tuple(
        name
        for name in SetFolder(data / SETS).names()
        if why_unfit(data / SETS / name, models)
    )


def why_unfit(folder: Path, models: Path | None) -> str:
    """Why the reader of a set cannot be used; empty if it can, or there is none.

    Args:
        folder: of the set.
        models: as above.
    """
    if not has_reader(folder):
        return ""
    try:
        check_tuned_from(folder, models)
    except VisionError as error:
        return str(error)
    return ""
