"""Whole games from the operator's page: dice thrown, cards and guesses tapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from open_tables import SETTINGS, ServedTable
from table_makers import FIRST, THIRD, moment, reading, write_script

from vision.reading import Status
from web_ui.settings import ServerSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SERVER = ServerSettings(port=0, viewers=4, streams=8)
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
WAIT_MS = 10_000
TURN_LIMIT = 400


@pytest.fixture
def served_table(tmp_path: Path) -> Iterator[ServedTable]:
    script = write_script(tmp_path / "watch.json", [moment(0, "empty")])
    opened = ServedTable(script, Settings(server=SERVER, game=SETTINGS.game))
    yield opened
    opened.close()


@pytest.fixture(params=SIZES)
def page(
    browser: Browser, served_table: ServedTable, request: pytest.FixtureRequest
) -> Iterator[Page]:
    width, height = SIZES[request.param]
    opened = browser.new_page(viewport={"width": width, "height": height})
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.set_default_timeout(WAIT_MS)
    opened.goto(served_table.url, wait_until="domcontentloaded")
    opened.wait_for_selector("body[data-ready]")
    yield opened
    opened.close()
    assert faults == []


def begin(page: Page, game: str, players: str, **options: int) -> None:
    page.click("#open-players")
    page.wait_for_function("() => document.querySelectorAll('#game-name option')[6]")
    page.select_option("#game-name", game)
    page.fill("#names-text", players)
    if options:
        page.click("#names summary")
    for name, value in options.items():
        page.fill(f"#option-{name}", str(value))
    page.click("#names .primary")
    page.wait_for_selector("#players", state="hidden")


def shown_step(page: Page) -> int:
    """How far the game is, as the page shows it."""
    return int(page.locator("body").get_attribute("data-step") or 0)


def wait_past(page: Page, step: int) -> None:
    page.wait_for_function(
        "step => Number(document.body.dataset.step) > step", arg=step
    )


def tap(page: Page, selector: str) -> None:
    """Press what is there, and wait until the page shows what came of it."""
    step = shown_step(page)
    page.locator(selector).first.click()
    wait_past(page, step)


def type_roll(page: Page, faces: str) -> None:
    step = shown_step(page)
    page.click("#type-roll")
    page.fill("#typing-faces", faces)
    page.click("#typing-form .primary")
    page.wait_for_selector("#typing", state="hidden")
    wait_past(page, step)


def test_straight_shooter_is_played_to_its_end_by_taps(page: Page) -> None:
    begin(page, "straight_shooter", "Ann\nBob\nCem", target=4)
    page.wait_for_selector("[data-do=deal]")
    for _ in range(TURN_LIMIT):
        if page.locator("#verdict[data-kind=over]").count():
            break
        tap(page, "[data-do=deal], .mini[data-do=play], .mini[data-do=draw]")
    assert page.locator("#verdict[data-kind=over]").count() == 1
    assert page.locator(".seat.won").count() == 1


def test_squint_is_played_to_its_end_by_taps(page: Page) -> None:
    begin(page, "squint", "Ann\nBob\nCem", rounds=1)
    page.wait_for_selector("#type-roll:visible")
    for turn in range(TURN_LIMIT):
        if page.locator("#verdict[data-kind=over]").count():
            break
        if page.locator("#type-roll:visible").count():
            type_roll(page, str(1 + turn % 3))
            continue
        tap(page, "[data-do=draw], [data-do=start_timer], [data-do=guess]")
    assert page.locator("#verdict[data-kind=over]").count() == 1


def test_war_is_tossed_from_both_hands_and_taken_back(page: Page) -> None:
    begin(page, "war", "Ann\nBob")
    page.wait_for_selector("#type-roll:visible")
    type_roll(page, "KH 4C")
    page.wait_for_selector("#log li >> text=wins the battle")
    assert page.locator(".tile").count() == 2
    page.click("#undo")
    page.wait_for_selector("#log li.undone")


def test_showdown_takes_a_row(page: Page) -> None:
    begin(page, "showdown", "Ann\nBob")
    page.wait_for_selector("#type-roll:visible")
    type_roll(page, "A A A K 9")
    page.wait_for_selector(".choices-row [data-do=choose]")
    page.click(".choices-row [data-do=choose] >> text=Three aces")
    page.wait_for_selector(".sheet-table .taken >> text=Ann")
    assert page.locator(".seat b").all_inner_texts() == ["3", "0"]


def test_classic_asks_corrects_in_two_taps_and_undoes_past_the_end(
    page: Page, served_table: ServedTable
) -> None:
    begin(page, "classic", "Ann", rounds=1)
    page.select_option("#card-picked", "T18")
    page.wait_for_selector("#cards .card")
    served_table.settle(reading(FIRST, 1, Status.ASK, (2,)))
    page.click(".tile.doubtful .face")
    page.click("#options .option >> nth=0")
    page.wait_for_selector("#verdict[data-kind=sure]")
    page.locator(".tile .face").first.click()
    page.wait_for_selector(".tile.kept")
    served_table.settle(reading(THIRD, 2))
    page.wait_for_function("() => document.querySelector('#pays-chips').textContent>0")
    page.click("[data-do=stop]")
    page.wait_for_selector("#verdict[data-kind=over]")
    page.click("#undo")
    page.wait_for_selector("#verdict[data-kind=sure]")
    page.click("#redo")
    page.wait_for_selector("#verdict[data-kind=over]")
    page.click("#log .look >> nth=0")
    page.wait_for_selector("#evidence-picture[src]")
