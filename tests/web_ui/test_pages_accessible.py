"""All pages judged by axe-core, in light and dark, on a desktop and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guests import SCHEMES, Guests
from page_faults import faults
from served_halls import ServedHall
from table_makers import THIRD, reading

from vision.reading import Status
from web_ui.access.roles import Role
from web_ui.table.commands import parse_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

PAGES = {
    "operator": "",
    "setup": "setup",
    "dataset": "dataset",
    "play": "play?seat=Ann",
    "play-who": "play",
    "referee": "referee",
    "display": "referee?display",
    "overlay": "overlay",
    "virtual": "virtual",
    "login": "login",
    "history": "history",
}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHall]:
    """A table in the middle of things: a roll, a claim open and one ruled."""
    opened = ServedHall(tmp_path_factory.mktemp("hall"))
    obey = opened.table.thread.obey
    obey(parse_order({"do": "draw", "card": "T18"}))
    obey(parse_order({"do": "timer", "timer": "start", "seconds": 3000}))
    opened.table.settle(reading(THIRD, 1))
    orders: list[dict[str, object]] = [
        {"do": "claim", "player": "Ann", "words": "A six, not a nine", "reading": 1},
        {"do": "claim", "player": "Bob", "words": "The die was touched"},
        {"do": "rule", "claim": 2, "ruling": "rejected", "reason": "It lay still"},
        {"do": "keep", "dice": [0, 1]},
        {"do": "undo"},
    ]
    for order in orders:
        obey(parse_order(order))
    yield opened
    opened.close()


@pytest.fixture
def guests(browser: Browser) -> Iterator[Guests]:
    opened = Guests(browser)
    yield opened
    opened.close()


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_serious_fault(
    guests: Guests, hall: ServedHall, name: str, scheme: str, size: str
) -> None:
    cookie = None if name == "login" else hall.cookie(Role.REFEREE, "Rae")
    ready = "main" if name in ("login", "history") else "body[data-ready]"
    page = guests.open(f"{hall.url}{PAGES[name]}", size, scheme, cookie, ready)
    assert faults(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("name", "press"),
    [
        pytest.param("operator", "#open-join", id="join"),
        pytest.param("operator", "#open-players", id="new-game"),
        pytest.param("operator", "#log .look", id="evidence"),
        pytest.param("operator", ".tile .check", id="correct-a-die"),
        pytest.param("play", "#doubt", id="doubt"),
        pytest.param("referee", "[aria-label='Uphold claim 1']", id="ruling"),
        pytest.param("referee", ".tile .check", id="correct-with-reason"),
    ],
)
def test_sheet_has_no_serious_fault(
    guests: Guests, hall: ServedHall, name: str, press: str, scheme: str
) -> None:
    cookie = hall.cookie(Role.REFEREE, "Rae")
    page = guests.open(f"{hall.url}{PAGES[name]}", "desktop", scheme, cookie)
    page.locator(press).first.click()
    page.wait_for_selector("dialog[open]")
    assert faults(page) == []


def test_doubtful_and_frozen_table_has_no_serious_fault(
    guests: Guests, hall: ServedHall
) -> None:
    cookie = hall.cookie(Role.REFEREE, "Rae")
    hall.table.settle(reading(THIRD, 7, Status.ASK, (1, 2)))
    for name in ("operator", "play", "referee"):
        page = guests.open(f"{hall.url}{PAGES[name]}", "phone", "dark", cookie)
        assert faults(page) == []
    hall.table.thread.obey(parse_order({"do": "freeze", "reason": "Look"}))
    for name in ("operator", "play", "referee", "display"):
        page = guests.open(f"{hall.url}{PAGES[name]}", "phone", "light", cookie)
        assert faults(page) == []


@pytest.mark.parametrize(
    ("script", "rule"),
    [
        pytest.param(
            "document.querySelector('main').append(new Image())",
            "image-alt",
            id="picture-without-words",
        ),
        pytest.param(
            "document.querySelector('#now-word').style.color = 'silver'",
            "color-contrast",
            id="pale-words",
        ),
    ],
)
def test_judge_finds_a_fault_that_is_planted(
    guests: Guests, hall: ServedHall, script: str, rule: str
) -> None:
    cookie = hall.cookie(Role.REFEREE, "Rae")
    page = guests.open(f"{hall.url}play?seat=Ann", cookie=cookie)
    page.evaluate(script)
    assert any(found.startswith(rule) for found in faults(page))
