"""The page of players' phones: my turn, my dice, my doubts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guests import SIZES, sideways
from table_makers import FIRST, SECOND, reading

from vision.reading import Status
from web_ui.access.roles import Role
from web_ui.table.commands import parse_order

if TYPE_CHECKING:
    from guests import Guests
    from open_tables import ServedTable
    from served_halls import ServedHall

pytestmark = pytest.mark.browser


def kept_places(table: ServedTable) -> tuple[int, ...]:
    game = table.running.table.state.game
    assert game is not None
    kept: tuple[int, ...] = game.state.kept_places
    return kept


def obey(table: ServedTable, **order: object) -> None:
    table.running.table.obey(parse_order(order))


def roll_first(table: ServedTable) -> None:
    obey(table, do="draw", card="T18")
    table.settle(reading(FIRST, 1))
    table.wait_for('"hand": {')


@pytest.mark.parametrize("size", SIZES)
def test_player_keeps_a_die_with_a_tap(
    guests: Guests, quiet_table: ServedTable, size: str
) -> None:
    roll_first(quiet_table)
    page = guests.open(f"{quiet_table.url}play?seat=Ann", size)
    assert page.locator("#now-word").inner_text() == "Your turn"
    page.locator(".tile .face").nth(1).click()
    page.wait_for_selector(".tile.kept")
    assert kept_places(quiet_table) == (1,)
    assert page.locator(".tile .face").nth(1).get_attribute("aria-pressed") == "true"
    assert sideways(page) == 0


def test_other_player_sees_whose_turn_it_is_and_can_only_doubt(
    guests: Guests, quiet_table: ServedTable
) -> None:
    roll_first(quiet_table)
    page = guests.open(f"{quiet_table.url}play?seat=Bob", "phone")
    page.wait_for_selector(".tile:not(.blank)")
    assert page.locator("#now-word").inner_text() == "Ann’s turn"  # noqa: RUF001
    assert page.locator(".tile.keepable").count() == 0
    assert page.locator("#acts-main .act").count() == 0
    assert page.locator("#doubt").is_visible()


def test_turn_comes_to_the_phone_by_itself(
    guests: Guests, quiet_table: ServedTable
) -> None:
    roll_first(quiet_table)
    page = guests.open(f"{quiet_table.url}play?seat=Bob", "phone")
    obey(quiet_table, do="stop")
    page.wait_for_selector("#now[data-kind=mine]")
    assert "Bob: draw a card" in page.locator("#now-words").inner_text()
    page.click("[data-do=draw]")
    page.wait_for_selector("#cards .card")


def test_name_is_chosen_by_a_tap_and_outlives_a_reload(
    guests: Guests, quiet_table: ServedTable
) -> None:
    page = guests.open(f"{quiet_table.url}play", "phone")
    page.click("#who-list .act >> text=Bob")
    page.wait_for_selector("#mine:visible")
    page.reload()
    page.wait_for_selector("#mine:visible")
    assert page.locator("#me").inner_text() == "Bob"
    page.click("#change-seat")
    page.wait_for_selector("#who-list .act >> text=Ann")


def test_seat_of_nobody_asks_who_it_is_and_is_never_markup(
    guests: Guests, quiet_table: ServedTable
) -> None:
    page = guests.open(f'{quiet_table.url}play?seat="><img src=x>', "phone")
    assert page.locator("#who").is_visible()
    assert page.locator("img").count() == 0
    obey(quiet_table, do="start", game="classic", players=["<b>Bo</b>"])
    page.click("#who-list .act")
    page.wait_for_selector("#mine:visible")
    assert page.locator("#me").inner_text() == "<b>Bo</b>"
    assert page.locator("#me b").count() == 0


def test_doubt_goes_to_the_referee_and_the_ruling_comes_back(
    guests: Guests, quiet_table: ServedTable
) -> None:
    roll_first(quiet_table)
    page = guests.open(f"{quiet_table.url}play?seat=Bob", "phone")
    page.wait_for_selector(".tile:not(.blank)")
    page.click("#doubt")
    page.keyboard.type("The six is a nine")
    page.keyboard.press("Enter")
    page.wait_for_selector("#claims li >> text=The six is a nine")
    game = quiet_table.running.table.state.game
    assert game is not None
    assert (game.claims[0].by, game.claims[0].reading) == ("Bob", 1)
    obey(quiet_table, do="rule", claim=1, ruling="rejected", reason="It is a six")
    page.wait_for_selector("#claims .ruling.rejected >> text=It is a six")


def test_refused_tap_is_told_in_words(guests: Guests, quiet_table: ServedTable) -> None:
    roll_first(quiet_table)
    page = guests.open(f"{quiet_table.url}play?seat=Ann", "phone")
    page.wait_for_selector(".tile.keepable")
    # the phone does not hear of the change before the tap
    page.route("**/api/v1/commands", lambda route: route.abort())
    page.locator(".tile .face").first.click()
    page.wait_for_selector("#notice[data-warn=true] >> text=did not answer")
    assert page.locator(".tile.kept").count() == 0


def test_doubtful_roll_is_not_for_the_phone_to_answer(
    guests: Guests, quiet_table: ServedTable
) -> None:
    obey(quiet_table, do="draw", card="T18")
    page = guests.open(f"{quiet_table.url}play?seat=Ann", "phone")
    quiet_table.settle(reading(SECOND, 1, Status.ASK, (2,)))
    page.wait_for_selector(".tile.doubtful")
    assert "doubtful" in page.locator("#now-words").inner_text()
    assert page.locator(".tile .check:visible").count() == 0
    doubtful = page.locator(".tile.doubtful .face")
    assert doubtful.get_attribute("aria-disabled") == "true"


def test_frozen_table_is_told_with_its_reason(
    guests: Guests, quiet_table: ServedTable
) -> None:
    page = guests.open(f"{quiet_table.url}play?seat=Ann", "phone")
    obey(quiet_table, do="freeze", reason="A claim is looked at")
    page.wait_for_selector("#now[data-kind=frozen]")
    assert page.locator("#now-words").inner_text() == "A claim is looked at"


def test_whoever_joined_may_keep_but_not_run_the_table(
    guests: Guests, served_hall: ServedHall
) -> None:
    table = served_hall.table
    table.thread.obey(parse_order({"do": "draw", "card": "T18"}))
    table.settle(reading(FIRST, 1))
    game = table.thread.state.game
    assert game is not None
    code = served_hall.hall.keeper.seat_code("Ann", game.id)
    way = f"{served_hall.url}join?code={code}"
    page = guests.open(way, "phone", ready="button[type=submit]")
    page.click("button[type=submit]")
    page.wait_for_selector(".tile.keepable")
    assert page.locator("#me").inner_text() == "Ann"
    assert page.locator("#acts-main .act").count() == 0, "stopping is the operator's"
    assert page.locator("#change-seat").count() == 0
    page.locator(".tile .face").first.click()
    page.wait_for_selector(".tile.kept")
    table.thread.obey(
        parse_order({"do": "start", "game": "classic", "players": ["Ann", "Bob"]})
    )
    page.wait_for_selector("#who:visible >> text=You are not in this game")


def test_viewer_is_shown_the_page_but_can_do_nothing(
    guests: Guests, served_hall: ServedHall
) -> None:
    cookie = served_hall.cookie(Role.VIEWER)
    page = guests.open(f"{served_hall.url}play?seat=Ann", "phone", cookie=cookie)
    page.click("#doubt")
    page.keyboard.type("I am nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("#words-error >> text=role")


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_what_is_tapped_is_big_enough_for_a_thumb(
    guests: Guests, quiet_table: ServedTable, size: str
) -> None:
    roll_first(quiet_table)
    page = guests.open(f"{quiet_table.url}play?seat=Ann", size)
    page.wait_for_selector(".tile.keepable")
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, a:not(.skip)")]
          .filter((e) => e.checkVisibility({ visibilityProperty: true }))
          .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
          .filter(([, box]) => box.width < 44 || box.height < 44)
          .map(([text]) => text)"""
    )
    assert small == []
