"""The dashboard in the system's Chromium, on a phone, a tablet and a desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from open_tables import SETTINGS, ServedTable
from table_makers import FIRST, SECOND, THIRD, moment, reading, write_script

from vision.reading import ProblemCode, Status
from web_ui.settings import ServerSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
SERVER = ServerSettings(port=0, viewers=4, streams=8)
WAIT_MS = 10_000


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open the page of a table; a script error or a refused resource fails the test."""
    faults: list[str] = []
    pages: list[Page] = []

    def open_page(table: ServedTable, size: str = "desktop") -> Page:
        width, height = SIZES[size]
        page = browser.new_page(viewport={"width": width, "height": height})
        pages.append(page)
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(table.url, wait_until="domcontentloaded")
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert faults == []


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., ServedTable]]:
    """Serve a table at which these readings settle, the last one for good."""
    tables: list[ServedTable] = []

    def serve(*readings: object, demo: bool = False) -> ServedTable:
        moments = [moment(0, "empty")]
        for place, made in enumerate(readings):
            moments.append(moment(0.4 + 0.4 * place, "settled", made))  # type: ignore[arg-type]
        script = write_script(tmp_path / "watch.json", moments)
        settings = Settings(server=SERVER, game=SETTINGS.game)
        tables.append(ServedTable(script, settings, demo=demo))
        return tables[-1]

    yield serve
    for table in tables:
        table.close()


def tiles_shown(page: Page) -> list[str]:
    return [
        text.strip()
        for text in page.locator(".tile:not(.blank) .rank").all_inner_texts()
    ]


@pytest.mark.parametrize("size", SIZES)
def test_page_fits_the_screen_and_shows_all_nine_dice(
    visit: Callable[..., Page], play: Callable[..., ServedTable], size: str
) -> None:
    page = visit(play(reading(THIRD, 1), demo=True), size)
    page.wait_for_selector(".tile.in-hand")
    width, height = SIZES[size]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert tiles_shown(page) == ["10", "10", "10", "9", "9", "A", "4", "5", "6"]
    boxes = [page.locator(".tile").nth(place).bounding_box() for place in range(9)]
    for box in boxes:
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height, "all dice without scrolling"
    assert page.locator("#hand-name").inner_text() == "Full house, tens over nines"
    assert page.locator("#verdict").get_attribute("data-kind") == "sure"
    assert page.locator("#overlay polygon").count() == 9
    for place in range(9):
        for part in (".face", ".check"):
            box = page.locator(f".tile {part}").nth(place).bounding_box()
            assert box is not None
            assert box["width"] >= 44
            assert box["height"] >= 44


def test_screen_that_gets_no_picture_says_so_until_it_gets_one(
    browser: Browser, tmp_path: Path
) -> None:
    script = write_script(tmp_path / "watch.json", [moment(0, "empty")])
    settings = Settings(
        server=ServerSettings(port=0, viewers=1, streams=8), game=SETTINGS.game
    )
    table = ServedTable(script, settings)
    first, second = browser.new_page(), browser.new_page()
    try:
        first.goto(table.url)
        first.wait_for_function("document.getElementById('video').naturalWidth > 0")
        second.goto(table.url)
        told = second.locator("#lacks-picture")
        told.wait_for(timeout=WAIT_MS)
        assert "too many screens" in told.inner_text()
        assert not first.locator("#lacks-picture").is_visible()
        assert not second.locator("#video").is_visible()
        first.close()
        told.wait_for(state="hidden", timeout=2 * WAIT_MS)
        assert second.locator("#video").is_visible()
    finally:
        second.close()
        table.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("status", list(Status))
def test_nothing_jumps_when_a_reading_arrives(
    visit: Callable[..., Page],
    play: Callable[..., ServedTable],
    size: str,
    status: Status,
) -> None:
    table = play()
    page = visit(table, size)

    def places() -> list[object]:
        ids = ("stage", "verdict", "tiles", "cards", "pays")
        return [page.locator(f"#{name}").bounding_box() for name in ids]

    page.click("[data-do=draw]")
    page.wait_for_selector("#cards .card")
    before = places()
    doubtful = () if status is Status.SURE else (2, 3)
    table.settle(reading(THIRD, 1, status, doubtful))
    page.wait_for_selector(f"#verdict[data-kind={status}]")
    assert places() == before


