"""A table in the network, with its codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from network_tables import NetworkTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[NetworkTable]:
    opened = NetworkTable(tmp_path / "data")
    yield opened
    opened.close()
