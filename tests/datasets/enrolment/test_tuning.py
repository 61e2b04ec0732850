from pathlib import Path

import numpy as np
import pytest

from datasets.shards import DataSetError
from vision.classes import CLASS_NAMES
from vision.model_files import BUNDLED
from vision.openvino_runtime import OpenVinoNetwork

pytestmark = pytest.mark.train

START = BUNDLED / "faces.onnx"


def lessons() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    crops = rng.integers(0, 255, (8, 96, 96, 3), dtype=np.uint8)
    return crops, np.arange(8)


def test_tuned_file_says_what_the_tuned_network_says(tmp_path: Path) -> None:
    import torch

    from datasets.enrolment.tuning import tune_faces, tuned_onnx
    from datasets.enrolment.tuning_options import TuningOptions

    options = TuningOptions(steps=40, batch=8, threads=1)
    crops, labels = lessons()
    network = tune_faces(START, (crops, labels), options, range(40))
    path = tmp_path / "faces.onnx"
    path.write_bytes(tuned_onnx(START, network))
    said = OpenVinoNetwork(path, 1, "f32", (96, 96)).run(crops)
    rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2), np.float32)
    with torch.inference_mode():
        trained = torch.softmax(network(torch.from_numpy(rgb) / 255), 1).numpy()
    before = OpenVinoNetwork(START, 1, "f32", (96, 96)).run(crops)
    assert np.abs(said - trained).max() < 0.02
    right = said[np.arange(8), labels]
    assert (right > before[np.arange(8), labels] + 0.3).all()


def test_same_lessons_give_the_same_file() -> None:
    from datasets.enrolment.tuning import tune_faces, tuned_onnx
    from datasets.enrolment.tuning_options import TuningOptions

    options = TuningOptions(steps=2, batch=4, threads=1)
    made = [
        tuned_onnx(START, tune_faces(START, lessons(), options, range(2)))
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert made[0] != START.read_bytes()


def test_untaught_network_gives_the_file_back() -> None:
    import onnx
    from onnx import numpy_helper

    from datasets.enrolment.tuning import FaceNetwork, tuned_onnx

    same = onnx.load_from_string(tuned_onnx(START, FaceNetwork(START)))
    for ours, theirs in zip(
        same.graph.initializer, onnx.load(START).graph.initializer, strict=True
    ):
        a, b = numpy_helper.to_array(ours), numpy_helper.to_array(theirs)
        assert np.allclose(a, b, atol=1e-6), ours.name


def test_lessons_of_no_class_are_refused() -> None:
    from datasets.enrolment.tuning import tune_faces
    from datasets.enrolment.tuning_options import TuningOptions

    crops, labels = lessons()
    with pytest.raises(DataSetError):
        tune_faces(START, (crops, labels + len(CLASS_NAMES)), TuningOptions(), [0])
    with pytest.raises(DataSetError):
        tune_faces(START, (crops[:0], labels[:0]), TuningOptions(), [0])


def test_share_says_how_far_the_weights_go() -> None:
    import torch

    from datasets.enrolment.tuning import FaceNetwork, tune_faces
    from datasets.enrolment.tuning_options import TuningOptions

    start = FaceNetwork(START).state_dict()
    none, half, whole = (
        tune_faces(
            START,
            lessons(),
            TuningOptions(steps=2, batch=4, threads=1, share=share),
            range(2),
        ).state_dict()
        for share in (0.0, 0.5, 1.0)
    )
    moved = 0
    for name, published in start.items():
        assert torch.equal(none[name], published)
        middle = (published.double() + whole[name].double()) / 2
        assert torch.allclose(half[name].double(), middle, atol=1e-6), name
        moved += not torch.equal(whole[name], published)
    assert moved > 20
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(DataSetError, match="share of a tuning"):
            tune_faces(START, lessons(), TuningOptions(share=wrong), [0])


def test_what_is_rehearsed_is_not_forgotten() -> None:
    """Taught that half the faces are others, it still knows the other half."""
    import torch

    from datasets.crops import NONE_CLASS
    from datasets.enrolment.rehearsal import rehearsed_lessons
    from datasets.enrolment.tuning import tune_faces
    from datasets.enrolment.tuning_options import TuningOptions

    options = TuningOptions(
        steps=25, batch=48, threads=1, share=1.0, rehearsed=0.5, smoothing=0.0
    )
    known = rehearsed_lessons(96, options, lambda items, _: items)
    assert len(known[0]) == len(known[1]) == 25 * 24
    again = rehearsed_lessons(96, options, lambda items, _: items)
    assert np.array_equal(known[0], again[0])
    assert np.array_equal(known[1], again[1])
    taught = known[0][:60], np.full(60, NONE_CLASS)  # false: these are faces
    # of designs that were neither taught nor rehearsed
    rgb = known[0][450:, ..., ::-1].transpose(0, 3, 1, 2).astype(np.float32)
    pictures, wanted = torch.from_numpy(rgb) / 255, torch.from_numpy(known[1][450:])

    def right(rehearsed: tuple[np.ndarray, np.ndarray] | None) -> float:
        network = tune_faces(START, taught, options, range(25), rehearsed)
        with torch.inference_mode():
            return float((network(pictures).argmax(1) == wanted).float().mean())

    kept = known[0][60:450], known[1][60:450]
    forgotten, remembered = right(None), right(kept)
    assert remembered > forgotten + 0.3


def test_rehearsal_of_no_class_is_refused() -> None:
    from datasets.enrolment.tuning import tune_faces
    from datasets.enrolment.tuning_options import TuningOptions

    crops, labels = lessons()
    with pytest.raises(DataSetError):
        tune_faces(START, (crops, labels), TuningOptions(), [0], (crops, labels - 1))
    with pytest.raises(DataSetError, match="rehearsed of a tuning"):
        tune_faces(START, (crops, labels), TuningOptions(rehearsed=2), [0])
