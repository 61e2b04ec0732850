"""A network as it was trained, run by PyTorch: what an exported one is held against."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import torch

from datasets.shards import DataSetError
from datasets.ultralytics_adapter import YOLO

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


class TrainedNetwork:
    """Trained weights behind the port that the exported network has.

    Args:
        weights: a `.pt` of ultralytics.
        threads: CPU threads; 0 leaves the choice to PyTorch.

    Raises:
        DataSetError: the file holds no network.
    """

    input_shape: tuple[int | None, ...] = (None, 3, None, None)

    def __init__(self, weights: Path, threads: int = 0) -> None:
        if threads:
            torch.set_num_threads(threads)
        try:
            model = YOLO(str(weights)).model
        except Exception as error:  # torch raises what its unpickler meets
            raise DataSetError(f"{weights}: no trained network: {error}") from error
        self._model = model.float().eval()

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Run one batch; see `vision.ports.Network`."""
        rgb = np.ascontiguousarray(pictures[..., ::-1].transpose(0, 3, 1, 2))
        with torch.inference_mode():
            said = self._model(torch.from_numpy(rgb).float().div_(255))
        # in training's own form the answer comes with what the loss needs
        answer = said[0] if isinstance(said, list | tuple) else said
        return np.asarray(answer.numpy(), np.float32)


def weights_digest(path: Path) -> str:
    """Hex SHA-256 of the weights in a `.pt` of ultralytics, and of nothing else in it.

    Raises:
        DataSetError: the file holds no network.
    """
    try:
        held = torch.load(path, map_location="cpu", weights_only=False)
        state = (held.get("ema") or held["model"]).float().state_dict()
    except Exception as error:  # torch raises what its unpickler meets
        raise DataSetError(f"{path}: no trained network: {error}") from error
    digest = hashlib.sha256()
    for name in sorted(state):
        digest.update(name.encode() + b"\0")
        digest.update(np.ascontiguousarray(state[name].numpy()).tobytes())
    return digest.hexdigest()
