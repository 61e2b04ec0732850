"""New models are taken into use only if they are not worse; each fault is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import worse_models
from painted_rolls import quiet, save_rolls
from small_models import save_models

from datasets.registry.errors import RegistryError
from datasets.registry.promotion import Outcome, Trial, promote, try_out
from datasets.registry.shelf import Registry
from scoring.dice_sets import bundled_dice_set
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.registry.version import Version

CARDS = bundled_dice_set("square-shooters")
FEW, ENOUGH = 24, 280


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("promotion")


@pytest.fixture(scope="module")
def good(place: Path) -> Path:
    """Small models that read every painted roll, as if they had been published."""
    (place / "plain").mkdir()
    return worse_models.copied(save_models(place / "plain"), place / "good")


@pytest.fixture(scope="module")
def few(place: Path) -> Path:
    return save_rolls(place / "few", FEW, seed=1)


@pytest.fixture(scope="module")
def enough(place: Path) -> Path:
    return save_rolls(place / "enough", ENOUGH, seed=2)


@pytest.fixture
def registry(good: Path, tmp_path: Path) -> Registry:
    """Good models are in use."""
    made = Registry(tmp_path / "models")
    made.promote(made.keep(good).name, "Ann")
    return made


def tried(registry: Registry, candidate: Path, held_out: Path) -> Outcome:
    trial = Trial(candidate, held_out, CARDS, threads=1)
    return try_out(registry, trial, quiet)


def worse_checks(outcome: Outcome) -> dict[str, str]:
    return {c.name: c.sentence for c in outcome.checks if c.finding.value == "worse"}


def test_same_models_pass_where_there_are_enough_pictures(
    registry: Registry, good: Path, enough: Path, few: Path
) -> None:
    outcome = tried(registry, good, enough)
    assert outcome.reasons == ()
    assert outcome.passed
    assert outcome.candidate == outcome.current == registry.current_name()
    faces = next(c for c in outcome.checks if c.name.startswith("faces right"))
    assert dict(faces.figures)["candidate"] == 1.0
    assert dict(faces.figures)["counted"] == 9 * ENOUGH
    # fewer pictures decide nothing, and it is said how many would
    short = tried(registry, good, few)
    assert not short.passed
    assert worse_checks(short) == {}
    assert all(f"{FEW} pictures, need 2" in reason for reason in short.reasons[:1])


WORSE = [
    pytest.param(worse_models.shuffle_classes, "faces right", "", id="shuffled"),
    pytest.param(
        lambda f: worse_models.add_noise(f, "faces", 0.4),
        "faces right",
        "",
        id="noise-in-weights",
    ),
    pytest.param(
        lambda f: worse_models.renew_card(f, "faces", classes=CLASS_NAMES[::-1]),
        "card of faces",
        "another order of classes: number 0",
        id="another-order-on-the-card",
    ),
    pytest.param(
        lambda f: worse_models.renew_card(f, "detector", classes=["die", "card"]),
        "card of detector",
        "2 classes, 1 wanted",
        id="more-classes",
    ),
    pytest.param(
        lambda f: worse_models.truncate(f, "faces"),
        "card of faces",
        "damaged",
        id="truncated",
    ),
    pytest.param(
        lambda f: (f / "detector.onnx").write_bytes(b"") and None,
        "card of detector",
        "damaged",
        id="empty",
    ),
    pytest.param(
        lambda f: worse_models.say_nothing_finite(f, "faces"),
        "loads",
        "not probabilities",
        id="nan-faces",
    ),
    pytest.param(
        lambda f: worse_models.say_nothing_finite(f, "detector"),
        "faces right",
        "",
        id="nan-detector",
    ),
    pytest.param(
        lambda f: worse_models.shift_quads(f, 9),
        "faces right",
        "",
        id="quads-beside-the-dice",
    ),
    pytest.param(
        lambda f: worse_models.be_slow(f, "detector", 4, 32), "speed", "", id="slower"
    ),
    pytest.param(
        lambda f: (f / "detector.json").write_text("{") and None,
        "card of detector",
        "a model card was expected",
        id="no-card",
    ),
    pytest.param(
        lambda f: worse_models.renew_card(f, "faces", metrics={}, name="other"),
        "",
        "",
        id="only-the-card-differs",
    ),
]


@pytest.mark.parametrize(("worsen", "check", "words"), WORSE)
def test_model_made_worse_is_refused_with_the_reason(
    registry: Registry,
    good: Path,
    few: Path,
    tmp_path: Path,
    worsen: Callable[[Path], None],
    check: str,
    words: str,
) -> None:
    candidate = worse_models.copied(good, tmp_path / "candidate")
    worsen(candidate)
    outcome = tried(registry, candidate, few)
    assert not outcome.passed
    found = worse_checks(outcome)
    if not check:
        assert found == {}
        return
    sentence = next((said for name, said in found.items() if check in name), "")
    assert sentence, found
    assert words in sentence
    assert sentence in outcome.reasons
    assert "tableside-candidate" not in sentence  # no place of passing files


class Overtaken(Registry):
    """A registry where somebody else is always a little quicker."""

    other = ""

    def keep(self, source: Path) -> Version:
        kept = super().keep(source)
        self.promote(self.other, "somebody else")
        return kept


def test_candidate_passes_only_for_the_models_it_was_compared_with(
    registry: Registry, good: Path, enough: Path, tmp_path: Path
) -> None:
    late = Overtaken(registry.folder)
    other = worse_models.copied(good, tmp_path / "other")
    worse_models.shuffle_classes(other, 1)
    late.other = registry.keep(other).name
    trial = Trial(good, enough, CARDS, threads=1)
    with pytest.raises(RegistryError, match=f"{late.other} was taken into use"):
        promote(late, trial, "Ann", quiet)
    assert registry.current_name() == late.other
