"""What the page of a report shows of the measures, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datasets.eval_charts import Line, Point, share_chart
from datasets.eval_marks import percent, span

if TYPE_CHECKING:
    from markupsafe import Markup

Record = dict[str, Any]


def tiles(record: Record) -> list[tuple[str, Record, str]]:
    """The figures to see first: title, share, tone of the style sheet."""
    whole, read = record["all"], record["stages"]["read"]["labelled"]
    chosen = [
        ("Top faces found", whole["localisation"]["recall"], "good"),
        ("Faces right, if found", whole["reading"]["face"], "good"),
        ("Rolls entirely right", whole["rolls_right"], "good"),
        ("Sure", whole["status"]["sure"], "plain"),
        ("Asked", whole["status"]["ask"], "ask"),
        ("Wrong while sure", whole["wrong_while_sure"], "bad"),
    ]
    if record["crops"]:
        chosen += [
            ("Ranks right", whole["reading"]["rank"], "good"),
            ("Suits right", whole["reading"]["suit"], "good"),
            ("Right at first, or nothing", read["top1"], "plain"),
        ]
    elif not whole["reading"]["face"]["n"]:
        chosen.append(
            ("Fitting, of those told", whole["localisation"]["precision"], "good")
        )
    return [tile for tile in chosen if tile[1]["n"]]


def stage_rows(record: Record) -> list[tuple[str, list[tuple[str, Record]]]]:
    """Each stage with its shares; what was not measured is left out."""
    whole, stages = record["all"], record["stages"]
    found = []
    for step in stages["found"]["by_score"][:1]:  # all sightings, however faint
        found.append(("by the detector", step["sighted"]))
        found.append(("of its sightings, really there", step["sightings_fitting"]))
    found += [
        ("in the reading", whole["localisation"]["recall"]),
        ("of the reading's dice, really there", whole["localisation"]["precision"]),
    ]
    read = []
    for key, words in (("labelled", "label's places"), ("sighted", "sightings")):
        one = stages["read"][key]
        read.append((f"{words}: first answer of all", one["top1"]))
        read += [
            (f"{words}: {part}, within the set", one["in_set"][part])
            for part in ("face", "rank", "suit")
        ]
    decided = [
        (f"{part} right, if found", whole["reading"][part])
        for part in ("face", "rank", "suit", "colour")
    ]
    decided.append(("rolls entirely right", whole["rolls_right"]))
    if record["crops"] == record["pictures"]:  # nothing was decided
        decided = []
    status = [
        *(
            (f"{name}, ordinary pictures", share)
            for name, share in whole["status_ordinary"].items()
        ),
        ("right but asked, of ordinary", whole["right_but_asked"]),
        ("wrong while sure, of all judged", whole["wrong_while_sure"]),
        ("wrong while sure, of the sure", whole["wrong_given_sure"]),
        ("not sure, of the other pictures", whole["other_pictures_not_sure"]),
    ]
    states = [
        ("lie told rightly, if found", whole["state"]),
        ("not flat and told so", whole["not_flat_noticed"]),
        ("art's first corner right", whole["upright_corner"]),
    ]
    groups = (
        ("Found", found),
        ("Read", read),
        ("Decided", decided),
        ("Status", status),
        ("Lie", states),
    )
    filled = [(name, [row for row in rows if row[1]["n"]]) for name, rows in groups]
    return [(name, rows) for name, rows in filled if rows]


def size_charts(steps: list[Record]) -> list[tuple[str, Markup, list[tuple[str, str]]]]:
    """Charts over the width of the dice: title, drawing, legend (role, words)."""
    if len(steps) < 2:
        return []
    low = 10 * int(min(step["middle_px"] for step in steps) // 10)
    high = 10 * int(-(-max(step["middle_px"] for step in steps) // 10))
    reach = max(10, high - low)
    ticks = [float(t) for t in range(low, low + reach + 1, 10 if reach <= 70 else 20)]
    if ticks[-1] < high:
        ticks.append(ticks[-1] + ticks[1] - ticks[0])
    kinds = [
        ("Top faces found", [("found", "good", "found")]),
        ("Faces right, if found", [("faces", "good", "right")]),
        (
            "Rolls",
            [
                ("rolls_right", "good", "entirely right"),
                ("asked", "ask", "asked about"),
                ("refused", "bad", "refused"),
            ],
        ),
    ]
    charts = []
    for title, parts in kinds:
        lines = [
            (Line(role, _size_points(steps, key, words)), words)
            for key, role, words in parts
        ]
        lines = [(line, words) for line, words in lines if line.points]
        if lines:
            drawing = share_chart(
                [line for line, _ in lines], title, "width of a die, pixels", ticks
            )
            charts.append(
                (title, drawing, [(line.role, words) for line, words in lines])
            )
    return charts


def _size_points(steps: list[Record], key: str, words: str) -> tuple[Point, ...]:
    points = []
    for step in steps:
        share = step[key]
        if share["rate"] is not None:
            text = (
                f"{span(step)} px: {percent(share)} {words} ({share['k']}/{share['n']})"
            )
            points.append(
                Point(
                    step["middle_px"], share["rate"], share["low"], share["high"], text
                )
            )
    return tuple(points)
