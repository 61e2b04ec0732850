"""Training the detector: a pose network that states quads as two points."""

from __future__ import annotations

from typing import Any

import torch

from datasets.detector_labels import KEYPOINTS
from datasets.starting_weights import load_start, wake_on_start
from datasets.ultralytics_adapter import (
    KeypointLoss,
    PoseModel,
    PoseTrainer,
    yaml_model_load,
)
from datasets.whole_runs import WholeRuns

KEYPOINT_SIGMA = 0.1
"""Spread of the keypoint loss in shares of a die; the corners must be exact, and with
ultralytics' 0.5 for unknown keypoints the loss is flat long before they are."""

NO_AUGMENTATION = {
    "mosaic": 0.0,
    "fliplr": 0.0,
    "flipud": 0.0,
    "degrees": 0.0,
    "scale": 0.0,
    "translate": 0.0,
    "erasing": 0.0,
}
"""The generator draws every size, turn and place; turning a picture here would leave
the two points, which turn twice and four times as fast as the die, behind."""


class QuadModel(PoseModel):  # type: ignore[misc]  # ultralytics is untyped
    """A pose model whose keypoint loss is as sharp as corners need."""

    def init_criterion(self) -> Any:
        """Make the loss."""
        criterion = super().init_criterion()
        losses = [criterion]
        losses += [
            part
            for name in ("one2many", "one2one")
            if (part := getattr(criterion, name, None)) is not None
        ]
        for loss in losses:
            if hasattr(loss, "keypoint_loss"):
                sigmas = torch.full((self.yaml["kpt_shape"][0],), KEYPOINT_SIGMA)
                loss.keypoint_loss = KeypointLoss(
                    sigmas=sigmas.to(next(self.parameters()).device)
                )
        return criterion


def pose_config(network: str) -> dict[str, Any]:
    """Any of ultralytics' detection networks with a pose head in place of its own.

    Args:
        network: name of a yaml of ultralytics, as in `yolov5n.yaml`.
    """
    config: dict[str, Any] = yaml_model_load(network)
    sources = config["head"][-1][0]
    config["head"][-1] = [sources, 1, "Pose", ["nc", "kpt_shape"]]
    config["kpt_shape"] = [KEYPOINTS, 2]
    return config


class QuadTrainer(WholeRuns, PoseTrainer):  # type: ignore[misc]  # ultralytics is untyped
    """Ultralytics' pose trainer with the sharper loss."""

    def get_model(
        self, cfg: Any = None, weights: Any = None, verbose: bool = True
    ) -> QuadModel:
        """Make the model, from weights if given."""
        config = cfg if isinstance(cfg, dict) else pose_config(str(cfg))
        model = QuadModel(
            config,
            nc=self.data["nc"],
            ch=self.data["channels"],
            data_kpt_shape=self.data["kpt_shape"],
            verbose=verbose,
        )
        if weights:
            model.load(weights)
        elif (start := self.lessons.start) is not None:
            load_start(model, start)
            if start.suffix == ".onnx":
                self.add_callback("on_train_start", wake_on_start)
        # CPUs convolve faster over pixels whose channels lie side by side
        model.to(memory_format=torch.channels_last)
        return model

    def plot_training_labels(self) -> None:
        """Nothing: the generator decides where dice lie."""
