"""Training the network that says how a die lies beneath its face."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from datasets.body_checkpoint import BodyCheckpoint
from datasets.body_set import read_bodies
from datasets.shards import DataSetError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.body_set import BodyCrops

SHAPE = 8
"""Numbers that say where quad and foot are; see `BodyCrops.shape`."""
OUTPUTS = SHAPE + 2 + 3
"""Besides: log spread of quad and foot, logits of covered, stacked and printed."""
COVERED, FREE = 0.9, 0.97
"""Faces seen less than the first count as covered, more than the second as free."""
LEAST_LOG, MOST_LOG = -4.5, 1.0
"""Bounds of the log spread that may be stated."""


def make_network(width: int = 12) -> nn.Sequential:
    """A small plain network for cut-outs of 64 pixels: (N, 3, 64, 64) to (N, 13)."""
    w = width

    def block(inputs: int, outputs: int, stride: int) -> list[nn.Module]:
        return [
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]

    return nn.Sequential(
        *block(3, w, 2),
        *block(w, 2 * w, 2),
        *block(2 * w, 3 * w, 1),
        *block(3 * w, 4 * w, 2),
        *block(4 * w, 6 * w, 1),
        *block(6 * w, 8 * w, 2),
        nn.Flatten(),
        nn.Linear(8 * w * 16, 96),
        nn.ReLU(inplace=True),
        nn.Linear(96, OUTPUTS),
    )


def body_loss(
    said: torch.Tensor, shape: torch.Tensor, flags: torch.Tensor
) -> torch.Tensor:
    """How badly what is said fits the truth.

    Args:
        said: (N, 13) output of the network.
        shape: (N, 8) see `BodyCrops.shape`.
        flags: (N, 3) covered, stacked, printed: 0, 1, or -1 where it is not asked.
    """
    off = (said[:, :SHAPE] - shape) ** 2
    spread = said[:, SHAPE : SHAPE + 2].clamp(LEAST_LOG, MOST_LOG)
    seen = (flags[:, 0] < 0.5).float()  # where a face is covered its shape is a guess
    sums = torch.stack([off[:, :6].sum(dim=1), off[:, 6:].sum(dim=1)], dim=1)
    counts = torch.tensor([6.0, 2.0])
    apart = 0.5 * sums * torch.exp(-2 * spread) + counts * spread
    told = nn.functional.binary_cross_entropy_with_logits(
        said[:, SHAPE + 2 :], flags.clamp(min=0), reduction="none"
    )
    told = told * (flags >= 0)
    return ((0.2 + 0.8 * seen) * apart.sum(dim=1) / 4 + 2 * told.sum(dim=1)).mean()


def mirrored(
    images: torch.Tensor, shape: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same cut-outs seen in a mirror (left for right).

    No glyph is read here, so a mirrored die is as good a die. Its first corner is the
    mirrored second one.
    """
    out = shape.clone()
    flip = torch.tensor([-1.0, 1.0])
    out[:, 0:2] = shape[:, 0:2] * flip
    out[:, 2:4] = shape[:, 4:6] * flip
    out[:, 4:6] = shape[:, 2:4] * flip
    out[:, 6:8] = shape[:, 6:8] * flip
    return images.flip(3), out


