"""The loop: play, correct, retrain, try, promote, play on, roll back. Nothing is faked.

A table reads with models that take eight faces for each other. Ten rolls at the
virtual table are read wrong and corrected by a person, through the interface of the
pages.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from open_tables import SETTINGS, WAIT_S
from worse_models import copied, swap_faces

from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin, Review
from datasets.crops import CropOptions
from datasets.labels.splits import Split
from datasets.registry.shelf import registry_of
from datasets.render import render_crops
from scoring.dice_sets import bundled_dice_set, reference_dice_set
from vision.model_files import BUNDLED
from web_ui.cli import main
from web_ui.models_in_use import chosen_models, model_swap
from web_ui.play_parts import open_virtual
from web_ui.running import RunningTable
from web_ui.server import address_of, listen
from web_ui.settings import CaptureSettings, ServerSettings, StoreSettings
from web_ui.table.books import open_books
from web_ui.table.state import House

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore"),  # torch and ultralytics warn of themselves
]

Capture = pytest.CaptureFixture[str]
ROLLS = 10
MIXED_UP = ("AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S")
DICE = reference_dice_set().dice or ()
FEW_ROLLS, MANY_ROLLS = 10, 40
TEACHING = 8
"""So many of the ten rolls are of an evening that may teach, the rest of another."""


def _evening(side: str) -> str:
    names = (f"evening-{k}" for k in range(99))
    return next(name for name in names if Split().side_of(name) == side)


EVENING, LATER = _evening("train"), _evening("test")


class Table:
    """The virtual table with its server; everything is asked over HTTP."""

    def __init__(self, data: Path) -> None:
        settings = replace(
            SETTINGS,
            server=ServerSettings(port=0),
            store=StoreSettings(str(data)),
            capture=CaptureSettings("all"),
        )
        house = House(
            bundled_dice_set("square-shooters"), settings.game, lambda count: 0
        )
        chosen = chosen_models(None, data)
        eyes = open_virtual(house, chosen.folder, seed=7)
        sock = listen("127.0.0.1", 0)
        self.url = address_of(sock) + "api/v1"
        self.running = RunningTable(
            settings,
            house,
            eyes.plan,
            eyes.source,
            eyes.watcher,
            open_books(settings),
            sock,
            None,
            "virtual",
            eyes.virtual,
            swap=model_swap(eyes.reader, chosen, data, None),
        )
        self._serving = threading.Thread(target=self.running.serve)
        self._serving.start()
        until(lambda: self.running.feed.latest() is not None)

    def ask(self, path: str, body: object = None) -> Any:
        request = urllib.request.Request(self.url + path)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
            return json.load(answer)

    def order(self, do: str, **fields: object) -> Any:
        return self.ask("/commands", {"do": do, **fields})

    def roll(self, faces: list[str]) -> dict[str, Any]:
        """A first roll of a new game; the reading of it."""
        before = (self.ask("/state")["reading"] or {"id": 0})["id"]
        self.order("start", game="classic", players=["Ann"])
        self.order("draw")
        self.ask("/virtual", {"do": "throw", "faces": faces, "keep": []})
        until(lambda: (self.ask("/state")["reading"] or {"id": 0})["id"] > before)
        found: dict[str, Any] = self.ask("/state")["reading"]
        return found

    def correct(self, reading: dict[str, Any]) -> int:
        """Say what the dice show that were read wrong; how many those were."""
        truth = self.ask("/virtual")["dice"]
        wrong = 0
        for die in reading["dice"]:
            shown = nearest(truth, die["quad"])
            if die["read"] != shown:
                self.ask(
                    "/corrections",
                    {
                        "reading": reading["id"],
                        "die": die["place"],
                        "face": shown,
                        "reason": "I looked at it",
                    },
                )
                wrong += 1
        if self.ask("/state")["can"]["confirm"]:
            self.order("confirm", reading=reading["id"])
        return wrong

    def models(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("/models")
        return found

    def close(self) -> None:
        self.running.stop()
        self._serving.join(WAIT_S)
        assert self.running.failure == ""


def nearest(truth: list[dict[str, Any]], quad: list[list[float]]) -> str:
    x, y = np.mean(quad, axis=0)
    die = min(truth, key=lambda one: float(np.hypot(one["x"] - x, one["y"] - y)))
    return str(die["face"])


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 2 * WAIT_S
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def thrown(number: int) -> list[str]:
    """A roll that shows just one of the faces that are taken for each other."""
    rng, wanted = np.random.default_rng(number), MIXED_UP[number % len(MIXED_UP)]
    roll = []
    for die in DICE:
        codes = [face.code for face in die]
        others = [code for code in codes if code not in MIXED_UP]
        roll.append(wanted if wanted in codes else str(rng.choice(others)))
    return roll


def trained(capsys: Capture, place: Path, album: Path) -> Path:
    """A face reader that learned far too little, the corrected rolls among it."""
    for name, count, seed in (("crops", 2, 1), ("crops-val", 1, 2)):
        render_crops(place / name, count, seed, CropOptions(32), 1, lambda i, _: i, 16)
    words = ["train", "faces", "--model", "yolov8n-cls.yaml", "--imgsz", "32"]
    words += ["--batch", "8", "--epochs", "1", "--threads", "1"]
    for name, path in {
        "data": place / "crops",
        "val": place / "crops-val",
        "runs": place / "runs",
        "publish": place / "trained",
        "captured": album,
    }.items():
        words += [f"--{name}", str(path)]
    assert main(words) == 0
    assert "published" in capsys.readouterr().out
    card = json.loads((place / "trained" / "faces.json").read_text("utf-8"))
    told = card["data"]["captured"]
    assert (EVENING in json.dumps(told), told["pictures"]) == (True, TEACHING)
    return place / "trained"


def drawn(place: Path, count: int, seed: int) -> str:
    """A folder of held-out rolls that taught nobody."""
    folder = str(place / f"held-{seed}")
    words = ["dataset", "rolls", "--out", folder, "--count", str(count), "--held-out"]
    # near dice, which good models are often sure of: far ones would have them asked
    # about by good and by bad models alike, and that needs hundreds to compare
    words += ["--smallest-px", "50", "--largest-px", "80"]
    assert main([*words, "--seed", str(seed)]) == 0
    return folder


def label_album(folder: Path) -> None:
    """A person looks at each capture as a whole and finds its labels right."""
    album = Album(folder)
    for place, entry in enumerate(album.entries()):
        capture = album.get(entry.id)
        assert capture.kept is Kept.CORRECTED
        assert any(die.origin is Origin.PERSON for die in capture.dice)
        assert all(die.face is not None for die in capture.dice)
        seen = [
            replace(die, origin=Origin.PERSON, role="operator") for die in capture.dice
        ]
        album.label(entry.id, tuple(seen))
        # the hash of a recording's name deals it to one side, teaching or measuring
        evening = EVENING if place < TEACHING else LATER
        album.change(entry.id, partial(replace, recording=evening))
    assert [entry.review for entry in album.entries()] == [Review.REVIEWED] * ROLLS


def test_the_loop_from_play_to_promotion_and_back(
    tmp_path: Path, capsys: Capture
) -> None:
    data = tmp_path / "data"
    registry = registry_of(data)
    mixed_up = copied(BUNDLED, tmp_path / "mixed-up")
    swap_faces(mixed_up, len(MIXED_UP) // 2)
    worse = registry.keep(mixed_up).name
    registry.promote(worse, "the seller")
    table = Table(data)
    try:
        assert table.models()["version"] == worse
        rolls = [thrown(number) for number in range(ROLLS)]
        wrong = [table.correct(table.roll(faces)) for faces in rolls]
        assert min(wrong) >= 1, "these models were to read every roll wrong"
        until(lambda: len(Album(data / "captures").entries()) == ROLLS)
        until(
            lambda: all(
                e.kept is Kept.CORRECTED for e in Album(data / "captures").entries()
            )
        )
        label_album(data / "captures")
        labelled = [
            sorted(die.face.code for die in Album(data / "captures").get(e.id).dice)  # type: ignore[union-attr]
            for e in Album(data / "captures").entries()
        ]
        assert sorted(labelled) == sorted(map(sorted, rolls))

        # few rolls show how bad a model is; more are needed to show that one is not
        few, many = (
            drawn(tmp_path, FEW_ROLLS, 78001),
            drawn(tmp_path, MANY_ROLLS, 77001),
        )
        words = ["--data", str(data), "--threads", "1", "--who", "Ann", "--json"]
        album = str(data / "captures")
        new = trained(capsys, tmp_path, data / "captures")
        tried = ["promote", str(new), "--held-out", few, "--captured", album, *words]
        capsys.readouterr()
        assert main(tried) == 1
        refused = json.loads(capsys.readouterr().out)
        reasons = " | ".join(refused["reasons"])
        assert "faces right on held-out rolls" in reasons
        assert "faces right on captured rolls" in reasons
        assert registry.current_name() == worse
        assert table.models()["version"] == worse

        tried = ["promote", str(BUNDLED), "--held-out", many, *words]
        status, told = main(tried), json.loads(capsys.readouterr().out)
        assert (status, told["reasons"]) == (0, [])
        better = registry.current_name()
        assert better not in (worse, "")
        until(lambda: table.models()["version"] == better)
        assert table.models()["swaps"] == 1
        assert table.correct(table.roll(rolls[0])) == 0

        assert main(["promote", "--rollback", "--data", str(data)]) == 0
        until(lambda: table.models()["version"] == worse)
        assert table.models()["swaps"] == 2
        assert table.correct(table.roll(rolls[0])) >= 1
    finally:
        table.close()
    done = [(entry.action, entry.version) for entry in registry.history()]
    assert done == [
        ("promoted", worse),
        ("refused", refused["candidate"]),
        ("promoted", better),
        ("rolled back", worse),
    ]
