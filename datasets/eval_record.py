"""The measures of a set as one JSON object; `docs/eval.md` describes it."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from datasets.eval_clips import early_of, throws_of
from datasets.eval_confusion import (
    decoding,
    rank_matrix,
    state_matrix,
    suit_matrix,
)
from datasets.eval_counts import (
    confusions,
    decided_face,
    face_shares,
    found_shares,
    group_names,
    lie_shares,
    look_shares,
    read_dice,
    roll_shares,
)
from datasets.eval_misses import misses_of
from datasets.eval_reliability import (
    die_answers,
    look_answers,
    reliability,
    roll_answers,
    strictness,
)
from datasets.eval_sizes import size_curve
from datasets.intervals import Share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_clips import ThrowResult
    from datasets.eval_results import FoundAt, PictureResult, ToldReading

FORMAT = "tableside-eval/1"
ART = "art:"
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """How a set was measured.

    Attributes:
        folder: of the set, as the user named it.
        dice_set: name of the dice set the reader was told.
        layout_known: whether the reader knew which faces share a die.
        detector: name and hash of the model.
        faces: likewise.
        turns: looks at each die.
        least_iou: overlap at which a place counts as found.
        count: dice of an ordinary roll: a number, `any`, or `set`: as many as the dice
            set has, and any number of cards.
        tags: pictures were chosen by.
    """

    folder: str
    dice_set: str
    layout_known: bool
    detector: str
    faces: str
    turns: int
    least_iou: float
    count: str
    tags: tuple[str, ...]


def evaluation_record(results: Sequence[PictureResult], facts: RunFacts) -> Record:
    """All measures, ready for JSON.

    Args:
        results: of every picture and clip, at least one.
        facts: how they were measured.
    """
    groups = group_names(results)
    inside = {g: [r for r in results if g in r.picture.groups] for g in groups}
    times = [r.elapsed_ms for r in results if r.elapsed_ms is not None]
    return {
        "format": FORMAT,
        "measured": plain(facts),
        "pictures": len(results),
        "clips": sum(bool(r.picture.throws) for r in results),
        "crops": sum(r.is_crop for r in results),
        "unreadable": [
            {"image": r.picture.name, "error": r.error} for r in results if r.error
        ],
        "elapsed_ms_median": round(median(times), 1) if times else None,
        "all": group_record(results),
        "stages": stages_record(results),
        "by_art": {
            g.removeprefix(ART): group_record(inside[g])
            for g in groups
            if g.startswith(ART)
        },
        "by_tag": {g: group_record(inside[g]) for g in groups if not g.startswith(ART)},
        "sizes": [plain(step) for step in size_curve(results)],
        "reliability": reliability_record(results),
        "strictness": [plain(step) for step in strictness(results)],
        "confusions": [
            {"label": label, "said": said, "n": n}
            for (label, said), n in sorted(
                confusions(results).items(), key=lambda item: (-item[1], item[0])
            )
        ],
        "ranks": plain(rank_matrix(results)),
        "suits": plain(suit_matrix(results)),
        "states": plain(state_matrix(results)),
        "throws": throws_record(results),
        "wrong_while_sure": [r.picture.name for r in results if r.verdict.wrong_sure],
        "results": [result_record(result) for result in results],
    }


def group_record(results: Sequence[PictureResult]) -> Record:
    """The shares of one group of pictures."""
    dice = [die for result in results for die in result.dice]
    said = sum(d.said is not None for d in dice) + sum(len(r.more) for r in results)
    return {
        "pictures": len(results),
        "items": len(dice),
        "predicted": said,
        "localisation": plain(found_shares(results)),
        "reading": plain(face_shares(read_dice(results), decided_face)),
        **plain(lie_shares(results)),
        **plain(roll_shares(results)),
    }


def stages_record(results: Sequence[PictureResult]) -> Record:
    """What each stage did: finding, reading, deciding."""
    dice = [die for result in results for die in result.dice]
    ious = [die.seen_iou for die in dice if die.seen_iou is not None]
    return {
        "found": {
            "median_iou": round(median(ious), 4) if ious else None,
            "by_iou": _found_steps([r.by_iou for r in results if r.by_iou]),
            "by_score": _found_steps([r.by_score for r in results if r.by_score]),
        },
        "read": {
            "sighted": plain(look_shares(dice, lambda die: die.seen)),
            "labelled": plain(look_shares(dice, lambda die: die.own)),
        },
        "decoded": plain(decoding(results)),
    }


def _found_steps(by_picture: list[tuple[FoundAt, ...]]) -> list[Record]:
    """Sum the counts of all pictures at each limit."""
    steps = []
    for column in zip(*by_picture, strict=True):
        labelled = sum(found.labelled for found in column)
        matched = sum(found.matched for found in column)
        said_matched = sum(found.said_matched for found in column)
        steps.append(
            {
                "limit": column[0].limit,
                "sighted": Share(matched, labelled).record(),
                "sightings_fitting": Share(
                    matched, sum(found.sightings for found in column)
                ).record(),
                "reading_recall": Share(said_matched, labelled).record(),
                "reading_precision": Share(
                    said_matched, sum(found.said for found in column)
                ).record(),
            }
        )
    return steps


def reliability_record(results: Sequence[PictureResult]) -> Record:
    """Claims against truth, for each kind of probability."""
    dice = [die for result in results for die in result.dice]
    kinds = {
        "die": die_answers(r for r in results if not r.is_crop),
        "roll": roll_answers(results),
        "sighted": look_answers(dice, lambda die: die.seen),
        "labelled": look_answers(dice, lambda die: die.own),
    }
    return {name: plain(reliability(answers)) for name, answers in kinds.items()}


def throws_record(results: Sequence[PictureResult]) -> list[Record]:
    """What the clips gave, throw by throw."""
    records = []
    for result in results:
        early = [_told_record(told) for told in early_of(result)]
        for number, throw in enumerate(throws_of(result)):
            records.append(
                {
                    "clip": result.picture.name,
                    "throw": number,
                    "fps": result.picture.fps,
                    **_throw_record(throw),
                    # what came before any throw lay still belongs to the first one
                    "early": early if number == 0 else [],
                }
            )
    return records


def _throw_record(throw: ThrowResult) -> Record:
    return {
        "rest_frame": throw.rest_frame,
        "outcome": throw.outcome,
        "good": throw.good,
        "told": None if throw.first is None else _told_record(throw.first),
        "more": [_told_record(told) for told in throw.more],
    }


def _told_record(told: ToldReading) -> Record:
    return {
        "frame": told.frame,
        "status": told.status.value,
        "right": told.verdict.right,
        "wrong_while_sure": told.verdict.wrong_sure,
        "delay_ms": None if told.delay_ms is None else round(told.delay_ms, 1),
        "elapsed_ms": round(told.elapsed_ms, 1),
        "at_end": told.at_end,
    }


def result_record(result: PictureResult) -> Record:
    """One picture in short, with its misses."""
    reading = result.reading
    ms = result.elapsed_ms
    return {
        "image": result.picture.name,
        "kind": result.verdict.kind.value,
        "status": None if result.is_crop else result.status.value,
        "confidence": round(reading.confidence, 4) if reading else None,
        "right": result.verdict.right,
        "wrong_while_sure": result.verdict.wrong_sure,
        "problems": [p.code.value for p in reading.problems] if reading else [],
        "size_px": None if result.size_px is None else round(result.size_px, 1),
        "elapsed_ms": None if ms is None else round(ms, 1),
        "misses": [
            {"kind": miss.kind.value, "die": miss.die, "said": miss.said}
            for miss in misses_of(result)
        ],
    }


def plain(value: object) -> Any:
    """Turn shares, dataclasses and tuples inside a value into what JSON has."""
    match value:
        case Share():
            return value.record()
        case dict():
            return {str(name): plain(inner) for name, inner in value.items()}
        case tuple() | list():
            return [plain(inner) for inner in value]
        case float():
            return round(value, 6)
    if is_dataclass(value):
        names = [field.name for field in fields(value)]
        return {name: plain(getattr(value, name)) for name in names}
    return value
