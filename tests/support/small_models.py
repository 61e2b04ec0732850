"""Tiny ONNX networks that read painted dice, made on the spot with their cards."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np
import onnx
import painted_dice
from onnx import TensorProto, helper, numpy_helper

from scoring.cards import ALL_FACES
from vision.classes import CLASS_NAMES, TURNS
from vision.quads import encode_quads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

INPUT_PX = (180, 320)
CROP_PX = 32
SHARPNESS = 100.0


def save_network(
    path: Path,
    nodes: Sequence[onnx.NodeProto],
    constants: dict[str, NDArray[np.float32]],
    input_shape: tuple[int | str, ...],
    output_shape: tuple[int | str, ...],
) -> None:
    """Write a network from `images` to `output`."""
    graph = helper.make_graph(
        list(nodes),
        "small",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, input_shape)],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, output_shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def write_card(
    folder: Path, kind: str, classes: Sequence[str], size: tuple[int, int]
) -> None:
    data = (folder / f"{kind}.onnx").read_bytes()
    card = {
        "name": f"small-{kind}",
        "sha256": hashlib.sha256(data).hexdigest(),
        "input_px": list(size),
        "classes": list(classes),
    }
    (folder / f"{kind}.json").write_text(json.dumps(card), "utf-8")


def detector_output(
    quads: NDArray[np.float64], scores: Sequence[float]
) -> NDArray[np.float32]:
    """(9, N) output that states these quads, (N, 4, 2) in the network's input."""
    points = encode_quads(quads)
    side = np.ptp(quads, axis=1).max(axis=1)
    rows = [points[:, 0, 0], points[:, 0, 1], side, side, np.array(scores)]
    rows += [points[:, k, axis] for k in (1, 2) for axis in (0, 1)]
    return np.stack(rows).astype(np.float32)


def save_detector(
    folder: Path, output: NDArray[np.float32], input_px: tuple[int, int] = INPUT_PX
) -> None:
    """A detector that states the same quads whatever it is shown."""
    nodes = [
        helper.make_node("ReduceSum", ["images"], ["sum"], keepdims=0),
        helper.make_node("Mul", ["sum", "zero"], ["nothing"]),
        helper.make_node("Add", ["stated", "nothing"], ["output"]),
    ]
    constants = {"zero": np.array(0, np.float32), "stated": output[None]}
    save_network(
        folder / "detector.onnx",
        nodes,
        constants,
        (1, 3, *input_px),
        (1, *output.shape),
    )
    write_card(folder, "detector", ["die"], input_px)


def save_faces(folder: Path) -> None:
    """A classifier that names the painted colour nearest to a crop's mean colour."""
    centres = np.array(
        [painted_dice.COLOURS[f.code] for f in ALL_FACES for _ in range(TURNS)]
        + [painted_dice.TABLE],
        np.float32,
    )[:, ::-1] / np.float32(255)
    # of the four turns of a flat colour the first is a little likelier
    favour = np.array([0.5, 0, 0, 0] * len(ALL_FACES) + [0], np.float32)
    bias = favour - SHARPNESS * (centres**2).sum(axis=1)
    nodes = [
        helper.make_node("GlobalAveragePool", ["images"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["colour"]),
        helper.make_node("Gemm", ["colour", "weights", "bias"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["output"], axis=1),
    ]
    weights = np.ascontiguousarray(2 * SHARPNESS * centres.T)
    save_network(
        folder / "faces.onnx",
        nodes,
        {"weights": weights.astype(np.float32), "bias": bias.astype(np.float32)},
        ("batch", 3, CROP_PX, CROP_PX),
        ("batch", len(CLASS_NAMES)),
    )
    write_card(folder, "faces", CLASS_NAMES, (CROP_PX, CROP_PX))


def save_models(folder: Path) -> Path:
    """Both models for painted dice in 640x360 pictures; the folder."""
    quads = (np.array(painted_dice.SLOTS) + 0.5) * (INPUT_PX[1] / painted_dice.WIDTH)
    save_detector(folder, detector_output(quads, [0.9] * len(quads)))
    save_faces(folder)
    return folder
