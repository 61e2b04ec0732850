"""CVAT files as they come: hostile XML, other shapes, lines in every error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from label_makers import (
    HEIGHT,
    WIDTH,
    a_die,
    a_format,
    a_picture,
    near,
    read_back,
    square,
)
from label_makers import draw_picture as draw

from datasets.eval_labels import LabelError
from datasets.labels.exporting import ExportOptions, export_set
from scoring.cards import parse_face
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

POLYGON = (
    '<polygon label="QH" points="10.00,10.00;30.00,10.00;30.00,30.00;10.00,30.00">'
    '<attribute name="state">cocked</attribute></polygon>'
)


def a_file(folder: Path, shapes: str = POLYGON, image: str = "") -> Path:
    draw(folder / "images" / "a.jpg")
    image = image or f'id="0" name="a.jpg" width="{WIDTH}" height="{HEIGHT}"'
    path = folder / "annotations.xml"
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n'
        f"<version>1.1</version>\n<image {image}>\n{shapes}\n</image>\n"
        "</annotations>\n",
        "utf-8",
    )
    return path


def refusal(path: Path) -> str:
    with pytest.raises(LabelError) as caught:
        read_back("cvat", path)
    return str(caught.value)


def test_polygon_becomes_a_quad_with_its_state(tmp_path: Path) -> None:
    (picture,), _ = read_back("cvat", a_file(tmp_path))
    (die,) = picture.dice
    assert (die.face, die.state) == (parse_face("QH"), DieState.COCKED)
    assert near(die.quad, square(10, 10, 20))


def test_box_and_turned_box_are_read(tmp_path: Path) -> None:
    shape = '<box label="{}" xtl="20" ytl="10" xbr="40" ybr="20" {}></box>'
    text = shape.format("die", "") + shape.format("10h", 'rotation="90"')
    (picture,), _ = read_back("cvat", a_file(tmp_path, text))
    plain, turned = picture.dice
    assert (plain.face, plain.box) == (None, (20, 10, 40, 20))
    # a quarter turn clockwise: the corner that was top left is now top right
    assert near(turned.quad, ((35, 5), (35, 25), (25, 25), (25, 5)))


def test_words_that_are_not_ours_mean_nothing(tmp_path: Path) -> None:
    told = "".join(
        f'<attribute name="{name}">{word}</attribute>'
        for name, word in (("state", "lost"), ("rank", "99"), ("colour", "red"))
    )
    box = f'<box label="die" xtl="20" ytl="10" xbr="40" ybr="20">{told}</box>'
    (picture,), _ = read_back("cvat", a_file(tmp_path, box))
    (die,) = picture.dice
    assert (die.face, die.rank, die.state) == (None, None, DieState.FLAT)


def test_other_shapes_and_missing_pictures_are_told(tmp_path: Path) -> None:
    path = a_file(tmp_path, '<points label="QH" points="1,1"/>\n<ellipse label="x"/>')
    text = path.read_text()
    more = '<image name="gone.jpg" width="1" height="1"><box label="?"/></image>\n'
    path.write_text(text.replace("</annotations>", f"{more}</annotations>"))
    (picture,), notes = read_back("cvat", path)
    assert picture.dice == ()
    told = "\n".join(notes)
    assert "annotations.xml:5: <points> is no outline" in told
    assert "annotations.xml:6: <ellipse> is no outline" in told
    assert "(gone.jpg): the picture is not there" in told
    assert "has no shapes: taken for a table without dice" in told


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        pytest.param(POLYGON.replace("QH", "cat"), "xml:5: unknown class", id="label"),
        pytest.param(POLYGON.replace("30.00,10.00", "99,10"), "xml:5: coord", id="out"),
        pytest.param(POLYGON.replace("30.00,10.00", "nan,1"), "xml:5: nan", id="nan"),
        pytest.param(POLYGON.replace("30.00,10.00", "30"), "no point", id="half-point"),
        pytest.param('<polygon label="QH" points=""/>', "0 corners", id="no-points"),
        pytest.param(
            "<box label='QH' xtl='x'/>", "xtl: 'x' is not a number", id="word"
        ),
        pytest.param("<box label='QH'/>", "width and a height above 0", id="no-area"),
        pytest.param("<points label='QH'>", "xml:6: not XML", id="not-closed"),
        pytest.param("<track/>", "CVAT for video", id="video"),
        pytest.param(f"<x>{'y' * 20_000}</x>", "signs in one text", id="long"),
    ],
)
def test_bad_shape_is_refused_naming_the_line(
    tmp_path: Path, shapes: str, said: str
) -> None:
    assert said in refusal(a_file(tmp_path, shapes))


@pytest.mark.parametrize(
    ("image", "said"),
    [
        pytest.param('name="../../a.jpg"', "xml:4: '../../a.jpg' leads", id="climbs"),
        pytest.param('id="3"', "no name of a file", id="no-name"),
        pytest.param('name="a.jpg" width="48" height="64"', "as a person", id="turned"),
    ],
)
def test_bad_image_is_refused(tmp_path: Path, image: str, said: str) -> None:
    if "turned" not in said and "person" in said:
        draw(tmp_path / "images" / "a.jpg", (HEIGHT, WIDTH), turn=6)
    assert said in refusal(a_file(tmp_path, image=image))


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "bbbbbbbb">'
    + "".join(f'<!ENTITY c{n} "{"&b;" * 50}">' for n in range(20))
    + "]>\n<annotations><version>&c1;</version></annotations>"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(BOMB, "a document type or entity: refused", id="bomb"),
        pytest.param(
            '<!DOCTYPE a SYSTEM "file:///etc/passwd"><annotations/>',
            "a document type",
            id="external",
        ),
        pytest.param("<html/>", "xml:1: <html> is no CVAT", id="other"),
        pytest.param("", "is empty", id="empty"),
        pytest.param("<annotations>&b;</annotations>", "not XML", id="entity"),
        pytest.param("\x00\x01", "not XML", id="bytes"),
        pytest.param(
            '<?xml version="1.0" encoding="klingon"?><a/>', "not XML", id="code"
        ),
    ],
)
def test_hostile_xml_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = a_file(tmp_path)
    path.write_text(text)
    message = refusal(path)
    assert said in message
    assert "annotations.xml" in message


def test_missing_file_is_named(tmp_path: Path) -> None:
    assert "none.xml: cannot be read" in refusal(tmp_path / "none.xml")


def test_changed_labels_are_refused(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg", a_die("QH", square(5, 5)))
    export_set([picture], tmp_path / "out", a_format("cvat"), ExportOptions())
    path = tmp_path / "out" / "annotations.xml"
    text = path.read_text("utf-8")
    assert "<class_order>" in text
    path.write_text(text.replace("<name>2S</name>", "<name>22</name>", 1))
    assert "states the class order" in refusal(path)


def test_name_with_marks_of_xml_comes_back(tmp_path: Path) -> None:
    name = "a&b <\"'ß>.jpg"
    picture = a_picture(tmp_path / "a.jpg", a_die("QH", square(5, 5)), name=name)
    for target in ("cvat", "label-studio", "coco", "yolo-pose"):
        out = tmp_path / target
        export_set([picture], out, a_format(target), ExportOptions())
        ((back,), _) = read_back(target, out)
        assert (back.name.removeprefix("train/"), len(back.dice)) == (name, 1)
