"""YOLO sets for classify: a folder a side, in it a folder a class, in it crops.

ultralytics numbers classes by the alphabet of their folders, whatever order we have:
what a model trained on such a set says must be read by name.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.eval_labels import LabelError, LabelledPicture
from datasets.labels.class_names import face_named
from datasets.labels.exporting import (
    ExportContext,
    ExportedDie,
    ExportedPicture,
    ExportFormat,
)
from datasets.labels.file_names import FreshNames
from datasets.labels.outlines import box_quad, whole_box
from datasets.labels.picture_files import PictureFolder, upright_size
from datasets.labels.pixel_outlines import found_die
from vision.errors import PictureError
from vision.pictures import load_picture
from vision.rectify import rectify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook
    from vision.ports import BgrImage

QUALITY = 95
"""Of the JPEG crops."""
SIDES_READ = frozenset(("train", "val", "test"))
BOXED = "has no quad: its crop is not turned upright"


def crop_of(
    image: BgrImage, one: ExportedDie, size: tuple[float, float], crop_px: int
) -> NDArray[np.uint8]:
    """Cut a die out, its art upright if its quad is known.

    Args:
        image: (H, W, 3) uint8 BGR, upright; may be a reduced version of the picture.
        one: quad or box in pixels of a picture of `size`.
        size: width and height.
        crop_px: side of the crop.

    Returns:
        (crop_px, crop_px, 3) uint8 BGR with the margin that the face reader sees.
    """
    quad = one.die.quad or box_quad(whole_box(one.die, *size))
    scale = np.array([image.shape[1] / size[0], image.shape[0] / size[1]])
    # label coordinates begin at the first pixel's corner, OpenCV's at its centre
    return rectify(image, np.array(quad) * scale - 0.5, crop_px)


class CropWriter:
    """Writes a crop a die; folders of all classes are there, so that none shifts."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._sides: set[str] = set()
        self._names = FreshNames()

    def add(self, picture: ExportedPicture) -> None:
        """Write the crops of one picture."""
        if picture.side not in self._sides:
            for name in self._context.options.order.names:
                (self._context.folder / picture.side / name).mkdir(parents=True)
            self._sides.add(picture.side)
        if not picture.dice:
            return
        label, options = picture.label, self._context.options
        try:
            image = load_picture(label.path).image
        except PictureError as error:
            raise LabelError(str(error)) from error
        flat = self._names.give(picture.file.replace("/", "__"))
        stem = PurePosixPath(flat).stem
        for one in picture.dice:
            if one.number is None:
                continue
            if one.die.quad is None:
                self._context.book.tell(BOXED, one.place)
            crop = crop_of(image, one, (label.width, label.height), options.crop_px)
            good, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            if not good:
                raise LabelError(f"{one.place}: the crop cannot be written as JPEG")
            number = one.place.rpartition(" ")[2]
            below = Path(picture.side, options.order.names[one.number])
            path = self._context.folder / below / f"{stem}-{number}.jpg"
            path.write_bytes(data.tobytes())

    def finish(self) -> None:
        """Nothing comes last."""

    def abandon(self) -> None:
        """Nothing is open."""


def read_crops(
    path: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """Each crop as a picture that is filled by one die.

    Args:
        path: folder of classes, or of sides with folders of classes.
        options: not needed.
        book: is told of what was left out.

    Raises:
        LabelError: a folder is called like no class.
    """
    del options
    for name, file in PictureFolder(path, book).items():
        parts = PurePosixPath(name).parts
        if len(parts) < 2:
            book.tell("lies in no folder of a class: left out", name)
            continue
        if len(parts) > 3 or (len(parts) == 3 and parts[0] not in SIDES_READ):
            raise LabelError(
                f"{path / name}: expected CLASS/picture or train/CLASS/picture"
            )
        face = face_named(parts[-2], str(file.parent))
        die = found_die(face, (None, None))
        yield LabelledPicture(name, file, *upright_size(file), (die,))


YOLO_CLASSIFY = ExportFormat("yolo-classify", frozenset(), CropWriter, by_die=True)
