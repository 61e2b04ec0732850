"""Tables that must be closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guests import Guests, opened_browser
from open_tables import WAIT_S, OpenTable, ServedTable
from served_halls import ServedHall
from table_makers import FIRST, moment, reading, write_script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


@pytest.fixture
def guests(browser: Browser) -> Iterator[Guests]:
    """Open pages; a script error or a refused resource fails the test."""
    opened = Guests(browser)
    yield opened
    opened.close()
    assert opened.faults == []


@pytest.fixture
def quiet_table(tmp_path: Path) -> Iterator[ServedTable]:
    """A served table with an empty tray."""
    opened = ServedTable(write_script(tmp_path / "w.json", [moment(0, "empty")]))
    opened.running.feed.after(0, WAIT_S)  # it takes orders from now on
    yield opened
    opened.close()


@pytest.fixture
def served_hall(tmp_path: Path) -> Iterator[ServedHall]:
    """A served table that people log in to."""
    opened = ServedHall(tmp_path)
    yield opened
    opened.close()


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
