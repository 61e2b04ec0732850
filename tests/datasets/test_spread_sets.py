"""Whoever draws a set or reads one, and whoever dies meanwhile, it is the same."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from clusters import local_cluster

from datasets import render
from datasets.body_scenes import BodyOptions
from datasets.body_set import render_bodies
from datasets.calibration import observe
from datasets.crops import CropOptions
from datasets.eval_labels import LabelError
from datasets.eval_sets import evaluate_set, labelled_set
from datasets.evaluation import EvalOptions
from datasets.machine import DRAWING, this_machine
from datasets.picture_sets import render_pictures
from datasets.render import render_crops
from datasets.scene import SceneOptions
from datasets.spread.dask_cluster import DaskCluster
from datasets.spread.port import SpreadError
from datasets.spread_reading import evaluate_far, observe_far, recipe_of
from scoring.dice_sets import bundled_dice_set
from vision.reader import load_reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = [
    # Dask's loops and processes end after the test that started them
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

SAMPLES = Path(__file__).resolve().parents[2] / "web_ui" / "samples"
SCENES = SceneOptions(64, 64, 14, 24, full_roll=False)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


@pytest.fixture
def spread(cluster: Any) -> Iterator[DaskCluster]:
    with DaskCluster(cluster.scheduler_address) as made:
        yield made


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_set_is_the_same_though_a_worker_was_killed_meanwhile(
    tmp_path: Path, cluster: Any, spread: DaskCluster
) -> None:
    killed: list[int] = []

    def killing(items: Iterable[int], total: int) -> Iterator[int]:
        for item in items:
            if not killed:  # the first piece is here, each worker has others in hand
                killed.append(cluster.workers[1].pid)
                os.kill(killed[0], signal.SIGKILL)
            yield item

    options = CropOptions(32)
    far = (tmp_path / "far", 12, 5, options, 1, killing, 8)
    assert render_crops(*far, spread=spread) == 12
    assert render_crops(tmp_path / "near", 12, 5, options, 1, quiet, 8) == 12
    assert killed
    assert contents(tmp_path / "far") == contents(tmp_path / "near")


def test_pictures_and_bodies_drawn_elsewhere_are_the_same(
    tmp_path: Path, spread: DaskCluster
) -> None:
    for name, by in (("far", spread), ("near", None)):
        folder = tmp_path / name
        render_pictures(folder / "p", 3, 3, SCENES, 1, quiet, rolls=True, spread=by)
        bodies = BodyOptions()
        render_bodies(folder / "b", 2, 1, bodies, 1, quiet, 32, 2, spread=by)
    found = contents(tmp_path / "far")
    assert found == contents(tmp_path / "near")
    assert len(found) == 3 + 3 + 2 + 2 + 1


def test_a_worker_that_would_draw_otherwise_is_refused(
    tmp_path: Path, spread: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = this_machine(DRAWING, ("datasets.render",))
    packages = tuple((name, "0.1") for name, _ in here.packages)
    other = replace(here, fonts="of another machine", packages=packages)
    monkeypatch.setattr(render, "this_machine", lambda *_: other)
    with pytest.raises(SpreadError, match=r"pillow is .*, not 0\.1; the fonts are oth"):
        render_crops(tmp_path, 1, 5, CropOptions(32), 1, quiet, 8, spread=spread)


def test_a_worker_with_other_photos_is_refused(
    tmp_path: Path, spread: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "photos").mkdir()
    options = CropOptions(32, photos=str(tmp_path / "photos"))
    monkeypatch.setattr(render, "photos_digest", lambda folder: "others")
    with pytest.raises(SpreadError, match=r"has other photos in .*/photos"):
        render_crops(tmp_path / "set", 1, 5, options, 1, quiet, 8, spread=spread)


def test_readings_of_others_are_judged_the_same(spread: DaskCluster) -> None:
    dice_set = bundled_dice_set("square-shooters")
    labels = labelled_set(SAMPLES)[:3]
    gone = replace(labels[0], name="gone.jpg", path=SAMPLES / "gone.jpg")
    labels = (*labels, gone)
    recipe = recipe_of(dice_set, None, 1)
    far = evaluate_far(recipe, labels, EvalOptions(), spread, quiet)
    reader = load_reader(dice_set, None, 1, 1)
    near = evaluate_set(reader, labels, EvalOptions(), quiet)
    assert [replace(r, elapsed_ms=0.0) for r in far] == [
        replace(r, elapsed_ms=0.0) for r in near
    ]
    assert far[3].error == "there is no such file"


def test_evidence_of_others_is_the_same(spread: DaskCluster) -> None:
    dice_set = bundled_dice_set("square-shooters")
    labels = labelled_set(SAMPLES)[:2]
    recipe = recipe_of(dice_set, None, 4, calibrated=False)
    far = observe_far(recipe, labels, spread, quiet)
    near = observe(load_reader(dice_set, None, 1, calibrated=False), labels, quiet)
    for one, other in zip(far, near, strict=True):
        assert (one.label, one.light, one.size_px) == (
            other.label,
            other.light,
            other.size_px,
        )
        for piece, same in zip(one.evidence, other.evidence, strict=True):
            assert (piece.log_p == same.log_p).all()


def test_a_label_that_does_not_fit_is_named_by_its_own_path(
    spread: DaskCluster,
) -> None:
    label = replace(labelled_set(SAMPLES)[0], width=1.0, height=1.0)
    recipe = recipe_of(bundled_dice_set("square-shooters"), None, 1)
    with pytest.raises(LabelError) as told:
        evaluate_far(recipe, [label], EvalOptions(), spread, quiet)
    assert str(told.value).startswith(str(label.path))
