"""`tableside promote`: promoted, refused, listed, shown, taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from painted_rolls import save_rolls
from small_models import save_models
from worse_models import copied, swap_faces

from datasets.enrolment.set_folder import SetFolder
from datasets.registry.shelf import registry_of
from scoring.dice_sets import reference_dice_set
from vision.model_files import read_card
from web_ui.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("promote")


@pytest.fixture(scope="module")
def good(place: Path) -> Path:
    (place / "plain").mkdir()
    return copied(save_models(place / "plain"), place / "good")


@pytest.fixture(scope="module")
def confused(good: Path, place: Path) -> Path:
    folder = copied(good, place / "confused")
    swap_faces(folder, 4)
    return folder


@pytest.fixture(scope="module")
def rolls(place: Path) -> Path:
    return save_rolls(place / "rolls", 60, seed=8)


def run(capsys: Capture, data: Path, *words: str | Path) -> tuple[int, str, str]:
    status = main(["promote", *map(str, words), "--data", str(data)])
    return status, *capsys.readouterr()


def test_better_model_gets_in_and_the_worse_one_does_not_get_back(
    capsys: Capture, good: Path, confused: Path, rolls: Path, tmp_path: Path
) -> None:
    registry = registry_of(tmp_path)
    worse = registry.keep(confused).name
    registry.promote(worse, "Ann")
    words = ("--held-out", rolls, "--threads", "1", "--who", "Bob")
    status, out, _ = run(capsys, tmp_path, good, *words, "--dry-run", "--json")
    tried: dict[str, Any] = json.loads(out)
    assert tried["reasons"] == []
    assert (status, tried["passed"], tried["dry_run"]) == (0, True, True)
    assert registry.current_name() == worse
    status, out, err = run(capsys, tmp_path, good, *words)
    assert (status, err) == (0, "")
    assert out.endswith(f"{tried['candidate']} is in use now; before: {worse}\n")
    assert registry.current_name() == tried["candidate"]
    status, out, _ = run(capsys, tmp_path, confused, *words)
    assert status == 1
    assert f"{worse} is refused; {tried['candidate']} stays in use:" in out
    assert "  - faces right on held-out rolls: " in out
    told = [(e.action, e.who) for e in registry.history()]
    assert told == [("promoted", "Ann"), ("promoted", "Bob"), ("refused", "Bob")]
    # what was refused is told with its figures, where it is kept and where it is not
    for kept in (True, False):
        shown = run(capsys, tmp_path, "--show", worse)[1]
        assert f"refused {worse} (before: {tried['candidate']}) by Bob" in shown
        assert "    ok  card of faces: " in shown
        assert "    NO  faces right on held-out rolls: " in shown
        assert ("models that are refused are not" in shown) is not kept
        folder = registry.folder / "versions" / worse
        if kept:
            folder.rename(tmp_path / "away")
    told_all = json.loads(run(capsys, tmp_path, "--show", worse, "--json")[1])
    assert (told_all["kept"], told_all["models"]) == (False, {})
    (tmp_path / "away").rename(folder)
    # back, in one command
    status, out, _ = run(capsys, tmp_path, "--rollback")
    assert (status, registry.current_name()) == (0, worse)


def test_sets_that_lose_their_reader_are_named(
    capsys: Capture, good: Path, confused: Path, tmp_path: Path
) -> None:
    registry = registry_of(tmp_path)
    old, new = registry.keep(good).name, registry.keep(confused).name
    registry.promote(old, "Ann")
    sets = SetFolder(tmp_path / "sets")
    sets.save(replace(reference_dice_set(), name="layout"))
    with sets.alone("mine"):
        sets.put(replace(reference_dice_set(), name="mine"), tuned_from(good))
    registry.promote(new, "Ann")
    assert main(["promote", "--rollback", old, "--data", str(tmp_path)]) == 0
    assert "enrolled again" not in capsys.readouterr().err
    assert main(["promote", "--rollback", new, "--data", str(tmp_path)]) == 0
    assert "before they can be used: mine\n" in capsys.readouterr().err


def tuned_from(models: Path) -> Callable[[Path], None]:
    """A reader like that of some models, which says that it was tuned from theirs."""

    def fill(folder: Path) -> None:
        card = json.loads((models / "faces.json").read_text("utf-8"))
        card["training"] = {"based_on": read_card("faces", models).identity}
        (folder / "faces.json").write_text(json.dumps(card), "utf-8")
        (folder / "faces.onnx").write_bytes((models / "faces.onnx").read_bytes())

    return fill


def test_versions_are_listed_and_shown(
    capsys: Capture, good: Path, confused: Path, tmp_path: Path
) -> None:
    assert run(capsys, tmp_path, "--list")[1].startswith("* bundled  detector-")
    registry = registry_of(tmp_path)
    one, other = registry.keep(good).name, registry.keep(confused)
    registry.promote(one, "Ann", ("better",))
    assert other.folder is not None
    (other.folder / "faces.json").unlink()
    status, out, _ = run(capsys, tmp_path, "--list")
    assert status == 0
    assert f"* {one}  small-detector-" in out or f"* {one}  small-detector@" in out
    assert f"  {other.name}  CANNOT BE USED" in out
    assert f"promoted {one} (before: bundled) by Ann" in out
    status, out, _ = run(capsys, tmp_path, "--list", "--json")
    assert json.loads(out)["current"] == one
    status, out, _ = run(capsys, tmp_path, "--show", one)
    assert "    - better" in out
    assert json.loads(run(capsys, tmp_path, "--show", one, "--json")[1])["current"]
    assert run(capsys, tmp_path, "--show", other.name)[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "needs a folder of new models"),
        (["there"], "--held-out"),
        (["there", "--list"], "take no folder"),
        (["there", "--held-out", "nowhere"], "cannot be read"),
        (["--rollback"], "nothing before bundled"),
        (["--rollback", "v-1"], "is no version"),
        (["--rollback", "v-0123456789abcdef"], "there is no version"),
        (["--rollback", "--dry-run"], "goes with a folder"),
        (["--show", "../x"], "is no version"),
        (["--show", "v-0123456789abcdef"], "there is no version"),
        (["there", "--held-out", "x", "--set", "none"], "none"),
        (
            ["there", "--held-out", "x", "--limits", "a", "--calibrate", "b"],
            "not both",
        ),
    ],
)
def test_unusable_words_end_with_2(
    capsys: Capture, tmp_path: Path, words: list[str], said: str
) -> None:
    status, out, err = run(capsys, tmp_path / "data", *words)
    assert (status, out) == (2, "")
    assert err.startswith("tableside promote: ")
    assert said in err
    assert err.count("\n") == 1


def test_promoted_models_read_pictures(
    capsys: Capture,
    good: Path,
    rolls: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    registry = registry_of(tmp_path / "tableside-data")
    version = registry.keep(good)
    registry.promote(version.name, "Ann")
    picture = str(rolls / "0000.png")
    assert main(["read", picture, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"].startswith("small-faces@")
    assert version.folder is not None
    (version.folder / "faces.onnx").chmod(0o600)
    (version.folder / "faces.onnx").write_bytes(b"")
    main(["read", picture, "--json"])
    out, err = capsys.readouterr()
    assert not json.loads(out)["model"].startswith("small-faces@")
    assert "models that come with Tableside are used instead" in err
