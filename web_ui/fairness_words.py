"""What a fairness report says, in words for the terminal and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.fairness import FairnessReport
    from web_ui.roll_logs import RollLog


def number(value: float) -> str:
    """Evidence, short: 0.03, 1.2, 340, 5e+12."""
    if value < 0.095:
        return f"{value:.1g}"
    if value < 9.95:
        return f"{value:.1f}"
    return f"{value:.0f}" if value < 99_999.5 else f"{value:.0e}"


def p_value(value: float | None) -> str:
    """A chance, short; a dash if it was not told."""
    if value is None:
        return "-"
    return "<1e-9" if value < 1e-9 else f"{value:.2g}"


def verdict(report: FairnessReport) -> str:
    """What the rolls say about the set, in one or two sentences."""
    if not report.throws:
        return "No throw tells anything about the dice."
    if report.suspects:
        names = ", ".join(die.name for die in report.suspects)
        return f"There is enough evidence that these are not fair: {names}."
    if report.unfair:
        return (
            "There is enough evidence that not all dice are fair, but not enough"
            " against a single one."
        )
    return (
        f"No evidence against the dice: {number(report.most)} at most so far,"
        f" {number(report.enough)} would be enough. That does not show that they are"
        " fair."
    )


def notes(report: FairnessReport, logs: Sequence[RollLog]) -> list[str]:
    """What must be known to read the figures rightly."""
    fewest = min(die.rolls for die in report.dice)
    need = report.rolls_needed
    what = "face of the set" if report.by == "face" else "die"
    found = [
        f"Rolls: {fewest} of the {what} rolled least. One that comes up a fifth too"
        f" often (1 in 5, not 1 in 6) is found after about {need} rolls four times in"
        f" five: {max(0, need - fewest)} more.",
        f"Evidence may be looked at after every roll: if all dice are fair, it reaches"
        f" {number(report.enough)} for the set (the mean over its"
        f" {len(report.dice)} rows) with a chance of at most {report.alpha:g}, ever."
        f" A single row needs {number(report.enough_each)}, as so many are looked at.",
        "The exact p is for the number of rolls as it is, looked at once; one row in"
        " twenty is below 0.05 with fair dice. A dash: it would take too long.",
    ]
    if report.by == "face":
        found.append(
            "The layout of the dice is not known, so each face is judged for itself,"
            " by throws of all dice: one die has it and shows it once in six."
        )
        if report.left_out:
            found.append(
                f"{report.left_out} throws left out: with dice kept and an unknown"
                " layout nobody knows which faces could have come up."
            )
    if report.by == "set":
        found.append(
            "These dice are alike and cannot be told apart: one loaded die among them"
            " shows by its share only."
        )
    found += [_refused(log) for log in logs if log.refused]
    unsure = sum(log.unsure for log in logs)
    if unsure:
        found.append(
            f"{unsure} readings left out that were not sure. If some faces are harder"
            " to read than others, they are missing more often."
        )
    if any(log.readings for log in logs):
        found.append(
            "Every reading counts as a throw of all dice, as readings do not tell kept"
            " dice: where dice were kept, take the game script instead."
        )
    return found


def _refused(log: RollLog) -> str:
    return f"{log.path}: {len(log.refused)} actions refused by the rules and left out."
