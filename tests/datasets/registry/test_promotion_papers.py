"""What is asked of a candidate before it reads anything: cards, limits, test sets."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest
from capture_makers import capture, jpeg
from labelled_sets import quad_at
from painted_dice import HEIGHT, NINE, WIDTH, scene
from painted_rolls import quiet, save_rolls
from small_models import save_models
from watched_scenes import OTHER
from worse_models import GATE, copied, renew_card

from datasets.captures.album import Album
from datasets.captures.capture import CapturedDie, Kept, Origin, Review
from datasets.registry.candidate import check_apart, check_papers, put_together
from datasets.registry.errors import RegistryError
from datasets.registry.promotion import Outcome, Trial, promote, try_out
from datasets.registry.shelf import Registry
from datasets.registry.version import identities
from datasets.shards import DataSetError
from scoring.cards import parse_face
from scoring.dice_sets import bundled_dice_set
from vision.limits import SHIPPED
from vision.limits_file import FILE_NAME, limits_record

if TYPE_CHECKING:
    from pathlib import Path

CARDS = bundled_dice_set("square-shooters")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    (tmp_path / "plain").mkdir()
    return copied(save_models(tmp_path / "plain"), tmp_path / "good")


@pytest.fixture
def registry(good: Path, tmp_path: Path) -> Registry:
    made = Registry(tmp_path / "models")
    made.promote(made.keep(good).name, "Ann")
    return made


@pytest.fixture(scope="module")
def rolls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_rolls(tmp_path_factory.mktemp("sets") / "rolls", 8, seed=4)


@pytest.fixture
def other(good: Path, tmp_path: Path) -> Path:
    """A candidate that has another face reader and nothing else."""
    folder = tmp_path / "other"
    folder.mkdir()
    path = good / "faces.onnx"
    (folder / "faces.json").write_bytes((good / "faces.json").read_bytes())
    (folder / "faces.onnx").write_bytes(path.read_bytes() + b"\x3a\x00")
    renew_card(folder, "faces")
    return folder


def tried(registry: Registry, candidate: Path, held: Path, **more: Any) -> Outcome:
    trial = Trial(candidate, held, CARDS, threads=1, **more)
    return try_out(registry, trial, quiet)


def write_limits(path: Path, models: dict[str, str]) -> Path:
    path.write_text(json.dumps(limits_record(SHIPPED, models, {})))
    return path


def test_kinds_that_a_candidate_lacks_are_those_in_use(
    good: Path, other: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "together"
    folder.mkdir()
    write_limits(good / FILE_NAME, identities(good))
    assert put_together(other, good, folder) == {"faces"}
    assert identities(folder)["detector"] == identities(good)["detector"]
    assert identities(folder)["faces"] != identities(good)["faces"]
    # limits of the models in use belong to all of these, and so do not go along
    assert not (folder / FILE_NAME).exists()


def test_same_models_keep_their_limits(good: Path, tmp_path: Path) -> None:
    write_limits(good / FILE_NAME, identities(good))
    candidate, folder = copied(good, tmp_path / "again"), tmp_path / "together"
    folder.mkdir()
    assert put_together(candidate, good, folder) == frozenset()
    assert (folder / FILE_NAME).is_file()


def test_folder_without_a_model_is_unusable(registry: Registry, rolls: Path) -> None:
    said = r"holds no model: no detector\.json, faces\.json or body\.json"
    with pytest.raises(RegistryError, match=said):
        tried(registry, rolls, rolls)


def test_folder_of_a_training_run_holds_what_it_published(
    good: Path, other: Path, tmp_path: Path
) -> None:
    run, folder = tmp_path / "tuned", tmp_path / "together"
    (run / "weights").mkdir(parents=True)
    folder.mkdir()
    shutil.copytree(other, run / "published")
    assert put_together(run, good, folder) == {"faces"}
    assert identities(folder)["faces"] != identities(good)["faces"]


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        ({}, "no figures of the gate"),
        ({"export_gate": {}}, "no figures of the gate"),
        ({"export_gate": "yes"}, "no figures of the gate"),
        ("many", "no figures of the gate"),
        ({"export_gate": {"f32": {"refused": "it differs"}}}, "it differs"),
        ({"export_gate": {"f32": {**GATE, "differing": 9}}}, "9 of 900 differ"),
        ({"export_gate": {**GATE, "shift_p99_px": float("nan")}}, "NaN is no number"),
        ({"export_gate": {**GATE, "dice": 0}}, "0 of 0 differ"),
        ({"export_gate": {"dice": 900}}, "cannot be read"),
    ],
)
def test_new_model_without_a_passed_gate_of_the_export_is_refused(
    registry: Registry, other: Path, rolls: Path, metrics: object, words: str
) -> None:
    renew_card(other, "faces", metrics=metrics)
    outcome = tried(registry, other, rolls)
    assert any(words in reason for reason in outcome.reasons), outcome.reasons


def test_limits_of_other_models_are_refused(
    registry: Registry, other: Path, rolls: Path, good: Path
) -> None:
    path = write_limits(other / FILE_NAME, identities(good))
    outcome = tried(registry, other, rolls)
    assert any("made for small-detector" in reason for reason in outcome.reasons)
    path.unlink()
    given = write_limits(other.parent / "limits.json", identities(good))
    outcome = tried(registry, other, rolls, limits=given)
    assert any("made for small-detector" in reason for reason in outcome.reasons)


def test_limits_are_made_from_other_rolls_than_those_that_judge(
    registry: Registry, other: Path, rolls: Path, tmp_path: Path
) -> None:
    outcome = tried(registry, other, rolls, calibrate=(rolls,))
    assert any("must not judge them too" in reason for reason in outcome.reasons)
    few = save_rolls(tmp_path / "few", 8, seed=5)
    outcome = tried(registry, other, rolls, calibrate=(few,))
    assert any(reason.startswith("limits: ") for reason in outcome.reasons)


CARD_SEEDS = [
    pytest.param({"train": {"seed": 4}}, {"seed": 4}, "seed 4", id="seed"),
    pytest.param(
        {"train": {"seed": "72 (20 shards), 172 (70)"}},
        {"seed": 172},
        "seed 172",
        id="seed-in-words",
    ),
    pytest.param(
        {"train": {"sets": [{"seed": 1}, {"seed": 2}]}}, {"seed": 2}, "2", id="list"
    ),
    pytest.param(
        {"captured": {"recordings": ["monday", "friday"]}},
        {"recording": "friday"},
        "recording:friday",
        id="recording",
    ),
    pytest.param({}, {"held_out": False}, "for training", id="training-set"),
]


@pytest.mark.parametrize(("data", "manifest", "words"), CARD_SEEDS)
def test_set_that_taught_the_candidate_does_not_judge_it(
    other: Path,
    tmp_path: Path,
    data: dict[str, Any],
    manifest: dict[str, Any],
    words: str,
) -> None:
    renew_card(other, "faces", data=data)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    check = check_apart(other, ["faces"], tmp_path, ())
    assert not check.passed
    assert words in check.sentence


def test_set_that_only_tested_the_candidate_may_judge_it(
    other: Path, tmp_path: Path
) -> None:
    data = {"train": {"seed": 20}, "val": {"seed": 70}, "also": {"seed": "3 (70)"}}
    renew_card(other, "faces", data=data)
    (tmp_path / "manifest.json").write_text('{"seed": 70, "held_out": true}')
    assert check_apart(other, ["faces"], tmp_path, ()).passed
    # and what a model that is in use learned from is no matter any more
    (tmp_path / "manifest.json").write_text('{"seed": 20}')
    assert check_apart(other, [], tmp_path, ()).passed


def test_captured_rolls_that_taught_the_candidate_are_passed_over(
    registry: Registry, other: Path, rolls: Path, tmp_path: Path
) -> None:
    renew_card(other, "faces", data={"captured": {"recordings": ["monday"]}})
    captured = save_rolls(tmp_path / "ours", 3, seed=6, tags=["recording:monday"])
    outcome = tried(registry, other, rolls, captured=captured)
    found = {check.name: check for check in outcome.checks}
    assert "0 pictures, 3 of recordings" in found["captured set apart"].sentence
    assert not found["captured set apart"].passed


def test_captured_rolls_judge_too(
    registry: Registry, other: Path, rolls: Path, tmp_path: Path
) -> None:
    captured = save_rolls(tmp_path / "ours", 3, seed=6, tags=["recording:friday"])
    outcome = tried(registry, other, rolls, captured=captured)
    names = [check.name for check in outcome.checks]
    assert "faces right, captured rolls" in names
    reasons = " ".join(outcome.reasons)
    assert "3 pictures, need 88: faces right on captured rolls" in reasons


def test_album_of_the_table_judges_too(
    registry: Registry, other: Path, rolls: Path, tmp_path: Path
) -> None:
    album = Album(tmp_path / "captures", durable=False)
    for number, codes in enumerate((NINE, OTHER)):
        data = jpeg(scene(codes))
        shown = tuple(
            CapturedDie(quad_at(slot), parse_face(code), origin=Origin.PERSON)
            for slot, code in enumerate(codes.split())
        )
        size = {"width_px": WIDTH, "height_px": HEIGHT}
        more = {"dice": shown, "review": Review.REVIEWED, **size}
        album.add(capture(data, Kept.CORRECTED, number, **more), data)
    outcome = tried(registry, other, rolls, captured=tmp_path / "captures")
    reasons = " ".join(outcome.reasons)
    assert "2 pictures, need 88: faces right on captured rolls: 100.00 %" in reasons
    # unless their recording taught the candidate
    renew_card(other, "faces", data={"captured": {"recordings": ["evening"]}})
    outcome = tried(registry, other, rolls, captured=tmp_path / "captures")
    assert "0 pictures, 2 of recordings" in " ".join(outcome.reasons)


def test_refusal_is_written_down_and_changes_nothing(
    registry: Registry, other: Path, rolls: Path
) -> None:
    before = registry.stamp()
    trial = Trial(other, rolls, CARDS, threads=1)
    outcome = promote(registry, trial, "Ann", quiet)
    assert not outcome.passed
    assert registry.stamp() == before
    entry = registry.history()[-1]
    assert (entry.action, entry.version) == ("refused", outcome.candidate)
    assert entry.why == outcome.reasons
    assert outcome.candidate not in registry.names()
    assert len(entry.figures["checks"]) == len(outcome.checks)


def test_unusable_rolls_are_no_refusal(
    registry: Registry, other: Path, rolls: Path, tmp_path: Path
) -> None:
    with pytest.raises(DataSetError, match=r"labels\.json"):
        tried(registry, other, tmp_path)
    broken = tmp_path / "broken"
    shutil.copytree(rolls, broken)
    next(broken.glob("*.png")).write_bytes(b"no picture")
    with pytest.raises(DataSetError):
        tried(registry, other, broken)


def test_cards_that_are_no_cards_are_told_kind_by_kind(good: Path) -> None:
    for text in ("", "[]", '{"name": 1}', "\xff"):
        (good / "faces.json").write_text(text, "latin-1")
        (good / "detector.json").unlink(missing_ok=True)
        names = [c.name for c in check_papers(good, ["faces"]) if not c.passed]
        assert names == ["card of detector", "card of faces"]


def test_limits_that_ship_can_be_written(good: Path) -> None:
    """The builder of this file makes what a calibration makes."""
    record = json.loads(write_limits(good / FILE_NAME, {}).read_text())
    assert record["limits"].items() <= asdict(SHIPPED).items()
