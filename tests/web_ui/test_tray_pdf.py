"""The sheet as it comes out of the printer: the size of the paper, every marker."""

from __future__ import annotations

import numpy as np
import pypdfium2  # type: ignore[import-untyped]  # ships no types
import pytest

from vision.tray_sheet import PLANS, find_sheet
from web_ui.tray_pdf import CHECK_MM, sheet_pdf

POINTS_A_MM = 72 / 25.4
SCALE = 3.0


def page(paper: str) -> pypdfium2.PdfPage:
    document = pypdfium2.PdfDocument(sheet_pdf(PLANS[paper]))
    assert len(document) == 1
    return document[0]


@pytest.mark.parametrize("paper", PLANS)
def test_page_is_the_paper_and_its_markers_are_where_they_belong(paper: str) -> None:
    plan, sheet = PLANS[paper], page(paper)
    size = np.array(sheet.get_size()) / POINTS_A_MM
    assert size == pytest.approx(np.array([plan.width_mm, plan.height_mm]), abs=0.01)
    image = np.ascontiguousarray(sheet.render(scale=SCALE).to_numpy()[..., :3])
    found = find_sheet(image)
    assert found is not None
    assert set(found.markers) == set(plan.markers())
    left, top, right, bottom = plan.tray_mm()
    truth = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    corners_mm = (np.array(found.tray.quad) + 0.5) / (SCALE * POINTS_A_MM)
    assert corners_mm == pytest.approx(truth, abs=0.15)


def test_sheet_says_how_to_print_it_and_how_to_check_that() -> None:
    text = page("a4").get_textpage().get_text_range()
    for words in ("Tableside tray sheet, A4", "100 %", f"{CHECK_MM:.0f} mm long"):
        assert words in text


def test_line_of_the_scale_check_is_as_long_as_it_says() -> None:
    plan = PLANS["a4"]
    image = np.asarray(page("a4").render(scale=10).to_numpy()[..., 0])
    px_a_mm = 10 * POINTS_A_MM
    y = (plan.height_mm - plan.margin_mm - plan.marker_mm / 2) * px_a_mm
    left = (plan.margin_mm + plan.marker_mm + 2) * px_a_mm
    right = (plan.width_mm - plan.marker_mm) / 2 * px_a_mm - 2 * px_a_mm
    row = image[round(y) - 3 : round(y) + 4, round(left) : round(right)].min(axis=0)
    dark = np.flatnonzero(row < 128)
    assert (dark[-1] - dark[0]) / px_a_mm == pytest.approx(CHECK_MM, abs=0.3)


def test_no_hairline_shows_inside_the_white_of_a_marker() -> None:
    plan = PLANS["a4"]
    image = np.asarray(page("a4").render(scale=3.37).to_numpy()[..., 0])
    px_a_mm = 3.37 * POINTS_A_MM
    for left, top in plan.markers().values():
        x, y, side = (round(v * px_a_mm) for v in (left, top, plan.marker_mm))
        marker = image[y + 3 : y + side - 3, x + 3 : x + side - 3]
        # grey only along the borders of squares, never in lines across white ones
        bright = marker > 250
        step = plan.marker_mm / 6 * px_a_mm
        assert np.diff(bright.astype(int), axis=0).any(axis=0).mean() > 0
        runs = np.diff(np.flatnonzero(np.diff(bright.astype(int), axis=1).ravel()))
        assert runs[runs > 0].min() > step / 3


def test_same_sheet_is_the_same_file() -> None:
    assert sheet_pdf(PLANS["letter"]) == sheet_pdf(PLANS["letter"])
