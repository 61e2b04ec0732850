"""What the result of drawing or training depends on besides its options and seed."""

from __future__ import annotations

import ast
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
        code: digest of our own source that counts.
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


def this_machine(
    packages: tuple[str, ...], modules: tuple[str, ...], *, fonts: bool = True
) -> Machine:
    """What is installed here.

    Args:
        packages: distributions whose versions count.
        modules: of ours whose source counts, with all that they import.
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
        code_digest(modules),
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


@lru_cache(maxsize=4)
def photos_digest(folder: str) -> str:
    """Short hash of names and sizes of the background photos in a folder; "" if none.

    Args:
        folder: as `--photos` names it; empty for none.
    """
    if not folder:
        return ""
    paths = sorted(Path(folder).glob("*.jpg"))
    named = "".join(f"{path.name} {path.stat().st_size}\n" for path in paths)
    return hashlib.sha256(named.encode()).hexdigest()[:16]


@lru_cache(maxsize=8)
def code_digest(modules: tuple[str, ...]) -> str:
    """Short hash of the source of some of our modules and of all that they import.

    Args:
        modules: names, as in `datasets.crops`.
    """
    digest = hashlib.sha256()
    for name in sorted(_imported(modules)):
        path = _source(name)
        assert path is not None
        digest.update(name.encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _imported(modules: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    todo = list(modules)
    while todo:
        name = todo.pop()
        path = None if name in found else _source(name)
        if path is None:
            continue
        found.add(name)
        nodes: list[ast.AST] = [ast.parse(path.read_bytes())]
        while nodes:
            node = nodes.pop()
            if isinstance(node, ast.ImportFrom) and node.module:
                todo.append(node.module)
                todo += [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                todo += [alias.name for alias in node.names]
            if not (isinstance(node, ast.If) and _for_types(node.test)):
                nodes += ast.iter_child_nodes(node)
    return found


def _for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _source(name: str) -> Path | None:
    """File of a module of ours; None if it is none."""
    if name.partition(".")[0] not in CODE:
        return None
    place = HOUSE.joinpath(*name.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


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
