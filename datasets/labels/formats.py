"""All formats of labels, by the names that commands use."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from datasets.labels.coco_files import COCO, read_coco
from datasets.labels.cvat import CVAT
from datasets.labels.cvat_reading import read_cvat
from datasets.labels.label_studio_files import LABEL_STUDIO, read_label_studio
from datasets.labels.native import NATIVE, read_native
from datasets.labels.yolo_crops import YOLO_CLASSIFY, read_crops
from datasets.labels.yolo_folders import (
    YOLO_DETECT,
    YOLO_OBB,
    YOLO_POSE,
    read_yolo,
)
from datasets.labels.yolo_lines import Rows

if TYPE_CHECKING:
    from datasets.labels.exporting import ExportFormat
    from datasets.labels.importing import SetReader

FORMATS: dict[str, ExportFormat] = {
    one.name: one
    for one in (
        NATIVE,
        YOLO_DETECT,
        YOLO_OBB,
        YOLO_POSE,
        YOLO_CLASSIFY,
        COCO,
        CVAT,
        LABEL_STUDIO,
    )
}
"""How each is written."""

READERS: dict[str, SetReader] = {
    NATIVE.name: read_native,
    YOLO_DETECT.name: partial(read_yolo, Rows.DETECT),
    YOLO_OBB.name: partial(read_yolo, Rows.OBB),
    YOLO_POSE.name: partial(read_yolo, Rows.POSE),
    YOLO_CLASSIFY.name: read_crops,
    COCO.name: read_coco,
    CVAT.name: read_cvat,
    LABEL_STUDIO.name: read_label_studio,
}
"""How each is read."""
