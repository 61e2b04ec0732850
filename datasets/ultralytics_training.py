"""How we drive ultralytics: one run, resumable, on a GPU or well on a CPU."""

from __future__ import annotations

import contextlib
import math
import os
import time
from typing import TYPE_CHECKING, Any

import torch

from datasets.shards import DataSetError
from datasets.ultralytics_adapter import engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.run_options import RunOptions


@contextlib.contextmanager
def cpu_bfloat16() -> Iterator[None]:
    """Let ultralytics train in bfloat16 on a CPU, which it offers on GPUs only.

    A processor with bfloat16 units trains these small networks about twice as fast with
    it; the master weights stay float32. Without such units nothing is changed.
    """
    able = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    original = engine.autocast

    def autocast(enabled: Any, device: str = "cuda") -> Any:
        if device == "cpu" and able:
            return torch.autocast("cpu", dtype=torch.bfloat16)
        return original(enabled, device)

    engine.autocast = autocast
    try:
        yield
    finally:
        engine.autocast = original


WARMUP_STEPS = 100
LAST_SHARE = 0.01
"""The learning rate ends at this share of its first value."""


def step_rate(rate: float, progress: float, step: int) -> float:
    """Learning rate of one step: a short warm-up, then half a cosine.

    Ultralytics changes the rate once an epoch, which is too coarse for the few long
    epochs that a CPU can afford.

    Args:
        rate: first value.
        progress: share of the run that is done, 0..1.
        step: number of the step since the run began or went on.
    """
    fall = 0.5 * (1 + math.cos(math.pi * min(max(progress, 0.0), 1.0)))
    return rate * (LAST_SHARE + (1 - LAST_SHARE) * fall) * min(1.0, step / WARMUP_STEPS)


def _schedule_steps(trainer: Any, rate: float, hours: float | None) -> None:
    """Set the learning rate before every step of a trainer."""
    steps = 0
    begun = time.monotonic()

    def begin(_: Any) -> None:
        nonlocal begun
        begun = time.monotonic()

    def before_step(trainer: Any) -> None:
        nonlocal steps
        steps += 1
        if hours:
            progress = (time.monotonic() - begun) / (hours * 3600)
        else:
            within = (steps - 1) % max(1, len(trainer.train_loader))
            done = trainer.epoch + within / max(1, len(trainer.train_loader))
            progress = done / max(1, trainer.epochs)
        for group in trainer.optimizer.param_groups:
            group["lr"] = step_rate(rate, progress, steps)

    trainer.add_callback("on_train_start", begin)
    trainer.add_callback("on_train_batch_start", before_step)


def is_finished(options: RunOptions) -> bool:
    """Whether a run has been trained to its end; then its checkpoint cannot go on.

    Raises:
        DataSetError: there is a checkpoint, and it cannot be read.
    """
    if not options.last.exists():
        return False
    try:
        held = torch.load(options.last, map_location="cpu", weights_only=False)
        return int(held["epoch"]) < 0  # so ultralytics marks it when it strips it
    except Exception as error:  # torch raises what its unpickler meets
        raise DataSetError(f"{options.last}: not a checkpoint: {error}") from error


def run_trainer(trainer_class: Any, options: RunOptions, extra: dict[str, Any]) -> Path:
    """Run or resume a training.

    Args:
        trainer_class: an ultralytics trainer.
        options: measures of the run.
        extra: further ultralytics settings.

    Returns:
        The best weights.
    """
    os.environ.setdefault("YOLO_OFFLINE", "true")
    if options.threads:
        torch.set_num_threads(options.threads)
    overrides: dict[str, Any] = {
        "model": options.model,
        "imgsz": options.imgsz,
        "batch": options.batch,
        "nbs": options.batch,
        "epochs": options.epochs,
        "optimizer": "AdamW",
        "lr0": options.lr,
        "lrf": 0.01,
        "cos_lr": True,
        "warmup_epochs": 0,  # the rate is set step by step, see `step_rate`
        "weight_decay": 0.02,
        "amp": False,
        "patience": 0,
        "plots": False,
        "workers": 0,
        "device": options.device,
        "seed": options.seed,
        "deterministic": False,
        "project": str(options.runs.resolve()),
        "name": options.name,
        "exist_ok": True,
        "data": "shards",
        **extra,
    }
    if options.last.exists():
        overrides["resume"] = str(options.last)
    on_cpu = options.device == "cpu"
    with cpu_bfloat16() if on_cpu else contextlib.nullcontext():
        trainer = trainer_class(overrides=overrides)
        _schedule_steps(trainer, options.lr, extra.get("time"))
        if options.threads:  # ultralytics sets its own number when it picks the device
            trainer.add_callback(
                "on_train_start", lambda _: torch.set_num_threads(options.threads)
            )
        trainer.train()
    return options.folder / "weights" / "best.pt"
