"""Several graphics cards, played by processes of the CPU: all learn the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from datasets.crops import CropOptions
from datasets.detector_labels import data_yaml
from datasets.lessons import Lessons, read_lessons, write_lessons
from datasets.picture_sets import render_pictures
from datasets.render import render_crops
from datasets.run_options import RunOptions, epochs_done
from datasets.scene import SceneOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore"),  # torch and ultralytics warn of themselves
]

MODELS = Path(__file__).resolve().parents[2] / "vision" / "models"


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def check(options: RunOptions, lessons: Lessons) -> None:
    """All epochs were trained, both processes have one result, the lessons stay."""
    assert epochs_done(options) == options.epochs
    told = [(options.folder / f"rank-{k}.txt").read_text() for k in range(2)]
    assert told[0] == told[1]
    assert read_lessons(options.folder) == lessons
    assert options.last.exists()


def test_faces_begin_with_a_published_model_in_every_process(tmp_path: Path) -> None:
    from gloo_trainers import GlooFaces

    from datasets.ultralytics_training import run_trainer

    for name, seed in (("data", 1), ("val", 2)):
        render_crops(tmp_path / name, 1, seed, CropOptions(32), 1, quiet, 16)
    options = RunOptions(
        "f", tmp_path / "runs", "yolov8n-cls.yaml", 32, 8, 1, 1e-3, threads=1
    )
    start = MODELS / "faces.onnx"
    lessons = Lessons(tmp_path / "data", tmp_path / "val", start=start)
    write_lessons(options.folder, lessons)
    run_trainer(GlooFaces, options, {})
    check(options, lessons)


def test_the_detector_learns_in_every_process(tmp_path: Path) -> None:
    from gloo_trainers import GlooQuads

    from datasets.detector_training import NO_AUGMENTATION
    from datasets.ultralytics_training import run_trainer

    scenes = SceneOptions(64, 64, 14, 24, full_roll=False)
    for name, seed in (("data", 1), ("val", 2)):
        render_pictures(tmp_path / name, 4, seed, scenes, 1, quiet)
    options = RunOptions(
        "d", tmp_path / "runs", "yolov5n.yaml", 64, 4, 1, 1e-3, threads=1
    )
    lessons = Lessons(tmp_path / "data", tmp_path / "val")
    write_lessons(options.folder, lessons)
    yaml = options.folder / "data.yaml"
    places = [str(tmp_path / name / "images") for name in ("data", "val")]
    yaml.write_text(data_yaml(places[:1], places[1]))
    extra: dict[str, Any] = {**NO_AUGMENTATION, "data": str(yaml)}
    run_trainer(GlooQuads, options, extra)
    check(options, lessons)
