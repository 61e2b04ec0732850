"""People at browsers: Chromium, its pages, and what went wrong on them."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
SCHEMES = ("light", "dark")
WAIT_MS = 20_000


def opened_browser() -> Iterator[Browser]:
    """Start the system's Chromium; skips without one, but fails in CI."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "the system has no Chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        opened = playwright.chromium.launch(executable_path=path, args=options)
        yield opened
        opened.close()


class Guests:
    """Opens pages, each as a browser of its own; collects what they complain of.

    Args:
        browser: to open them in.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: list[Page] = []
        self.faults: list[str] = []

    def open(
        self,
        url: str,
        size: str = "desktop",
        scheme: str = "light",
        cookie: tuple[str, str] | None = None,
        ready: str = "body[data-ready]",
    ) -> Page:
        """Open a page and wait until it shows the table.

        Args:
            url: its address.
            size: one of `SIZES`.
            scheme: light or dark.
            cookie: name and value, of whoever is logged in.
            ready: what is there when it is.
        """
        width, height = SIZES[size]
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        if cookie is not None:
            name, value = cookie
            context.add_cookies([{"name": name, "value": value, "url": url}])
        page = context.new_page()
        self._pages.append(page)
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        # what the content policy refuses is told on the console alone
        page.on(
            "console",
            lambda line: (
                self.faults.append(line.text)
                if "Content Security Policy" in line.text
                else None
            ),
        )
        page.goto(url, wait_until="domcontentloaded")
        page.wait_for_selector(ready, state="attached")
        return page

    def close(self) -> None:
        """Close all pages."""
        for page in self._pages:
            page.context.close()


def sideways(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    wider: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wider
