"""The reader: a picture goes in, the decided roll comes out."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.art_agreement import with_agreement
from vision.body import OUTPUT_NAMES, BodyReader, refined_quads
from vision.classes import CLASS_NAMES, TURNS
from vision.detect import Eye, YoloDetector
from vision.enrolled import TEMPERATURE, check_tuned_from
from vision.errors import ModelError
from vision.face_reading import (
    YoloFaceReader,
    cut_crops,
    gather_evidence,
    read_crops,
)
from vision.kin_faces import in_the_words_of
from vision.limits import SHIPPED
from vision.limits_file import read_limits
from vision.look import look_at
from vision.model_files import has_card, read_card
from vision.networks import RUNTIMES, open_network
from vision.picture_quality import picture_light
from vision.reading import Status
from vision.tray_roll import judge_roll
from vision.verdict import judge

if TYPE_CHECKING:
    from pathlib import Path

    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence
    from vision.limits import Limits
    from vision.picture_quality import PictureLight
    from vision.ports import BgrImage, Detector, FaceReader
    from vision.reading import Reading
    from vision.tray import Tray


@dataclass(frozen=True, slots=True)
class StageTimes:
    """How long the stages of one reading took, in milliseconds.

    Attributes:
        detect_ms: finding the top faces.
        crop_ms: seeing how the dice lie, and cutting them out.
        faces_ms: reading the crops.
        decode_ms: deciding the roll.
    """

    detect_ms: float
    crop_ms: float
    faces_ms: float
    decode_ms: float

    @property
    def total_ms(self) -> float:
        """All stages."""
        return self.detect_ms + self.crop_ms + self.faces_ms + self.decode_ms


class RollReader:
    """Finds, reads and decides.

    Args:
        detector: finds the top faces.
        faces: reads the crops.
        dice_set: which dice are expected.
        turns: looks at each crop, 1, 2 or 4: more are slower and better.
        load_ms: how long loading the models took.
        bodies: tells how the dice lie; without it only by the shapes of their faces.
        limits: where doubt begins.
    """

    def __init__(
        self,
        detector: Detector,
        faces: FaceReader,
        dice_set: DiceSet,
        turns: int = TURNS,
        load_ms: float = 0.0,
        bodies: BodyReader | None = None,
        limits: Limits = SHIPPED,
    ) -> None:
        if turns not in (1, 2, 4):
            raise ValueError(f"turns must be 1, 2 or 4, not {turns}")
        self.detector, self.faces, self.dice_set = detector, faces, dice_set
        self.turns, self.load_ms = turns, load_ms
        self.bodies, self.limits = bodies, limits
        self.tray: Tray | None = None
        """Where dice count; None for the whole picture. May be set at any time."""
        self._size_px = (0, 0)
        self.light: PictureLight | None = None
        self._fewer: tuple[int, ...] = ()

    def expect(self, dice_set: DiceSet, fewer: tuple[int, ...] = ()) -> None:
        """Look for other dice from the next picture on.

        Args:
            dice_set: which dice, and how many.
            fewer: smaller numbers of dice that are a whole roll too: those that are
                rolled again while the others were set aside.
        """
        self.dice_set, self._fewer = dice_set, fewer
        if isinstance(self.detector, YoloDetector):
            self.detector.expected = dice_set.dice_count

    @property
    def models(self) -> dict[str, str]:
        """Identity of each model, by its kind."""
        names = {"detector": self.detector.name, "faces": self.faces.name}
        return names | ({"body": self.bodies.name} if self.bodies else {})

    def evidence(self, image: BgrImage) -> tuple[Evidence, ...]:
        """Find and read the dice of one picture, undecided.

        Args:
            image: (H, W, 3) uint8 BGR.
        """
        return self._gather(image)[0]

    def decide(self, evidence: tuple[Evidence, ...]) -> Reading:
        """Decide a roll from evidence of one picture or of several, fused.

        Tray and light are taken for those of the picture looked at last.
        """
        return judge_roll(evidence, self.tray, self._size_px, self._judge)

    def _judge(self, evidence: tuple[Evidence, ...]) -> Reading:
        found = self._judge_as(evidence, self.dice_set)
        if len(found.dice) in self._fewer and found.status is Status.REFUSE:
            some = replace(self.dice_set, dice_count=len(found.dice), dice=None)
            return self._judge_as(evidence, some)
        return found

    def _judge_as(self, evidence: tuple[Evidence, ...], dice_set: DiceSet) -> Reading:
        return judge(evidence, dice_set, self.faces.name, self.limits, self.light)

    def read(self, image: BgrImage) -> Reading:
        """Read a picture, (H, W, 3) uint8 BGR."""
        return self.timed_read(image)[0]

    def timed_read(self, image: BgrImage) -> tuple[Reading, StageTimes]:
        """Read a picture and say how long each stage took."""
        evidence, marks = self._gather(image)
        reading = self.decide(evidence)
        marks = (*marks, time.perf_counter())
        detect, crop, faces, decode = (float(s) * 1000 for s in np.diff(marks))
        return reading, StageTimes(detect, crop, faces, decode)

    def _gather(
        self, image: BgrImage
    ) -> tuple[tuple[Evidence, ...], tuple[float, ...]]:
        """Evidence, and the times between which its stages ran."""
        start = time.perf_counter()
        self._size_px = (image.shape[1], image.shape[0])
        self.light = picture_light(image)
        sightings = self.detector.detect(image)
        found = time.perf_counter()
        quads = np.array([s.quad for s in sightings], np.float64).reshape(-1, 4, 2)
        bodies = self.bodies.read(image, quads) if self.bodies else ()
        quads = refined_quads(quads, bodies)
        crops = cut_crops(image, quads, self.faces.crop_px)
        cut = time.perf_counter()
        looks = look_at(image, quads, crops, bodies)
        log_faces, log_none = read_crops(self.faces, crops, self.turns)
        log_faces = with_agreement(crops, log_faces)
        log_faces = in_the_words_of(self.dice_set, log_faces)
        scores = [sighting.score for sighting in sightings]
        evidence = gather_evidence(quads, scores, log_faces, log_none, looks)
        return evidence, (start, found, cut, time.perf_counter())


def load_detector(
    folder: Path | None = None,
    threads: int = 0,
    runtime: str = RUNTIMES[0],
    expected: int = 1,
) -> YoloDetector:
    """Load the detector of a folder, or the one that comes with Tableside.

    Args:
        folder: where model and card lie.
        threads: CPU threads; 0 lets the runtime choose.
        runtime: see `vision.networks`.
        expected: how many dice are to be found, see `YoloDetector`.

    Raises:
        ModelError: no usable model there.
    """
    card = read_card("detector", folder)
    quick = None
    if card.quick_px is not None:
        quick = Eye(open_network(card, threads, runtime, card.quick_px), card.quick_px)
    network = open_network(card, threads, runtime)
    return YoloDetector(
        network, card.input_px, card.identity, quick=quick, expected=expected
    )


def load_face_reader(
    folder: Path | None = None, threads: int = 0, runtime: str = RUNTIMES[0]
) -> YoloFaceReader:
    """Load the face reader of a folder, or the one that comes with Tableside.

    Args:
        folder: where model and card lie.
        threads: CPU threads; 0 lets the runtime choose.
        runtime: see `vision.networks`.

    Raises:
        ModelError: no usable model there, or it knows other classes.
    """
    card = read_card("faces", folder)
    if card.classes != CLASS_NAMES:
        raise ModelError(
            f"{card.path}: the model's {len(card.classes)} classes are not the "
            f"{len(CLASS_NAMES)} of this version"
        )
    if card.input_px[0] != card.input_px[1]:
        raise ModelError(f"{card.path}: input_px must be a square, not {card.input_px}")
    return YoloFaceReader(
        open_network(card, threads, runtime), card.input_px[0], card.identity
    )


def load_body_reader(
    folder: Path | None = None, threads: int = 0, runtime: str = RUNTIMES[0]
) -> BodyReader | None:
    """Load the model that tells how dice lie; None if there is none in the folder.

    Args:
        folder: where model and card lie.
        threads: CPU threads; 0 lets the runtime choose.
        runtime: see `vision.networks`.

    Raises:
        ModelError: the model there cannot be used.
    """
    if not has_card("body", folder):
        return None
    card = read_card("body", folder)
    if card.classes != OUTPUT_NAMES or card.input_px[0] != card.input_px[1]:
        raise ModelError(f"{card.path}: not a model of bodies of this version")
    return BodyReader(
        open_network(card, threads, runtime), card.input_px[0], card.identity
    )


def load_reader(
    dice_set: DiceSet,
    models: Path | None = None,
    threads: int = 0,
    turns: int = TURNS,
    calibrated: bool = True,
    runtime: str = RUNTIMES[0],
    enrolled: Path | None = None,
) -> RollReader:
    """Load the models and warm them up.

    Args:
        dice_set: which dice are expected.
        models: folder of the models; None for those that come with Tableside.
        threads: CPU threads; 0 lets the runtime choose.
        turns: looks at each crop, see `RollReader`.
        calibrated: take the limits that were calibrated for these models, if any.
        runtime: see `vision.networks`.
        enrolled: folder of an enrolled set whose own face reader is used. The limits
            stay those of the models it was tuned from, with a temperature of its own.

    Raises:
        ModelError: a model is missing or damaged, the limits belong to others, or the
            set was enrolled with other models; the message names the file.
    """
    start = time.perf_counter()
    detector = load_detector(models, threads, runtime, dice_set.dice_count)
    faces = load_face_reader(enrolled or models, threads, runtime)
    bodies = load_body_reader(models, threads, runtime)
    reader = RollReader(detector, faces, dice_set, turns, bodies=bodies)
    identities = reader.models
    if enrolled is not None:
        identities["faces"] = check_tuned_from(enrolled, models)
    if calibrated:
        reader.limits = read_limits(models, identities)
    if enrolled is not None:
        reader.limits = replace(reader.limits, temperature=TEMPERATURE)
    reader.read(np.zeros((72, 128, 3), np.uint8))
    side = faces.crop_px
    faces.read(np.zeros((dice_set.dice_count, side, side, 3), np.uint8))
    if bodies:
        square = np.array([[[0, 0], [40, 0], [40, 40], [0, 40]]], np.float64)
        bodies.read(np.zeros((72, 128, 3), np.uint8), square)
    reader.load_ms = (time.perf_counter() - start) * 1000
    return reader
