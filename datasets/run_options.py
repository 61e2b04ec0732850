"""Measures of a training run; importing them loads no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def epochs_done(options: RunOptions) -> int:
    """The last epoch that a run has written down; 0 before the first."""
    results = options.folder / "results.csv"
    if not results.exists():
        return 0
    numbers = [
        line.partition(",")[0].strip() for line in results.read_text().split("\n")
    ]
    return max((int(text) for text in numbers if text.isdecimal()), default=0)
