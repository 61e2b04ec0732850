"""The doctor: is everything there that playing needs?"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.settings import StoreSettings

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST_PYTHON = (3, 11)
LEAST_FREE_MB = 200
DATA_FOLDER = Path(StoreSettings().folder)
VIDEO_DEVICES = Path("/dev")


class Health(StrEnum):
    """What a check found; only `bad` keeps Tableside from playing."""

    GOOD = "good"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's table.

    Attributes:
        what: what was looked at.
        health: how it is.
        sentence: what was found, and what to do about it.
    """

    what: str
    health: Health
    sentence: str


def examine(camera: int = 0, data: Path = DATA_FOLDER) -> tuple[Finding, ...]:
    """Look at everything; a check that fails unexpectedly is a finding, not an error.

    Args:
        camera: number of the camera to look for.
        data: folder of the table, with models that were promoted.
    """
    checks: tuple[tuple[str, Callable[[], tuple[Finding, ...]]], ...] = (
        ("python", check_python),
        ("packages", check_packages),
        ("models", lambda: check_models(None)),
        ("models in use", lambda: check_promoted(data)),
        ("enrolled sets", lambda: check_enrolled(data)),
        ("sample", lambda: check_samples(None)),
        ("demo", check_demo),
        ("camera", lambda: (check_camera(VIDEO_DEVICES, camera),)),
        ("captures", lambda: (check_captures(data),)),
        ("disk", lambda: (check_disk(Path.cwd()),)),
    )
    findings: list[Finding] = []
    for what, check in checks:
        try:
            findings += check()
        # the doctor must report whatever is broken
        except Exception as error:  # noqa: BLE001 - becomes a finding
            sentence = f"the check failed: {type(error).__name__}: {error}"
            findings.append(Finding(what, Health.BAD, sentence))
    return tuple(findings)


def playable(findings: tuple[Finding, ...]) -> bool:
    """Whether nothing found keeps Tableside from playing."""
    return all(finding.health is not Health.BAD for finding in findings)


def check_python() -> tuple[Finding, ...]:
    """The interpreter and the machine."""
    wanted = ".".join(str(part) for part in LEAST_PYTHON)
    health = Health.GOOD if sys.version_info >= LEAST_PYTHON else Health.BAD
    sentence = (
        f"{platform.python_version()} on {platform.machine()}, "
        f"{os.cpu_count() or 1} CPUs (needs {wanted} or newer)"
    )
    return (Finding("python", health, sentence),)


def check_packages() -> tuple[Finding, ...]:
    """OpenCV and OpenVINO can be loaded."""
    return (
        _loaded("opencv", "opencv-python", "cv2"),
        _loaded("openvino", "openvino", "openvino"),
    )


def _loaded(what: str, package: str, module: str) -> Finding:
    began = time.perf_counter()
    try:
        __import__(module)
        version = metadata.version(package)
    except (ImportError, OSError, metadata.PackageNotFoundError) as error:
        sentence = f"cannot be loaded: {error} (pip install {package})"
        return Finding(what, Health.BAD, sentence)
    took_ms = (time.perf_counter() - began) * 1000
    return Finding(what, Health.GOOD, f"{version}, loaded in {took_ms:.0f} ms")


def check_models(folder: Path | None) -> tuple[Finding, ...]:
    """Every model is there and is the one its card describes (sha256).

    The one that tells how dice lie may be missing; limits of doubt must belong to the
    models that are there.

    Args:
        folder: where the models lie; None for the bundled ones.
    """
    from vision.errors import ModelError
    from vision.limits_file import read_limits
    from vision.model_files import KINDS, has_card, read_card

    findings = []
    identities: dict[str, str] = {}
    for kind in (*KINDS, "body"):
        if kind not in KINDS and not has_card(kind, folder):
            sentence = "none: leaning and covered dice are told less well"
            findings.append(Finding(f"model {kind}", Health.NOTE, sentence))
            continue
        try:
            card = read_card(kind, folder)
        except ModelError as error:
            findings.append(Finding(f"model {kind}", Health.BAD, str(error)))
            continue
        identities[kind] = card.identity
        size_mb = card.path.stat().st_size / 1e6
        sentence = f"{card.identity}, {size_mb:.1f} MB, matches its card"
        findings.append(Finding(f"model {kind}", Health.GOOD, sentence))
    if all(finding.health is not Health.BAD for finding in findings):
        try:
            limits = read_limits(folder, identities)
        except ModelError as error:
            findings.append(Finding("limits", Health.BAD, str(error)))
        else:
            sentence = f"sure from {100 * limits.sure_roll:.1f} % on"
            findings.append(Finding("limits", Health.GOOD, sentence))
    return tuple(findings)


def check_promoted(data: Path) -> tuple[Finding, ...]:
    """Whether models that were promoted at this table are whole.

    Args:
        data: folder of the table.
    """
    from datasets.registry.shelf import models_in_use, registry_of

    registry = registry_of(data)
    if not registry.folder.is_dir():
        return ()
    version, problem = models_in_use(registry)
    health = Health.BAD if problem else Health.GOOD
    kept = len(registry.names()) - 1
    sentence = problem or f"{version.name}, of {kept} kept in {registry.folder}"
    return (Finding("models in use", health, sentence),)


