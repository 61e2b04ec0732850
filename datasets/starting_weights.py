"""Weights to begin a training with: a state dict, or a model that was published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnx
import onnx.numpy_helper
import torch

from datasets.shards import DataSetError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Tensors = dict[str, torch.Tensor]


def load_start(model: torch.nn.Module, path: Path) -> int:
    """Load the weights of a file that fit a network by name and shape.

    Args:
        model: changed in place.
        path: an ONNX file of ours, or a state dict (`.pt`) with ultralytics' names.

    Returns:
        How many tensors were loaded.

    Raises:
        DataSetError: the file holds no weights, or hardly any of them fit.
    """
    own = model.state_dict()
    found = dict(_unfused(path, own)) if path.suffix == ".onnx" else _state(path)
    fitting = {
        name: value.to(own[name].dtype)
        for name, value in found.items()
        if name in own and own[name].shape == value.shape
    }
    if len(fitting) < max(1, len(found) / 2):
        raise DataSetError(
            f"{path}: only {len(fitting)} of {len(found)} tensors fit this network"
        )
    model.load_state_dict(fitting, strict=False)
    return len(fitting)


def _state(path: Path) -> Tensors:
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises what its unpickler meets
        raise DataSetError(f"{path}: not a state dict of weights: {error}") from error
    if not isinstance(state, dict):
        raise DataSetError(f"{path}: not a state dict but {type(state).__name__}")
    return {k: v for k, v in state.items() if isinstance(v, torch.Tensor)}


def _unfused(path: Path, own: Tensors) -> Iterator[tuple[str, torch.Tensor]]:
    """Weights of an exported network under the names of one in training.

    The export folds each batch norm into the convolution before it. The norm that
    comes back does nothing but add the bias; training gives it a life of its own.
    """
    try:
        graph = onnx.load(path).graph
    except Exception as error:  # protobuf's errors share no public base
        raise DataSetError(f"{path}: not an ONNX file: {error}") from error
    for tensor in graph.initializer:
        value = torch.from_numpy(np.array(onnx.numpy_helper.to_array(tensor)))
        norm = tensor.name.removesuffix("conv.bias") + "bn."
        if tensor.name.endswith("conv.bias") and norm + "weight" in own:
            eps = 1e-3  # of every norm in ultralytics' networks
            yield norm + "weight", torch.ones_like(value)
            yield norm + "bias", value
            yield norm + "running_mean", torch.zeros_like(value)
            yield norm + "running_var", torch.full_like(value, 1 - eps)
        elif tensor.name in own:
            yield tensor.name, value
