"""Whole games on the virtual table: thrown, seen, read, scored, shown in a browser."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from open_tables import SETTINGS, WAIT_S

from scoring.dice_sets import bundled_dice_set
from web_ui.play_parts import open_virtual
from web_ui.running import RunningTable
from web_ui.server import address_of, listen
from web_ui.settings import ServerSettings
from web_ui.table.books import open_books
from web_ui.table.state import House

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
SERVER = ServerSettings(port=0, viewers=4, streams=8)


class VirtualGame:
    """A running virtual table that throws what it is told."""

    def __init__(self) -> None:
        settings = replace(SETTINGS, server=SERVER)
        dice_set = bundled_dice_set("square-shooters-reference")
        house = House(dice_set, settings.game, lambda count: 0)
        eyes = open_virtual(house, seed=7)
        assert eyes.virtual is not None
        self.virtual = eyes.virtual
        sock = listen("127.0.0.1", 0)
        self.url = address_of(sock)
        self.running = RunningTable(
            settings,
            house,
            eyes.plan,
            eyes.source,
            eyes.watcher,
            open_books(settings, demo=True),
            sock,
            None,
            "virtual",
            eyes.virtual,
        )
        self._thread = threading.Thread(target=self.running.serve)
        self._thread.start()

    def state(self) -> dict[str, Any]:
        latest = self.running.feed.latest()
        assert latest is not None
        told: dict[str, Any] = json.loads(latest.body)
        return told

    def throw(self, faces: Sequence[str] = (), cocked: tuple[int, ...] = ()) -> None:
        """Throw, and wait until the table has said something of it."""
        from scoring.cards import parse_face

        before = (self.state()["reading"] or {"id": 0})["id"]
        thrown = tuple(parse_face(code) for code in faces) or None
        deadline = time.monotonic() + WAIT_S
        self.virtual.throw(thrown, cocked=cocked)
        while time.monotonic() < deadline:
            reading = self.state()["reading"]
            if reading is not None and reading["id"] > before:
                return
            time.sleep(0.02)
        raise AssertionError("the throw was not read")

    def close(self) -> None:
        self.running.stop()
        self._thread.join(WAIT_S)


@pytest.fixture(scope="module")
def game() -> Iterator[VirtualGame]:
    opened = VirtualGame()
    yield opened
    opened.close()


@pytest.fixture(params=SIZES)
def page(
    browser: Browser, game: VirtualGame, request: pytest.FixtureRequest
) -> Iterator[Page]:
    width, height = SIZES[request.param]
    opened = browser.new_page(viewport={"width": width, "height": height})
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.set_default_timeout(1000 * WAIT_S)
    opened.goto(game.url, wait_until="domcontentloaded")
    opened.wait_for_selector("body[data-ready]")
    yield opened
    opened.close()
    assert faults == []


def begin(page: Page, kind: str, players: str, **options: int) -> None:
    page.click("#open-players")
    page.wait_for_function("() => document.querySelectorAll('#game-name option')[6]")
    page.select_option("#game-name", kind)
    page.fill("#names-text", players)
    page.click("#names summary")
    for name, value in options.items():
        page.fill(f"#option-{name}", str(value))
    page.click("#names .primary")
    page.wait_for_selector("#players", state="hidden")


def answered(page: Page, game: VirtualGame) -> None:
    """Confirm a reading that asks, as a person who looks at the dice would."""
    if game.state()["verdict"]["kind"] == "ask":
        truth = [die.face.code for die in game.virtual.truth().dice]
        shown = [die["face"] for die in game.state()["reading"]["dice"]]
        assert sorted(face["code"] for face in shown) == sorted(truth)
        page.click("#confirm")


def test_classic_game_is_thrown_asked_held_scored_and_taken_back(
    page: Page, game: VirtualGame
) -> None:
    # one player: chance cannot make a tie, which would be played on
    begin(page, "classic", "Ann", rounds=2)
    for card in ("T18", "T01"):
        page.wait_for_selector("#card-picked:visible")
        page.select_option("#card-picked", card)
        page.wait_for_selector("#cards .card")
        game.throw()
        answered(page, game)
        page.wait_for_selector("#verdict[data-kind=sure]")
        page.locator(".tile .face").first.click()
        page.wait_for_selector(".tile.kept")
        kept = page.locator(".tile.kept .rank").first.inner_text()
        game.throw()
        answered(page, game)
        page.wait_for_function("() => document.querySelectorAll('#rolls .done')[1]")
        assert page.locator(".tile .rank").first.inner_text() == kept
        page.click("[data-do=stop]")
    page.wait_for_selector("#verdict[data-kind=over]", timeout=1000 * WAIT_S)
    scores = page.locator(".seat b").all_inner_texts()
    page.click("#undo")
    page.wait_for_selector("#log li.undone")
    page.click("#redo")
    page.wait_for_selector("#verdict[data-kind=over]")
    assert page.locator(".seat b").all_inner_texts() == scores


def test_war_is_fought_to_its_end(page: Page, game: VirtualGame) -> None:
    begin(page, "war", "Ann\nBob")
    page.wait_for_selector("#game-panel >> text=Pot")
    # the red player's red card is the higher one, each time
    for red, black in (("KH", "4C"), ("QD", "5S"), ("JH", "6C"), ("TD", "7S")):
        assert game.state()["table"]["dice"] == 2
        game.throw((red, black))
        answered(page, game)
    page.wait_for_selector("#verdict[data-kind=over]")
    assert page.locator(".seat.won span").inner_text() == "Ann"


def test_showdown_is_played_with_poker_dice(page: Page, game: VirtualGame) -> None:
    begin(page, "showdown", "Ann\nBob", turn_cap=1)
    # other faces each time: the same ones could be dice that were pushed, to a watcher
    # too busy to have seen the table empty
    rolls = (("Ann", "KKKA9", "Three kings"), ("Bob", "QQJT9", "One pair"))
    for player, faces, row in rolls:
        page.wait_for_selector(f".seat[aria-current] >> text={player}")
        game.throw(tuple(faces))
        answered(page, game)
        page.click(f".choices-row [data-do=choose] >> text={row}")
    page.wait_for_selector("#verdict[data-kind=over]")
    assert page.locator(".seat b").all_inner_texts() == ["3", "2"]


def test_cocked_die_is_asked_about_and_confirmed_by_a_tap(
    page: Page, game: VirtualGame
) -> None:
    begin(page, "rummy", "Ann", rounds=1)
    page.wait_for_selector("#type-roll:visible")
    game.throw(cocked=(4,))
    assert game.state()["verdict"]["kind"] in ("ask", "refuse")
    assert game.state()["turn"]["rolls"] == 0
