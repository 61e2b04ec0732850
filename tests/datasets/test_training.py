"""Training for real, only very small: sets are read, runs resume, models run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.crops import CropOptions
from datasets.picture_sets import render_pictures
from datasets.render import render_crops
from datasets.run_options import RunOptions
from datasets.scene import SceneOptions
from datasets.shards import DataSetError
from datasets.training_job import TrainingJob
from datasets.training_runs import train_and_publish
from vision.classes import CLASS_NAMES, TURNS
from vision.reader import load_detector, load_face_reader

pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore"),  # torch and ultralytics warn of themselves
]


def quiet(items, total):  # type: ignore[no-untyped-def]  # the bar's wrapper, see Progress
    return items


def faces_job(folder: Path) -> tuple[TrainingJob, RunOptions]:
    data, val = folder / "crops", folder / "held"
    render_crops(data, 2, 1, CropOptions(32), 1, quiet, 16)
    render_crops(val, 1, 2, CropOptions(32), 1, quiet, 16)
    job = TrainingJob("faces", data, val, None, folder / "models", False, None, 1)
    options = RunOptions(
        "faces", folder / "runs", "yolov8n-cls.yaml", 32, 8, 2, 1e-3, threads=1
    )
    return job, options


def test_faces_train_export_and_read(tmp_path: Path) -> None:
    job, options = faces_job(tmp_path)
    card = train_and_publish(job, options)
    record = json.loads(card.read_text())
    assert record["data"]["train"]["seed"] == 1
    assert record["training"]["epochs"] == 2
    assert record["metrics"]["held_out_crops"][-1]["crops"] == 16
    reader = load_face_reader(tmp_path / "models")
    said = reader.read(np.zeros((3, 32, 32, 3), np.uint8))
    assert said.shape == (3, len(CLASS_NAMES))
    assert said.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-3)
    # publishing once more gives the same file
    again = json.loads(
        train_and_publish(replace(job, export_only=True), options).read_text()
    )
    assert again["sha256"] == record["sha256"]


@pytest.mark.parametrize("odd", ["data", "val", "measure", "also"])
def test_crops_of_another_size_than_the_input_are_refused_before_training(
    tmp_path: Path, odd: str
) -> None:
    job, options = faces_job(tmp_path)
    other = tmp_path / "other"
    render_crops(other, 1, 3, CropOptions(24), 1, quiet, 16)
    folders: dict[str, Any] = {odd: (other,) if odd == "also" else other}
    said = r"other holds crops of 24 px, and --imgsz is 32: .* --imgsz 24 "
    with pytest.raises(DataSetError, match=said):
        train_and_publish(replace(job, **folders), options)
    assert not options.folder.exists()


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    from datasets.face_training import FaceTrainer
    from datasets.lessons import Lessons, write_lessons
    from datasets.ultralytics_training import run_trainer

    job, options = faces_job(tmp_path)
    write_lessons(options.folder, Lessons(job.data, job.val))

    class Stopping(FaceTrainer):
        """Is interrupted after its first epoch, as by Ctrl-C."""

        def save_model(self) -> None:
            super().save_model()
            if self.epoch == 0:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_trainer(Stopping, options, {})
    assert options.last.exists()
    run_trainer(FaceTrainer, options, {})
    lines = (options.folder / "results.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["epoch", "1", "2"]


def test_shards_turn_their_labels_with_the_picture(tmp_path: Path) -> None:
    from datasets.face_training import NONE_CLASS, ShardCrops

    job, _ = faces_job(tmp_path)
    plain = ShardCrops(job.data, 1, augment=False)
    turned = ShardCrops(job.data, 1, augment=True)
    seen = set()
    for place in range(len(plain)):
        before, after = plain[place], turned[place]
        one, other = int(before["cls"]), int(after["cls"])
        if one == NONE_CLASS:
            assert other == NONE_CLASS
            continue
        assert one // TURNS == other // TURNS
        quarters = (other - one) % TURNS
        seen.add(quarters)
        grey = before["img"].mean(0).numpy()
        same = [
            np.corrcoef(
                np.rot90(grey, -k).ravel(), after["img"].mean(0).numpy().ravel()
            )
            for k in range(TURNS)
        ]
        assert int(np.argmax([c[0, 1] for c in same])) == quarters
    assert len(seen) > 1


def test_detector_trains_exports_and_looks(tmp_path: Path) -> None:
    options = SceneOptions(64, 64, 14, 24, full_roll=False)
    render_pictures(tmp_path / "train", 8, 1, options, 1, quiet)
    render_pictures(tmp_path / "val", 4, 2, options, 1, quiet)
    job = TrainingJob(
        "detector",
        tmp_path / "train",
        tmp_path / "val",
        None,
        tmp_path / "models",
        False,
        None,
        0,
    )
    run = RunOptions("d", tmp_path / "runs", "yolov5n.yaml", 64, 4, 1, 1e-3, threads=1)
    train_and_publish(job, run)
    detector = load_detector(tmp_path / "models")
    assert isinstance(detector.detect(np.zeros((90, 160, 3), np.uint8)), tuple)


def test_a_run_that_begins_with_an_export_wakes_its_norms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datasets import starting_weights

    woken = []
    wake = starting_weights.wake_norms

    def spy(model: Any, batches: Any) -> int:
        woken.append(wake(model, batches))
        return woken[-1]

    monkeypatch.setattr(starting_weights, "wake_norms", spy)
    job, options = faces_job(tmp_path)
    train_and_publish(job, options)
    assert woken == []
    again = replace(job, start=tmp_path / "models" / "faces.onnx")
    train_and_publish(again, replace(options, name="again", epochs=1))
    assert woken == [26]  # every norm of yolov8n-cls


@pytest.mark.parametrize("network", ["yolov8n-cls.yaml", "yolov5n.yaml"])
def test_a_published_model_is_a_start_for_the_next(
    tmp_path: Path, network: str
) -> None:
    import torch

    from datasets.starting_weights import load_start
    from datasets.ultralytics_adapter import YOLO, DetectionModel

    first = YOLO(network, verbose=False)
    torch.manual_seed(1)
    for module in first.model.modules():  # as if trained: norms that do something
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.normal_(module.weight, 1.0, 0.1)
            torch.nn.init.normal_(module.bias, 0.0, 0.1)
            assert module.running_var is not None
            torch.nn.init.uniform_(module.running_var, 0.5, 1.5)
    first.model.eval()
    picture = torch.rand(1, 3, 64, 64)
    before = first.model(picture)[0].clone()
    path = tmp_path / "first.pt"
    first.save(path)
    exported = YOLO(path).export(format="onnx", imgsz=64, simplify=True)
    second = YOLO(network, verbose=False).model
    assert load_start(second, Path(exported)) > 50
    second.eval()
    if isinstance(second, DetectionModel):
        second.stride = first.model.stride
    after = second(picture)[0]
    assert torch.allclose(before, after, rtol=1e-3, atol=1e-3)


def test_norms_of_an_export_are_woken_without_a_change_of_mind() -> None:
    import torch

    from datasets.starting_weights import wake_norms

    torch.manual_seed(2)
    layers: list[torch.nn.Module] = []
    for _ in range(4):
        norm = torch.nn.BatchNorm2d(8, eps=1e-3)
        torch.nn.init.normal_(norm.bias)
        assert norm.running_var is not None
        torch.nn.init.constant_(norm.running_var, 1 - norm.eps)  # it adds its bias
        layers += [torch.nn.Conv2d(8, 8, 3, bias=False), norm, torch.nn.SiLU()]
    model = torch.nn.Sequential(*layers)
    batches = [torch.rand(16, 8, 24, 24) for _ in range(4)]
    with torch.no_grad():
        said = model.eval()(batches[0])
        asleep = model.train()(batches[0])
    assert (asleep - said).abs().mean() > 0.5 * said.std()  # the harm to be undone
    for k in range(1, 12, 3):
        layers[k].running_mean.zero_()  # type: ignore[operator]  # a norm
        layers[k].running_var.fill_(1 - 1e-3)  # type: ignore[operator]
    assert wake_norms(model, batches) == 4
    with torch.no_grad():
        awake, still = model.train()(batches[0]), model.eval()(batches[0])
    assert torch.allclose(still, said, rtol=1e-3, atol=1e-3)
    assert (awake - said).abs().mean() < 0.05 * said.std()


def test_a_folder_without_a_set_is_named(tmp_path: Path) -> None:
    job, options = faces_job(tmp_path)
    with pytest.raises(DataSetError, match="not a set drawn by"):
        train_and_publish(replace(job, val=tmp_path), options)
