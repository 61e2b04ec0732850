"""The pages of past games in a browser: the list, the replay, the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from open_tables import SETTINGS, ServedTable
from table_makers import FIRST, THIRD, moment, reading, write_script
from table_rounds import Round

from web_ui.settings import ServerSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SERVER = ServerSettings(port=0, viewers=4, streams=8)
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
WAIT_MS = 10_000
WHY = "It lay in the shade"


@pytest.fixture(scope="module")
def served_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    script = write_script(
        tmp_path_factory.mktemp("watched") / "watch.json", [moment(0, "empty")]
    )
    opened = ServedTable(script, Settings(server=SERVER, game=SETTINGS.game))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def past_game(
    served_table: ServedTable, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A game with a correction, a claim and something taken back; gives its id."""
    books = served_table.running._books
    picture = books.pictures.put(_picture(tmp_path_factory.mktemp("pictures")))
    rolled = Round()
    rolled.order("draw", card="T18")
    rolled.settle(reading(FIRST, 1), picture=picture)
    rolled.order("keep", dice=[0, 1])
    rolled.settle(reading(THIRD, 2), picture="0" * 64)
    rolled.order("correct", reading=2, die=5, face="KC", reason=WHY)
    rolled.order("claim", words="<b>That</b> is an ace", player="Bob", reading=2)
    rolled.order("rule", claim=1, ruling="rejected", reason="The picture shows it")
    rolled.order("stop")
    rolled.order("undo")
    rolled.order("stop")
    books.store.append(rolled.events)
    return rolled.events[-1].game


def _picture(folder: Path) -> bytes:
    import cv2
    import numpy as np

    path = folder / "table.jpg"
    cv2.imwrite(str(path), np.full((720, 1280, 3), 60, np.uint8))
    return path.read_bytes()


@pytest.fixture(params=SIZES)
def page(
    browser: Browser, served_table: ServedTable, request: pytest.FixtureRequest
) -> Iterator[Page]:
    width, height = SIZES[request.param]
    opened = browser.new_page(viewport={"width": width, "height": height})
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.set_default_timeout(WAIT_MS)
    yield opened
    opened.close()
    assert faults == []


def open_page(page: Page, served: ServedTable, path: str) -> None:
    page.goto(f"{served.url.rstrip('/')}{path}", wait_until="domcontentloaded")
    page.wait_for_selector("body[data-ready]")


def words(page: Page) -> str:
    return page.inner_text("#step-words")


def test_game_is_found_in_the_list_and_replayed_by_keys(
    page: Page, served_table: ServedTable, past_game: str
) -> None:
    open_page(page, served_table, "/history")
    page.click(f"a[href='/history/{past_game}']")
    page.wait_for_selector("body[data-ready]")
    assert words(page).startswith("The game begins")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert words(page).startswith("Ann rolled")
    page.wait_for_selector("#veil", state="hidden")
    assert page.locator("#overlay polygon").count() == 9
    assert page.locator("#step-dice li").count() == 9
    page.keyboard.press("ArrowRight")
    assert page.locator("#step-dice .kept").count() == 2
    page.keyboard.press("End")
    assert "Ann stopped" in words(page)
    assert page.locator("#log s").count() == 1
    page.keyboard.press("Home")
    assert page.get_attribute("body", "data-step") == "1"
    fits = "() => document.documentElement.scrollWidth <= window.innerWidth"
    assert page.evaluate(fits)


def test_corrected_die_shows_what_was_read(
    page: Page, served_table: ServedTable, past_game: str
) -> None:
    open_page(page, served_table, f"/history/{past_game}")
    page.click("#log button:has-text('corrected to')")
    changed = page.locator("#step-dice .changed")
    assert changed.count() == 1
    assert "read A♠" in changed.inner_text().replace("\ufe0e", "")
    assert WHY in page.inner_text("#corrections")
    claims = page.inner_text("#claims")
    assert "<b>That</b> is an ace" in claims
    assert "rejected" in claims
    page.wait_for_function(
        "() => document.getElementById('veil-words').textContent.includes('not there')"
    )


def test_replay_plays_by_itself_to_the_end(
    page: Page, served_table: ServedTable, past_game: str
) -> None:
    page.clock.install()
    open_page(page, served_table, f"/history/{past_game}")
    page.click("#run")
    page.clock.run_for(60_000)
    assert page.inner_text("#run") == "Play"
    steps = page.get_attribute("#place", "max")
    assert page.get_attribute("body", "data-step") == steps


def test_game_on_the_table_is_followed(page: Page, served_table: ServedTable) -> None:
    open_page(page, served_table, "/history")
    page.click(".game-line:has-text('On the table now')")
    page.wait_for_selector("body[data-ready]")
    before = int(page.get_attribute("#place", "max") or 0)
    page.evaluate(
        "() => fetch('/api/v1/commands', {method: 'POST', headers: {'Content-Type': "
        "'application/json'}, body: JSON.stringify({do: 'claim', words: 'An ace', "
        "player: 'Bob'})})"
    )
    page.wait_for_function(
        "before => Number(document.body.dataset.step) > before", arg=before
    )
    assert words(page) == "Bob claims: An ace"


def test_game_that_is_not_there_is_told(page: Page, served_table: ServedTable) -> None:
    page.goto(f"{served_table.url.rstrip('/')}/history/%3Cimg%20src=x%3E")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "there is no game" in page.inner_text("#trouble")


def test_fairness_is_worked_out_when_it_is_opened(
    browser: Browser, served_table: ServedTable, past_game: str
) -> None:
    page = browser.new_page()
    open_page(page, served_table, f"/history/{past_game}")
    page.click("#fairness summary")
    page.wait_for_selector("#fairness table", timeout=60_000)
    assert "No evidence" in page.inner_text("#fairness")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_replay_has_no_serious_fault(
    browser: Browser,
    served_table: ServedTable,
    past_game: str,
    scheme: Literal["light", "dark"],
) -> None:
    page = browser.new_page(color_scheme=scheme, bypass_csp=True)
    open_page(page, served_table, f"/history/{past_game}")
    page.click("#log button:has-text('corrected to')")
    result = Axe().run(page).response
    assert len(result["passes"]) > 5
    grave = [f for f in result["violations"] if f["impact"] in ("serious", "critical")]
    assert grave == []
    page.close()
