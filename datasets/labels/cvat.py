"""Writing CVAT for images 1.1: one XML of all pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from datasets.labels.class_names import DIE
from datasets.labels.exporting import (
    Carries,
    ExportContext,
    ExportedDie,
    ExportedPicture,
    ExportFormat,
)
from datasets.labels.outlines import clipped_box, whole_box
from datasets.labels.pixel_outlines import moved_in
from datasets.labels.yolo_lines import CUT
from vision.reading import DieState

if TYPE_CHECKING:
    from datasets.labels.class_names import ClassOrder
    from datasets.labels.notes import NoteBook

XML_FILE = "annotations.xml"
DIGITS = 4
"""Pixels are written to a ten-thousandth."""


def shape(one: ExportedDie, size: tuple[float, float], book: NoteBook) -> str:
    """Write a die as a polygon, or as a box if it has no quad.

    Args:
        one: partly in the picture; an unread one gets the label `die`.
        size: width and height of the picture.
        book: is told of corners outside the picture: CVAT knows none.

    Raises:
        ValueError: nothing of the die is in the picture.
    """
    die = one.die
    label = die.face.code if die.face and one.number is not None else DIE
    hidden = int(die.state is DieState.HIDDEN_PART)
    head = f'label={quoteattr(label)} source="manual" occluded="{hidden}"'
    if die.quad is not None:
        quad = moved_in(die.quad, size)
        if quad != die.quad:
            book.tell(CUT, one.place)
        points = ";".join(f"{_pixel(x)},{_pixel(y)}" for x, y in quad)
        tag, head = "polygon", f'{head} points="{points}" z_order="0"'
    else:
        box = clipped_box(whole_box(die, *size), *size)
        if box is None:
            raise ValueError(f"{one.place}: nothing of it is in the picture")
        names = ("xtl", "ytl", "xbr", "ybr")
        edges = " ".join(
            f'{name}="{_pixel(value)}"' for name, value in zip(names, box, strict=True)
        )
        tag, head = "box", f'{head} {edges} z_order="0"'
    facts = {"state": die.state.value}
    if die.face is None and die.rank is not None:
        facts["rank"] = die.rank
    told = "".join(
        f"<attribute name={quoteattr(name)}>{escape(value)}</attribute>"
        for name, value in facts.items()
    )
    return f"<{tag} {head}>{told}</{tag}>"


def _pixel(value: float) -> str:
    return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")


def head_text(order: ClassOrder) -> str:
    """What comes before the pictures: labels, their attributes, the hash of the order.

    `die` is among the labels, for dice whose face somebody has yet to say.
    """
    names = dict.fromkeys((*order.names, DIE))
    states = "\n".join(DieState)
    attributes = "".join(
        f"<attribute><name>{name}</name><mutable>False</mutable>"
        f"<input_type>{kind}</input_type><default_value>{first}</default_value>"
        f"<values>{values}</values></attribute>"
        for name, kind, first, values in (
            ("state", "select", DieState.FLAT.value, states),
            ("rank", "text", "", ""),
        )
    )
    labels = "".join(
        f"<label><name>{escape(name)}</name><attributes>{attributes}</attributes>"
        "</label>\n"
        for name in names
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n'
        f"<version>1.1</version>\n<meta><task><labels>\n{labels}</labels></task>"
        f"<class_order>{order.digest}</class_order></meta>\n"
    )


class CvatWriter:
    """Writes one XML file, picture by picture."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._count = 0
        path = context.folder / XML_FILE
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._file.write(head_text(context.options.order))

    def add(self, picture: ExportedPicture) -> str:
        """Write one picture."""
        label, book = picture.label, self._context.book
        size = (label.width, label.height)
        subset = f" subset={quoteattr(picture.side)}" if self._split else ""
        shapes = "".join(f"{shape(one, size, book)}\n" for one in picture.dice)
        self._file.write(
            f'<image id="{self._count}" name={quoteattr(picture.file)}{subset}'
            f' width="{label.width:g}" height="{label.height:g}">\n{shapes}</image>\n'
        )
        self._count += 1
        return f"images/{picture.file}"

    @property
    def _split(self) -> bool:
        return self._context.options.split is not None

    def finish(self) -> None:
        """End the file."""
        self._file.write("</annotations>\n")
        self._file.close()

    def abandon(self) -> None:
        """Close the file as it is."""
        with suppress(OSError):
            self._file.close()


CVAT = ExportFormat(
    "cvat",
    frozenset([Carries.QUAD, Carries.STATE, Carries.UNREAD, Carries.RANK]),
    CvatWriter,
)
