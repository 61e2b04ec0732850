"""A candidate, put together from what is new and what stays, and its papers."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any, cast

from datasets.registry.errors import RegistryError
from datasets.registry.paired import Finding
from datasets.registry.rules import Check
from datasets.registry.version import ALL_KINDS
from scoring.json_files import JsonFileError, read_json
from vision.body import OUTPUT_NAMES
from vision.classes import CLASS_NAMES
from vision.errors import ModelError
from vision.limits_file import FILE_NAME
from vision.model_files import BUNDLED, KINDS, has_card, read_card
from vision.parity import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture

CLASSES = {"detector": ("die",), "faces": CLASS_NAMES, "body": OUTPUT_NAMES}
RECORDING = "recording:"
"""Beginning of the tag that says which recording a picture is from."""


PUBLISHED = "published"
"""Inside the folder of a training run: where its model and card are."""


def put_together(candidate: Path, current: Path | None, folder: Path) -> frozenset[str]:
    """Copy the candidate's models, those in use where it has none, and its limits.

    Limits belong to all models together: those in use are taken only if every model
    stays, and models without any are tried with the program's own.

    Args:
        candidate: folder of new models, or of the run that published them.
        current: folder of those in use; None for the bundled ones.
        folder: where all are put.

    Returns:
        The kinds that are new.

    Raises:
        RegistryError: there is no model in the candidate's folder.
        OSError: a file cannot be copied.
    """
    in_use = BUNDLED if current is None else current
    candidate = _of_run(candidate)
    given = _kinds_in(candidate)
    if not given:
        cards = f"{', '.join(f'{k}.json' for k in ALL_KINDS[:-1])} or {ALL_KINDS[-1]}"
        raise RegistryError(
            f"{candidate}: holds no model: no {cards}.json, nor the folder {PUBLISHED}"
            " of a training run with one"
        )
    new = set(given)
    for kind in ALL_KINDS:
        source = candidate if kind in given else in_use
        for name in (f"{kind}.json", f"{kind}.onnx"):
            if (source / name).is_file():
                shutil.copyfile(source / name, folder / name)
        if kind in given and _same(in_use / f"{kind}.onnx", folder / f"{kind}.onnx"):
            new.discard(kind)
    limits = candidate if (candidate / FILE_NAME).is_file() else in_use
    if (limits is candidate or not new) and (limits / FILE_NAME).is_file():
        shutil.copyfile(limits / FILE_NAME, folder / FILE_NAME)
    return frozenset(new)


def _of_run(folder: Path) -> Path:
    """Where the models of a folder are: in itself, or in what a run published."""
    inside = folder / PUBLISHED
    return inside if _kinds_in(inside) and not _kinds_in(folder) else folder


def _kinds_in(folder: Path) -> frozenset[str]:
    return frozenset(kind for kind in ALL_KINDS if has_card(kind, folder))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.read_bytes() == other.read_bytes()
    except OSError:
        return False


def check_papers(folder: Path, new: Iterable[str]) -> tuple[Check, ...]:
    """Check cards: hash, order of classes, and what the gate of the export found.

    Args:
        folder: as put together.
        new: kinds that were not in use before; only these need figures of the export.
    """
    checks = []
    for kind in (k for k in ALL_KINDS if k in KINDS or has_card(k, folder)):
        name = f"card of {kind}"
        try:
            card = read_card(kind, folder)
        except ModelError as error:
            checks.append(Check(name, Finding.WORSE, _without(folder, str(error))))
            continue
        if card.classes != CLASSES[kind]:
            wrong = _first_difference(card.classes, CLASSES[kind])
            sentence = f"{name}: another order of classes: {wrong}"
            checks.append(Check(name, Finding.WORSE, sentence))
            continue
        sentence = f"{name}: {card.identity}, its file and its classes are as it says"
        checks.append(Check(name, Finding.NOT_WORSE, sentence))
        if kind in new:
            raw = cast("dict[str, Any]", read_json(folder / f"{kind}.json"))
            checks.append(_export(kind, card.precision, raw))
    return tuple(checks)


def _without(folder: Path, sentence: str) -> str:
    return sentence.replace(f"{folder}/", "")


def _first_difference(said: tuple[str, ...], wanted: tuple[str, ...]) -> str:
    if len(said) != len(wanted):
        return f"{len(said)} classes, {len(wanted)} wanted"
    places = zip(said, wanted, strict=True)
    place = next(k for k, (one, other) in enumerate(places) if one != other)
    return f"number {place} is {said[place]!r:.40}, {wanted[place]!r} wanted"


def _export(kind: str, precision: str, raw: dict[str, Any]) -> Check:
    """Whether the card says that the file reads as the network that was trained."""
    name = f"export of {kind}"
    metrics = raw.get("metrics")
    gate = metrics.get("export_gate") if isinstance(metrics, dict) else None
    if not isinstance(gate, dict) or not gate:
        sentence = (
            f"{name}: its card has no figures of the gate of the export: publish it "
            "with `tableside train`"
        )
        return Check(name, Finding.WORSE, sentence)
    if kind not in KINDS:  # the gate of bodies has figures of another kind
        return Check(name, Finding.NOT_WORSE, f"{name}: its card says it was compared")
    found = gate.get(precision, gate)
    try:
        if "refused" in found:
            return Check(name, Finding.WORSE, f"{name}: {found['refused']!s:.300}")
        dice, differing = int(found["dice"]), int(found["differing"])
        shift_px = float(found["shift_p99_px"])
    except (KeyError, TypeError, ValueError) as error:
        sentence = f"{name}: its card's figures of the gate cannot be read: {error!r}"
        return Check(name, Finding.WORSE, sentence)
    fine = 0 <= differing <= TOLERANCE.faces * dice and shift_px <= TOLERANCE.shift_px
    sentence = f"{name}: {differing} of {dice} differ, moved by {shift_px:g} pixels"
    finding = Finding.NOT_WORSE if fine and dice > 0 else Finding.WORSE
    return Check(name, finding, sentence)


def check_apart(
    folder: Path, new: Iterable[str], place: Path, labels: Iterable[LabelledPicture]
) -> Check:
    """Whether a set may judge the candidate: it must not have taught it.

    Told by the seeds and recordings that the cards name, and by the set's manifest and
    tags; a set that says neither is believed.

    Args:
        folder: as put together.
        new: kinds that were not in use before.
        place: folder of the set.
        labels: its pictures.
    """
    name = f"set {place.name} apart"
    taught = taught_by(folder, new)
    held = _marks_of(_manifest(place))
    for label in labels:
        held |= {group for group in label.groups if group.startswith(RECORDING)}
    both = sorted(taught & held)
    if both:
        more = f" and {len(both) - 3} more" if len(both) > 3 else ""
        sentence = f"{name}: the candidate learned from {', '.join(both[:3])}{more}"
        return Check(name, Finding.WORSE, sentence)
    if _manifest(place).get("held_out") is False:
        sentence = f"{name}: its manifest says that it is for training, not held out"
        return Check(name, Finding.WORSE, sentence)
    return Check(name, Finding.NOT_WORSE, f"{name}: nothing of it was used in training")


def taught_by(folder: Path, new: Iterable[str]) -> frozenset[str]:
    """Seeds and recordings that new models learned from, as their cards name them."""
    taught: set[str] = set()
    for kind in new:
        try:
            raw = read_json(folder / f"{kind}.json")
        except JsonFileError:
            continue  # said by `check_papers`
        taught |= _marks_of(raw.get("data") if isinstance(raw, dict) else None)
    return frozenset(taught)


def _manifest(place: Path) -> dict[str, Any]:
    try:
        raw = read_json(place / "manifest.json")
    except JsonFileError:
        return {}
    return cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}


def _marks_of(raw: object) -> set[str]:
    """Seeds and recordings that a card or manifest names, but for those that tested."""
    marks: set[str] = set()
    if isinstance(raw, list):
        for inner in raw:
            marks |= _marks_of(inner)
    elif isinstance(raw, dict):
        for key, value in cast("dict[str, object]", raw).items():
            if key == "seed" and not isinstance(value, bool):
                # `72 (20 shards), 172 (70)` names two
                bare = re.sub(r"\(.*?\)", "", str(value))
                marks |= {f"seed {number}" for number in re.findall(r"\d+", bare)}
            elif key in ("recording", "recordings"):
                listed = value if isinstance(value, list) else [value]
                marks |= {f"{RECORDING}{one}" for one in listed if isinstance(one, str)}
            elif key not in ("val", "test", "held_out"):
                marks |= _marks_of(value)
    return marks
