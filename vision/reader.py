"""The reader: a picture goes in, the decided roll comes out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from vision.classes import CLASS_NAMES, TURNS
from vision.detect import QuadDetector
from vision.errors import ModelError
from vision.face_reading import ClassifierFaces, Evidence, read_faces
from vision.model_files import read_card
from vision.verdict import judge

if TYPE_CHECKING:
    from pathlib import Path

    from scoring.dice_sets import DiceSet
    from vision.ports import BgrImage, Detector, FaceReader
    from vision.reading import Reading


class RollReader:
    """Finds, reads and decides.

    Args:
        detector: finds the top faces.
        faces: reads the crops.
        dice_set: which dice are expected.
        turns: crops a die, 1, 2 or 4: more are slower and better.
        load_ms: how long loading the models took.
    """

    def __init__(
        self,
        detector: Detector,
        faces: FaceReader,
        dice_set: DiceSet,
        turns: int = TURNS,
        load_ms: float = 0.0,
    ) -> None:
        if turns not in (1, 2, 4):
            raise ValueError(f"turns must be 1, 2 or 4, not {turns}")
        self.detector, self.faces, self.dice_set = detector, faces, dice_set
        self.turns, self.load_ms = turns, load_ms

    def evidence(self, image: BgrImage) -> tuple[Evidence, ...]:
        """Find and read the dice of one picture, undecided.

        Args:
            image: (H, W, 3) uint8 BGR.
        """
        sightings = self.detector.detect(image)
        quads = [np.array(s.quad, np.float64) for s in sightings]
        scores = [s.score for s in sightings]
        return read_faces(image, quads, scores, self.faces, self.turns)

    def decide(self, evidence: tuple[Evidence, ...]) -> Reading:
        """Decide a roll from evidence of one picture or of several, fused."""
        return judge(evidence, self.dice_set, self.faces.name)

    def read(self, image: BgrImage) -> Reading:
        """Read a picture, (H, W, 3) uint8 BGR."""
        return self.decide(self.evidence(image))


def load_detector(folder: Path | None = None, threads: int = 0) -> QuadDetector:
    """Load the detector of a folder, or the one that comes with Tableside.

    Raises:
        ModelError: no usable model there.
    """
    from vision.openvino_runtime import OpenVinoNetwork  # takes a moment to import

    card = read_card("detector", folder)
    network = OpenVinoNetwork(card.path, (1, 3, *card.input_px), threads)
    return QuadDetector(network, card.input_px, card.identity)


def load_face_reader(folder: Path | None = None, threads: int = 0) -> ClassifierFaces:
    """Load the face reader of a folder, or the one that comes with Tableside.

    Raises:
        ModelError: no usable model there, or it knows other classes.
    """
    from vision.openvino_runtime import OpenVinoNetwork

    card = read_card("faces", folder)
    if card.classes != CLASS_NAMES:
        raise ModelError(
            f"{card.path}: the model's {len(card.classes)} classes are not the "
            f"{len(CLASS_NAMES)} of this version"
        )
    network = OpenVinoNetwork(card.path, (-1, 3, *card.input_px), threads)
    return ClassifierFaces(network, card.input_px[0], card.identity)


def load_reader(
    dice_set: DiceSet, models: Path | None = None, threads: int = 0
) -> RollReader:
    """Load both models and warm them up.

    Args:
        dice_set: which dice are expected.
        models: folder of both models; None for those that come with Tableside.
        threads: CPU threads; 0 lets the runtime choose.

    Raises:
        ModelError: a model is missing or damaged; the message names the file.
    """
    start = time.perf_counter()
    detector, faces = load_detector(models, threads), load_face_reader(models, threads)
    reader = RollReader(detector, faces, dice_set)
    reader.read(np.zeros((72, 128, 3), np.uint8))
    side = faces.crop_px
    faces.read(np.zeros((dice_set.dice_count * TURNS, side, side, 3), np.uint8))
    reader.load_ms = (time.perf_counter() - start) * 1000
    return reader
