"""The fairness report as one page that stands alone."""

from __future__ import annotations

import math
from importlib import resources
from typing import TYPE_CHECKING

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from scoring.cards import FaceCodeError, parse_face
from web_ui.face_records import face_record
from web_ui.fairness_words import number, p_value, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scoring.fairness import DieReport, FairnessReport

WIDTH, HEIGHT = 320, 96
"""The picture of the evidence, in its own units."""


def fairness_page(report: FairnessReport, remarks: Sequence[str]) -> str:
    """Fill the page.

    Args:
        report: what was found.
        remarks: what must be known to read it.
    """
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, p_value=p_value, face=_face)
    reach = max([0.4, *(face.high for die in report.dice for face in die.faces)])
    return environment.get_template("fairness_report.html").render(
        report=report,
        style=Markup(_template("fairness_report.css")),
        verdict=verdict(report),
        remarks=remarks,
        reach=min(1.0, reach) if report.by != "face" else 0.4,
        ways=[way_picture(die, report.enough_each) for die in report.dice],
    )


def way_picture(die: DieReport, enough: float) -> dict[str, Any]:
    """The way of the evidence as a line, on a logarithmic scale.

    Returns:
        `points` of the polyline and `limit`, the height at which it is enough.
    """
    logs = [math.log10(max(evidence, 1e-3)) for _, evidence in die.way]
    top = max(math.log10(enough) * 1.15, *logs)
    bottom = min(-1.0, *logs)
    last = max(1, die.way[-1][0])

    def height(log: float) -> float:
        return round(HEIGHT * (top - log) / (top - bottom), 1)

    points = " ".join(
        f"{WIDTH * rolls / last:.1f},{height(log)}"
        for (rolls, _), log in zip(die.way, logs, strict=True)
    )
    return {"points": points, "limit": height(math.log10(enough)), "one": height(0.0)}


def _face(code: str) -> dict[str, Any]:
    try:
        return face_record(parse_face(code))
    except FaceCodeError:
        return {"rank": code, "suit": "", "colour": "black", "name": code}


def _template(name: str) -> str:
    place = resources.files("web_ui").joinpath("templates", name)
    return place.read_text("utf-8")
