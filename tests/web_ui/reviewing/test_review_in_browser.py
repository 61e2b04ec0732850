"""The page /dataset in Chromium: three pictures reviewed by keys alone, and more."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest
from guests import Guests, opened_browser, sideways
from page_faults import faults
from review_tables import NINE, ServedReview, fill, laid

from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin, Review
from datasets.captures.files import Files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


@pytest.fixture
def guests(browser: Browser) -> Iterator[Guests]:
    opened = Guests(browser)
    yield opened
    opened.close()
    assert opened.faults == []


@pytest.fixture
def table() -> Iterator[ServedReview]:
    opened = ServedReview()
    yield opened
    opened.close()


def type_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def says(page: Page, where: str, words: str) -> None:
    page.wait_for_function(
        "([where, words]) => document.querySelector(where).textContent.includes(words)",
        arg=[where, words],
    )


def faces(album: Album, name: str) -> list[str]:
    return [die.face.code if die.face else "?" for die in album.get(name).dice]


def test_three_pictures_are_reviewed_by_keys_alone(
    guests: Guests, table: ServedReview
) -> None:
    names = fill(table.album, 5, NINE)
    page = guests.open(f"{table.url}dataset")
    says(page, "#place", "1 of 5 waiting")
    # a clash is told while it is typed, and is not kept
    type_keys(page, "2", "c")
    says(page, "#remarks", "2C is shown by die 1 and die 2.")
    says(page, "#face-label", "Die 2 of 9")
    type_keys(page, "Enter")
    says(page, "#answer", "2C is shown by die 1 and die 2")
    assert table.album.get(names[0]).review is Review.WAITING
    # what cannot be a face is told before it is whole, and what would do
    type_keys(page, "1", "0")
    says(page, "#remarks", "10 has no suit yet")
    type_keys(page, "h")
    says(page, "#face-label", "Die 3 of 9")
    page.wait_for_selector("#remarks:empty", state="attached")
    type_keys(page, "ArrowLeft", "ArrowLeft", "z", "z")  # both faces as they were
    page.wait_for_selector("#remarks:empty", state="attached")
    type_keys(page, "k", "d", "Enter")
    says(page, "#place", "2 of")
    assert faces(table.album, names[0])[:2] == ["KD", "2C"]
    # the second: one is no die, one is missing, one lies otherwise
    type_keys(page, "x")
    says(page, "#remarks", "8 of 9 dice")
    type_keys(page, "m", *["ArrowDown"] * 4, "Space")
    type_keys(page, *["ArrowRight"] * 3, "Space", *["ArrowDown"] * 3, "Space")
    type_keys(page, *["ArrowLeft"] * 3, "Space")
    says(page, "#face-label", "Die 9 of 9")
    type_keys(page, "a", "s", "l", "o", "Enter")
    says(page, "#place", "3 of")
    second = table.album.get(names[1])
    assert faces(table.album, names[1])[-1] == "AS"
    assert second.dice[-1].state.value == "cocked"
    assert second.dice[-1].quad == ((190, 130), (190, 160), (160, 160), (160, 130))
    assert {die.origin for die in second.dice} == {Origin.PERSON}
    # the third is set aside, taken back, and labelled
    type_keys(page, "Delete")
    says(page, "#place", "4 of")
    assert table.album.get(names[2]).review is Review.DROPPED
    type_keys(page, "z")
    says(page, "#answer", "Undone")
    assert table.album.get(names[2]).review is Review.WAITING
    type_keys(page, "u", "Enter")
    says(page, "#place", "4 of")
    assert faces(table.album, names[2])[0] == "?"
    # the fourth was labelled by somebody else meanwhile: shown, and mine is not lost
    type_keys(page, "k", "h")
    other = Album(table.album.folder)
    other.label(names[3], other.get(names[3]).dice[:3])
    type_keys(page, "Enter")
    says(page, "#answer", "meanwhile")
    says(page, "#face-label", "of 3")
    page.click("#mine")
    says(page, "#face-label", "of 9")
    assert len(table.album.get(names[3]).dice) == 3
    type_keys(page, "Enter")
    says(page, "#place", "5 of")
    assert faces(table.album, names[3])[0] == "KH"
    # the last is removed for good, after a question
    type_keys(page, "i")
    page.wait_for_selector("#empty:not([hidden])")
    says(page, "#empty-word", "Nothing waits")
    page.click("[data-review=dropped]")
    says(page, "#place", "1 of 1 set aside")
    page.wait_for_selector("#empty", state="hidden")
    type_keys(page, "Shift+Delete")
    page.wait_for_selector("#sure[open]")
    type_keys(page, "Tab", "Enter")
    page.wait_for_selector("#empty:not([hidden])")
    assert names[4] not in [entry.id for entry in table.album.entries()]


def test_page_suits_every_width_and_eye(guests: Guests, table: ServedReview) -> None:
    fill(table.album, 45, NINE)
    for size, scheme in (("phone", "dark"), ("tablet", "light"), ("desktop", "dark")):
        page = guests.open(f"{table.url}dataset", size, scheme)
        page.keyboard.press("2")
        page.keyboard.press("c")
        says(page, "#remarks", "2C is shown")
        assert sideways(page) <= 0
        assert faults(page) == [], size
    for key, sheet in (("f", "filter"), ("g", "files"), ("?", "keys")):
        page.keyboard.press(key)
        page.wait_for_selector(f"#{sheet}[open]")
        assert faults(page) == [], sheet
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 320, "height": 640})
    assert sideways(page) <= 0
    # by mouse: another die, larger; beyond the end of what was fetched
    page.set_viewport_size({"width": 1440, "height": 900})
    page.click(".rv-tile >> nth=4")
    says(page, "#face-label", "Die 5 of 9")
    page.click("[data-key=v]")
    assert "scale(3)" in page.locator("#canvas").evaluate("one => one.style.transform")
    page.locator(".rv-item").last.click()
    page.keyboard.press("n")
    says(page, "#place", "41 of 45")
    page.locator(".rv-item").last.click()
    page.keyboard.press("n")
    says(page, "#answer", "last picture")
    says(page, "#place", "45 of 45")
    page.keyboard.press("p")
    says(page, "#place", "44 of 45")


@pytest.mark.parametrize(
    ("by", "words"),
    [
        (Origin.PERSON, "Labelled by a person."),
        (Origin.MODEL, "Labelled by a model."),
        (Origin.DRAWN, "Labelled as it was drawn."),
    ],
)
def test_import_says_who_labelled_it_and_that_no_reader_looked(
    guests: Guests, table: ServedReview, by: Origin, words: str
) -> None:
    more = {"kept": Kept.ENTERED, "reading": None, "doubt": 0.0}
    fill(table.album, 1, NINE, dice=laid(NINE, by), **more)
    page = guests.open(f"{table.url}dataset", "phone")
    says(page, "#read", f"Imported: no reader looked at it. {words}")
    said = page.locator(".rv-tile small").first.text_content()
    assert said == {"person": "by a person", "model": "by a model"}.get(by, "drawn")
    says(page, "#queue", "not judged")
    assert sideways(page) <= 0
    assert faults(page) == []
    page.keyboard.press("k")
    page.keyboard.press("h")
    says(page, "#dice", "by you")


def test_table_that_keeps_nothing_says_how_to_turn_it_on(guests: Guests) -> None:
    table = ServedReview(keep="off")
    try:
        page = guests.open(f"{table.url}dataset", "phone")
        says(page, "#empty-words", "keeps no rolls")
        says(page, "#keep-off", 'keep = "doubtful"')
        assert faults(page) == []
    finally:
        table.close()


def test_export_is_made_and_brought_back(
    guests: Guests, table: ServedReview, tmp_path: Path
) -> None:
    for name in fill(table.album, 2, NINE):
        table.album.label(name, table.album.get(name).dice)
    page = guests.open(f"{table.url}dataset")
    page.keyboard.press("g")
    page.select_option("#x-format", "native")
    page.click("#export-form .primary")
    says(page, "#errand-words", "Export done: 2 pictures with 18 dice")
    with page.expect_download() as coming:
        page.click("#download")
    path = tmp_path / "set.zip"
    coming.value.save_as(path)
    with zipfile.ZipFile(path) as opened:
        assert "labels.json" in opened.namelist()
    for entry in table.album.entries():
        table.album.drop(entry.id)
    page.set_input_files("#i-file", path)
    page.click("#import-form .primary")
    says(page, "#errand-words", "Import done. Pictures: 2 added.")
    assert len(table.album) == 2
    says(page, "[data-review=reviewed]", "2")


def test_broken_capture_is_told_gone_past_and_removed(
    guests: Guests, table: ServedReview
) -> None:
    names = fill(table.album, 3, NINE)
    files = Files(table.album.folder)
    files.sidecar(names[1]).write_text("{}")
    files.picture(table.album.entry(names[2]).picture).unlink()
    page = guests.open(f"{table.url}dataset")
    says(page, "#place", "1 of 3 waiting")
    type_keys(page, "n")
    says(page, "#answer", "This capture is broken")
    says(page, "#answer", f"{names[1]}.json")
    assert page.locator("#dice li").count() == 0
    type_keys(page, "Enter")
    says(page, "#answer", "can only be removed")
    type_keys(page, "n")
    says(page, "#place", "3 of 3 waiting")
    says(page, "#answer", "cannot be shown")
    type_keys(page, "p")
    says(page, "#answer", "This capture is broken")
    page.click("#remove")
    page.click("#sure button[value=remove]")
    says(page, "#place", "of 2 waiting")
    assert {one.id for one in table.album.entries()} == {names[0], names[2]}
    guests.faults[:] = [one for one in guests.faults if "503" not in one]
