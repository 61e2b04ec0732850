"""What a run learns from, in a file of its folder: for every process that trains.

Ultralytics makes its trainers itself when a run goes on, and in a process for each
graphics card; what was set in ours is not known there.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from datasets.shards import DataSetError
from datasets.whole_files import write_whole

FILE_NAME = "lessons.json"


@dataclass(frozen=True, slots=True)
class Lessons:
    """Where the pictures of a run lie; see `datasets.training_runs.TrainingJob`.

    Attributes:
        train: set to learn from.
        val: set by which the best weights are chosen.
        also: sets mixed in; for faces one shard of each in every epoch.
        shards_an_epoch: of `train`; for faces only.
        start: weights to begin with.
        captured: shards of crops from captured pictures; for faces only.
        captured_an_epoch: crops of those in every epoch.
    """

    train: Path
    val: Path
    also: tuple[Path, ...] = ()
    shards_an_epoch: int = 1
    start: Path | None = None
    captured: Path | None = None
    captured_an_epoch: int = 0


def write_lessons(folder: Path, lessons: Lessons) -> None:
    """Write the file into the folder of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    record = asdict(lessons)
    text = json.dumps(record, default=str, indent=1)
    write_whole(folder / FILE_NAME, text + "\n")


def read_lessons(folder: Path) -> Lessons:
    """Read the file of a run.

    Raises:
        DataSetError: it is not there, or not as `write_lessons` wrote it.
    """
    path = folder / FILE_NAME
    try:
        record = json.loads(path.read_text("utf-8"))
        for name in ("train", "val", "start", "captured"):
            if record[name] is not None:
                record[name] = Path(record[name])
        record["also"] = tuple(Path(one) for one in record["also"])
        return Lessons(**record)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise DataSetError(f"{path}: not the lessons of a run: {error}") from error
