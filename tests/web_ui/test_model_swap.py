"""A running table takes up other models between two rolls, and never within one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from painted_dice import NINE, empty_table, scene
from small_models import save_models
from watched_scenes import OTHER, RATE, still, thrown
from worse_models import renew_card

from datasets.registry.errors import RegistryError
from datasets.registry.shelf import registry_of
from datasets.registry.version import BUNDLED_VERSION
from scoring.dice_sets import bundled_dice_set
from vision.errors import ModelError
from vision.ports import Frame
from vision.reader import RollReader, load_reader
from vision.tray_watch import TrayWatcher
from vision.watch import Watcher
from web_ui.model_swap import ModelsInUse, ModelSource, ModelSwap
from web_ui.models_in_use import chosen_models, model_swap
from web_ui.settings import CameraSettings
from web_ui.watch_thread import Seen, WatchThread

if TYPE_CHECKING:
    from collections.abc import Callable

    from open_tables import OpenTable

    from vision.ports import BgrImage

CARDS = bundled_dice_set("square-shooters")
THIRD = "KH QD JC TS 9H 8D 7C 6S 5H"
Folders = tuple[Path, Path]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """Two folders of small models that read alike and have different names."""
    one = save_models(tmp_path_factory.mktemp("one"))
    other = save_models(tmp_path_factory.mktemp("other"))
    renew_card(other, "faces", name="other-faces")
    return one, other


def loaded(folder: Path) -> RollReader:
    return load_reader(CARDS, folder, threads=1)


class Film:
    """Frames one after the other, as the live picture gives them; then the end.

    Args:
        pictures: the frames.
        before: called with the number of each frame before it is given.
    """

    def __init__(self, pictures: list[BgrImage], before: Callable[[int], None]) -> None:
        self._pictures, self._before = pictures, before
        self.end: Callable[[], None] = lambda: None

    def frame_after(self, number: int, timeout_s: float) -> tuple[int, Frame] | None:
        if number == len(self._pictures):
            self.end()
            return None
        self._before(number)
        frame = Frame(self._pictures[number], f"f#{number}", number, number / RATE)
        return number + 1, frame

    def age_s(self) -> float:
        return 0.0


PICTURES = [
    *still(empty_table(), 12),
    *thrown(NINE),
    *still(scene(NINE), 12),
    *thrown(OTHER, 6),
    *still(scene(OTHER, 6), 12),
    *still(empty_table(), 12),
    *thrown(THIRD, 3),
    *still(scene(THIRD, 3), 12),
]


def told_rolls(folders: Folders, swap_at: int) -> tuple[list[Any], ModelSwap]:
    """Play the film; other models are promoted before a frame."""
    one, other = folders
    reader = loaded(one)
    source = ModelSource(lambda: ("v-2", 1), lambda name, now: loaded(other))
    swap = ModelSwap(reader, "v-1", ("v-1", 0), source)
    film = Film(PICTURES, lambda number: swap.look() if number == swap_at else None)
    told: list[Seen] = []

    def tell(news: object) -> None:
        assert isinstance(news, Seen), news
        told.append(news)

    watcher = TrayWatcher(reader, lambda: Watcher(reader))
    thread = WatchThread(watcher, film, tell, CameraSettings())  # type: ignore[arg-type]  # a film has what the thread asks of a live picture
    film.end = lambda: thread._stopping.set()  # ends it from within
    thread.between_rolls = swap.between_rolls
    thread.run()
    assert thread.failure == ""
    rolls = [
        (seen.reading.model, seen.reading.status.value, faces_of(seen))
        for seen in told
        if seen.reading is not None
    ]
    return rolls, swap


def faces_of(seen: Seen) -> str:
    assert seen.reading is not None
    return " ".join(die.face.code for die in seen.reading.dice if die.face is not None)


@pytest.mark.parametrize("swap_at", [0, 5, *range(12, len(PICTURES), 7)])
def test_no_roll_is_lost_or_told_twice_whenever_models_change(
    folders: Folders, swap_at: int
) -> None:
    rolls, swap = told_rolls(folders, swap_at)
    assert [faces for _, _, faces in rolls] == [NINE, OTHER, THIRD]
    names = [model.partition("@")[0] for model, _, _ in rolls]
    assert names == sorted(names, key=("small-faces", "other-faces").index)
    assert {status for _, status, _ in rolls} == {"sure"}
    if names[-1] == "other-faces":
        assert (swap.state.version, swap.state.swaps) == ("v-2", 1)


def test_models_are_not_changed_in_the_middle_of_a_roll(folders: Folders) -> None:
    """Promoted while the first dice slide: the first roll is still read as before."""
    rolls, swap = told_rolls(folders, 15)
    assert [model.partition("@")[0] for model, _, _ in rolls] == [
        "small-faces",
        "other-faces",
        "other-faces",
    ]
    assert swap.state.waiting == ""


class Shop:
    """Where a swap finds models, in the hands of a test."""

    def __init__(self, reader: RollReader) -> None:
        self.stamp: tuple[str, int] | Exception = ("v-1", 1)
        self.ware: RollReader | Exception = reader
        self.loads = 0

    def ask(self) -> tuple[str, int]:
        if isinstance(self.stamp, Exception):
            raise self.stamp
        return self.stamp

    def load(self, name: str, reader: RollReader) -> RollReader:
        self.loads += 1
        if isinstance(self.ware, Exception):
            raise self.ware
        return self.ware


@pytest.fixture
def shop(folders: Folders) -> Shop:
    return Shop(loaded(folders[1]))


@pytest.fixture
def swap(folders: Folders, shop: Shop) -> ModelSwap:
    source = ModelSource(shop.ask, shop.load)
    return ModelSwap(loaded(folders[0]), "v-1", ("v-1", 1), source)


def test_nothing_is_loaded_while_nothing_is_promoted(
    swap: ModelSwap, shop: Shop
) -> None:
    swap.look()
    swap.between_rolls()
    assert shop.loads == 0
    assert swap.state.swaps == 0


def test_models_that_cannot_be_loaded_leave_the_old_ones_and_are_told(
    swap: ModelSwap, shop: Shop
) -> None:
    good, shop.ware = shop.ware, ModelError("v-2: damaged")
    before = swap.state
    shop.stamp = ("v-2", 2)
    for _ in range(3):
        swap.look()
    swap.between_rolls()
    assert shop.loads == 1  # not again and again
    assert swap.state.problem.startswith("v-2: damaged")
    assert (swap.state.version, swap.state.models) == ("v-1", before.models)
    # promoted once more, mended
    shop.ware, shop.stamp = good, ("v-2", 3)
    swap.look()
    assert (swap.state.problem, swap.state.waiting) == ("", "v-2")
    swap.between_rolls()
    assert (swap.state.version, swap.state.waiting) == ("v-2", "")


def test_any_fault_of_a_loader_leaves_the_table_alone(
    swap: ModelSwap, shop: Shop
) -> None:
    shop.ware, shop.stamp = ZeroDivisionError("odd"), ("v-2", 2)
    swap.look()
    assert swap.state.problem.startswith("odd")


def test_models_taken_back_before_they_were_taken_up_are_never_used(
    swap: ModelSwap, shop: Shop
) -> None:
    shop.stamp = ("v-2", 2)
    swap.look()
    shop.stamp = ("v-1", 3)
    swap.look()
    swap.between_rolls()
    assert swap.state == ModelsInUse("v-1", swap.state.models)


def test_word_about_the_current_models_that_cannot_be_read_is_told_until_it_can(
    swap: ModelSwap, shop: Shop
) -> None:
    shop.stamp = RegistryError("current.json: cannot be read")
    swap.look()
    assert "current.json" in swap.state.problem
    shop.stamp = ("v-1", 1)
    swap.look()
    assert swap.state.problem == ""


def test_tray_and_dice_stay_when_networks_change(folders: Folders, shop: Shop) -> None:
    reader = loaded(folders[0])
    swap = ModelSwap(reader, "v-1", ("v-1", 1), ModelSource(shop.ask, shop.load))
    reader.expect(bundled_dice_set("poker-dice"))
    shop.stamp = ("v-2", 2)
    swap.look()
    swap.between_rolls()
    assert reader.dice_set.name == bundled_dice_set("poker-dice").name
    assert reader.faces.name.startswith("other-faces")
    assert reader.detector.expected == reader.dice_set.dice_count  # type: ignore[attr-defined]  # a YOLO detector, as loaded


def test_models_in_use_follow_the_registry(folders: Folders, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert chosen_models(None, data).folder is None
    assert not data.exists()
    registry = registry_of(data)
    one = registry.keep(folders[0])
    assert chosen_models(None, data).folder is None  # kept is not promoted
    registry.promote(one.name, "Ann")
    chosen = chosen_models(None, data)
    assert (chosen.folder, chosen.stamp) == (one.folder, (one.name, 1))
    # what the user names goes first
    named = chosen_models(folders[1], data)
    assert (named.folder, named.stay) == (folders[1], True)
    bundled = chosen_models(Path(BUNDLED_VERSION), data)
    assert (bundled.folder, bundled.stay) == (None, True)
    # damaged: the bundled ones are used and it is told
    assert one.folder is not None
    (one.folder / "faces.onnx").chmod(0o600)
    (one.folder / "faces.onnx").write_bytes(b"")
    damaged = chosen_models(None, data)
    assert damaged.folder is None
    assert one.name in damaged.problem


def test_table_loads_what_is_promoted_into_its_registry(
    folders: Folders, tmp_path: Path
) -> None:
    registry = registry_of(tmp_path)
    registry.promote(registry.keep(folders[0]).name, "Ann")
    chosen = chosen_models(None, tmp_path)
    assert chosen.folder is not None
    reader = loaded(chosen.folder)
    swap = model_swap(reader, chosen, tmp_path, None)
    assert swap is not None
    other = registry.keep(folders[1])
    registry.promote(other.name, "Ann")
    swap.look()
    assert swap.state.waiting == other.name
    swap.between_rolls()
    assert reader.faces.name == dict(other.models)["faces"]
    registry.roll_back("Ann")
    swap.look()
    swap.between_rolls()
    assert reader.faces.name.startswith("small-faces")
    assert swap.state.swaps == 2
    # a version that is damaged while the table runs
    (registry.folder / "current.json").write_text(
        (registry.folder / "current.json").read_text().replace(chosen.stamp[0], "v-x")
    )
    swap.look()
    assert "v-x" in swap.state.problem
    assert reader.faces.name.startswith("small-faces")


def test_table_whose_models_were_named_keeps_them(
    folders: Folders, tmp_path: Path
) -> None:
    chosen = chosen_models(folders[0], tmp_path)
    swap = model_swap(loaded(folders[0]), chosen, tmp_path, None)
    assert swap is not None
    registry = registry_of(tmp_path)
    registry.promote(registry.keep(folders[1]).name, "Ann")
    swap.look()
    assert swap.state.waiting == ""
    assert model_swap(None, chosen, tmp_path, None) is None


def test_models_are_told_over_http(table: OpenTable) -> None:
    answer = table.client.get("/api/v1/models")
    openapi = json.loads(table.client.get("/api/v1/openapi.json").text)
    schema = openapi["components"]["schemas"]["Models"]
    Draft202012Validator(schema).validate(answer.json)
    assert answer.json is not None
    assert answer.json["version"] == ""
