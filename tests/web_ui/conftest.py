"""Tables that must be closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from open_tables import OpenTable, ServedTable
from table_makers import FIRST, moment, reading, write_script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def table() -> Iterator[OpenTable]:
    opened = OpenTable()
    yield opened
    opened.close()


@pytest.fixture
def quiet_script(tmp_path: Path) -> Path:
    """An empty tray, then one sure roll."""
    moments = [moment(0, "empty"), moment(0.3, "settled", reading(FIRST, 1))]
    return write_script(tmp_path / "quiet.json", moments)


@pytest.fixture
def served(quiet_script: Path) -> Iterator[ServedTable]:
    opened = ServedTable(quiet_script)
    yield opened
    opened.close()
