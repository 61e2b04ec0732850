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
        share: how far the weights go from the published ones to the tuned ones, 0..1;
            see `datasets.enrolment.tuning.tune_faces`.
        rehearsed: of each batch, the share of what the reader knew before, if there is
            any to rehearse.
        threads: of the processor; 0: all, or one while others keep them busy.
        seed: of the order of lessons.
    """

    lessons: int = 200
    steps: int = 1800
    batch: int = 64
    rate: float = 1e-3
    decay: float = 1e-4
    smoothing: float = 0.01
    share: float = 0.7
    rehearsed: float = 1 / 3
    threads: int = 0
    seed: int = 0

    @property
    def rehearsed_a_batch(self) -> int:
        """Crops of a batch that are of what the reader knew before."""
        return round(self.batch * self.rehearsed)
