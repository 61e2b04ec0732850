"""Counting results: the shares that tell how good a reader is, over any group."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from datasets.eval_labels import colour_of, rank_of, suit_of
from datasets.eval_results import RollKind, named_right
from datasets.intervals import Share, share_of
from vision.reading import DieState, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from datasets.eval_results import DieResult, FaceLook, PictureResult
    from scoring.cards import Face

Shares = dict[str, Share]


def found_shares(results: Sequence[PictureResult]) -> Shares:
    """How many of the labelled places the reading has, and of its own how many fit."""
    rolls = [result for result in results if not result.is_crop]
    labelled = sum(len(result.dice) for result in rolls)
    fitting = sum(die.said is not None for result in rolls for die in result.dice)
    said = fitting + sum(len(result.more) for result in rolls)
    return {"precision": Share(fitting, said), "recall": Share(fitting, labelled)}


def face_shares(
    dice: Iterable[DieResult], face_of: Callable[[DieResult], Face | None]
) -> Shares:
    """Faces, ranks, suits and colours named rightly.

    Args:
        dice: those that were to be named; what the label does not know is not counted.
        face_of: what was said of each.
    """
    shares: dict[str, list[bool]] = {
        name: [] for name in ("face", "rank", "suit", "colour")
    }
    for die in dice:
        truth, said = die.label.face, face_of(die)
        if truth is not None:
            shares["face"].append(said == truth)
            for name, part in (("suit", suit_of), ("colour", colour_of)):
                if part(truth) is not None:
                    right = said is not None and part(said) == part(truth)
                    shares[name].append(right)
        if die.label.rank is not None:
            shares["rank"].append(said is not None and rank_of(said) == die.label.rank)
    return {name: share_of(verdicts) for name, verdicts in shares.items()}


def read_dice(results: Iterable[PictureResult]) -> list[DieResult]:
    """The dice whose face counts: lying flat, and found."""
    return [d for r in results for d in r.dice if d.flat and d.said is not None]


def decided_face(die: DieResult) -> Face | None:
    """What the reading says of a die."""
    return die.said.face if die.said else None


def roll_shares(results: Sequence[PictureResult]) -> dict[str, Share | Shares]:
    """Statuses and whole rolls; pictures of a single face are not counted."""
    rolls = [result for result in results if not result.is_crop]
    ordinary = [r for r in rolls if r.verdict.kind is RollKind.ORDINARY]
    other = [r for r in rolls if r.verdict.kind is RollKind.OTHER]
    judged = [*ordinary, *other]
    right = [r for r in ordinary if r.verdict.right]
    wrong_sure = sum(r.verdict.wrong_sure for r in judged)
    sure = sum(r.status is Status.SURE for r in judged)
    asked = sum(r.status is Status.ASK for r in ordinary)
    right_asked = sum(r.status is Status.ASK for r in right)
    right_refused = sum(
        r.status is Status.REFUSE and r.reading is not None for r in right
    )
    return {
        "rolls_right": Share(len(right), len(ordinary)),
        "status": _by_status(rolls),
        "status_ordinary": _by_status(ordinary),
        "wrong_while_sure": Share(wrong_sure, len(judged)),
        "wrong_given_sure": Share(wrong_sure, sure),
        "right_but_asked": Share(right_asked, len(ordinary)),
        "right_given_asked": Share(right_asked, asked),
        "right_but_refused": Share(right_refused, len(ordinary)),
        "other_pictures_not_sure": share_of(r.status is not Status.SURE for r in other),
    }


def _by_status(results: Sequence[PictureResult]) -> Shares:
    return {
        status.value: share_of(result.status is status for result in results)
        for status in Status
    }


def lie_shares(results: Sequence[PictureResult]) -> Shares:
    """How dice lie, and where their art begins; of those found."""
    found = [d for r in results if not r.is_crop for d in r.dice if d.said]
    leaning = [d for d in found if not d.flat]
    corners = [d.corner_right for d in found if d.flat and d.corner_right is not None]
    return {
        "state": share_of(d.said.state is d.label.state for d in found if d.said),
        "not_flat_noticed": share_of(
            d.said.state is not DieState.FLAT for d in leaning if d.said
        ),
        "upright_corner": share_of(corners),
    }


def look_shares(
    dice: Iterable[DieResult], look_of: Callable[[DieResult], FaceLook | None]
) -> dict[str, Share | Shares]:
    """The face reader alone.

    Args:
        dice: any; those that do not lie flat or were not looked at are left out.
        look_of: which look at them.

    Returns:
        `top1`: right among all faces and "not a face"; `in_set`: faces, ranks, suits
        and colours right among the faces of the dice set; `not_a_face`: how many it
        holds for nothing.
    """
    looked = [(d, look) for d in dice if d.flat and (look := look_of(d)) is not None]
    verdicts = [named_right(d.label, look.top) for d, look in looked]

    def best(die: DieResult) -> Face | None:
        look = look_of(die)
        return look.best if look else None

    return {
        "top1": share_of(v for v in verdicts if v is not None),
        "in_set": face_shares((d for d, _ in looked), best),
        "not_a_face": share_of(look.top is None for _, look in looked),
    }


def confusions(results: Iterable[PictureResult]) -> Counter[tuple[str, str]]:
    """Which face was said for which: label and answer, of flat dice named wrongly.

    Returns:
        Counts by label and answer: codes, or a rank where the label knows no more.
        `(not found)`, `(not read)` and `(nothing there)` stand for what they say.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for result in results:
        if result.more:
            counts["(nothing there)", "item"] += len(result.more)
        for die in result.dice:
            truth = die.label.face.code if die.label.face else die.label.rank
            if not die.flat:
                continue
            if die.said is None:
                counts[truth or "item", "(not found)"] += 1
            elif die.read_right is False:
                counts[truth or "item", _answer(die)] += 1
    return counts


def _answer(die: DieResult) -> str:
    face = decided_face(die)
    if face is None:
        return "(not read)"
    return face.code if die.label.face else rank_of(face)


def group_names(results: Iterable[PictureResult]) -> tuple[str, ...]:
    """Tags and arts that occur, sorted."""
    return tuple(sorted({g for result in results for g in result.picture.groups}))