def turned(
    images: torch.Tensor, shape: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same cut-outs turned by a quarter, clockwise.

    The half-diagonal to the first corner is then minus the one to the old last corner,
    which is opposite to the second.
    """

    def turn(points: torch.Tensor) -> torch.Tensor:
        return torch.stack([-points[:, 1], points[:, 0]], dim=1)

    out = torch.cat(
        [
            turn(shape[:, 0:2]),
            turn(-shape[:, 4:6]),
            turn(shape[:, 2:4]),
            turn(shape[:, 6:8]),
        ],
        dim=1,
    )
    return images.rot90(-1, (2, 3)), out


def _batch(
    rng: np.random.Generator, held: BodyCrops, flags: NDArray[np.float32], k: np.ndarray
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Some cut-outs, recoloured, turned and mirrored by chance."""
    rgb = held.images[k][..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
    gain = np.exp(
        rng.normal(0, 0.15, (len(k), 1, 1, 1)) + rng.normal(0, 0.08, (len(k), 3, 1, 1))
    )
    shift = rng.normal(0, 0.03, (len(k), 1, 1, 1))
    rgb = np.clip(rgb * gain + shift, 0, 1).astype(np.float32)
    images, shape = torch.from_numpy(rgb), torch.from_numpy(held.shape[k])
    for _ in range(int(rng.integers(4))):
        images, shape = turned(images, shape)
    if rng.random() < 0.5:
        images, shape = mirrored(images, shape)
    return images, shape, torch.from_numpy(flags[k])


def flags_of(held: BodyCrops) -> NDArray[np.float32]:
    """(N, 3) covered, stacked, printed: 1, 0, or -1 where it shall not be asked."""
    covered = np.where(held.visible < COVERED, 1.0, 0.0)
    covered[(held.visible >= COVERED) & (held.visible < FREE)] = -1
    stacked = np.where(held.stacked, 1.0, 0.0)
    printed = np.where(held.printed, 1.0, 0.0)
    stacked[held.visible < 0.6] = printed[held.visible < 0.6] = -1
    return np.stack([covered, stacked, printed], axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class BodyRun:
    """Measures of one training.

    Attributes:
        data: set to learn from.
        weights: file of the weights; also where a run goes on.
        epochs: looks at the whole set.
        batch: cut-outs a step.
        rate: greatest learning rate.
        width: of the network.
        seed: of weights and order.
        threads: of torch; 0 leaves it the choice.
    """

    data: Path
    weights: Path
    epochs: int = 12
    batch: int = 64
    rate: float = 2e-3
    width: int = 12
    seed: int = 0
    threads: int = 0


def plan_text(run: BodyRun) -> str:
    """What decides the weights, besides those begun with: `run.json` has more."""
    return (
        f"epochs {run.epochs}, batch {run.batch}, rate {run.rate:g}, width {run.width},"
        f" seed {run.seed}"
    )


def train_bodies(run: BodyRun, tell: Callable[[int, float], None]) -> nn.Sequential:
    """Train from scratch, or from the weights that are there.

    Weights of a narrower network are taken too; see `widened`. A training that was
    stopped goes on after its last whole epoch, as if it had not been stopped.

    Args:
        run: what to do.
        tell: is given each epoch's number and mean loss.

    Raises:
        DataSetError: no usable set.
    """
    if run.threads:
        torch.set_num_threads(run.threads)
    torch.manual_seed(run.seed)
    network = make_network(run.width).to(memory_format=torch.channels_last)
    able = torch.ops.mkldnn._is_mkldnn_bf16_supported()  # half the time where it is
    if run.weights.exists():
        state = torch.load(run.weights, weights_only=True)
        network.load_state_dict(widened(state, network.state_dict()))
    maker = torch.optim.AdamW(network.parameters(), run.rate, weight_decay=0.01)
    held_up = BodyCheckpoint(run.weights, plan_text(run))
    for epoch in range(held_up.load(network, maker), run.epochs):
        rng = np.random.default_rng((run.seed, epoch))
        network.train()
        held = read_bodies(run.data)  # what was drawn meanwhile counts too
        flags = flags_of(held)
        order, total = rng.permutation(len(flags)), 0.0
        count = len(order) // run.batch
        for k in range(count):
            for group in maker.param_groups:
                group["lr"] = run.rate * rate_share((epoch + k / count) / run.epochs)
            chosen = order[k * run.batch : (k + 1) * run.batch]
            images, shape, told = _batch(rng, held, flags, chosen)
            images = images.contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16, enabled=able):
                said = network(images)
            loss = body_loss(said.float(), shape, told)
            maker.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            maker.step()
            total += float(loss.detach())
        held_up.save(network, maker, epoch + 1)
        tell(epoch, total / max(count, 1))
    held_up.end(network)
    return network.eval()


def said_by(network: nn.Module, images: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What a network says of cut-outs, computed in float32.

    Args:
        network: as trained.
        images: (N, S, S, 3) uint8 BGR.

    Returns:
        (N, 13), see `vision.body.OUTPUT_NAMES`.
    """
    network.eval()
    parts = []
    with torch.inference_mode():
        for k in range(0, len(images), 256):
            rgb = (
                images[k : k + 256, ..., ::-1].transpose(0, 3, 1, 2).astype(np.float32)
            )
            parts.append(network(torch.from_numpy(rgb / np.float32(255))).numpy())
    return np.concatenate(parts)


def widened(
    state: dict[str, torch.Tensor], wide: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Put weights of a narrow network into a wider one, which then says the same.

    The new channels see, but nobody listens to them yet. Compare Chen et al.,
    "Net2Net", 2016.

    Args:
        state: of the narrow network.
        wide: of a fresh wider one of the same layers; not changed.

    Raises:
        DataSetError: the narrow network has other layers, or is the wider one.
    """
    if state.keys() != wide.keys():
        raise DataSetError("the weights are of a network of other layers")
    out = {}
    for name, fresh in wide.items():
        held = state[name]
        if held.dim() != fresh.dim() or any(
            have > want for have, want in zip(held.shape, fresh.shape, strict=True)
        ):
            raise DataSetError(
                f"the weights are of a wider network: {name} is {list(held.shape)}, "
                f"at most {list(fresh.shape)} expected"
            )
        values = fresh.clone()
        if fresh.dim() > 1:  # what the old channels hear of the new ones: nothing
            values[: held.shape[0], held.shape[1] :] = 0
        values[tuple(slice(size) for size in held.shape)] = held
        out[name] = values
    return out


def rate_share(progress: float) -> float:
    """Share of the greatest rate at a point of the run, 0..1: up in a tenth, down."""
    if progress < 0.1:
        return 0.05 + 9.5 * progress
    return 0.01 + 0.495 * (1 + math.cos(math.pi * (progress - 0.1) / 0.9))


def export_bodies(network: nn.Sequential, path: Path, crop_px: int = 64) -> None:
    """Write a trained network as ONNX, batch open, with the runtime's names."""
    example = torch.zeros(2, 3, crop_px, crop_px)
    with warnings.catch_warnings():
        # the newer exporter wants another package and writes the same network
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network.eval(),
            (example,),
            str(path),
            input_names=["images"],
            output_names=["output"],
            dynamic_axes={"images": {0: "batch"}, "output": {0: "batch"}},
            opset_version=17,
            dynamo=False,
        )
