"""The one file that imports ultralytics, and undoes what the import does to others.

Importing it replaces `PIL.Image.open` for the whole process by a function that, when a
file is no picture, tries to install a package and then raises `ModuleNotFoundError`
where Pillow says `UnidentifiedImageError`. Everyone's pictures are opened by Pillow's
own function again once this module is imported.

It takes seconds and needs PyTorch: import it only where networks are trained.
"""

from __future__ import annotations

from PIL import Image

_pillows_open = Image.open

from ultralytics import YOLO  # noqa: E402  # Pillow's function is noted before
from ultralytics.engine import trainer as engine  # noqa: E402
from ultralytics.models.yolo.classify import ClassificationTrainer  # noqa: E402
from ultralytics.models.yolo.pose import PoseTrainer  # noqa: E402
from ultralytics.nn.tasks import (  # noqa: E402
    ClassificationModel,
    DetectionModel,
    PoseModel,
    yaml_model_load,
)
from ultralytics.utils.loss import KeypointLoss  # noqa: E402
from ultralytics.utils.torch_utils import strip_optimizer  # noqa: E402

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
