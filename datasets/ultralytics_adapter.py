"""The one file that imports ultralytics, and undoes what the import does to others.

Importing it replaces `PIL.Image.open` for the whole process by a function that, when a
file is no picture, tries to install a package and then raises `ModuleNotFoundError`
where Pillow says `UnidentifiedImageError`. Everyone's pictures are opened by Pillow's
own function again once this module is imported. Its log goes to stderr.

It takes seconds and needs PyTorch: import it only where networks are trained.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

from PIL import Image

_pillows_open = Image.open

# what it tells people, of its settings for one, must not be taken for our output
with redirect_stdout(sys.stderr):
    from ultralytics import YOLO
    from ultralytics.engine import trainer as engine
    from ultralytics.models.yolo.classify import ClassificationTrainer
    from ultralytics.models.yolo.pose import PoseTrainer
    from ultralytics.nn.tasks import (
        ClassificationModel,
        DetectionModel,
        PoseModel,
        yaml_model_load,
    )
    from ultralytics.utils.loss import KeypointLoss
    from ultralytics.utils.torch_utils import strip_optimizer

if getattr(Image.open, "__module__", "").startswith("ultralytics"):
    Image.open = _pillows_open

__all__ = [
    "YOLO",
    "ClassificationModel",
    "ClassificationTrainer",
    "DetectionModel",
    "KeypointLoss",
    "PoseModel",
    "PoseTrainer",
    "engine",
    "strip_optimizer",
    "yaml_model_load",
]
