"""Training the detector: an ultralytics pose network that states quads as two points."""

from __future__ import annotations

from typing import Any

import torch
from ultralytics.models.yolo.pose import PoseTrainer
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils.loss import KeypointLoss

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
"""The generator draws every size, turn and place; turning a picture here would leave the
two points, which turn twice and four times as fast as the die, behind."""


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


class QuadTrainer(PoseTrainer):  # type: ignore[misc]  # ultralytics is untyped
    """Ultralytics' pose trainer with the sharper loss."""

    def get_model(
        self, cfg: Any = None, weights: Any = None, verbose: bool = True
    ) -> QuadModel:
        """Make the model, from weights if given."""
        model = QuadModel(
            cfg,
            nc=self.data["nc"],
            ch=self.data["channels"],
            data_kpt_shape=self.data["kpt_shape"],
            verbose=verbose,
        )
        if weights:
            model.load(weights)
        return model

    def plot_training_labels(self) -> None:
        """Nothing: the generator decides where dice lie."""