def test_tap_on_a_die_keeps_it_and_another_lets_it_go(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    table = play(reading(FIRST, 1), demo=True)
    page = visit(table, "phone")
    face = page.locator(".tile .face").first
    page.wait_for_selector(".tile.keepable")
    face.click()
    page.wait_for_selector(".tile.kept")
    assert face.get_attribute("aria-pressed") == "true"
    game = table.running.table.state.game
    assert game is not None
    assert game.state.kept_places == (0,)
    face.click()
    page.wait_for_selector(".tile.keepable:not(.kept) >> nth=0")
    page.wait_for_function("() => document.querySelectorAll('.kept').length === 0")


def test_doubtful_roll_is_confirmed_with_one_tap(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    page = visit(play(reading(FIRST, 1, Status.ASK, (2,)), demo=True), "phone")
    page.wait_for_selector(".tile.doubtful")
    assert page.locator("#verdict-word").inner_text() == "Please check"
    page.click("#confirm")
    page.wait_for_selector("#verdict[data-kind=sure]")
    assert page.locator(".tile.doubtful").count() == 0


@pytest.mark.parametrize("size", SIZES)
def test_doubtful_die_is_corrected_with_two_taps(
    visit: Callable[..., Page], play: Callable[..., ServedTable], size: str
) -> None:
    page = visit(play(reading(FIRST, 1, Status.ASK, (2,)), demo=True), size)
    page.click(".tile.doubtful .face")
    page.click("#options .option >> nth=1")
    page.wait_for_selector("#verdict[data-kind=sure]")
    assert page.locator(".tile .rank").nth(2).inner_text() == "Q"
    page.wait_for_selector("#chooser", state="hidden")


def test_face_can_be_typed_by_keyboard_alone(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    page = visit(play(reading(FIRST, 1, Status.ASK, (2,)), demo=True))
    page.wait_for_selector(".tile.doubtful")
    page.locator(".tile.doubtful .face").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#chooser[open]")
    page.locator("#typed-face").focus()
    page.keyboard.type("kk")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#chooser-error').textContent")
    assert "KK" in page.locator("#chooser-error").inner_text().upper()
    page.locator("#typed-face").fill("10s")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict[data-kind=sure]")
    assert page.locator(".tile .rank").nth(2).inner_text() == "10"


def test_whole_turn_is_played_with_the_buttons(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    table = play()
    page = visit(table, "phone")
    page.select_option("#card-picked", "T18")
    page.wait_for_selector("#cards .card")
    assert page.locator("#target-id").inner_text() == "T18"
    page.evaluate(
        """faces => fetch("/api/v1/commands", {method: "POST",
           headers: {"Content-Type": "application/json"},
           body: JSON.stringify({do: "roll", faces})})""",
        THIRD.split(),
    )
    page.wait_for_function(
        "() => document.querySelector('#pays-chips').textContent === '10'"
    )
    assert page.locator("#cards .have").count() == 5
    page.click("[data-do=stop]")
    page.wait_for_selector(".seat[aria-current] >> text=Bob")
    assert page.locator(".seat b").all_inner_texts() == ["10", "0"]
    assert page.locator("#pays-title").inner_text().lower() == "won last turn"
    page.click("[data-do=draw]")
    page.wait_for_function("() => !document.querySelector('.tile:not(.blank)')")


def test_refused_roll_says_why_in_words_and_icon(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    few = reading("TC TD", 1, Status.REFUSE, (), ProblemCode.TOO_FEW_DICE)
    page = visit(play(few, demo=True))
    page.wait_for_selector("#verdict[data-kind=refuse]")
    assert page.locator("#verdict-icon").get_attribute("href") == "#i-refuse"
    assert page.locator("#verdict-words").inner_text() == "Look at this roll again."
    assert tiles_shown(page) == ["10", "10"]


def test_page_says_when_the_table_is_gone_and_comes_back_with_it(
    visit: Callable[..., Page], quiet_script: Path
) -> None:
    first = ServedTable(quiet_script, Settings(server=SERVER, game=SETTINGS.game))
    try:
        page = visit(first, "phone")
        assert not page.locator("#lost").is_visible()
    finally:
        first.close()
    page.wait_for_selector("#lost:visible")
    assert "lost" in page.locator("#lost").inner_text().lower()
    server = ServerSettings(port=first.port, viewers=4, streams=8)
    second = ServedTable(quiet_script, Settings(server=server, game=SETTINGS.game))
    try:
        page.wait_for_selector("#lost", state="hidden")
        page.click("[data-do=draw]")
        page.wait_for_selector("#cards .card")
    finally:
        page.close()
        second.close()


def test_name_of_a_player_is_text_and_never_markup(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    page = visit(play())
    page.click("#open-players")
    page.fill("#names-text", "<img src=x>\nBøb")
    page.click("#names .primary")
    page.wait_for_selector(".seat >> text=Bøb")
    assert page.locator(".seat span").all_inner_texts() == ["<img src=x>", "Bøb"]
    assert page.locator(".seat img").count() == 0


def test_texts_have_the_contrast_of_wcag_aa(
    visit: Callable[..., Page], play: Callable[..., ServedTable]
) -> None:
    page = visit(play(reading(SECOND, 1, Status.ASK, (2,)), demo=True))
    page.wait_for_selector(".tile.doubtful")
    poor = page.evaluate(CONTRAST)
    assert poor == []


CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) =>
    0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
      if (a > 0.9) return [r, g, b];
    }
    return [13, 18, 16];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || element.closest("svg, noscript, datalist, option")) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const a = light(parse(style.color)), b = light(ground(element));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([element.textContent.trim(), ratio]);
  }
  return poor;
}"""
