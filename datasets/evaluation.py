"""Measuring: a reader is shown labelled pictures, and each stage is judged."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_looks import FaceLooks
from datasets.eval_matching import Pair, Place, iou_table, pair_up
from datasets.eval_places import is_crop, place_of, side_px, with_size
from datasets.eval_results import (
    DieResult,
    FoundAt,
    PictureResult,
    RollKind,
    Verdict,
    judge_roll,
)
from vision.errors import SourceError
from vision.pictures import load_picture
from vision.reading import Alternative, DieReading, Reading, Status
from vision.reading_json import quad_record

if TYPE_CHECKING:
    from datasets.eval_labels import LabelledPicture
    from datasets.eval_results import FaceLook
    from vision.ports import BgrImage, Detector
    from vision.reader import RollReader
    from vision.reading import Quad, Sighting

IOU_LIMITS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SCORE_LIMITS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
AS_SET = -1
"""Of `EvalOptions.count`: the dice set and the label decide."""


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """How to count.

    Attributes:
        least_iou: overlap at which a place counts as found, above 0 to 1.
        count: dice of an ordinary roll; None: any number; `AS_SET`: as many as the dice
            set has, and any number of cards.
    """

    least_iou: float = 0.4
    count: int | None = AS_SET

    def dice_of(self, picture: LabelledPicture, reader: RollReader) -> int | None:
        """How many dice a roll in this picture has; None: any number."""
        if self.count != AS_SET:
            return self.count
        return None if picture.cards else reader.dice_set.dice_count


class LastSightings:
    """A detector that passes on to another one and keeps what that one saw last.

    Args:
        detector: who finds.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.name = detector.name
        self.seen: tuple[Sighting, ...] = ()

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        """Find, and remember."""
        self.seen = self._detector.detect(image)
        return self.seen


