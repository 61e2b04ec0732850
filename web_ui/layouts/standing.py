"""How it stands with the layout, in words and as JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from scoring.cards import parse_face
from web_ui.face_records import face_record
from web_ui.layouts.notes import Notes
from web_ui.layouts.question import Answer

if TYPE_CHECKING:
    from web_ui.layouts.notes import Dice

USUAL = 40
"""Rolls of nine dice that mostly tell a layout."""
AGAIN = 2
"""Somebody said "not now": it is proposed again once so many times the throws agree."""


class Standing(StrEnum):
    """How it stands."""

    OFF = "off"
    """Nothing is gathered: the demo, or a table that scores no card dice."""
    KNOWN = "known"
    """The dice that are played with have a known layout."""
    GATHERING = "gathering"
    PROPOSED = "proposed"
    PUT_OFF = "put_off"
    CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class LayoutState:
    """What is known of the layout of the dice on the table.

    Attributes:
        known: whether the dice that are played with have a known layout.
        set_name: the set that is played with.
        notes: what people said.
        answer: what the rolls tell.
        command: starts the table with the confirmed set; empty before.
        trouble: why nothing new is known; empty if all is well.
    """

    known: bool
    set_name: str
    notes: Notes = Notes()  # noqa: RUF009  # frozen
    answer: Answer = Answer()  # noqa: RUF009  # frozen
    command: str = ""
    trouble: str = ""

    @property
    def standing(self) -> Standing:
        """How it stands."""
        if self.notes.name:
            return Standing.CONFIRMED
        if self.known:
            return Standing.KNOWN
        if not self.answer.certain:
            return Standing.GATHERING
        put_off = self.notes.put_off
        if put_off and self.answer.throws < AGAIN * put_off:
            return Standing.PUT_OFF
        return Standing.PROPOSED

    @property
    def dice(self) -> Dice:
        """The layout that is shown: the confirmed one, or the proposed one."""
        if self.notes.name:
            return self.notes.dice
        return self.answer.dice if self.answer.certain else ()


def proposal_of(dice: Dice) -> str:
    """A word that tells a proposed layout from any other; empty for none."""
    if not dice:
        return ""
    return hashlib.sha256(json.dumps(dice).encode()).hexdigest()[:16]


def surely(confidence: float) -> str:
    """A confidence in words that never say more than there is."""
    for share, words in ((0.99999, "99.999 %"), (0.9999, "99.99 %"), (0.999, "99.9 %")):
        if confidence >= share:
            return words
    return f"{int(1000 * confidence) / 10} %"


def sentence(state: LayoutState) -> str:
    """How it stands, in a sentence or two."""
    found, throws = state.answer, _rolls(state.answer.throws)
    match state.standing:
        case Standing.CONFIRMED:
            return _confirmed(state)
        case Standing.KNOWN:
            return "The faces of each of these dice are known."
        case Standing.PROPOSED | Standing.PUT_OFF:
            return (
                f"{throws} seen: which faces share a die is now known with"
                f" {surely(found.confidence)}."
            )
        case _ if found.reason:
            return f"{throws} seen. {found.reason[0].upper()}{found.reason[1:]}."
        case _:
            return (
                f"{throws} seen. About {USUAL} rolls of all dice tell which faces share"
                " a die."
            )


def _confirmed(state: LayoutState) -> str:
    notes, found = state.notes, state.answer
    words = f"The layout is kept as {notes.name}, confirmed by {notes.by}."
    if state.set_name == notes.name:
        words += " These dice are played with."
    if found.clashes:
        words += (
            f" But two faces of one die were seen together in {_rolls(found.clashes)}"
            f" of the {found.held} since: say so if it is wrong."
        )
    elif found.held:
        words += f" {_rolls(found.held)} since agree with it."
    return words


def _rolls(count: int) -> str:
    return f"{count} roll" if count == 1 else f"{count} rolls"


def layout_record(state: LayoutState | None) -> dict[str, Any]:
    """Write how it stands (schema `LayoutState`); None where nothing is gathered."""
    if state is None:
        state, standing = LayoutState(False, ""), Standing.OFF
        words = "Nothing is gathered here."
    else:
        standing, words = state.standing, sentence(state)
    return {
        "standing": standing,
        "sentence": words,
        "throws": state.answer.throws,
        "confidence": state.answer.confidence,
        "conflicts": state.answer.conflicts,
        "clashes": state.answer.clashes,
        "held": state.answer.held,
        "proposal": proposal_of(state.dice),
        "dice": [[face_record(parse_face(face)) for face in die] for die in state.dice],
        "name": state.notes.name,
        "in_use": bool(state.notes.name) and state.set_name == state.notes.name,
        "command": state.command,
        "trouble": state.trouble,
    }
