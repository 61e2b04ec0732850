"""The report of a measured set: one page, beside it a picture of every miss."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from datasets.eval_gallery import Card, gallery
from datasets.eval_marks import (
    face_mark,
    face_words,
    interval,
    nines_place,
    percent,
    span,
)
from datasets.eval_pictures import write_miss_views
from datasets.eval_view import size_charts, stage_rows, tiles
from datasets.shards import DataSetError
from datasets.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_results import PictureResult

PAGE, PICTURES = "index.html", "pictures"
MARK = '<meta name="generator" content="tableside eval">'
"""By this a folder is known to hold an earlier report, which may be written over."""

Record = dict[str, Any]


class ReportError(DataSetError):
    """A folder that a report cannot be written to; the message names it."""


def check_report_folder(folder: Path) -> None:
    """Make sure that a report may be written to a folder.

    Raises:
        ReportError: it is no folder, or holds something other than a report.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ReportError(f"{folder}: is a file; a report needs a folder")
    page = folder / PAGE
    ours = page.is_file() and MARK in page.read_text("utf-8", "replace")[:4000]
    if not ours and any(folder.iterdir()):
        raise ReportError(
            f"{folder}: holds something else than a report; name a new folder"
        )


def write_report(
    folder: Path, results: Sequence[PictureResult], record: Record
) -> Path:
    """Write the page and its pictures; an earlier report there is replaced.

    Args:
        folder: made if it is not there.
        results: what was measured.
        record: the same as `evaluation_record` tells it.

    Returns:
        The page.

    Raises:
        ReportError: the folder holds something else.
        OSError: it cannot be written to.
    """
    check_report_folder(folder)
    pictures = folder / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.glob("[0-9]*-[0-9]*.jpg"):
        old.unlink()
    cards = []
    for number, result in enumerate(results):
        views = write_miss_views(pictures, number, result)
        cards += [Card(result, view) for view in views]
    page = folder / PAGE
    write_whole(page, page_text(record, cards, datetime.now(UTC)))
    return page


def page_text(record: Record, cards: Sequence[Card], made: datetime) -> str:
    """Fill the page.

    Args:
        record: the measures.
        cards: the misses with their pictures.
        made: when it was measured.
    """
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=percent,
        face=face_mark,
        words=lambda code: face_words(code)[0],
        interval=interval,
        span=span,
        nines=nines_place,
    )
    template = environment.get_template("eval_report.html")
    return template.render(
        r=record,
        mark=Markup(MARK),
        style=Markup(_template("eval_report.css")),
        made=made,
        title=_title(record["measured"]["folder"]),
        pairs=[
            pair
            for pair in record["confusions"]
            if pair["label"] != "(nothing there)" and pair["said"] != "(not found)"
        ],
        tiles=tiles(record),
        stages=stage_rows(record),
        size_charts=size_charts(record["sizes"]),
        gallery=gallery(cards),
        misses=len(cards),
        pictures=PICTURES,
    )


def _title(folder: str) -> str:
    """The end of a path: what tells a set from its neighbours."""
    parts = [part for part in Path(folder).resolve().parts if part != "/"]
    return "/".join(parts[-2:]) or folder


def _template(name: str) -> str:
    place = resources.files("datasets").joinpath("templates", name)
    return place.read_text("utf-8")
