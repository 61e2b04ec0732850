"""The overlay for streaming software, and joining by its code: what cameras see."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from table_makers import THIRD, reading

from web_ui.access.roles import Role
from web_ui.table.commands import parse_order

if TYPE_CHECKING:
    from guests import Guests
    from open_tables import ServedTable
    from playwright.sync_api import Page
    from served_halls import ServedHall

pytestmark = pytest.mark.browser


def roll(table: ServedTable) -> None:
    table.running.table.obey(parse_order({"do": "draw", "card": "T18"}))
    table.settle(reading(THIRD, 1))
    table.wait_for('"hand": {')


def pixels(page: Page) -> np.ndarray:
    """(H, W, 4) uint8, BGRA."""
    data = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert image is not None
    return image


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_overlay_is_transparent_but_for_its_plates(
    guests: Guests, quiet_table: ServedTable, scheme: str
) -> None:
    roll(quiet_table)
    page = guests.open(f"{quiet_table.url}overlay", scheme=scheme)
    page.wait_for_selector("#dice .in-hand")
    alpha = pixels(page)[:, :, 3]
    assert alpha.shape == (900, 1440)
    assert not alpha[: 900 // 2].any(), "nothing above the plates"
    assert (alpha[-200:] > 200).mean() > 0.1, "the plates are there"
    assert page.locator("#hand").inner_text() == "Full house, tens over nines"
    assert page.locator("#target-name").inner_text() == "Full house"
    assert page.locator("#dice li").count() == 9
    assert page.locator("#standings li").count() == 2


def test_overlay_has_no_controls_and_no_scrollbars(
    guests: Guests, quiet_table: ServedTable
) -> None:
    roll(quiet_table)
    page = guests.open(f"{quiet_table.url}overlay?scale=4", "phone")
    page.wait_for_selector("#dice .in-hand")
    assert page.locator("button, a, input, select, textarea").count() == 0
    inner = "innerWidth - document.documentElement.clientWidth"
    assert page.evaluate(inner) == 0
    assert page.evaluate("getComputedStyle(document.body).overflow") == "hidden"


@pytest.mark.parametrize(
    ("asked", "font_px"),
    [
        pytest.param("2", 32, id="twice"),
        pytest.param("0.5", 8, id="half"),
        pytest.param("1000", 64, id="too-large"),
        pytest.param("-1", 16, id="negative"),
        pytest.param("NaN", 16, id="no-number"),
        pytest.param("", 16, id="empty"),
    ],
)
def test_overlay_takes_its_size_from_the_address(
    guests: Guests, quiet_table: ServedTable, asked: str, font_px: float
) -> None:
    page = guests.open(f"{quiet_table.url}overlay?scale={asked}")
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert page.evaluate(size) == font_px


def test_overlay_follows_the_table(guests: Guests, quiet_table: ServedTable) -> None:
    page = guests.open(f"{quiet_table.url}overlay")
    roll(quiet_table)
    page.wait_for_selector("#dice .in-hand")
    quiet_table.running.table.obey(parse_order({"do": "stop"}))
    page.wait_for_selector("#standings [aria-current] >> text=Bob")
    assert page.locator("#standings b").all_inner_texts() == ["10", "0"]


def test_streaming_software_comes_in_as_a_viewer(
    guests: Guests, served_hall: ServedHall
) -> None:
    cookie = served_hall.cookie(Role.VIEWER)
    page = guests.open(f"{served_hall.url}overlay", cookie=cookie)
    assert page.locator("#plates").is_visible()


def decoded(png: bytes) -> str:
    """What a QR code says; tried in several sizes, as a phone that comes nearer."""
    shot = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    detectors = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    for scale, detector in product((1, 2, 3, 1.5, 2.5, 4), detectors):
        larger = cv2.resize(shot, None, fx=scale, fy=scale)
        framed = cv2.copyMakeBorder(
            larger, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255)
        )
        found, _, _ = detector.detectAndDecode(framed)
        if found:
            return str(found)
    raise AssertionError("the code cannot be read")


def test_code_on_the_operators_page_leads_a_phone_to_its_seat(
    guests: Guests, served_hall: ServedHall
) -> None:
    cookie = served_hall.cookie(Role.OPERATOR)
    page = guests.open(served_hall.url, cookie=cookie)
    page.click("#open-join")
    picture = page.locator("#join-seats img").nth(1)
    picture.scroll_into_view_if_needed()
    page.wait_for_function(
        """() => { const img = document.querySelectorAll('#join img')[1];
                  return img.complete && img.naturalWidth > 0; }"""
    )
    link = urlsplit(decoded(picture.screenshot()))
    assert link.port == urlsplit(served_hall.url).port
    # the same way under the one address that this test listens on
    way = f"{served_hall.url}{link.path.lstrip('/')}?{link.query}"
    phone = guests.open(way, "phone", ready="button[type=submit]")
    phone.click("button[type=submit]")
    phone.wait_for_selector("#mine:visible")
    phone.wait_for_selector("#me >> text=Bob")


def test_viewer_is_not_offered_the_codes(
    guests: Guests, served_hall: ServedHall
) -> None:
    cookie = served_hall.cookie(Role.VIEWER)
    page = guests.open(served_hall.url, cookie=cookie)
    assert page.locator("#open-join").count() == 0
