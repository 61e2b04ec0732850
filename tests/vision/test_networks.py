"""Both runtimes run networks alike, and refuse what is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import helper
from small_models import save_network

from vision.errors import ModelError
from vision.onnx_runtime import OnnxRuntimeNetwork
from vision.openvino_runtime import OpenVinoNetwork
from vision.ports import Network

Open = Callable[[Path, int], Network]
RUNTIMES = [
    pytest.param(OpenVinoNetwork, id="openvino"),
    pytest.param(OnnxRuntimeNetwork, id="onnxruntime"),
]


def save_scaler(path: Path, batch: int | str = "batch") -> None:
    """A network that gives the means of red, green and blue times 1, 2 and 3."""
    nodes = [
        helper.make_node("GlobalAveragePool", ["images"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["flat"]),
        helper.make_node("Mul", ["flat", "factors"], ["output"]),
    ]
    factors = {"factors": np.array([[1, 2, 3]], np.float32)}
    save_network(path, nodes, factors, (batch, 3, 8, 6), (batch, 3))


@pytest.mark.parametrize("open_network", RUNTIMES)
@pytest.mark.parametrize("count", [1, 2, 7])
def test_network_computes_what_it_says(
    tmp_path: Path, open_network: Open, count: int
) -> None:
    save_scaler(tmp_path / "net.onnx")
    network = open_network(tmp_path / "net.onnx", 1)
    pictures = np.random.default_rng(3).integers(0, 256, (count, 8, 6, 3), np.uint8)
    output = network.run(pictures)
    assert output.dtype == np.float32
    rgb = pictures[..., ::-1].mean(axis=(1, 2)) / 255
    assert output == pytest.approx(rgb * [1, 2, 3], abs=1e-5)


@pytest.mark.parametrize("open_network", RUNTIMES)
def test_network_takes_views_of_pictures(tmp_path: Path, open_network: Open) -> None:
    save_scaler(tmp_path / "net.onnx")
    network = open_network(tmp_path / "net.onnx", 1)
    pictures = np.random.default_rng(4).integers(0, 256, (2, 6, 8, 3), np.uint8)
    turned = np.rot90(pictures, axes=(1, 2))
    assert not turned.flags.c_contiguous
    assert np.array_equal(network.run(turned), network.run(turned.copy()))


@pytest.mark.parametrize("open_network", RUNTIMES)
def test_network_keeps_an_earlier_result(tmp_path: Path, open_network: Open) -> None:
    save_scaler(tmp_path / "net.onnx")
    network = open_network(tmp_path / "net.onnx", 0)
    first = network.run(np.full((1, 8, 6, 3), 255, np.uint8))
    network.run(np.zeros((1, 8, 6, 3), np.uint8))
    assert first == pytest.approx(np.array([[1, 2, 3]]), abs=1e-6)


@pytest.mark.parametrize("open_network", RUNTIMES)
def test_network_states_its_input(tmp_path: Path, open_network: Open) -> None:
    save_scaler(tmp_path / "open.onnx")
    save_scaler(tmp_path / "fixed.onnx", batch=4)
    assert open_network(tmp_path / "open.onnx", 0).input_shape == (None, 3, 8, 6)
    assert open_network(tmp_path / "fixed.onnx", 0).input_shape == (4, 3, 8, 6)


@pytest.mark.parametrize("open_network", RUNTIMES)
def test_file_that_is_no_network_is_named(tmp_path: Path, open_network: Open) -> None:
    path = tmp_path / "bad.onnx"
    path.write_bytes(b"this is no network" * 20)
    with pytest.raises(ModelError, match=r"bad\.onnx"):
        open_network(path, 0)
    with pytest.raises(ModelError, match=r"gone\.onnx"):
        open_network(tmp_path / "gone.onnx", 0)


@pytest.mark.parametrize("size_px", [(8, 6), (4, 10)])
def test_open_sides_are_decided(tmp_path: Path, size_px: tuple[int, int]) -> None:
    nodes = [helper.make_node("GlobalAveragePool", ["images"], ["output"])]
    shape: tuple[int | str, ...] = (1, 3, "height", "width")
    save_network(tmp_path / "net.onnx", nodes, {}, shape, (1, 3, 1, 1))
    network = OpenVinoNetwork(tmp_path / "net.onnx", 1, size_px=size_px)
    assert network.input_shape == (1, 3, *size_px)
    picture = np.full((1, *size_px, 3), 51, np.uint8)
    assert network.run(picture).ravel() == pytest.approx([0.2, 0.2, 0.2])


def test_a_size_that_the_file_states_stays(tmp_path: Path) -> None:
    save_scaler(tmp_path / "net.onnx")
    network = OpenVinoNetwork(tmp_path / "net.onnx", 1, size_px=(16, 12))
    assert network.input_shape == (None, 3, 8, 6)
