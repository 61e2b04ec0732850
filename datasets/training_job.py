"""What to train and where to put it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """What to train and where to put it.

    Attributes:
        kind: `detector` or `faces`.
        data: set to learn from.
        val: set by which the best weights are chosen.
        measure: held-out set for the card; None: `val` for faces, nothing for the
            detector.
        publish: folder for model and card; None: beside the weights.
        export_only: do not train, publish the best weights of the run.
        hours: train this long instead of the number of epochs.
        shards_an_epoch: of crops; for faces only.
        start: weights to begin with: a published ONNX file or a state dict.
        also: sets mixed into `data`, as those made from real photos; for faces one
            shard of each in every epoch.
        note: for the card, what the settings do not say, as runs that went before.
        captured: labelled pictures of real play to mix in: a folder with `labels.json`
            or an album of captures.
        captured_share: share of what an epoch sees that is cut from those, 0..1.
        captured_by_model: labels that a model gave teach too.
    """

    kind: str
    data: Path
    val: Path
    measure: Path | None
    publish: Path | None
    export_only: bool
    hours: float | None
    shards_an_epoch: int
    start: Path | None = None
    note: str = ""
    also: tuple[Path, ...] = ()
    captured: Path | None = None
    captured_share: float = 0.25
    captured_by_model: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.captured_share < 1:
            raise ValueError(
                f"captured_share must be above 0 and below 1, not {self.captured_share}"
            )
