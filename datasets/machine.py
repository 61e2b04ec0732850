"""What the result of drawing or training depends on besides its options and seed."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from datasets.fonts import font_book

HOUSE = Path(__file__).resolve().parent.parent
CODE = ("datasets", "scoring", "vision")
DRAWING = ("numpy", "opencv-python", "pillow")
"""Distributions that pictures depend on."""
READING = ("numpy", "opencv-python", "openvino", "pillow")
"""Distributions that readings depend on."""
TRAINING = (*DRAWING, "onnx", "onnxslim", "torch", "torchvision", "ultralytics")
"""Distributions that weights depend on."""
ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Machine:
    """What is installed, so that two machines can be told to work alike.

    Attributes:
        python: version, as in `3.11.7`.
        processor: kind, as in `x86_64`.
        packages: names and versions of distributions, sorted.
        fonts: digest of the usable fonts in their order, names and contents.
        code: digest of our own source.
    """

    python: str
    processor: str
    packages: tuple[tuple[str, str], ...]
    fonts: str
    code: str

    def record(self) -> dict[str, Any]:
        """As JSON holds it; `machine_of` reads it back."""
        return {
            "python": self.python,
            "processor": self.processor,
            "packages": dict(self.packages),
            "fonts": self.fonts,
            "code": self.code,
        }


def machine_of(record: object) -> Machine:
    """Read what `Machine.record` wrote.

    Raises:
        ValueError: it is not such a record.
    """
    if not isinstance(record, dict):
        raise ValueError(f"a machine must be an object, not {record!r:.80}")
    texts = [record.get(name) for name in ("python", "processor", "fonts", "code")]
    packages = record.get("packages")
    if not all(isinstance(text, str) for text in texts) or not isinstance(
        packages, dict
    ):
        raise ValueError("a machine needs python, processor, packages, fonts and code")
    python, processor, fonts, code = (str(text) for text in texts)
    named = tuple(sorted((str(k), str(v)) for k, v in packages.items()))
    return Machine(python, processor, named, fonts, code)


def this_machine(packages: tuple[str, ...] = DRAWING, *, fonts: bool = True) -> Machine:
    """What is installed here.

    Args:
        packages: distributions whose versions count.
        fonts: whether fonts count; if not, they are stated as none.

    Raises:
        FontsError: too few fonts to draw with.
    """
    named = tuple(sorted((name, _version(name)) for name in packages))
    return Machine(
        platform.python_version(),
        platform.machine(),
        named,
        fonts_digest() if fonts else "",
        code_digest(),
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


@lru_cache(maxsize=1)
def fonts_digest() -> str:
    """Short hash of the usable fonts in the order in which chance picks among them."""
    book = font_book()
    digest = hashlib.sha256()
    for path in (*book.ranks, "", *book.suits):
        digest.update(Path(path).name.encode() + b"\0")
        if path:
            digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Short hash of the source of the packages that draw, read and train."""
    digest = hashlib.sha256()
    for package in CODE:
        for path in sorted((HOUSE / package).rglob("*.py")):
            digest.update(path.relative_to(HOUSE).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def differences(told: Machine, here: Machine) -> tuple[str, ...]:
    """What differs between two machines, one short sentence each.

    Args:
        told: as it was, or shall be.
        here: as it is.
    """
    found = []
    if told.python != here.python:
        found.append(f"Python is {here.python}, not {told.python}")
    if told.processor != here.processor:
        found.append(f"the processor is {here.processor}, not {told.processor}")
    have = dict(here.packages)
    found += [
        f"{name} is {have.get(name, ABSENT)}, not {wanted}"
        for name, wanted in told.packages
        if have.get(name, ABSENT) != wanted
    ]
    if told.fonts != here.fonts:
        found.append("the fonts are others")
    if told.code != here.code:
        found.append("Tableside's own code is another")
    return tuple(found)
