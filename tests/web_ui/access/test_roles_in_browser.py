"""Logging in at a browser: what each role can do from the pages, and is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guests import Guests, sideways
from table_makers import FIRST, reading

from web_ui.access.roles import Role

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from served_halls import ServedHall

pytestmark = pytest.mark.browser

LOG_IN = "form[action='/login'] button"


def log_in(guests: Guests, hall: ServedHall, role: Role, size: str = "desktop") -> Page:
    page = guests.open(hall.url, size, ready="#code")  # led to the login page
    page.fill("#code", hall.hall.codes[role])
    page.fill("#name", "Ann <b>")
    page.click(LOG_IN)
    page.wait_for_selector("body[data-ready]")
    return page


def post(page: Page, command: str) -> int:
    """Send a command with the proof of the page, as its scripts do."""
    status: int = page.evaluate(
        """async (body) => (await fetch("/api/v1/commands", {method: "POST", body,
            headers: {"Content-Type": "application/json", "X-CSRF-Token":
                document.querySelector('meta[name="csrf-token"]').content}})).status""",
        command,
    )
    return status


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_operator_logs_in_draws_a_card_and_logs_out(
    guests: Guests, served_hall: ServedHall, size: str
) -> None:
    page = log_in(guests, served_hall, Role.OPERATOR, size)
    assert sideways(page) == 0
    assert page.locator(".whoami").count() == 1
    page.locator("[data-do=draw]").first.click()
    page.wait_for_selector("#cards .card")
    game = served_hall.table.thread.state.game
    assert game is not None
    assert game.state.target is not None
    page.click("#log-out")
    page.wait_for_selector("#code")
    page.goto(served_hall.url)
    page.wait_for_selector("#code")


def test_wrong_code_is_told_and_the_name_is_kept(
    guests: Guests, served_hall: ServedHall
) -> None:
    page = guests.open(served_hall.url + "setup", ready="#code")
    page.fill("#code", "00000000")
    page.fill("#name", "Ann")
    page.click(LOG_IN)
    page.wait_for_selector("#told")
    assert "not known" in page.inner_text("#told")
    assert page.input_value("#name") == "Ann"
    page.fill("#code", served_hall.hall.codes[Role.REFEREE])
    page.click(LOG_IN)
    page.wait_for_url("**/setup")


def test_viewer_who_taps_is_told_which_role_it_needs(
    guests: Guests, served_hall: ServedHall
) -> None:
    page = log_in(guests, served_hall, Role.VIEWER)
    page.locator("[data-do=draw]").first.click()
    page.wait_for_selector("#notice[data-warn=true] >> text=needs the role")
    game = served_hall.table.thread.state.game
    assert game is not None
    assert game.state.target is None


def test_what_a_referee_may_is_refused_to_the_operator(
    guests: Guests, served_hall: ServedHall
) -> None:
    operator = log_in(guests, served_hall, Role.OPERATOR)
    assert post(operator, '{"do": "freeze", "reason": "a doubt"}') == 403
    assert post(operator, '{"do": "advice", "on": false}') == 200
    referee = log_in(guests, served_hall, Role.REFEREE)
    assert post(referee, '{"do": "freeze", "reason": "a doubt"}') == 200


def test_player_joins_by_a_link_and_keeps_dice_in_the_own_turn(
    guests: Guests, served_hall: ServedHall
) -> None:
    hall, table = served_hall.hall, served_hall.table
    game = table.thread.state.game
    assert game is not None
    phones = []
    for seat in ("Ann", "Bob"):
        code = hall.keeper.seat_code(seat, game.id)
        page = guests.open(f"{served_hall.url}join?code={code}", "phone", ready=".seat")
        assert page.inner_text(".seat") == seat
        page.click("button")
        page.wait_for_selector("body[data-ready]")
        phones.append(page)
    ann, bob = phones
    operator = log_in(guests, served_hall, Role.OPERATOR)
    operator.select_option("#card-picked", "T18")
    operator.wait_for_selector("#cards .card")
    table.settle(reading(FIRST, 1))
    ann.locator(".tile .face").first.click()
    ann.wait_for_selector(".tile.kept")
    assert post(ann, '{"do": "undo"}') == 403
    assert post(bob, '{"do": "keep", "dice": [1]}') == 409
    bob.wait_for_selector(".tile.kept")
