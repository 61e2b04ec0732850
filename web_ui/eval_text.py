"""The measures of a set as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Record = dict[str, Any]

MOST_CONFUSIONS = 15
STATUSES = ("sure", "ask", "refuse")


def percent(share: Record, digits: int = 2) -> str:
    """A share in words: `98.20 %  [95.01, 99.60]  110/112`."""
    if share["rate"] is None:
        return "-"
    rate, low, high = (100 * share[name] for name in ("rate", "low", "high"))
    ends = f"[{low:.{digits}f}, {high:.{digits}f}]"
    return f"{rate:6.{digits}f} %  {ends:16}  {share['k']}/{share['n']}"


def evaluation_text(record: Record) -> str:
    """Tell the measures that `evaluation_record` made."""
    parts = [
        _head(record),
        _rows(_stages(record)),
        _rows(_rolls(record["all"])),
        *_sizes(record["sizes"]),
        *_reliability(record),
        *(_groups(record[key], title) for key, title in _GROUPS if record[key]),
        *_confusions(record["confusions"]),
        *_throws(record["throws"]),
        *_names("wrong while sure", record["wrong_while_sure"]),
    ]
    return "\n\n".join(part for part in parts if part)


_GROUPS = (("by_art", "art"), ("by_tag", "tag"))


def _head(record: Record) -> str:
    measured, total = record["measured"], record["all"]
    layout = "layout told" if measured["layout_known"] else "layout not told"
    kinds = [f"{record['pictures']} labelled pictures"]
    if record["clips"]:
        kinds.append(f"{record['clips']} of them clips")
    if record["crops"]:
        kinds.append(f"{record['crops']} of them crops of one face")
    lines = [
        f"{measured['folder']}: {', '.join(kinds)}, {total['items']} items",
        f"read as {measured['dice_set']} ({layout}), IoU >= {measured['least_iou']:g}",
        f"models {measured['detector']}, {measured['faces']}",
    ]
    if record["unreadable"]:
        lines.append(
            f"NOTE: {len(record['unreadable'])} files could not be read"
            " (counted as refused)"
        )
    return "\n".join(lines)


def _rows(rows: Iterable[tuple[str, Record]]) -> str:
    return "\n".join(
        f"{label:38} {percent(share)}" for label, share in rows if share["n"]
    )


def _stages(record: Record) -> list[tuple[str, Record]]:
    whole, stages = record["all"], record["stages"]
    read, found = stages["read"], whole["localisation"]
    rows = []
    for step in stages["found"]["by_score"][:1]:  # all sightings, however faint
        rows.append(("found: by the detector", step["sighted"]))
        rows.append(("found: sightings that are there", step["sightings_fitting"]))
    rows += [
        ("found: in the reading", found["recall"]),
        ("found: readings' dice that are there", found["precision"]),
    ]
    for name, words in (("labelled", "label's places"), ("sighted", "sightings")):
        rows.append((f"read: {words}, first answer", read[name]["top1"]))
        rows += [
            (f"read: {words}, {part} in the set", read[name]["in_set"][part])
            for part in ("face", "rank", "suit")
        ]
    if record["crops"] == record["pictures"]:  # nothing was decided
        return rows
    return rows + [
        (f"decided: {part} right, if found", whole["reading"][part])
        for part in ("face", "rank", "suit", "colour")
    ]


def _rolls(whole: Record) -> list[tuple[str, Record]]:
    rows = [("rolls entirely right", whole["rolls_right"])]
    rows += [(f"status {s}, all pictures", whole["status"][s]) for s in STATUSES]
    rows += [
        (f"status {s}, ordinary pictures", whole["status_ordinary"][s])
        for s in STATUSES
    ]
    return [
        *rows,
        ("wrong while sure, of all", whole["wrong_while_sure"]),
        ("wrong while sure, of sure", whole["wrong_given_sure"]),
        ("right but asked, of ordinary", whole["right_but_asked"]),
        ("right but refused, of ordinary", whole["right_but_refused"]),
        ("other pictures: not sure", whole["other_pictures_not_sure"]),
        ("state right, if found", whole["state"]),
        ("not flat noticed, if found", whole["not_flat_noticed"]),
        ("first corner right, if found", whole["upright_corner"]),
    ]


def _cell(share: Record) -> str:
    return "      -" if share["rate"] is None else f"{100 * share['rate']:7.1f}"


def _sizes(steps: list[Record]) -> list[str]:
    if not steps:
        return []
    lines = [
        f"{'die width':12} {'n':>5} {'found':>7} {'faces':>7} {'rolls':>7} {'ask':>7}"
        f" {'refuse':>7} {'wrong while sure':>17}"
    ]
    for step in steps:
        high = "+" if step["high_px"] is None else f"-{step['high_px']:g}"
        cells = [step[k] for k in ("found", "faces", "rolls_right", "asked", "refused")]
        wrong = step["wrong_sure"]
        lines.append(
            f"{step['low_px']:g}{high} px".ljust(12)
            + f" {step['pictures']:5} {' '.join(map(_cell, cells))}"
            + f" {wrong['k']:>12}/{wrong['n']}"
        )
    return ["\n".join(lines)]


def _reliability(record: Record) -> list[str]:
    words = {
        "labelled": "face reader, label's places",
        "sighted": "face reader, sightings",
        "die": "each die, decided",
        "roll": "the roll",
    }
    lines = [
        f"{title:28} {f['answers']:6} {f['ece']:9.4f} {f['brier']:9.4f}"
        for name, title in words.items()
        if (f := record["reliability"][name])["answers"]
    ]
    if not lines:
        return []
    head = f"{'probabilities of':28} {'n':>6} {'ECE':>9} {'Brier':>9}"
    return ["\n".join([head, *lines])]


def _groups(groups: Record, title: str) -> str:
    names = (
        "recall",
        "prec.",
        "face",
        "rank",
        "suit",
        "rolls",
        "sure",
        "ask",
        "refuse",
    )
    lines = [
        f"{title:30} {'n':>5} {' '.join(f'{name:>7}' for name in names)}"
        "  wrong while sure, of all"
    ]
    for name, group in groups.items():
        shares = [
            group["localisation"]["recall"],
            group["localisation"]["precision"],
            *(group["reading"][part] for part in ("face", "rank", "suit")),
            group["rolls_right"],
            *(group["status"][status] for status in STATUSES),
        ]
        lines.append(
            f"{name[:30]:30} {group['pictures']:5} {' '.join(map(_cell, shares))}"
            f"  {percent(group['wrong_while_sure'], 1)}"
        )
    return "\n".join(lines)


def _confusions(found: list[Record]) -> list[str]:
    if not found:
        return []
    lines = ["confusions (label -> said)"]
    lines += [
        f"  {one['label']:>15} -> {one['said']:<15} {one['n']}"
        for one in found[:MOST_CONFUSIONS]
    ]
    if len(found) > MOST_CONFUSIONS:
        lines.append(f"  ... {len(found) - MOST_CONFUSIONS} more (all with --json)")
    return ["\n".join(lines)]


def _throws(throws: list[Record]) -> list[str]:
    if not throws:
        return []
    lines = [f"{'clip':30} {'throw':>5} {'outcome':>10} {'ms after rest':>14}  remarks"]
    for throw in throws:
        told = throw["told"]
        delay = "-" if told is None else f"{told['delay_ms']:.0f}"
        remarks = [f"{len(throw['early'])} before rest"] if throw["early"] else []
        remarks += [f"{len(throw['more'])} more"] if throw["more"] else []
        if told is not None and told["at_end"]:
            remarks.append("told at the end of the clip")
        lines.append(
            f"{throw['clip'][:30]:30} {throw['throw']:5} {throw['outcome']:>10}"
            f" {delay:>14}  {', '.join(remarks)}".rstrip()
        )
    return ["\n".join(lines)]


def _names(title: str, names: list[str]) -> list[str]:
    return [f"{title}: {', '.join(names)}"] if names else []
