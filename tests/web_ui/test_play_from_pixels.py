"""The whole way: from the pixels of a clip or pictures to chips on the page."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import cv2
import painted_dice
import pytest
from open_tables import SETTINGS, WAIT_S, house_of
from small_models import save_models

from web_ui.play_parts import open_eyes
from web_ui.running import RunningTable
from web_ui.server import listen
from web_ui.table.books import open_books

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vision.ports import BgrImage

FULL_HOUSE = "TC TD TS 9C 9H AS 4D 5H 6S"
NOTHING = "AC 2H 3D 4C 6H 7D 8S JC QD"
FRAMES_PER_S = 15


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_models(tmp_path_factory.mktemp("models"))


def moving(codes: str, first_slot: int) -> list[BgrImage]:
    """Frames of a throw: the dice slide into their places and lie there."""
    slide = [painted_dice.scene(codes, first_slot, (0, 9.0 * k)) for k in (4, 3, 2, 1)]
    return [*slide, *[painted_dice.scene(codes, first_slot)] * 14]


def save_clip(path: Path, frames: list[BgrImage]) -> Path:
    size = (painted_dice.WIDTH, painted_dice.HEIGHT)
    code = cv2.VideoWriter.fourcc(*"FFV1")
    writer = cv2.VideoWriter(str(path), code, FRAMES_PER_S, size)
    for frame in frames:
        writer.write(frame)
    writer.release()
    return path


class Played:
    """A table that plays a file with the tiny models."""

    def __init__(self, path: Path, models: Path, *, demo: bool) -> None:
        house = house_of(demo=demo)
        eyes = open_eyes(str(path), house, models)
        self.running = RunningTable(
            SETTINGS,
            house,
            eyes.plan,
            eyes.source,
            eyes.watcher,
            open_books(SETTINGS, demo=True),
            listen("127.0.0.1", 0),
        )

    def states(self) -> Iterator[dict[str, Any]]:
        """The states as they come, from the first."""
        number = 0
        while True:
            news = self.running.feed.after(number, WAIT_S)
            assert news, "nothing more happened"
            for snapshot in news:
                number = snapshot.number
                yield json.loads(snapshot.body)


@pytest.fixture
def play(models: Path) -> Iterator[Callable[..., Played]]:
    playing: list[tuple[Played, threading.Thread]] = []

    def start(path: Path, *, demo: bool) -> Played:
        played = Played(path, models, demo=demo)
        thread = threading.Thread(target=played.running.serve)
        playing.append((played, thread))
        thread.start()
        return played

    yield start
    for played, thread in playing:
        played.running.stop()
        thread.join(WAIT_S)
        assert not thread.is_alive()
        assert played.running.failure == ""


def test_thrown_dice_of_a_clip_become_rolls_and_chips(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    empty = [painted_dice.empty_table()] * 14
    throws = [NOTHING, NOTHING, FULL_HOUSE]
    frames = list(empty)
    for place, codes in enumerate(throws):
        frames += [*moving(codes, 2 * place), *empty]
    played = play(save_clip(tmp_path / "throws.avi", frames), demo=True)
    for state in played.states():
        result = state["game"]["result"]
        if result is not None and "total" in result:
            break
    assert result["kind"] == "exact"
    assert result["total"] == 8
    assert state["players"][0]["score"] == 8
    rolled = [item["words"] for item in state["log"] if item["do"] == "roll"]
    history = [words.split("rolled ")[1].split() for words in reversed(rolled)]
    assert [sorted(roll) for roll in history] == [
        sorted(codes.split()) for codes in throws
    ]
    reading = state["reading"]
    assert (reading["width_px"], reading["height_px"]) == (640, 360)


def test_clip_that_is_over_says_so_and_keeps_its_last_roll(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    frames = [*[painted_dice.empty_table()] * 10, *moving(FULL_HOUSE, 0)]
    played = play(save_clip(tmp_path / "one.avi", frames), demo=False)
    for state in played.states():
        camera = state["camera"]
        if camera["state"] == "ended":
            break
    assert camera["sentence"] == "one.avi is over."
    reading = state["reading"]
    assert reading["rule"] == "CM-06"
    assert len(reading["dice"]) == 9


def test_folder_of_pictures_is_laid_under_the_camera_one_by_one(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    for place, codes in enumerate((FULL_HOUSE, NOTHING)):
        picture = painted_dice.scene(codes, 3 * place)
        cv2.imwrite(str(tmp_path / f"roll-{place}.png"), picture)
    (tmp_path / "notes.txt").write_text("no picture", "utf-8")
    played = play(tmp_path, demo=True)
    rolls: list[list[str]] = []
    for state in played.states():
        turn = state["turn"]
        rolls = [[face["code"] for face in roll] for roll in turn["history"]]
        if len(rolls) == 2:
            break
    assert [set(roll) for roll in rolls] == [
        set(FULL_HOUSE.split()),
        set(NOTHING.split()),
    ]
