"""The page /setup/dice in Chromium: shown, a face corrected, learned, tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from open_tables import WAIT_S, ServedTable
from page_faults import faults
from shown_to_camera import DICE, ROLL, Stage, hand, learner, moved, painted, readers
from table_makers import moment, write_script

from web_ui.enrolling.desk import EnrolmentDesk
from web_ui.live_picture import LivePicture
from web_ui.settings import VideoSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from guests import Guests
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def shown_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[ServedTable, Stage]]:
    """A served table whose camera sees what a test shows."""

    own = LivePicture(VideoSettings())  # apart from the empty table of the script

    def desk(live: LivePicture, data: Path, models: object) -> EnrolmentDesk:
        return EnrolmentDesk(own, tmp_path / "data", readers(), learner(), lambda: True)

    monkeypatch.setattr("web_ui.running.open_enrolment", desk)
    table = ServedTable(write_script(tmp_path / "w.json", [moment(0, "empty")]))
    table.running.feed.after(0, WAIT_S)
    yield table, Stage(own, table.running.enrolling)
    table.close()


def waits_for(page: Page, element: str, words: str) -> None:
    page.wait_for_function(
        "([id, words]) => document.getElementById(id).textContent.includes(words)",
        arg=[element, words],
    )


def fits(page: Page) -> bool:
    wide: int = page.evaluate("document.documentElement.scrollWidth")
    assert page.viewport_size is not None
    return wide <= page.viewport_size["width"]


def test_a_set_is_enrolled_on_the_page(
    guests: Guests, shown_table: tuple[ServedTable, Stage]
) -> None:
    table, stage = shown_table
    page = guests.open(f"{table.url}setup/dice")
    page.fill("#new-name", "mine")
    page.keyboard.press("Enter")
    waits_for(page, "ask", "Lay die 1 alone")
    stage.show(painted(*DICE[0][:2]))
    waits_for(page, "told", "2 dice are to be seen")
    stage.show(painted(DICE[0][0]))
    waits_for(page, "ask", "Turn die 1 a little")
    stage.show(moved(painted(DICE[0][0])))
    waits_for(page, "count", "2 of 108")
    stage.show_all((DICE[0][1:],))
    waits_for(page, "ask", "Lay die 2 alone")

    # a face is corrected, and given back
    page.locator("#dice button:has(img)").first.click()
    page.locator("#faces [data-face=KH]").click()
    page.wait_for_selector("#chooser", state="hidden")
    session = table.running.enrolling.session
    assert session is not None
    assert [face.code for face in session.guide.shown.said.values()] == ["KH"]
    page.locator("#dice button:has(img)").first.click()
    page.click("#unsay")
    page.wait_for_selector("#chooser", state="hidden")
    assert session.guide.shown.said == {}

    # another browser goes on with it, on a phone
    phone = guests.open(f"{table.url}setup/dice", "phone", "dark")
    waits_for(phone, "count", "12 of 108")
    assert fits(phone)
    assert faults(phone) == []
    stage.show_all(DICE[1:])
    assert faults(page) == []
    waits_for(phone, "count", "108 of 108")
    assert fits(phone)
    phone.click("#learn")
    phone.wait_for_selector("#try:visible")
    phone.click("#try")
    waits_for(phone, "ask", "Roll all nine dice")
    stage.show(hand(1))
    phone.wait_for_selector("#right:visible")
    assert phone.locator("#roll li").count() == len(ROLL.split())
    assert fits(phone)
    phone.click("#right")
    waits_for(phone, "ask", "Roll all nine dice")
    phone.click("#finish")
    waits_for(page, "results", "9 of 9 faces right (95 % interval")
    waits_for(page, "use", "tableside play --set mine")
    page.click("#leave")
    page.wait_for_selector("#start:visible")
    assert "mine" in page.locator("#sets").inner_text()


def test_page_says_from_the_start_why_nothing_can_be_learned_here(
    guests: Guests,
    shown_table: tuple[ServedTable, Stage],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, _ = shown_table
    monkeypatch.setattr(table.running.enrolling, "_possible", lambda: False)
    page = guests.open(f"{table.url}setup/dice", "phone")
    page.fill("#new-name", "mine")
    page.click("#begin button")
    waits_for(page, "learn-words", "sides are still to be shown. Learning needs")
    waits_for(page, "learn-words", "enrolling/mine there, type this beside it")
    waits_for(page, "command", "tableside enrol mine --pictures mine --accept")
    assert fits(page)
    assert faults(page) == []
