"""Does a candidate say the same on both runtimes?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.registry.paired import Finding
from datasets.registry.rules import Check
from vision.errors import VisionError
from vision.networks import RUNTIMES
from vision.parity import Tolerance, compare_readings, complaints, summarise
from vision.pictures import load_picture
from vision.reader import load_reader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture
    from vision.reader import RollReader

REFERENCE = "onnxruntime-f32"
assert REFERENCE in RUNTIMES
MOST_PICTURES = 40
"""Pictures that both runtimes read, spread over the set."""
ALLOWED = Tolerance(faces=0.01, shift_px=1.0, statuses=0.05, sure_pictures=0)
"""The first runtime may compute in 16 bits, as the card says; the second never does."""


def check_runtimes(
    reader: RollReader, folder: Path, labels: Sequence[LabelledPicture], threads: int
) -> Check:
    """Let the runtime in use and the reference read the same pictures.

    Args:
        reader: the candidate on the runtime in use.
        folder: of its models.
        labels: pictures to read.
        threads: CPU threads.

    Raises:
        VisionError: a picture cannot be read.
    """
    name = "runtimes"
    try:
        other = load_reader(reader.dice_set, folder, threads, runtime=REFERENCE)
    except VisionError as error:
        words = str(error).replace(f"{folder}/", "")
        sentence = f"{name}: cannot be compared with {REFERENCE}: {words}"
        return Check(name, Finding.OPEN, sentence)
    stills = [label for label in labels if not label.throws]
    step = max(1, len(stills) // MOST_PICTURES)
    compared = []
    for label in stills[::step][:MOST_PICTURES]:
        image = load_picture(label.path).image
        compared.append(
            compare_readings(label.name, other.read(image), reader.read(image))
        )
    if not compared:
        return Check(name, Finding.OPEN, f"{name}: there is no picture to compare on")
    parity = summarise(compared)
    found = complaints(parity, ALLOWED)
    figures = (
        ("pictures", parity.pictures),
        ("dice", parity.dice),
        ("differing", parity.differing),
        ("shift_p99_px", round(parity.shift_p99_px, 4)),
        ("statuses_differ", len(parity.statuses_in)),
    )
    if found:
        sentence = f"{name}: not equal to {REFERENCE}: {'; '.join(found)}"
        return Check(name, Finding.WORSE, sentence, figures)
    sentence = (
        f"{name}: {parity.differing} of {parity.dice} dice read otherwise by "
        f"{REFERENCE}, quads moved by {parity.shift_p99_px:.2f} pixels"
    )
    return Check(name, Finding.NOT_WORSE, sentence, figures)
