"""Labels that somebody posted: read, and judged by the rules of the set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.captures.capture import MOST_DICE
from datasets.captures.fields import CaptureError, Fields
from datasets.captures.reading_form import quad_of
from datasets.eval_labels import LabelledDie, rank_of
from datasets.labels.rules import FindingCode, check_labels
from vision.reading import DieState
from web_ui.reviewing.typed import TypedError, read_typed

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.reading import Quad

UNKNOWN_CODE = "unknown_code"
FEWER_DICE = "fewer_dice"

RESOLVE = {
    FindingCode.FACE_TWICE: "The set has this face once: type what the other shows.",
    FindingCode.TOO_MANY_DICE: "Remove what is no die of the roll (X).",
    FindingCode.SAME_DIE: "One of them is another face: look at both.",
    FindingCode.NOT_OF_THE_SET: "Type a face of the set, or clear it (U).",
    FindingCode.NOT_CONVEX: "Move its corners (E), or remove the outline (X).",
    FindingCode.NOT_CLOCKWISE: "Remove the outline (X) and draw it anew (M).",
    FindingCode.OUTSIDE: "Move its corners into the picture (E).",
    FindingCode.TINY: "Remove it (X), or move its corners (E).",
    FindingCode.SAME_PLACE: "Remove one of the two outlines (X).",
}


@dataclass(frozen=True, slots=True)
class PostedDie:
    """A die as the page states it.

    Attributes:
        text: what was typed for its face.
        quad: corners, continuous coordinates, pixels of the stored picture.
        state: how it lies.
    """

    text: str
    quad: Quad
    state: DieState


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about labels that a person should see.

    Attributes:
        code: stable code for machines.
        sentence: what it is; dice are counted from 1.
        resolve: what would put it right.
        dice: places of the dice it is about, from 0; empty if about all.
        blocks: `always`, `unless meant` or `never`: whether labels with it are kept.
    """

    code: str
    sentence: str
    resolve: str
    dice: tuple[int, ...] = ()
    blocks: str = "unless meant"


@dataclass(frozen=True, slots=True)
class Judged:
    """Labels, read and judged.

    Attributes:
        dice: as posted.
        faces: of each; None if nobody can tell, or what was typed is no face.
        remarks: what there is to say about them.
    """

    dice: tuple[PostedDie, ...]
    faces: tuple[Face | None, ...]
    remarks: tuple[Remark, ...]

    def blocked(self, *, meant: bool) -> bool:
        """Whether they must not be kept.

        Args:
            meant: somebody says that what breaks a rule is really so.
        """
        kinds = ("always",) if meant else ("always", "unless meant")
        return any(remark.blocks in kinds for remark in self.remarks)


def read_dice(raw: object) -> tuple[PostedDie, ...]:
    """Read posted dice.

    Raises:
        CaptureError: naming the key at fault.
    """
    if not isinstance(raw, list) or len(raw) > MOST_DICE:
        raise CaptureError(f"dice must be a list of at most {MOST_DICE}")
    return tuple(_die(value, f"dice[{place}]") for place, value in enumerate(raw))


def _die(raw: object, where: str) -> PostedDie:
    fields = Fields(raw, where)
    face = fields.raw("face")
    text = "" if face is None else Fields({"face": face}, where).text("face")
    die = PostedDie(text, quad_of(fields, "quad"), fields.word("state", DieState))
    fields.end()
    return die


def judge(
    dice: tuple[PostedDie, ...], width: int, height: int, dice_set: DiceSet | None
) -> Judged:
    """Read what was typed, and check all of it.

    Args:
        dice: as posted.
        width: of the picture, pixels.
        height: likewise.
        dice_set: whose rules hold; None if it is not known.
    """
    faces: list[Face | None] = []
    remarks: list[Remark] = []
    for place, die in enumerate(dice):
        try:
            faces.append(read_typed(die.text, dice_set))
        except TypedError as error:
            faces.append(None)
            sentence = f"die {place + 1}: {error.sentence}"
            remarks.append(
                Remark(UNKNOWN_CODE, sentence, error.resolve, (place,), "always")
            )
    labelled = [
        LabelledDie(face, None if face is None else rank_of(face), one.quad, None)
        for one, face in zip(dice, faces, strict=True)
    ]
    remarks += [
        Remark(found.code.value, found.sentence, RESOLVE[found.code], found.dice)
        for found in check_labels(labelled, width, height, dice_set)
    ]
    if dice_set is not None and len(dice) < dice_set.dice_count:
        sentence = f"{len(dice)} of {dice_set.dice_count} dice have an outline"
        resolve = "If one is missing, draw it (M). If no more lie there, all is well."
        remarks.append(Remark(FEWER_DICE, sentence, resolve, blocks="never"))
    return Judged(dice, tuple(faces), tuple(remarks))
