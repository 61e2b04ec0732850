"""Tuning the face reader to one set of dice: a few minutes on two cores."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from datasets.enrolment.thread_choice import ThreadChoice
from datasets.shards import DataSetError
from datasets.starting_weights import load_start
from datasets.ultralytics_adapter import ClassificationModel
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.enrolment.tuning_options import TuningOptions

    Lessons = tuple[NDArray[np.uint8], NDArray[np.int64]]

NETWORK = "yolov8n-cls.yaml"


@contextmanager
def _quiet() -> Iterator[None]:
    """Ultralytics tells of every network it makes, on stdout."""
    log = logging.getLogger("ultralytics")
    before = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(before)


class FaceNetwork(torch.nn.Module):
    """The published face reader as one that can learn; says logits.

    The norms that the export folded away come back as a gain and a bias for each
    channel, and stay at that: so few pictures say nothing of a channel's statistics.

    Args:
        path: ONNX file of the face reader.

    Raises:
        DataSetError: it is another network.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        with _quiet():
            self.whole = ClassificationModel(
                NETWORK, nc=len(CLASS_NAMES), verbose=False
            )
        load_start(self.whole, path)
        self.whole.eval()
        for weights in self.whole.parameters():
            weights.requires_grad_(True)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Turn (N, 3, H, W) RGB in 0..1 into (N, classes) logits."""
        for layer in self.whole.model[:-1]:
            pictures = layer(pictures)
        head = self.whole.model[-1]
        said: torch.Tensor = head.linear(head.pool(head.conv(pictures)).flatten(1))
        return said


def tune_faces(
    start: Path,
    lessons: Lessons,
    options: TuningOptions,
    steps: Iterable[int],
    rehearsed: Lessons | None = None,
) -> FaceNetwork:
    """Teach a published face reader some lessons.

    The same lessons and options give the same weights on the same machine, if the
    options say how many threads; if not, as many are used as are of use at the time.

    What comes out lies between the published weights and those that the lessons led to,
    weight by weight: few pictures of a face teach the light they were taken in along
    with the face, and the published weights know many lights (Wortsman et al., "Robust
    fine-tuning of zero-shot models", 2022).

    Args:
        start: its ONNX file.
        lessons: (N, crop_px, crop_px, 3) uint8 BGR crops, and (N,) classes.
        options: how.
        steps: yields `options.steps` numbers, so that a bar can be shown.
        rehearsed: lessons of what it knows already, mixed into each batch.

    Raises:
        DataSetError: the file is another network, a lesson has no such class, or a
            share is none.
    """
    for what in ("share", "rehearsed"):
        if not 0 <= (value := getattr(options, what)) <= 1:
            raise DataSetError(f"{what} of a tuning must be from 0 to 1, not {value}")
    for crops, labels in (lessons, *([] if rehearsed is None else [rehearsed])):
        if not len(crops) or labels.min() < 0 or labels.max() >= len(CLASS_NAMES):
            raise DataSetError(
                "lessons need crops, each with one of the reader's classes"
            )
    choice = None if options.threads else ThreadChoice(torch.get_num_threads())
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    network = FaceNetwork(start)
    published = {name: one.clone() for name, one in network.state_dict().items()}
    rng = np.random.default_rng(options.seed)
    descent = torch.optim.AdamW(
        network.parameters(), lr=options.rate, weight_decay=options.decay
    )
    batches = _mixed(rng, lessons, rehearsed, options)
    for step in steps:
        began = time.perf_counter()
        for group in descent.param_groups:
            group["lr"] = options.rate * _share(step, options.steps)
        pictures, wanted = next(batches)
        with torch.autocast("cpu", torch.bfloat16):
            said = network(pictures)
        loss = torch.nn.functional.cross_entropy(
            said.float(), wanted, label_smoothing=options.smoothing
        )
        descent.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch ships it so
        descent.step()
        if choice is not None:
            choice.took(time.perf_counter() - began)
            torch.set_num_threads(choice.threads)
    network.load_state_dict(
        {
            name: torch.lerp(published[name], tuned, options.share)
            if tuned.is_floating_point()
            else tuned
            for name, tuned in network.state_dict().items()
        }
    )
    return network


def _share(step: int, steps: int) -> float:
    """Of the highest rate: up in the first 20 steps, down along a cosine."""
    fall = 0.5 * (1 + float(np.cos(np.pi * step / steps)))
    return min(1.0, (step + 1) / 20) * fall


def _mixed(
    rng: np.random.Generator,
    lessons: Lessons,
    rehearsed: Lessons | None,
    options: TuningOptions,
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Batches of lessons, a share of each from what is rehearsed."""
    old = 0 if rehearsed is None else options.rehearsed_a_batch
    own = _batches(rng, lessons, options.batch - old)
    if rehearsed is None or not old:
        yield from own
        return
    known = _batches(rng, rehearsed, old)
    for parts in zip(own, known, strict=True):
        pictures, labels = zip(*parts, strict=True)
        yield torch.cat(pictures), torch.cat(labels)


def _batches(
    rng: np.random.Generator, lessons: Lessons, size: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    crops, labels = lessons
    while True:
        chosen = rng.integers(0, len(crops), size)
        gains = np.exp(
            rng.normal(0, 0.15, (size, 1, 1, 1)) + rng.normal(0, 0.06, (size, 1, 1, 3))
        )
        seen = np.clip(crops[chosen] * gains, 0, 255)
        rgb = np.ascontiguousarray(seen[..., ::-1].transpose(0, 3, 1, 2), np.float32)
        yield torch.from_numpy(rgb).div_(255), torch.from_numpy(labels[chosen])


def tuned_onnx(start: Path, network: FaceNetwork) -> bytes:
    """The published file with the weights of a tuned network in their places.

    Raises:
        DataSetError: the file's weights have other names.
    """
    model = onnx.load(start)
    state = {k: v.detach().float() for k, v in network.whole.state_dict().items()}
    for tensor in model.graph.initializer:
        values = _folded(tensor.name, state)
        if values is None:
            continue
        held = numpy_helper.to_array(tensor)
        if held.shape != tuple(values.shape):
            raise DataSetError(f"{start}: {tensor.name} has another shape than ours")
        kept = values.numpy().astype(held.dtype)
        tensor.CopyFrom(numpy_helper.from_array(kept, tensor.name))
        state.pop(tensor.name, None)
    left = [name for name in state if name.endswith("conv.weight")]
    if left:
        raise DataSetError(f"{start}: has no weights called {left[0]}")
    return bytes(model.SerializeToString())


def _folded(name: str, state: dict[str, torch.Tensor]) -> torch.Tensor | None:
    """A tensor of the file: gains of the norms multiplied in, their biases taken."""
    if name.endswith("conv.bias"):
        return state.get(name.removesuffix("conv.bias") + "bn.bias")
    weights = state.get(name)
    if weights is None or not name.endswith("conv.weight"):
        return weights
    gain = state[name.removesuffix("conv.weight") + "bn.weight"]
    return weights * gain[:, None, None, None]
