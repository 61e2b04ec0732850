"""What axe-core finds wrong with a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

GRAVE = frozenset({"serious", "critical"})


def faults(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical, as `rule: element`."""
    result = Axe().run(page).response
    # were nothing looked at, nothing would be found
    assert len(result["passes"]) > 5
    return [
        f"{found['id']}: {node['target']}"
        for found in result["violations"]
        if found["impact"] in GRAVE
        for node in found["nodes"]
    ]
