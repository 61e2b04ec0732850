"""Reading CVAT for images 1.1, picture by picture and with line numbers.

The XML may come from anybody: a document type, and with it every entity, is refused by
defusedxml before anything is expanded.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.expatreader import create_parser

from datasets.eval_labels import LabelError, LabelledPicture
from datasets.labels.class_names import face_named, names_digest
from datasets.labels.coco_files import NO_FILE
from datasets.labels.cvat import XML_FILE
from datasets.labels.file_names import safe_name
from datasets.labels.picture_files import PictureFolder, check_size
from datasets.labels.pixel_outlines import found_die, pixel_box, pixel_outline
from datasets.labels.text_lines import decimal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from xml.sax.expatreader import ExpatParser
    from xml.sax.xmlreader import AttributesImpl

    from datasets.eval_labels import Box, LabelledDie
    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook
    from vision.reading import Point, Quad

CHUNK_BYTES = 1 << 16
MOST_TEXT = 10_000
"""Signs between two tags: names and states are short."""
OTHER_SHAPES = frozenset(
    ("polyline", "points", "mask", "ellipse", "cuboid", "skeleton")
)
EMPTY = "has no shapes: taken for a table without dice"

Outline = tuple["Quad | None", "Box | None"]


class CvatHandler(ContentHandler):
    """Listens to the parser; finished pictures wait in `ready`.

    Args:
        parser: who tells the line.
        name: of the file, for errors.
        pictures: where the pictures are.
        book: is told what was changed or left out.
    """

    def __init__(
        self, parser: ExpatParser, name: str, pictures: PictureFolder, book: NoteBook
    ) -> None:
        super().__init__()
        self.ready: list[LabelledPicture] = []
        self._parser = parser
        self._name, self._pictures, self._book = name, pictures, book
        self._path: list[str] = []
        self._text = ""
        self._labels: list[str] = []
        self._digest: str | None = None
        self._image: tuple[str, Path, tuple[int, int]] | None = None
        self._dice: list[LabelledDie] = []
        self._shape: tuple[str, Outline, str] | None = None
        self._facts: dict[str, str] = {}
        self._fact = ""
        self._began = self._skipping = False

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self._name}:{self._parser.getLineNumber()}"

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:  # noqa: N802 - SAX
        """An element begins."""
        self._path.append(name)
        self._text = ""
        if len(self._path) == 1 and name != "annotations":
            raise LabelError(f"{self.place}: <{name}> is no CVAT for images")
        if name == "track":
            raise LabelError(f"{self.place}: this is CVAT for video, not for images")
        if name == "image" and len(self._path) == 2:
            self._begin_image(attrs)
        elif self._path[:-1] == ["annotations", "image"] and not self._skipping:
            self._begin_shape(name, attrs)
        elif name == "attribute" and self._shape:
            self._fact = attrs.get("name", "")

    def characters(self, content: str) -> None:
        """Text between two tags."""
        self._text += content
        if len(self._text) > MOST_TEXT:
            raise LabelError(f"{self.place}: more than {MOST_TEXT} signs in one text")

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX
        """An element ends."""
        text, path = self._text.strip(), self._path
        if path[-2:] == ["label", "name"] and "meta" in path:
            self._labels.append(text)
        elif name == "class_order":
            self._digest = text
        elif name == "attribute" and self._shape:
            self._facts[self._fact] = text
        elif name == "image" and self._image and len(path) == 2:
            self._end_image()
        elif self._shape and len(path) == 3:
            label, outline, place = self._shape
            face = face_named(label, place)
            state, rank = self._facts.get("state"), self._facts.get("rank")
            self._dice.append(found_die(face, outline, state, rank))
            self._shape, self._facts = None, {}
        path.pop()
        self._text = ""

    def _begin_image(self, attrs: AttributesImpl[str]) -> None:
        if not self._began:
            self._began = True
            self._check_labels()
        place = self.place
        name = safe_name(attrs.get("name", ""), place)
        path = self._pictures.find(name, place)
        self._skipping = path is None
        if path is None:
            self._book.tell(NO_FILE, f"{place} ({name})")
            return
        stated = (_number(attrs, "width", place), _number(attrs, "height", place))
        size = check_size(path, stated, f"{place} ({name})")
        self._image, self._dice = (name, path, size), []

    def _check_labels(self) -> None:
        """Labels that no shape uses may be called anything."""
        if self._digest is None:
            return
        # `die` stands behind the order for dice that are not read yet
        for count in (len(self._labels), len(self._labels) - 1):
            if names_digest(self._labels[:count]) == self._digest:
                return
        raise LabelError(
            f"{self.place}: states the class order {self._digest:.12}, but its labels"
            " have another: names were changed after the export"
        )

    def _end_image(self) -> None:
        if self._image is None:
            return
        name, path, size = self._image
        if not self._dice:
            self._book.tell(EMPTY, f"{self.place} ({name})")
        self.ready.append(LabelledPicture(name, path, *size, tuple(self._dice)))
        self._image = None

    def _begin_shape(self, name: str, attrs: AttributesImpl[str]) -> None:
        if self._image is None:
            return
        place, size = self.place, self._image[2]
        if name == "polygon":
            points = _points(attrs.get("points", ""), place)
            outline = pixel_outline(points, size, place, self._book)
        elif name == "box":
            outline = self._box(attrs, place, size)
        else:
            if name in OTHER_SHAPES:
                self._book.tell(f"<{name}> is no outline of a die: left out", place)
            return
        self._shape = (attrs.get("label", ""), outline, place)

    def _box(
        self, attrs: AttributesImpl[str], place: str, size: tuple[int, int]
    ) -> Outline:
        x0, y0, x1, y1 = (
            _number(attrs, key, place) for key in ("xtl", "ytl", "xbr", "ybr")
        )
        degrees = _number(attrs, "rotation", place)
        if degrees == 0:
            return None, pixel_box((x0, y0, x1, y1), size, place, self._book)
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        centre = ((x0 + x1) / 2, (y0 + y1) / 2)
        turned = [rotated(corner, centre, degrees) for corner in corners]
        return pixel_outline(turned, size, place, self._book)


def rotated(point: Point, about: Point, degrees: float) -> Point:
    """Turn a point clockwise on the screen (y down)."""
    angle = math.radians(degrees)
    x, y = point[0] - about[0], point[1] - about[1]
    return (
        about[0] + x * math.cos(angle) - y * math.sin(angle),
        about[1] + x * math.sin(angle) + y * math.cos(angle),
    )


def _number(attrs: AttributesImpl[str], key: str, place: str) -> float:
    return decimal(attrs.get(key, "0").strip(), f"{place}: {key}")


def _points(text: str, place: str) -> list[Point]:
    points = []
    for pair in filter(None, (part.strip() for part in text.split(";"))):
        x, comma, y = pair.partition(",")
        if not comma:
            raise LabelError(f"{place}: {pair!r:.40} is no point: x,y expected")
        points.append((decimal(x.strip(), place), decimal(y.strip(), place)))
    return points


def read_cvat(
    path: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """The pictures of a CVAT file.

    Args:
        path: the XML, or a folder with `annotations.xml`.
        options: where the pictures are.
        book: is told what was changed or left out.

    Raises:
        LabelError: the file cannot be used; the line is named.
    """
    file = path / XML_FILE if path.is_dir() else path
    parser = create_parser(forbid_dtd=True)
    pictures = PictureFolder(options.pictures or file.parent, book)
    handler = CvatHandler(parser, str(file), pictures, book)
    parser.setContentHandler(handler)
    try:
        if not file.stat().st_size:
            raise LabelError(f"{file}: is empty")
        with file.open("rb") as opened:
            while data := opened.read(CHUNK_BYTES):
                parser.feed(data)
                yield from handler.ready
                handler.ready.clear()
            parser.close()
            yield from handler.ready
    except DefusedXmlException as error:
        raise LabelError(
            f"{handler.place}: a document type or entity: refused"
        ) from error
    except SAXParseException as error:
        line = error.getLineNumber()
        raise LabelError(f"{file}:{line}: not XML: {error.getMessage()}") from error
    except (SAXException, ValueError, LookupError) as error:
        raise LabelError(f"{file}: not XML: {error}") from error
    except OSError as error:
        raise LabelError(f"{file}: cannot be read: {error.strerror}") from error
