"""Measuring clips: which readings a watched clip gave, when, and whether rightly."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.eval_places import with_size
from datasets.eval_results import PictureResult, RollKind, ToldReading, Verdict
from vision.errors import SourceError
from vision.reading import Status
from vision.sources import open_file
from vision.watch import Watcher

if TYPE_CHECKING:
    from datasets.eval_labels import LabelledPicture, LabelledThrow
    from datasets.evaluation import Evaluator
    from vision.ports import Frame
    from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class _Told:
    """A reading with the frame after which it came."""

    reading: Reading
    frame: Frame
    elapsed_ms: float
    at_end: bool


def evaluate_clip(evaluator: Evaluator, label: LabelledPicture) -> PictureResult:
    """Watch a labelled clip and judge what it gave.

    The first reading stands for the clip in all figures that pictures have too; the
    stages before it are measured on the frame after which it was told.

    Args:
        evaluator: whose reader watches.
        label: of the clip, with `fps` and `throws`.

    Raises:
        LabelError: the clip is not as large as its label says.
    """
    told: list[_Told] = []
    last: Frame | None = None
    error = None
    try:
        source = open_file(label.path)
        try:
            watcher = Watcher(evaluator.reader)
            for frame in source.frames():
                last = frame
                _see(watcher, frame, told)
            if last is not None:
                _finish(watcher, last, told)
        finally:
            source.close()
    except SourceError as broken:
        error = broken.why
    if last is None:
        return evaluator.judged(label, None, (), error=error or "it has no frames")
    label = with_size(label, last.image)
    image = told[0].frame.image if told else last.image
    sightings = evaluator.reader.detector.detect(image)
    first = told[0].reading if told else None
    result = evaluator.judged(label, first, sightings, image, error=error)
    return replace(
        result,
        elapsed_ms=told[0].elapsed_ms if told else None,
        told=tuple(_judged(evaluator, label, one) for one in told),
    )


def _see(watcher: Watcher, frame: Frame, told: list[_Told]) -> None:
    began = time.perf_counter()
    seen = watcher.see(frame)
    elapsed_ms = (time.perf_counter() - began) * 1000
    if seen.reading is not None:
        told.append(_Told(seen.reading, frame, elapsed_ms, at_end=False))


def _finish(watcher: Watcher, last: Frame, told: list[_Told]) -> None:
    began = time.perf_counter()
    seen = watcher.finish()
    elapsed_ms = (time.perf_counter() - began) * 1000
    if seen.reading is not None:
        told.append(_Told(seen.reading, last, elapsed_ms, at_end=True))


def _judged(evaluator: Evaluator, label: LabelledPicture, one: _Told) -> ToldReading:
    """Judge one reading against the throw that lay there when it was told."""
    frame, status = one.frame.index, one.reading.status
    rested = [k for k, t in enumerate(label.throws) if t.rest_frame <= frame]
    delay_ms = None
    if rested:
        throw = label.throws[rested[-1]]
        there = replace(label, dice=throw.dice)
        verdict = evaluator.judged(there, one.reading, ()).verdict
        delay_ms = _ms_between(throw, frame, label.fps)
    else:
        # nothing lay still yet: there was nothing to be sure of
        verdict = Verdict(RollKind.OTHER, None, status is Status.SURE)
    return ToldReading(
        frame=frame,
        throw=rested[-1] if rested else None,
        delay_ms=delay_ms,
        elapsed_ms=one.elapsed_ms,
        at_end=one.at_end,
        status=status,
        verdict=verdict,
    )


def _ms_between(throw: LabelledThrow, frame: int, fps: float | None) -> float | None:
    return None if fps is None else (frame - throw.rest_frame) / fps * 1000


@dataclass(frozen=True, slots=True)
class ThrowResult:
    """What was told of one throw of a clip.

    Attributes:
        rest_frame: from which it lay still.
        first: the first reading about it; None if it was passed over in silence.
        more: further readings about it; every one is a false roll.
    """

    rest_frame: int
    first: ToldReading | None
    more: tuple[ToldReading, ...]

    @property
    def outcome(self) -> str:
        """`right`, `asked`, `refused`, `wrong_sure` or `silent`."""
        if self.first is None:
            return "silent"
        if self.first.verdict.wrong_sure:
            return "wrong_sure"
        words = {Status.SURE: "right", Status.ASK: "asked", Status.REFUSE: "refused"}
        return words[self.first.status]

    @property
    def good(self) -> bool:
        """One reading, right or asked about."""
        return self.outcome in ("right", "asked") and not self.more


def throws_of(result: PictureResult) -> tuple[ThrowResult, ...]:
    """The throws of a clip, each with what was told of it."""
    throws = []
    for place, throw in enumerate(result.picture.throws):
        about = [told for told in result.told if told.throw == place]
        throws.append(
            ThrowResult(throw.rest_frame, about[0] if about else None, tuple(about[1:]))
        )
    return tuple(throws)


def early_of(result: PictureResult) -> tuple[ToldReading, ...]:
    """Readings told before anything lay still."""
    return tuple(told for told in result.told if told.throw is None)
