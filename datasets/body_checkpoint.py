"""Where a training of bodies stands, so that it goes on after it was stopped."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import torch

from datasets.shards import DataSetError
from datasets.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path


class BodyCheckpoint:
    """The checkpoint beside a file of weights; gone when the training is finished.

    Args:
        weights: file that gets the weights.
        plan: what the training was asked for, in words.
    """

    def __init__(self, weights: Path, plan: str) -> None:
        self.weights, self.plan = weights, plan
        self.path = weights.with_suffix(".going.pt")

    def load(self, network: torch.nn.Module, maker: torch.optim.Optimizer) -> int:
        """Take up where it stood, if there is a checkpoint.

        Args:
            network: gets the weights.
            maker: its optimiser, gets its moments.

        Returns:
            How many epochs are done.

        Raises:
            DataSetError: the checkpoint is of another training, or cannot be read.
        """
        if not self.path.exists():
            return 0
        try:
            held = torch.load(self.path, map_location="cpu", weights_only=True)
            plan, epochs = str(held["plan"]), int(held["epochs"])
            if plan == self.plan:
                network.load_state_dict(held["network"])
                maker.load_state_dict(held["maker"])
        except Exception as error:  # torch raises what its unpickler meets
            raise DataSetError(f"{self.path}: not a checkpoint: {error}") from error
        if plan != self.plan:
            raise DataSetError(
                f"{self.path}: a training with {plan} was begun, not one with"
                f" {self.plan}: go on as it was begun, or remove the file"
            )
        return epochs

    def save(
        self, network: torch.nn.Module, maker: torch.optim.Optimizer, epochs: int
    ) -> None:
        """Keep where it stands after some epochs, whole or not at all."""
        self._write(
            self.path,
            {
                "plan": self.plan,
                "epochs": epochs,
                "network": network.state_dict(),
                "maker": maker.state_dict(),
            },
        )

    def end(self, network: torch.nn.Module) -> None:
        """Write the weights; there is nothing to go on with any more."""
        self._write(self.weights, network.state_dict())
        self.path.unlink(missing_ok=True)

    def _write(self, path: Path, held: dict[str, Any]) -> None:
        data = io.BytesIO()
        torch.save(held, data)
        write_whole(path, data.getvalue())
