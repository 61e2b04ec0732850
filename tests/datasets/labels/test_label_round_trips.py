"""What is written comes back: every format, random dice, within its precision."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_makers import HEIGHT, WIDTH, a_format, a_picture, near, read_back

from datasets.eval_labels import LabelledDie, LabelledPicture, rank_of
from datasets.labels.exporting import Carries, ExportOptions, export_set
from datasets.labels.formats import FORMATS
from datasets.labels.outlines import quad_box
from datasets.labels.whole_folders import Placing
from scoring.cards import CARD_DICE_FACES
from vision.reading import DieState, Quad

PRECISION_PX = {
    "native": 0.0,
    "coco": 1e-4,
    "cvat": 1e-4,
    "label-studio": 1e-6 * WIDTH,
    "yolo-detect": 2e-6 * WIDTH,
    "yolo-obb": 1e-6 * WIDTH,
    "yolo-pose": 2e-6 * WIDTH,
}
"""Docs and code say the same: six decimals of the side, or four of a pixel."""

sides = st.floats(3, 12)
near_middle = st.floats(13, 35)


@st.composite
def quads(draw: st.DrawFn) -> Quad:
    """Convex, clockwise, within the picture, beginning anywhere."""
    x, y = draw(near_middle), draw(near_middle)
    a, b, c, d = draw(sides), draw(sides), draw(sides), draw(sides)
    corners = [(x - a, y - a), (x + b, y - b), (x + c, y + c), (x - d, y + d)]
    first = draw(st.integers(0, 3))
    p, q, r, s = corners[first:] + corners[:first]
    return p, q, r, s


@st.composite
def dice(draw: st.DrawFn) -> LabelledDie:
    face = draw(st.sampled_from([*CARD_DICE_FACES, None]))
    quad = draw(st.none() | quads())
    box = None if quad else quad_box(draw(quads()))
    rank = rank_of(face) if face else draw(st.sampled_from([None, "K", "JOKER"]))
    return LabelledDie(face, rank, quad, box, draw(st.sampled_from(DieState)))


@pytest.fixture(scope="module")
def picture_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_picture(tmp_path_factory.mktemp("pictures") / "a.jpg").path


def outline(die: LabelledDie, carries: frozenset[Carries]) -> Quad | None:
    """The quad that should come back; boxes as their corners."""
    if die.quad is not None and Carries.QUAD in carries:
        return die.quad
    box = quad_box(die.quad) if die.quad else die.box
    assert box is not None
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


@pytest.mark.parametrize("name", PRECISION_PX)
@settings(max_examples=40, deadline=None)
@given(labelled=st.lists(dice(), min_size=1, max_size=5, unique=True))
def test_dice_come_back(
    name: str, labelled: list[LabelledDie], picture_path: Path
) -> None:
    target = a_format(name)
    carries = target.carries
    if Carries.UNREAD not in carries:
        labelled = [die for die in labelled if die.face is not None]
    label = a_picture(picture_path, *labelled)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        export_set([label], out, target, ExportOptions(placing=Placing.LINK))
        (back,), _ = read_back(name, out)
    assert len(back.dice) == len(labelled)
    for was, now in zip(labelled, back.dice, strict=True):
        assert now.face == was.face
        if Carries.STATE in carries:
            assert now.state is was.state
        if Carries.RANK in carries:
            assert now.rank == was.rank
        kept_quad = was.quad is not None and Carries.QUAD in carries
        if name != "yolo-obb":
            assert (now.quad is not None) == kept_quad
        found = outline(now, carries | {Carries.QUAD})
        assert near(found, outline(was, carries), PRECISION_PX[name] + 1e-9)


@pytest.mark.parametrize("name", [*PRECISION_PX, "yolo-classify"])
def test_second_round_changes_nothing(
    name: str, picture_path: Path, tmp_path: Path
) -> None:
    faces = CARD_DICE_FACES[::9]
    given_dice = [
        LabelledDie(face, rank_of(face), ((9.3, 8), (21, 9), (20, 22), (8, 19)), None)
        for face in faces
    ]
    label: LabelledPicture = a_picture(picture_path, *given_dice)
    rounds = [[label]]
    for number in range(2):
        out = tmp_path / str(number)
        export_set(rounds[-1], out, FORMATS[name], ExportOptions(crop_px=24))
        found, _ = read_back(name, out)
        rounds.append(found)
    first, second = rounds[1:]
    if name == "yolo-classify":  # a crop of a crop is another picture
        faces_of = [[picture.dice[0].face for picture in one] for one in rounds[1:]]
        assert sorted(map(str, faces_of[0])) == sorted(map(str, faces_of[1]))
        return
    assert [one.face for one in first[0].dice] == list(faces)
    for was, now in zip(first[0].dice, second[0].dice, strict=True):
        assert near(outline(was, frozenset(Carries)), outline(now, frozenset(Carries)))
    assert (first[0].width, first[0].height) == (WIDTH, HEIGHT)
