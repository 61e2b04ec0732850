"""A table killed at a random moment remembers what it showed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from table_killing import kill_and_look

if TYPE_CHECKING:
    from pathlib import Path


def test_killed_table_goes_on_where_it_was(tmp_path: Path) -> None:
    chance = random.Random(7)
    events = [kill_and_look(tmp_path, chance) for _ in range(3)]
    assert events == sorted(events)
    assert events[-1] > 6
