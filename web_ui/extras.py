"""How to install what only some commands need."""

from __future__ import annotations

import shlex
import sys


def install_words(extra: str) -> str:
    """What to type for an extra of the package.

    Tableside is on no index, so it is the project's own folder that is installed.

    Args:
        extra: its name in `pyproject.toml`.
    """
    python = shlex.quote(sys.executable)
    return f"in the project's folder type {python} -m pip install -e '.[{extra}]'"
