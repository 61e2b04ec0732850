"""Models are promoted while the virtual table plays: no roll is lost or told twice."""

from __future__ import annotations

import json
import shutil
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from open_tables import SETTINGS, WAIT_S

from datasets.registry.shelf import registry_of
from scoring.dice_sets import bundled_dice_set
from vision.model_files import BUNDLED
from web_ui.models_in_use import chosen_models, model_swap
from web_ui.play_parts import open_virtual
from web_ui.running import RunningTable
from web_ui.server import listen
from web_ui.settings import ServerSettings
from web_ui.table.books import open_books
from web_ui.table.state import House

if TYPE_CHECKING:
    from pathlib import Path


def test_promotion_in_mid_play_is_taken_up_between_rolls(tmp_path: Path) -> None:
    settings = replace(SETTINGS, server=ServerSettings(port=0))
    dice_set = bundled_dice_set("square-shooters-reference")
    house = House(dice_set, settings.game, lambda count: 0)
    chosen = chosen_models(None, tmp_path)
    eyes = open_virtual(house, chosen.folder, seed=7)
    assert eyes.virtual is not None
    swap = model_swap(eyes.reader, chosen, tmp_path, None)
    assert swap is not None
    running = RunningTable(
        settings,
        house,
        eyes.plan,
        eyes.source,
        eyes.watcher,
        open_books(settings, demo=True),
        listen("127.0.0.1", 0),
        None,
        "virtual",
        eyes.virtual,
        swap=swap,
    )
    serving = threading.Thread(target=running.serve)
    serving.start()
    try:
        registry = registry_of(tmp_path)
        told: dict[int, str] = {}
        for throw in range(4):
            if throw == 1:  # dice of the first throw lie on the table
                registry.promote(registry.keep(renamed(tmp_path / "new")).name, "Ann")
                until(lambda: swap.state.swaps == 1)
            before = reading_of(running)
            eyes.virtual.throw(None)
            until(lambda last=before: reading_of(running)["id"] > last["id"])
            now = reading_of(running)
            assert len(now["dice"]) == 9
            told[now["id"]] = now["model"]
        # a reading for each throw, one after the other, and none between
        assert list(told) == [1, 2, 3, 4]
        names = [model.partition("@")[0] for model in told.values()]
        assert names[1:] == ["renamed-faces"] * 3
        assert names[0] != "renamed-faces"
        assert swap.state.problem == ""
    finally:
        running.stop()
        serving.join(WAIT_S)
    assert running.failure == ""


def renamed(folder: Path) -> Path:
    """The bundled models, with another name on a card, without their limits."""
    folder.mkdir()
    for path in BUNDLED.iterdir():
        if path.suffix in (".json", ".onnx") and path.name != "limits.json":
            shutil.copyfile(path, folder / path.name)
    card = json.loads((folder / "faces.json").read_text("utf-8"))
    card["name"] = "renamed-faces"
    (folder / "faces.json").write_text(json.dumps(card), "utf-8")
    return folder


def reading_of(running: RunningTable) -> dict[str, Any]:
    latest = running.feed.latest()
    reading = None if latest is None else json.loads(latest.body)["reading"]
    found: dict[str, Any] = reading or {"id": 0}
    return found


def until(true: Any) -> None:
    deadline = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