def check_enrolled(data: Path) -> tuple[Finding, ...]:
    """Whether the readers of enrolled sets go with the models in use.

    Args:
        data: folder of the table.
    """
    from datasets.enrolment.fitting import why_unfit
    from datasets.enrolment.set_folder import SETS, SetFolder, has_reader
    from datasets.registry.shelf import models_in_use, registry_of
    from scoring.dice_sets import DiceSetError

    sets = SetFolder(data / SETS)
    names = sets.names()
    if not names:
        return ()
    registry = registry_of(data)
    models = models_in_use(registry)[0].folder if registry.folder.is_dir() else None
    found = []
    for name in names:
        folder = data / SETS / name
        kind = "with a reader of its own" if has_reader(folder) else "layout only"
        try:
            sets.load(name)
            trouble = why_unfit(folder, models)
        except DiceSetError as error:
            trouble = str(error)
        health = Health.NOTE if trouble else Health.GOOD
        found.append(Finding(f"set {name}", health, trouble or kind))
    return tuple(found)


def sample_folder() -> Path:
    """Where the bundled pictures lie."""
    return Path(str(resources.files("web_ui").joinpath("samples")))


def check_samples(folder: Path | None) -> tuple[Finding, ...]:
    """A bundled picture can be read.

    Args:
        folder: pictures to take the first of; None for the bundled ones.
    """
    place = sample_folder() if folder is None else folder
    pictures = sorted(place.glob("*.jpg"))
    if not pictures:
        return (Finding("sample", Health.BAD, f"no pictures in {place}"),)
    # the runtime of the models is slow to load, and may be what is broken
    from scoring.dice_sets import bundled_dice_set
    from vision.errors import VisionError
    from vision.pictures import load_picture
    from vision.reader import load_reader

    try:
        image = load_picture(pictures[0]).image
        reader = load_reader(bundled_dice_set("square-shooters"))
        began = time.perf_counter()
        reading = reader.read(image)
    except VisionError as error:
        return (Finding("sample", Health.BAD, str(error)),)
    took_ms = (time.perf_counter() - began) * 1000
    sentence = (
        f"{pictures[0].name}: {len(reading.dice)} dice, {reading.status}, "
        f"{took_ms:.0f} ms (models loaded in {reader.load_ms:.0f} ms)"
    )
    health = Health.GOOD if reading.dice else Health.BAD
    return (Finding("sample", health, sentence),)


def check_demo() -> tuple[Finding, ...]:
    """The demo's clip is there."""
    from web_ui.play_parts import demo_clip

    clip = demo_clip()
    if not clip.is_file():
        return (Finding("demo", Health.NOTE, f"{clip} is missing: no --demo"),)
    return (Finding("demo", Health.GOOD, f"{clip.stat().st_size / 1e6:.1f} MB"),)


def check_camera(devices: Path, number: int) -> Finding:
    """Look for a camera without opening it; none is no failure.

    Args:
        devices: where the system lists its devices.
        number: of the camera.
    """
    found = sorted(path.name for path in devices.glob("video*"))
    if f"video{number}" not in found:
        others = f" (there are {', '.join(found)})" if found else ""
        sentence = f"no camera {number}{others}: clips, streams and --demo work"
        return Finding("camera", Health.NOTE, sentence)
    if not os.access(devices / f"video{number}", os.R_OK | os.W_OK):
        sentence = f"camera {number} may not be opened: join the group `video`"
        return Finding("camera", Health.NOTE, sentence)
    return Finding("camera", Health.GOOD, f"camera {number} is there")


def check_captures(data: Path) -> Finding:
    """The rolls kept from play can be used; none is no failure.

    Args:
        data: the table's folder.
    """
    from datasets.captures.album import Album
    from datasets.captures.fields import CaptureError
    from web_ui.captures.opening import captures_folder

    try:
        album = Album(captures_folder(data))
        tally = album.tally()
    except CaptureError as error:
        sentence = f"{error} (`tableside dataset captures rebuild`)"
        return Finding("captures", Health.NOTE, sentence)
    gone = sum(tally.dropped.values())
    rolls = f"{tally.total} roll{'s' * (tally.total != 1)}"
    sentence = f"{rolls} kept, {tally.size / 1e6:.0f} MB, {gone} dropped"
    health = Health.NOTE if album.told else Health.GOOD
    return Finding("captures", health, "; ".join([sentence, *album.told]))


def check_disk(folder: Path) -> Finding:
    """There is room for pictures and logs."""
    free_mb = shutil.disk_usage(folder).free / 1e6
    health = Health.GOOD if free_mb >= LEAST_FREE_MB else Health.NOTE
    sentence = f"{free_mb / 1000:.1f} GB free in {folder}"
    return Finding("disk", health, sentence)
