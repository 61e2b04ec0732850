"""A layout proposed on the pages: seen, refused a name, confirmed, called wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guests import opened_browser
from open_tables import WAIT_S, ServedTable
from seen_games import DICE, played
from table_makers import moment, write_script

from datasets.enrolment.set_folder import SetFolder
from web_ui.layouts.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WAIT_MS = 20_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


@pytest.fixture
def proposing(tmp_path: Path) -> Iterator[ServedTable]:
    """A table whose games before leave no doubt."""
    table = ServedTable(write_script(tmp_path / "w.json", [moment(0, "empty")]))
    table.running.feed.after(0, WAIT_S)
    # by the table's own store: another one of the same process would, when it looks at
    # the file, drop the locks of this one
    table.running._books.store.append(played(30)[0].events)
    table.running.layouts.tell_anew()  # type: ignore[union-attr]
    state = table.running.layouts.state  # type: ignore[union-attr]
    try:
        assert (state.standing, state.trouble) == (Standing.PROPOSED, "")
        yield table
    finally:
        table.close()


def opened(browser: Browser, url: str, width: int, faults: list[str]) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_default_timeout(WAIT_MS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_selector("body[data-ready]")
    return page


def test_layout_is_proposed_confirmed_and_called_wrong(
    browser: Browser, proposing: ServedTable
) -> None:
    faults: list[str] = []
    page = opened(browser, proposing.url, 1280, faults)
    page.wait_for_selector("#layout-line:not([hidden])")
    line = page.inner_text("#layout-line-words")
    assert line.startswith(
        "90 rolls seen: which faces share a die is now known with 99"
    )
    page.click("#layout-line a")
    page.wait_for_selector("#layout-use:not([hidden])")
    rows = page.locator("#layout-dice > li")
    assert rows.count() == 9
    assert page.locator("#layout-dice .layout-face").count() == 54
    spoken = {
        frozenset(rows.nth(k).locator(".unseen").all_inner_texts()) for k in range(9)
    }
    assert len(frozenset().union(*spoken)) == 54
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    # a name that no set can have is said to be so, and nothing is kept
    page.fill("#layout-name", "My dice")
    page.press("#layout-name", "Enter")
    page.wait_for_selector("#layout-answer[data-warn='true']:has-text('cannot name')")
    folder = SetFolder(proposing.running.layouts.data / "sets")  # type: ignore[union-attr]
    assert folder.names() == ()
    page.fill("#layout-name", "my-dice")
    page.press("#layout-name", "Enter")
    page.wait_for_selector("#layout-start:has-text('tableside play --set my-dice')")
    kept = folder.load("my-dice")
    assert {frozenset(die) for die in kept.dice or ()} == set(map(frozenset, DICE))
    page.select_option("#layout-die", "3")
    page.click("#layout-wrong button")
    page.wait_for_selector("#layout-answer:has-text('Only rolls from now on count')")
    assert page.is_hidden("#layout-more")
    assert "0 rolls seen" in page.inner_text("#layout-words")
    page.close()
    assert faults == []
