"""The tray sheet as a PDF: vector markers at true size, with a check of the scale."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from vision.tray_sheet import MODULES, marker_modules

if TYPE_CHECKING:
    from vision.tray_sheet import SheetPlan

CHECK_MM = 100.0
"""Length of the line by which the printed scale is checked."""
TEXT = 8.0
"""Size of the writing, points."""

HOW_TO = (
    "Print at 100 % (actual size), on plain matt paper.",
    "Lay it flat under the camera, no corner curled; tape it down.",
    "Dice count inside the frame. `tableside tray find` shows it.",
)
ADVICE = (
    "A hand may hide some markers, never all eight.",
    "If the sheet is moved, the tray is found again.",
)


def sheet_pdf(plan: SheetPlan) -> bytes:
    """Draw a sheet.

    Args:
        plan: paper and markers.

    Returns:
        The PDF file; the same every time.
    """
    file = io.BytesIO()
    size = (plan.width_mm * mm, plan.height_mm * mm)
    canvas = Canvas(file, pagesize=size, invariant=1, bottomup=1)
    canvas.setTitle(f"Tableside tray sheet ({plan.paper})")
    # millimetres from the top left, as the plan has them
    canvas.translate(0, size[1])
    canvas.scale(mm, mm)
    for number, (left, top) in plan.markers().items():
        _draw_marker(canvas, number, left, top, plan.marker_mm)
    _draw_frame(canvas, plan)
    _draw_words(canvas, plan)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw_marker(
    canvas: Canvas, number: int, left: float, top: float, side: float
) -> None:
    """A black square with its white squares on it.

    White squares that touch are drawn as runs along rows and along columns: no hairline
    of the black below shows between them.
    """
    canvas.setFillGray(0)
    canvas.rect(left, -top - side, side, side, stroke=0, fill=1)
    canvas.setFillGray(1)
    step = side / MODULES
    white = ~marker_modules(number)
    for k in range(MODULES):
        for begin, end in _runs(white[k].tolist()):
            x, width = left + begin * step, (end - begin) * step
            canvas.rect(x, -top - (k + 1) * step, width, step, stroke=0, fill=1)
        for begin, end in _runs(white[:, k].tolist()):
            y, height = -top - end * step, (end - begin) * step
            canvas.rect(left + k * step, y, step, height, stroke=0, fill=1)


def _runs(row: list[bool]) -> list[tuple[int, int]]:
    """Begin and end of each run of True."""
    runs: list[tuple[int, int]] = []
    for k, on in enumerate(row):
        if on and runs and runs[-1][1] == k:
            runs[-1] = (runs[-1][0], k + 1)
        elif on:
            runs.append((k, k + 1))
    return runs


def _draw_frame(canvas: Canvas, plan: SheetPlan) -> None:
    left, top, right, bottom = plan.tray_mm()
    canvas.setStrokeGray(0.35)
    canvas.setLineWidth(0.5)
    canvas.roundRect(left, -bottom, right - left, bottom - top, 3, stroke=1, fill=0)


def _draw_words(canvas: Canvas, plan: SheetPlan) -> None:
    """Instructions above the tray, the line for the scale below it."""
    canvas.setFillGray(0.15)
    margin, side = plan.margin_mm, plan.marker_mm
    left, middle = margin + side + 4, (plan.width_mm + side) / 2 + 4
    canvas.setFont("Helvetica-Bold", (TEXT + 1) / mm)
    canvas.drawString(left, -margin - 3.6, f"Tableside tray sheet, {plan.title}")
    canvas.setFont("Helvetica", TEXT / mm)
    for k, line in enumerate(HOW_TO):
        canvas.drawString(left, -margin - 7.8 - 3.6 * k, line)
    for k, line in enumerate(ADVICE):
        canvas.drawString(middle, -margin - 7.8 - 3.6 * k, line)
    y = -plan.height_mm + margin + side / 2
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.25)
    canvas.line(left, y, left + CHECK_MM, y)
    for k in range(11):
        tick = 3.0 if k % 5 == 0 else 1.6
        x = left + k * CHECK_MM / 10
        canvas.line(x, y - tick / 2, x, y + tick / 2)
    words = f"This line must be {CHECK_MM:.0f} mm long. If not, print again unscaled."
    canvas.drawString(left, y - 5.2, words)