class Evaluator:
    """Judges one reader, picture by picture.

    Args:
        reader: who reads; its detector is listened to from now on.
        options: how to count.
    """

    def __init__(self, reader: RollReader, options: EvalOptions | None = None) -> None:
        self.reader = reader
        self.options = options or EvalOptions()
        self._sightings = LastSightings(reader.detector)
        reader.detector = self._sightings
        self._looks = FaceLooks(reader)

    def picture(self, label: LabelledPicture) -> PictureResult:
        """Read one labelled picture and judge every stage.

        A file that cannot be read counts as refused with nothing found.

        Raises:
            LabelError: the picture is not as large as its label says.
        """
        try:
            loaded = load_picture(label.path)
        except SourceError as error:
            return self.judged(label, None, (), error=error.why)
        image, shrunk = loaded.image, loaded.shrunk
        label = with_size(label, image, shrunk)
        if is_crop(label):
            return self._crop(label, image, shrunk)
        began = time.perf_counter()
        reading = self.reader.read(image)
        elapsed_ms = (time.perf_counter() - began) * 1000
        result = self.judged(label, reading, self._sightings.seen, image, shrunk)
        return replace(result, elapsed_ms=elapsed_ms)

    def judged(
        self,
        label: LabelledPicture,
        reading: Reading | None,
        sightings: tuple[Sighting, ...],
        image: BgrImage | None = None,
        shrunk: float = 1.0,
        error: str | None = None,
    ) -> PictureResult:
        """Judge what was said about one picture.

        Args:
            label: what is there.
            reading: what was decided; None counts as refused with nothing found.
            sightings: what the detector saw.
            image: the picture, for looking at the faces alone; None: no such looks.
            shrunk: pixels of the file per pixel of `image`.
            error: why there is no reading.
        """
        status = reading.status if reading else Status.REFUSE
        answers = reading.dice if reading else ()
        truth = [place_of(die) for die in label.dice]
        said = [_place(die.quad, shrunk) for die in answers]
        seen = [_place(sighting.quad, shrunk) for sighting in sightings]
        size = label.width, label.height
        said_table = iou_table(truth, said, *size)
        seen_table = iou_table(truth, seen, *size)
        least = self.options.least_iou
        said_pairs = {p.truth: p for p in pair_up(said_table, least)}
        seen_pairs = {p.truth: p for p in pair_up(seen_table, least)}
        dice = tuple(
            DieResult(
                label=die,
                side_px=side_px(place, *size),
                seen_iou=seen_pairs[k].iou if k in seen_pairs else None,
                seen_score=(
                    sightings[seen_pairs[k].said].score if k in seen_pairs else None
                ),
                said=answers[said_pairs[k].said] if k in said_pairs else None,
                said_iou=said_pairs[k].iou if k in said_pairs else None,
                corner_right=_corner_right(place, said_pairs.get(k), said),
            )
            for k, (die, place) in enumerate(zip(label.dice, truth, strict=True))
        )
        if image is not None:
            dice = self._with_looks(dice, truth, seen_pairs, seen, image, shrunk)
        paired = {pair.said for pair in said_pairs.values()}
        more = tuple(k for k in range(len(answers)) if k not in paired)
        count = self.options.dice_of(label, self.reader)
        scores = np.array([sighting.score for sighting in sightings])
        sides = [die.side_px for die in dice]
        return PictureResult(
            picture=label,
            status=status,
            reading=reading,
            verdict=judge_roll(dice, len(more), status, count),
            dice=dice,
            more=more,
            by_iou=tuple(
                _found_at(limit, seen_table, said_table, limit) for limit in IOU_LIMITS
            ),
            by_score=tuple(
                _found_at(limit, seen_table[:, scores >= limit], said_table, least)
                for limit in SCORE_LIMITS
            ),
            size_px=label.die_px or (float(np.mean(sides)) if sides else None),
            shrunk=shrunk,
            error=error,
        )

    def _with_looks(
        self,
        dice: tuple[DieResult, ...],
        truth: list[Place],
        pairs: dict[int, Pair],
        seen: list[Place],
        image: BgrImage,
        shrunk: float,
    ) -> tuple[DieResult, ...]:
        """Add what the face reader says alone, where the label knows what is right."""
        known = [k for k, die in enumerate(dice) if die.label.rank is not None]
        found = [k for k in known if k in pairs]
        places = [truth[k] for k in known] + [seen[pairs[k].said] for k in found]
        looks = self._looks.at(image, places, shrunk)
        own = dict(zip(known, looks[: len(known)], strict=True))
        sighted = dict(zip(found, looks[len(known) :], strict=True))
        return tuple(
            replace(die, own=own.get(k), seen=sighted.get(k))
            for k, die in enumerate(dice)
        )

    def _crop(
        self, label: LabelledPicture, image: BgrImage, shrunk: float
    ) -> PictureResult:
        """Ask the face reader alone: the picture shows one face and nothing else."""
        began = time.perf_counter()
        look = self._looks.at(image, [Place(None)], shrunk)[0]
        elapsed_ms = (time.perf_counter() - began) * 1000
        die = label.dice[0]
        side = side_px(Place(None), label.width, label.height)
        result = DieResult(die, side, own=look, said=_said(look) if look else None)
        return PictureResult(
            picture=label,
            status=Status.REFUSE,
            reading=None,
            verdict=Verdict(RollKind.CROP, None, False),
            dice=(result,),
            size_px=label.die_px or side,
            elapsed_ms=elapsed_ms,
            shrunk=shrunk,
        )


def _place(quad: Quad, shrunk: float) -> Place:
    """A place as `tableside read --json` states it: so both are counted alike."""
    a, b, c, d = ((x, y) for x, y in quad_record(quad, shrunk))
    return Place((a, b, c, d))


def _corner_right(place: Place, pair: Pair | None, said: list[Place]) -> bool | None:
    """Whether the first corners are the same: the nearest one to the label's is."""
    quad = said[pair.said].quad if pair else None
    if place.quad is None or quad is None:
        return None
    gaps = np.linalg.norm(np.array(quad) - np.array(place.quad[0]), axis=1)
    return int(gaps.argmin()) == 0


def _found_at(
    limit: float, seen: np.ndarray, said: np.ndarray, least_iou: float
) -> FoundAt:
    return FoundAt(
        limit=limit,
        labelled=len(seen),
        sightings=seen.shape[1],
        matched=len(pair_up(seen, least_iou)),
        said=said.shape[1],
        said_matched=len(pair_up(said, least_iou)),
    )


def _said(look: FaceLook) -> DieReading:
    """A look as the reading of a single die that is known to show a face."""
    others = tuple(
        Alternative(other.face, other.p)
        for other in look.likely
        if other.face != look.best
    )
    corner = (0.0, 0.0)
    quad = corner, corner, corner, corner
    return DieReading(look.best, look.p, quad, others)
