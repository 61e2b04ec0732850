"""What rolls tell of a layout, and which did not count: in words and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web_ui.layouts.standing import USUAL

if TYPE_CHECKING:
    from datasets.enrolment.seen_layout import SeenLayout

WORTH_SHOWING = 0.9
"""Confidence from which on a layout that is not certain is shown as the likely one."""


@dataclass(frozen=True, slots=True)
class ToldLayout:
    """What was looked at, and what it tells.

    Attributes:
        seen: the most likely layout; without a throw any is as likely.
        worth: how many rolls of all dice tell as much as the throws that count.
        left_out: how many rolls, games or readings do not count, by why.
    """

    seen: SeenLayout
    worth: float
    left_out: tuple[tuple[str, int], ...] = ()


def layout_record(told: ToldLayout) -> dict[str, object]:
    """As one JSON object."""
    seen = told.seen
    return {
        "certain": seen.certain,
        "confidence": seen.confidence,
        "throws": seen.throws,
        "conflicts": seen.conflicts,
        "reason": seen.reason,
        "dice": [[face.code for face in die] for die in seen.dice],
        "worth": round(told.worth, 1),
        "left_out": dict(told.left_out),
    }


def layout_text(told: ToldLayout) -> str:
    """As a person reads it: no layout before there is something to say of one."""
    seen = told.seen
    dice = [" ".join(face.code for face in die) for die in seen.dice]
    throws = f"{seen.throws} throw{'s' * (seen.throws != 1)}"
    said = f"{100 * seen.confidence:.4f} % after {throws}"
    if not seen.likely:
        shown = seen.throws > 0 and seen.confidence >= WORTH_SHOWING
        likely = ["The most likely layout so far:", *dice] if shown else []
        lines = [*likely, *_not_yet(told, said if shown else throws)]
    elif seen.reason:
        lines = [*dice, f"Not to be used: {seen.reason}."]
    else:
        words = f"{seen.conflicts} of them show two faces of one die"
        lines = [*dice, f"Certain: {said}; {words}."]
    return "\n".join([*lines, *_left_out(told)])


def _not_yet(told: ToldLayout, said: str) -> list[str]:
    throws, worth = told.seen.throws, int(told.worth)
    usual = f"About {USUAL} rolls of all nine dice tell which faces share a die"
    if not throws:
        return ["Not certain yet: there is no throw that counts.", f"{usual}."]
    lines = [f"Not certain yet: {said}."]
    if worth < USUAL:
        return [*lines, f"{usual}; these are worth {worth}: {USUAL - worth} more."]
    return [*lines, f"{usual}; if many dice were misread, it takes up to 200."]


def _left_out(told: ToldLayout) -> list[str]:
    if not told.left_out:
        return []
    return ["Not counted:", *(f"{count:>6}  {why}" for why, count in told.left_out)]
