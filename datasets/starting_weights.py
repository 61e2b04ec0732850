"""Weights to begin a training with: a state dict, or a model that was published."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import onnx.numpy_helper
import torch

from datasets.shards import DataSetError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
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
    comes back does nothing but add the bias, until `wake_norms` has seen what it gets.
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


def wake_norms(model: torch.nn.Module, batches: Iterable[torch.Tensor]) -> int:
    """Give norms that came back from an export the statistics of what they see.

    In training a norm works with the statistics of its batch, so one that was to do
    nothing would undo what the network knows. Here every norm gets the mean and spread
    of its input, and the gain and bias that take them back: what the network says stays
    the same, in training as out of it.

    Args:
        model: as `load_start` left it; changed in place.
        batches: pictures as in training, (N, 3, H, W) in 0..1.

    Returns:
        How many norms were woken.
    """
    norms = [m for m in model.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    seen: dict[torch.nn.Module, list[torch.Tensor]] = {norm: [] for norm in norms}

    def note(norm: torch.nn.Module, given: tuple[torch.Tensor, ...]) -> None:
        values = given[0].detach().float()
        seen[norm].append(
            torch.stack([values.mean((0, 2, 3)), values.square().mean((0, 2, 3))])
        )

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            for batch in batches:
                model(batch)
    finally:
        for hook in hooks:
            hook.remove()
        model.train(training)
    with torch.no_grad():
        for norm, moments in seen.items():
            if moments:
                mean, square = torch.stack(moments).mean(0)
                _settle(norm, mean, (square - mean.square()).clamp_min(0))
    return sum(bool(moments) for moments in seen.values())


def _settle(norm: torch.nn.Module, mean: torch.Tensor, spread: torch.Tensor) -> None:
    """Let a norm that adds its bias know its input, without changing what it says."""
    assert isinstance(norm, torch.nn.BatchNorm2d)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.add_(mean)


WAKING_BATCHES = 8


def wake_on_start(trainer: Any) -> None:
    """Callback of an ultralytics trainer that began with an export: `wake_norms`."""
    loader = iter(trainer.train_loader)
    batches = (
        trainer.preprocess_batch(next(loader))["img"] for _ in range(WAKING_BATCHES)
    )
    count = min(WAKING_BATCHES, len(trainer.train_loader))
    model = getattr(trainer.model, "module", trainer.model)  # as cards share it
    wake_norms(model, itertools.islice(batches, count))
    if torch.distributed.is_initialized():  # each card saw other pictures
        for value in model.state_dict().values():
            torch.distributed.broadcast(value, 0)
    if trainer.ema:
        trainer.ema.ema.load_state_dict(model.state_dict())
