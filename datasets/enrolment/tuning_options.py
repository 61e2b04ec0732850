"""How a face reader is tuned; may be said where there is no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """How to tune.

    Attributes:
        lessons: crops made of each face.
        steps: batches in all.
        batch: crops a batch.
        rate: highest learning rate; it rises in the first steps and falls to nothing.
        decay: weight decay.
        smoothing: share of a label's weight that is spread over all classes.
        threads: of the processor; 0: all, or one while others keep them busy.
        seed: of the order of lessons.
    """

    lessons: int = 200
    steps: int = 1800
    batch: int = 64
    rate: float = 1e-3
    decay: float = 1e-4
    smoothing: float = 0.01
    threads: int = 0
    seed: int = 0
