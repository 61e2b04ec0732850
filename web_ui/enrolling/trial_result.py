"""What fresh rolls say of a reader, before and after learning."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from datasets.enrolment.fresh_rolls import read_fresh_rolls
from datasets.enrolment.tuned_set import write_report

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.enrolment.fresh_rolls import FreshResult
    from vision.reader import RollReader
    from web_ui.enrolling.trial import Trial


def tried_both(
    plain: RollReader, own: RollReader, trial: Trial, place: Path
) -> dict[str, FreshResult]:
    """Read the confirmed rolls with both readers; keep the result beside the set.

    Args:
        plain: the reader before.
        own: the reader of the set.
        trial: its rolls; nothing is read if there are none.
        place: folder of the set.

    Returns:
        Results by `before` and `after`.

    Raises:
        DataSetError: the rolls are not there any more.
        OSError: the report cannot be written.
    """
    if not trial.rolls:
        return {}
    results = {
        "before": read_fresh_rolls(plain, trial.folder),
        "after": read_fresh_rolls(own, trial.folder),
    }
    told = {word: result.record() for word, result in results.items()}
    counts = {"rolls_confirmed": trial.rolls, "pictures_without_nine": trial.unread}
    write_report(place, _report(place) | told | counts)
    return results


def _report(place: Path) -> dict[str, Any]:
    try:
        report = json.loads((place / "report.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return report if isinstance(report, dict) else {}
