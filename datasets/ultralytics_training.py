"""How we drive ultralytics: one run, resumable, on a GPU or well on a CPU."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from ultralytics.engine import trainer as engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Measures of one training run.

    Attributes:
        name: of the run; its folder under `runs`.
        runs: folder of all runs.
        model: ultralytics model file or yaml to start from.
        imgsz: input side in pixels.
        batch: pictures a step.
        epochs: length of the run; the learning rate falls over all of it.
        lr: first learning rate of AdamW.
        threads: CPU threads; 0 leaves the choice to torch.
        device: as ultralytics takes it: "cpu", "0", "0,1".
        seed: of weights and order.
    """

    name: str
    runs: Path
    model: str
    imgsz: int
    batch: int
    epochs: int
    lr: float
    threads: int = 0
    device: str = "cpu"
    seed: int = 0

    @property
    def folder(self) -> Path:
        """Folder of the run."""
        return self.runs / self.name

    @property
    def last(self) -> Path:
        """Checkpoint to resume from."""
        return self.folder / "weights" / "last.pt"


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
        "warmup_epochs": 1,
        "warmup_bias_lr": 0.0,
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
        if options.threads:  # ultralytics sets its own number when it picks the device
            trainer.add_callback(
                "on_train_start", lambda _: torch.set_num_threads(options.threads)
            )
        trainer.train()
    return options.folder / "weights" / "best.pt"
