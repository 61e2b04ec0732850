"""The page /setup in the system's Chromium: by mouse, by keyboard, on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from open_tables import ServedTable
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
WAIT_MS = 20_000


def visit(browser: Browser, table: ServedTable, size: str) -> tuple[Page, list[str]]:
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(WAIT_MS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{table.url}setup", wait_until="domcontentloaded")
    page.wait_for_selector("body[data-ready]")
    return page, faults


def stored(page: Page) -> dict[str, Any]:
    state: dict[str, Any] = page.evaluate(
        "async () => (await fetch('/api/v1/tray')).json()"
    )
    return state


def save(page: Page, words: str = "Saved") -> None:
    page.click("#save")
    page.wait_for_function(
        "words => document.querySelector('#answer').textContent.startsWith(words)",
        arg=words,
    )


@pytest.mark.parametrize("size", SIZES)
def test_corners_are_dragged_saved_and_removed(
    browser: Browser, served: ServedTable, size: str
) -> None:
    page, faults = visit(browser, served, size)
    assert page.locator("#save").is_hidden()
    page.click("#by-hand")
    corner = page.locator(".corner").nth(2)
    box, stage = corner.bounding_box(), page.locator("#stage").bounding_box()
    assert box is not None
    assert stage is not None
    assert min(box["width"], box["height"]) >= 44
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 10, steps=3)
    assert page.locator("#loupe").is_visible()
    page.mouse.up()
    assert page.locator("#loupe").is_hidden()
    save(page)
    state = stored(page)
    picture = state["picture"]
    scale = picture["width_px"] / stage["width"]
    wanted = (
        0.82 * picture["width_px"] + 20 * scale,
        0.82 * picture["height_px"] - 10 * scale,
    )
    assert state["tray"]["quad"][2] == pytest.approx(wanted, abs=1.5 * scale)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    page.click("#clear")
    page.wait_for_selector("#corners", state="hidden")
    # whoever watches the rolls takes it over with a frame, and tells so
    page.wait_for_function(
        "() => fetch('/api/v1/tray').then(a => a.json()).then(t => t.tray === null)"
    )
    page.close()
    assert faults == []


def test_corners_are_moved_with_the_keyboard(
    browser: Browser, served: ServedTable
) -> None:
    page, faults = visit(browser, served, "desktop")
    page.locator("#by-hand").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.activeElement.ariaLabel?.startsWith('Top left')"
    )
    before = page.locator(".corner").nth(0).get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert page.locator(".corner").nth(0).get_attribute("aria-label") != before
    save(page)
    state = stored(page)
    picture = state["picture"]
    left, top = state["tray"]["quad"][0]
    assert left == pytest.approx(0.18 * picture["width_px"] + 1, abs=0.01)
    assert top == pytest.approx(0.18 * picture["height_px"] + 10, abs=0.01)
    # what is saved is there after the page is opened again, and can be undone to
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector("body[data-ready]")
    page.locator(".corner").nth(1).focus()
    page.keyboard.press("ArrowLeft")
    page.click("#undo")
    assert page.locator("#save").is_hidden()
    page.close()
    assert faults == []


def test_crossed_corners_are_refused_or_put_in_order(
    browser: Browser, served: ServedTable
) -> None:
    page, faults = visit(browser, served, "desktop")
    page.click("#by-hand")
    stage = page.locator("#stage").bounding_box()
    box = page.locator(".corner").nth(0).bounding_box()
    assert stage is not None
    assert box is not None
    page.mouse.move(box["x"] + 24, box["y"] + 24)
    page.mouse.down()
    # into the triangle of the others: no tray has a corner there
    page.mouse.move(
        stage["x"] + 0.7 * stage["width"], stage["y"] + 0.7 * stage["height"]
    )
    page.mouse.up()
    save(page, "the corners must make a convex area")
    assert stored(page)["tray"] is None
    page.close()
    assert faults == []


def test_nothing_found_is_said(browser: Browser, served: ServedTable) -> None:
    page, faults = visit(browser, served, "phone")
    page.click("#find")
    page.wait_for_function(
        "() => document.querySelector('#answer').textContent.startsWith('No tray')"
    )
    page.close()
    assert faults == []
