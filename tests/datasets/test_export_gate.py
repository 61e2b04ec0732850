"""Only an exported network that reads as the trained one passes the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import onnx
import painted_dice
import pytest
from onnx import numpy_helper
from small_models import CROP_PX, INPUT_PX, detector_output, save_detector, save_models

from datasets.export_gate import ExportDiffersError, gate_detector, gate_faces
from datasets.half_weights import halve_weights
from datasets.shards import DataSetError
from vision.onnx_runtime import OnnxRuntimeNetwork
from vision.openvino_runtime import OpenVinoNetwork

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.ports import Network

QUADS = (np.array(painted_dice.SLOTS) + 0.5) * (INPUT_PX[1] / painted_dice.WIDTH)
SCORES = [0.9] * len(QUADS)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "set" / "images"
    folder.mkdir(parents=True)
    for k in range(3):
        image = np.full((360, 640, 3), 40 * k, np.uint8)
        cv2.imwrite(str(folder / f"{k}.png"), image)
    return folder.parent


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    folder = tmp_path / "crops"
    folder.mkdir()
    rng = np.random.default_rng(2)
    colours = list(painted_dice.COLOURS.values())
    crops = np.zeros((20, CROP_PX, CROP_PX, 3), np.uint8)
    crops[:] = np.array([colours[k] for k in rng.integers(0, 54, 20)])[:, None, None]
    np.save(folder / "crops-00000.npy", crops)
    np.savez(
        folder / "crops-00000.npz",
        labels=np.zeros(20, np.int64),
        die_px=np.full(20, 40.0),
    )
    return folder


def detector(folder: Path, output: NDArray[np.float32]) -> Network:
    folder.mkdir(exist_ok=True)
    save_detector(folder, output)
    return OpenVinoNetwork(folder / "detector.onnx", 1)


def test_same_detector_passes_and_says_what_was_compared(
    tmp_path: Path, pictures: Path
) -> None:
    trained = detector(tmp_path / "a", detector_output(QUADS, SCORES))
    other = OnnxRuntimeNetwork(tmp_path / "a" / "detector.onnx", 1)
    facts = gate_detector(trained, other, INPUT_PX, pictures)
    assert facts["pictures"] == 3
    assert facts["dice"] == 3 * len(QUADS)
    assert facts["differing"] == 0
    assert facts["shift_p99_px"] < 0.01


@pytest.mark.parametrize(
    ("quads", "scores", "complaint"),
    [
        pytest.param(QUADS + 1.0, SCORES, "quad in a hundred moves", id="shifted"),
        pytest.param(QUADS[1:], SCORES[1:], "faces differ", id="one-lost"),
        pytest.param(QUADS, [0.8] * len(QUADS), "a score of", id="less-sure"),
        pytest.param(
            QUADS, [float("nan"), *SCORES[1:]], "faces differ", id="not-a-number"
        ),
    ],
)
def test_detector_that_finds_otherwise_is_refused_with_names(
    tmp_path: Path,
    pictures: Path,
    quads: NDArray[np.float64],
    scores: list[float],
    complaint: str,
) -> None:
    trained = detector(tmp_path / "a", detector_output(QUADS, SCORES))
    other = detector(tmp_path / "b", detector_output(quads, scores))
    with pytest.raises(ExportDiffersError, match=complaint) as caught:
        gate_detector(trained, other, INPUT_PX, pictures)
    assert "0.png" in str(caught.value) or "2.png" in str(caught.value)


def changed_faces(folder: Path, of: Path, factor: float) -> Network:
    """The face reader with the bias of one class in four changed."""
    model = onnx.load(of / "faces.onnx")
    for tensor in model.graph.initializer:
        if tensor.name == "bias":
            bias = numpy_helper.to_array(tensor).copy()
            bias[::4] *= factor
            tensor.CopyFrom(numpy_helper.from_array(bias, "bias"))
    folder.mkdir()
    onnx.save(model, folder / "faces.onnx")
    return OpenVinoNetwork(folder / "faces.onnx", 1)


def test_same_face_reader_passes(tmp_path: Path, shards: Path) -> None:
    models = save_models(tmp_path)
    trained = OnnxRuntimeNetwork(models / "faces.onnx", 1)
    facts = gate_faces(
        trained, changed_faces(tmp_path / "b", models, 1.0), CROP_PX, shards
    )
    assert (facts["pictures"], facts["differing"]) == (20, 0)


def test_face_reader_that_says_otherwise_is_refused_with_names(
    tmp_path: Path, shards: Path
) -> None:
    models = save_models(tmp_path)
    trained = OpenVinoNetwork(models / "faces.onnx", 1)
    other = changed_faces(tmp_path / "b", models, 0.5)
    with pytest.raises(ExportDiffersError, match=r"crops-00000\.npy#\d+"):
        gate_faces(trained, other, CROP_PX, shards)


def test_nothing_to_compare_on_is_an_error(tmp_path: Path) -> None:
    models = save_models(tmp_path)
    network = OpenVinoNetwork(models / "detector.onnx", 1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataSetError, match="no pictures"):
        gate_detector(network, network, INPUT_PX, tmp_path / "empty")
    with pytest.raises(DataSetError, match="no pictures"):
        gate_detector(network, network, INPUT_PX, tmp_path / "gone")
    with pytest.raises(DataSetError, match="no crop shard"):
        gate_faces(network, network, CROP_PX, tmp_path / "empty")


@pytest.mark.parametrize("runtime", [OpenVinoNetwork, OnnxRuntimeNetwork])
def test_halved_weights_compute_alike_in_a_smaller_file(
    tmp_path: Path, runtime: type[OpenVinoNetwork] | type[OnnxRuntimeNetwork]
) -> None:
    models = save_models(tmp_path)
    small = tmp_path / "small.onnx"
    assert halve_weights(models / "faces.onnx", small) == 2
    assert small.stat().st_size < 0.7 * (models / "faces.onnx").stat().st_size
    pictures = np.random.default_rng(1).integers(0, 256, (4, CROP_PX, CROP_PX, 3))
    whole = runtime(models / "faces.onnx", 1).run(pictures.astype(np.uint8))
    half = runtime(small, 1).run(pictures.astype(np.uint8))
    assert half == pytest.approx(whole, abs=0.02)
    # the weights keep their names, for trainings that begin with them
    names = {tensor.name for tensor in onnx.load(small).graph.initializer}
    assert {"weights", "bias"} <= names


def test_weights_beyond_float16_are_left(tmp_path: Path) -> None:
    models = save_models(tmp_path)
    model = onnx.load(models / "faces.onnx")
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor) * np.float32(1e6)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(model, tmp_path / "large.onnx")
    assert halve_weights(tmp_path / "large.onnx", tmp_path / "half.onnx") == 0
