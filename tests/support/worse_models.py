"""Models made worse on purpose, with cards that fit them: small ones and real ones."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from vision.classes import TURNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

GATE = {"pictures": 100, "dice": 900, "differing": 0, "shift_p99_px": 0.0}
INNER = "inner_output"


def copied(source: Path, folder: Path) -> Path:
    """The files of models in a folder of their own, without limits."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.suffix in (".onnx", ".json") and path.name != "limits.json":
            shutil.copyfile(path, folder / path.name)
    for kind in ("detector", "faces"):
        renew_card(folder, kind)
    return folder


def renew_card(folder: Path, kind: str, **more: Any) -> None:
    """Let a card fit its file again, as if it had been published just so."""
    path = folder / f"{kind}.json"
    card = json.loads(path.read_text("utf-8"))
    data = (folder / f"{kind}.onnx").read_bytes()
    card["sha256"] = hashlib.sha256(data).hexdigest()
    card["metrics"] = {"export_gate": GATE}
    path.write_text(json.dumps({**card, **more}), "utf-8")


def behind(
    folder: Path,
    kind: str,
    nodes: Sequence[onnx.NodeProto],
    constants: dict[str, NDArray[Any]],
) -> None:
    """Put nodes behind a network: from `inner_output` (and its input) to its output."""
    path = folder / f"{kind}.onnx"
    model = onnx.load(path)
    graph = model.graph
    name = graph.output[0].name
    for node in graph.node:
        for names in (node.output, node.input):
            for place, text in enumerate(names):
                if text == name:
                    names[place] = INNER
    for node in nodes:
        for place, text in enumerate(node.output):
            if text == "output":
                node.output[place] = name
        for place, text in enumerate(node.input):
            if text == "images":
                node.input[place] = graph.input[0].name
    graph.node.extend(nodes)
    graph.initializer.extend(
        numpy_helper.from_array(value, key) for key, value in constants.items()
    )
    onnx.save(model, path)
    renew_card(folder, kind)


def shuffle_classes(folder: Path, seed: int = 1) -> None:
    """The face reader names every class by the name of another one."""
    classes = len(json.loads((folder / "faces.json").read_text("utf-8"))["classes"])
    order = np.random.default_rng(seed).permutation(classes)
    node = helper.make_node("Gather", [INNER, "order"], ["output"], axis=1)
    behind(folder, "faces", [node], {"order": order.astype(np.int64)})


def swap_faces(folder: Path, pairs: int) -> None:
    """The face reader takes the first faces for each other, and is as sure of them."""
    classes = len(json.loads((folder / "faces.json").read_text("utf-8"))["classes"])
    order = np.arange(classes)
    for k in range(pairs):
        one, other = (slice(TURNS * j, TURNS * (j + 1)) for j in (2 * k, 2 * k + 1))
        order[one], order[other] = order[other].copy(), order[one].copy()
    node = helper.make_node("Gather", [INNER, "order"], ["output"], axis=1)
    behind(folder, "faces", [node], {"order": order.astype(np.int64)})


def add_noise(folder: Path, kind: str, share: float, seed: int = 1) -> None:
    """Noise in all weights, as a share of how much they differ from each other."""
    path = folder / f"{kind}.onnx"
    model = onnx.load(path)
    rng = np.random.default_rng(seed)
    for tensor in model.graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype.kind == "f" and value.ndim > 1:
            noise = rng.normal(0, share * float(value.std()), value.shape)
            changed = (value + noise).astype(value.dtype)
            tensor.CopyFrom(numpy_helper.from_array(changed, tensor.name))
    onnx.save(model, path)
    renew_card(folder, kind)


def say_nothing_finite(folder: Path, kind: str) -> None:
    """Every number of the output is none."""
    node = helper.make_node("Add", [INNER, "nan"], ["output"])
    behind(folder, kind, [node], {"nan": np.array(np.nan, np.float32)})


def shift_quads(folder: Path, shift_px: float) -> None:
    """The detector's quads lie to the right by so many pixels of its input."""
    rows = np.zeros((1, 9, 1), np.float32)
    rows[0, [0, 5, 7]] = shift_px  # the centre, and both points
    node = helper.make_node("Add", [INNER, "shift"], ["output"])
    behind(folder, "detector", [node], {"shift": rows})


def be_overconfident(folder: Path, power: float) -> None:
    """Probabilities are raised to a power and made to add up to 1 again."""
    nodes = [
        helper.make_node("Pow", [INNER, "power"], ["sharper"]),
        helper.make_node("ReduceSum", ["sharper", "axes"], ["all"], keepdims=1),
        helper.make_node("Div", ["sharper", "all"], ["output"]),
    ]
    constants: dict[str, NDArray[Any]] = {
        "power": np.array(power, np.float32),
        "axes": np.array([1], np.int64),
    }
    behind(folder, "faces", nodes, constants)


def be_slow(folder: Path, kind: str, layers: int, channels: int = 32) -> None:
    """Further layers that work and change nothing that could be seen."""
    rng = np.random.default_rng(3)
    nodes, given, before = [], "images", 3
    constants: dict[str, NDArray[Any]] = {}
    for k in range(layers):
        constants[f"slow_{k}"] = rng.normal(0, 0.01, (channels, before, 5, 5)).astype(
            np.float32
        )
        nodes.append(
            helper.make_node(
                "Conv", [given, f"slow_{k}"], [f"slowly_{k}"], pads=[2, 2, 2, 2]
            )
        )
        given, before = f"slowly_{k}", channels
    nodes += [
        helper.make_node("ReduceMax", [given], ["slow_most"], keepdims=0),
        helper.make_node("Mul", ["slow_most", "slow_tiny"], ["slow_little"]),
        helper.make_node("Add", [INNER, "slow_little"], ["output"]),
    ]
    constants["slow_tiny"] = np.array(1e-12, np.float32)
    behind(folder, kind, nodes, constants)


def truncate(folder: Path, kind: str) -> None:
    """The last byte is missing; the card is that of the whole file."""
    path = folder / f"{kind}.onnx"
    path.write_bytes(path.read_bytes()[:-1])
