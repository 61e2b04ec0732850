"""Our trainers in two processes of one CPU, where graphics cards would be.

They go the way of several cards, through the file that ultralytics writes for its
processes; only what talks to the cards is another: gloo instead of NCCL.
"""

from __future__ import annotations

import hashlib
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
from torch import distributed, nn

from datasets.detector_training import QuadTrainer
from datasets.face_training import FaceTrainer
from datasets.ultralytics_adapter import engine

PROCESSES = 2


class _OnCpu(nn.parallel.DistributedDataParallel):
    """Takes no numbers of cards."""

    def __init__(self, module: nn.Module, device_ids: Any = None, **more: Any) -> None:
        super().__init__(module, **more)


class OnGloo:
    """Mixed into a trainer, before it."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.world_size = PROCESSES
        self.ddp = "RANK" not in os.environ

    def _setup_ddp(self) -> None:
        self.device = torch.device("cpu")
        distributed.init_process_group("gloo", timeout=timedelta(seconds=60))
        engine.nn.parallel.DistributedDataParallel = _OnCpu

    def final_eval(self) -> None:
        """Tell which weights this process has in the end."""
        state = self.model.module.state_dict()  # type: ignore[attr-defined]
        digest = hashlib.sha256()
        for name in sorted(state):
            if "running" not in name and "tracked" not in name:  # each one's own
                digest.update(state[name].numpy().tobytes())
        folder = Path(self.save_dir)  # type: ignore[attr-defined]
        told = folder / f"rank-{distributed.get_rank()}.txt"
        told.write_text(digest.hexdigest())


class GlooFaces(OnGloo, FaceTrainer):
    """The face reader's."""


class GlooQuads(OnGloo, QuadTrainer):
    """The detector's."""
