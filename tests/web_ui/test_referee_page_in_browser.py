"""The referee's page and the display for a hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guests import SIZES, sideways
from table_makers import FIRST, THIRD, reading

from web_ui.access.roles import Role
from web_ui.table.commands import parse_order

if TYPE_CHECKING:
    from guests import Guests
    from open_tables import ServedTable
    from playwright.sync_api import Page
    from served_halls import ServedHall

pytestmark = pytest.mark.browser


def obey(table: ServedTable, **order: object) -> None:
    table.running.table.obey(parse_order(order))


def play_to_the_end(table: ServedTable) -> None:
    """One player, one round, one roll: the game is over."""
    obey(table, do="start", game="classic", players=["Ann"], options={"rounds": 1})
    obey(table, do="draw", card="T18")
    table.settle(reading(THIRD, 1))
    table.wait_for('"hand": {')
    obey(table, do="stop")


def answer(page: Page, words: str) -> None:
    """Fill the sheet that asks for words, and wait until it is gone."""
    page.fill("#words-text", words)
    page.click("#words-act")
    page.wait_for_selector("#words", state="hidden")


@pytest.mark.parametrize("size", SIZES)
def test_claim_is_ruled_corrected_and_the_result_signed(
    guests: Guests, quiet_table: ServedTable, size: str
) -> None:
    play_to_the_end(quiet_table)
    obey(quiet_table, do="claim", player="Ann", words="A nine is a king", reading=1)
    page = guests.open(f"{quiet_table.url}referee", size)
    assert page.locator("#claims-title").inner_text().lower() == "claims: 1 open"
    assert sideways(page) == 0
    page.click("[aria-label='Evidence of claim 1']")
    page.wait_for_selector("#proof-picture[src]")
    assert page.locator("#overlay polygon").count() == 9
    assert page.locator("#proof-dice tr").count() == 9
    assert "rolled" in page.locator("#proof-log li").first.inner_text()

    page.click("[aria-label='Uphold claim 1']")
    answer(page, "The picture shows a king")
    page.wait_for_selector("#claims .ruling.upheld >> text=The picture shows a king")

    page.locator(".tile .check").nth(4).click()
    page.fill("#typed-face", "KD")
    page.click("#typed .primary")
    page.wait_for_selector("#chooser-error >> text=Say why")
    page.fill("#chooser-reason", "Claim 1")
    page.click("#typed .primary")
    page.wait_for_selector("#chooser", state="hidden")
    page.wait_for_selector("#log li >> text=Claim 1")
    page.wait_for_selector("#proof-log li >> text=corrected")
    assert page.locator("#proof-dice tr.marked").count() == 1
    # without the full house the turn earned nothing
    assert page.locator("#standings b").inner_text() == "0"

    page.click("#sign")
    answer(page, "Rae")
    page.wait_for_selector("#sign-words >> text=Signed by Rae")
    assert page.locator("#undo").is_disabled()
    page.click("#reopen")
    answer(page, "A second look")
    page.wait_for_selector("#sign:visible")


def test_table_is_frozen_with_a_reason_and_thawed(
    guests: Guests, quiet_table: ServedTable
) -> None:
    page = guests.open(f"{quiet_table.url}referee")
    page.click("#freeze")
    page.click("#words-act")
    assert page.locator("#words").is_visible(), "no reason, no freezing"
    answer(page, "A die fell off the table")
    page.wait_for_selector("#hero[data-kind=frozen] >> text=A die fell off the table")
    assert quiet_table.running.table.state.frozen == "A die fell off the table"
    page.click("#thaw")
    page.wait_for_selector("#hero[data-kind=play]")


def test_undo_is_logged_with_who_and_can_be_redone(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="draw", card="T18")
    page = guests.open(f"{quiet_table.url}referee")
    page.click("#undo")
    answer(page, "Drawn too early")
    page.wait_for_selector("#log li.undone")
    page.click("#redo")
    page.wait_for_selector("#log li:not(.undone) >> text=T18")


def test_ruling_that_is_written_survives_a_claim_that_comes_meanwhile(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="claim", player="Ann", words="First")
    page = guests.open(f"{quiet_table.url}referee")
    page.click("[aria-label='Reject claim 1']")
    page.fill("#words-text", "Nothing is wr")
    obey(quiet_table, do="claim", player="Bob", words="Second")
    page.wait_for_function("() => document.querySelectorAll('#claims li').length === 2")
    assert page.locator("#words-text").input_value() == "Nothing is wr"
    page.locator("#words-text").press("End")
    page.keyboard.type("ong")
    page.keyboard.press("Enter")
    page.wait_for_selector("#claims .ruling.rejected >> text=Nothing is wrong")
    first = page.locator("#claims li").first
    assert "Second" in first.inner_text(), "open claims come first"


def test_claim_that_another_referee_ruled_is_refused_in_words(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="claim", player="Ann", words="First")
    page = guests.open(f"{quiet_table.url}referee")
    page.click("[aria-label='Uphold claim 1']")
    obey(quiet_table, do="rule", claim=1, ruling="rejected", reason="No")
    page.fill("#words-text", "Yes")
    page.click("#words-act")
    page.wait_for_selector("#words-error >> text=ruled already")


def test_evidence_of_an_older_roll_stays_while_play_goes_on(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="draw", card="T18")
    quiet_table.settle(reading(FIRST, 1))
    quiet_table.wait_for('"rolls": 1')
    obey(quiet_table, do="keep", dice=[0, 1])
    quiet_table.settle(reading(THIRD, 2))
    quiet_table.wait_for('"rolls": 2')
    obey(quiet_table, do="claim", player="Bob", words="The first", reading=1)
    page = guests.open(f"{quiet_table.url}referee")
    page.click("[aria-label='Evidence of claim 1']")
    page.wait_for_selector("#proof-title >> text=Reading 1")
    assert "7" in page.locator("#proof-dice tr").nth(4).inner_text()
    obey(quiet_table, do="stop")
    page.wait_for_selector("#hero-word >> text=Bob")
    assert page.locator("#proof-title").inner_text().lower() == "reading 1"
    page.click("#proof-live")
    page.wait_for_selector("#proof-title >> text=last reading")


def test_display_has_big_type_and_no_controls(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="draw", card="T18")
    quiet_table.settle(reading(THIRD, 1))
    quiet_table.wait_for('"hand": {')
    page = guests.open(f"{quiet_table.url}referee?display")
    page.wait_for_selector(".tile.in-hand")
    seen = page.locator("button:not(.tile button), a, input, select").all()
    assert [control for control in seen if control.is_visible()] == []
    assert page.locator(".tile button:visible:not([aria-disabled=true])").count() == 0

    def size_px(selector: str) -> float:
        size = "e => parseFloat(getComputedStyle(e).fontSize)"
        return float(page.locator(selector).first.evaluate(size))

    # shares of the width: what is read on a small screen is read on a wall
    assert size_px("#hero-word") >= 0.05 * 1440
    assert size_px(".tile .rank") >= 0.04 * 1440
    assert size_px("#standings li") >= 0.025 * 1440
    tall = "document.documentElement.scrollHeight - innerHeight"
    assert page.evaluate(tall) <= 0, "a display has nobody to scroll it"
    assert page.locator("#hero-hand").inner_text() == "Full house, tens over nines"


@pytest.mark.parametrize("many", [2, 8])
def test_long_names_push_no_score_out_of_sight(
    guests: Guests, quiet_table: ServedTable, many: int
) -> None:
    names = ["Annabelle-Charlotte Must", *(f"Player {n}" for n in range(2, many + 1))]
    obey(quiet_table, do="start", game="classic", players=names)
    for path in ("referee", "referee?display"):
        page = guests.open(f"{quiet_table.url}{path}")
        assert sideways(page) == 0
        panel = page.locator("#standings").bounding_box()
        assert panel is not None
        for score in page.locator("#standings b").all():
            box = score.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= panel["x"] + panel["width"]


def test_faces_of_poker_dice_are_no_jokers(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="start", game="showdown", players=["Ann", "Bob"])
    obey(quiet_table, do="roll", faces=["A", "A", "A", "K", "9"])
    page = guests.open(f"{quiet_table.url}referee?display")
    page.wait_for_selector(".tile:not(.blank)")
    assert page.locator(".tile .rank").all_inner_texts() == ["A", "A", "A", "K", "9"]
    assert set(page.locator(".tile .suit").all_inner_texts()) == {""}


def test_whoever_is_no_referee_gets_the_display(
    guests: Guests, served_hall: ServedHall
) -> None:
    cookie = served_hall.cookie(Role.OPERATOR, "Opa")
    page = guests.open(f"{served_hall.url}referee", cookie=cookie)
    assert page.locator("#freeze").count() == 0
    assert page.locator("text=Log in as referee").is_visible()
    other = served_hall.cookie(Role.REFEREE, "Rae")
    page = guests.open(f"{served_hall.url}referee", cookie=other)
    page.click("#freeze")
    answer(page, "Just so")
    page.wait_for_selector("#hero[data-kind=frozen]")
    assert served_hall.table.thread.state.frozen == "Just so"
