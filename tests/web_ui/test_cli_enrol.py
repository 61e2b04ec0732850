import json
from pathlib import Path

import numpy as np
import pytest

from datasets.art import draw_face
from datasets.enrolment.aside_sets import match_of
from datasets.enrolment.set_folder import SetFolder
from datasets.enrolment.tuning_options import TuningOptions
from datasets.fonts import FontBook, FontsError, font_book
from datasets.picture_sets import write_picture
from datasets.scene import Scene, SceneOptions, Thrown, make_scene
from datasets.style import ArtStyle, random_style
from scoring.cards import Face
from scoring.dice_sets import reference_dice_set
from web_ui.cli import main
from web_ui.cli_enrol import _rehearsed

DICE = reference_dice_set().dice or ()
ALONE = SceneOptions(480, 360, 55, 70, True, clutter=0.0, hand=0.0, held_out=True)


def _clear(rng: np.random.Generator, style: ArtStyle, face: Face) -> Scene:
    """A die in a light that washes nothing out."""
    for _ in range(20):
        scene = make_scene(rng, font_book(), ALONE, Thrown(style, (face,)))
        if match_of(scene.image, scene.dice[0].quad, draw_face(style, face)) > 0.75:
            return scene
    raise AssertionError("no light suits this style")


def shown_dice(folder: Path, side_names: bool) -> Path:
    """Two pictures of every face, drawn as any set of dice is."""
    rng = np.random.default_rng(5)
    style = random_style(rng, font_book(), held_out=True)
    for number, die in enumerate(DICE, start=1):
        (folder / str(number)).mkdir(parents=True)
        for place, face in enumerate(die):
            for k in range(2):
                scene = _clear(rng, style, face)
                word = f"side{place}" if side_names else face.code
                write_picture(folder / str(number) / f"{word}-{k}.jpg", scene.image)
    return folder


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shown_dice(tmp_path_factory.mktemp("shown"), side_names=False)


@pytest.mark.train
def test_set_is_enrolled_and_then_read_by_its_name(
    shown: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    words = ["--data", str(data), "--steps", "3", "--lessons", "9", "--json"]
    words += ["--threads", "1"]
    assert main(["enrol", "mine", "--pictures", str(shown), *words]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["pictures"] >= 100
    own = SetFolder(data / "sets").load("mine")
    assert {frozenset(die) for die in own.dice or ()} == {frozenset(d) for d in DICE}
    picture = next(iter(sorted((shown / "1").iterdir())))
    read = ["read", str(picture), "--json", "--set", "mine", "--data", str(data)]
    main(read)
    reading = json.loads(capsys.readouterr().out)
    assert reading["set"] == "mine"
    card = json.loads((data / "sets" / "mine" / "faces.json").read_text())
    assert card["training"]["rehearsed"] == 3 * 21
    assert reading["model"] == f"{card['name']}@sha256:{card['sha256'][:12]}"


@pytest.mark.train
def test_faces_that_nobody_named_wait_to_be_confirmed(
    shown: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / "pictures"
    for die in range(1, 10):
        (pictures / str(die)).mkdir(parents=True)
        for path in sorted((shown / str(die)).iterdir()):
            face, _, rest = path.stem.partition("-")
            place = [f.code for f in DICE[die - 1]].index(face)
            word = face if place else "top"
            copy = pictures / str(die) / f"{word}-{rest}.jpg"
            copy.write_bytes(path.read_bytes())
    data = tmp_path / "data"
    words = ["enrol", "mine", "--pictures", str(pictures), "--data", str(data)]
    assert main([*words, "--threads", "1"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 10
    assert [line.split()[2] for line in said[1:]] == [die[0].code for die in DICE]
    assert not data.exists()


@pytest.mark.train
def test_dice_that_were_not_all_shown_are_told(
    shown: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = tmp_path / "part"
    (part / "1").mkdir(parents=True)
    for path in (shown / "1").iterdir():
        (part / "1" / path.name).write_bytes(path.read_bytes())
    assert main(["enrol", "mine", "--pictures", str(part), "--threads", "1"]) == 2
    assert "die 2: 0 sides were shown, 6 are needed" in capsys.readouterr().err


@pytest.mark.train
@pytest.mark.parametrize(
    ("name", "folder", "status", "words"),
    [
        pytest.param("square-shooters", ".", 1, "comes with Tableside", id="bundled"),
        pytest.param("../x", ".", 1, "cannot name a dice set", id="path"),
        pytest.param("mine", "no-such", 2, "there is no such folder", id="no-folder"),
    ],
)
def test_enrol_refuses(
    name: str,
    folder: str,
    status: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["enrol", name, "--pictures", str(tmp_path / folder)]
    assert main([*asked, "--data", str(tmp_path / "data")]) == status
    assert words in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_reader_of_a_set_enrolled_with_other_models_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    from vision.model_files import BUNDLED

    sets = SetFolder(tmp_path / "sets")
    folder = sets.save(replace(reference_dice_set(), name="mine")).parent
    (folder / "faces.onnx").write_bytes((BUNDLED / "faces.onnx").read_bytes())
    card = json.loads((BUNDLED / "faces.json").read_text())
    card["training"]["based_on"] = "faces-0@sha256:000000000000"
    (folder / "faces.json").write_text(json.dumps(card))
    picture = tmp_path / "a.jpg"
    write_picture(picture, np.full((90, 160, 3), 80, np.uint8))
    asked = ["read", str(picture), "--set", "mine", "--data", str(tmp_path)]
    assert main(asked) == 1
    assert "run `tableside enrol` again" in capsys.readouterr().err


def test_reader_that_lost_its_card_is_not_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    sets = SetFolder(tmp_path / "sets")
    folder = sets.save(replace(reference_dice_set(), name="mine")).parent
    (folder / "faces.onnx").write_bytes(b"of the set")
    picture = tmp_path / "a.jpg"
    write_picture(picture, np.full((90, 160, 3), 80, np.uint8))
    asked = ["read", str(picture), "--set", "mine", "--data", str(tmp_path)]
    assert main(asked) == 1
    assert "faces.json" in capsys.readouterr().err


def test_unknown_set_names_those_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    SetFolder(tmp_path / "sets").save(replace(reference_dice_set(), name="mine"))
    picture = tmp_path / "a.jpg"
    write_picture(picture, np.full((90, 160, 3), 80, np.uint8))
    asked = ["read", str(picture), "--set", "yours", "--data", str(tmp_path)]
    assert main(asked) == 2
    assert "mine" in capsys.readouterr().err


def test_without_fonts_it_learns_without_drawn_lessons_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from datasets.enrolment import rehearsal

    def no_fonts() -> FontBook:
        raise FontsError("only 2 fonts: install more")

    tuning = TuningOptions(steps=1, batch=6)
    lessons = _rehearsed(None, tuning, lambda items, _: items)
    assert lessons is not None
    assert len(lessons[1]) == 2  # a third of the one batch
    assert not capsys.readouterr().err
    monkeypatch.setattr(rehearsal, "font_book", no_fonts)
    assert _rehearsed(None, tuning, lambda items, _: items) is None
    assert "without drawn lessons: only 2 fonts" in capsys.readouterr().err
