"""`tableside read`: every file is read or named, and the run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import painted_dice
import pytest
from painted_dice import NINE, scene
from PIL import Image
from small_models import save_models

from web_ui.cli import main

if TYPE_CHECKING:
    from vision.ports import BgrImage

OTHER = "QS JH TD 9C KS AH 2D 3C 4S"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_models(tmp_path_factory.mktemp("models"))


def save(path: Path, image: BgrImage) -> Path:
    Image.fromarray(image[:, :, ::-1]).save(path, quality=95)
    return path


def save_clip(path: Path, pictures: list[BgrImage]) -> Path:
    code = cv2.VideoWriter.fourcc(*"MJPG")
    size = (painted_dice.WIDTH, painted_dice.HEIGHT)
    writer = cv2.VideoWriter(str(path), code, 20.0, size)
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


def read(
    models: Path, capsys: pytest.CaptureFixture[str], *words: str | Path
) -> tuple[int, list[dict[str, Any]], str]:
    status = main(["read", "--json", "--models", str(models), *map(str, words)])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


def faces(record: dict[str, Any]) -> str:
    return " ".join(die["face"] for die in record["dice"])


def test_picture_gives_one_line(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.png", scene(NINE))
    status, (record,), err = read(models, capsys, path)
    assert (status, err) == (0, "")
    assert record["image"] == str(path)
    assert record["status"] == "sure"
    assert faces(record) == NINE
    assert record["set"] == "square-shooters"
    x, y = (sum(corner[k] for corner in record["dice"][0]["quad"]) / 4 for k in (0, 1))
    assert (x, y) == pytest.approx((80.5, 60.5), abs=0.1)


def test_dice_set_may_be_named(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.png", scene("A K K T 9"))
    status, (record,), _ = read(models, capsys, path, "--set", "poker-dice")
    assert (status, faces(record), record["status"]) == (0, "A K K T 9", "sure")


def test_dice_set_may_be_a_file(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {"name": "two", "dice_count": 2, "faces": ["AS", "2S", "3S"]}
    (tmp_path / "two.json").write_text(json.dumps(own))
    path = save(tmp_path / "a.png", scene("AS 3S"))
    _, (record,), _ = read(models, capsys, path, "--set", tmp_path / "two.json")
    assert (record["set"], record["status"]) == ("two", "sure")


@pytest.mark.parametrize("name", ["nonsense", "gone.json"])
def test_unknown_dice_set_is_unusable(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = save(tmp_path / "a.png", scene(NINE))
    status, records, err = read(models, capsys, path, "--set", name)
    assert (status, records) == (2, [])
    assert name in err


def test_folder_run_goes_on_past_bad_files(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(tmp_path / "1 Würfel.jpg", scene(NINE))
    (tmp_path / "2.jpg").write_text("this is text")
    whole = save(tmp_path / "3.jpg", scene(NINE)).read_bytes()
    (tmp_path / "3.jpg").write_bytes(whole[: len(whole) // 3])
    save(tmp_path / "4 骰子.png", scene(OTHER))
    (tmp_path / "notes.txt").write_text("not looked at")
    save_clip(tmp_path / "5.avi", [scene(NINE)] * 10)
    status, records, err = read(models, capsys, tmp_path)
    assert status == 1
    assert [Path(record["image"]).name for record in records] == [
        "1 Würfel.jpg",
        "4 骰子.png",
        "5.avi",
    ]
    assert [faces(record) for record in records] == [NINE, OTHER, NINE]
    first, second = err.splitlines()
    assert str(tmp_path / "2.jpg") in first
    assert str(tmp_path / "3.jpg") in second


def test_missing_file_among_others_is_named(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.png", scene(NINE))
    status, records, err = read(models, capsys, tmp_path / "gone.jpg", path)
    assert (status, len(records)) == (1, 1)
    assert str(tmp_path / "gone.jpg") in err


@pytest.mark.parametrize("what", ["gone.jpg", "empty", "text.jpg"])
def test_nothing_usable_ends_with_2(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.jpg").write_text("this is text")
    status, records, err = read(models, capsys, tmp_path / what)
    assert (status, records) == (2, [])
    assert str(tmp_path / what) in err


def test_missing_models_end_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.png", scene(NINE))
    status, records, err = read(tmp_path, capsys, path)
    assert (status, records) == (1, [])
    assert "detector.json" in err


def test_empty_table_is_read_and_refused(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.png", painted_dice.empty_table())
    status, (record,), _ = read(models, capsys, path)
    assert (status, record["status"], record["dice"]) == (0, "refuse", [])
    assert [problem["code"] for problem in record["problems"]] == ["no_dice"]


def test_clip_gives_one_line_for_each_settled_roll(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, first, second = painted_dice.empty_table(), scene(NINE), scene(OTHER, 9)
    clip = [empty] * 8 + [first] * 12 + [empty] * 10 + [second] * 3
    status, records, err = read(models, capsys, save_clip(tmp_path / "a.avi", clip))
    assert (status, err) == (0, "")
    assert [faces(record) for record in records] == [NINE, OTHER]
    assert {record["image"] for record in records} == {str(tmp_path / "a.avi")}
    assert 8 < records[0]["frame"] < 20
    assert records[1]["frame"] == 32


def test_clip_without_a_roll_fails(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = save_clip(tmp_path / "a.avi", [painted_dice.empty_table()] * 12)
    status, records, err = read(models, capsys, clip)
    assert (status, records) == (1, [])
    assert "no roll settles" in err


def test_table_names_dice_and_problems(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.png", scene("AS TH RJ"))
    assert main(["read", "--models", str(models), str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{path}: refuse, ")
    assert [line.split()[:2] for line in lines[1:4]] == [
        ["1", "AS"],
        ["2", "TH"],
        ["3", "RJ"],
    ]
    assert "3 dice" in lines[4]


def test_overlays_are_written_for_every_reading(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        save(tmp_path / folder / "Würfel.png", scene(NINE))
    clip = save_clip(tmp_path / "c.avi", [scene(NINE)] * 10)
    out = tmp_path / "deep" / "out"
    words = (tmp_path / "x", tmp_path / "y", clip, "--save-overlay", out)
    status, records, _ = read(models, capsys, *words)
    assert status == 0
    names = sorted(path.name for path in out.iterdir())
    number = records[2]["frame"]
    assert names == sorted(
        ["Würfel.marked.jpg", "Würfel-2.marked.jpg", f"c-{number:05d}.marked.jpg"]
    )
    with Image.open(out / "Würfel.marked.jpg") as drawn:
        assert drawn.size == (painted_dice.WIDTH, painted_dice.HEIGHT)


def test_bench_read_measures_every_stage(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(tmp_path / "a.png", scene(NINE))
    save(tmp_path / "b.png", scene(OTHER))
    words = ["bench", "read", "--models", str(models), "--rounds", "2", str(tmp_path)]
    assert main([*words, "--json", "--threads", "1"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["pictures"], record["rounds"], record["threads"]) == (2, 2, 1)
    assert record["model_load_ms"] > 0
    stages = record["stages"]
    names = ["load", "detect", "crop", "faces", "decode", "read", "cpu"]
    assert list(stages) == names
    assert all(0 < s["median_ms"] <= s["p90_ms"] for s in stages.values())
    assert stages["read"]["median_ms"] > stages["faces"]["median_ms"]
    assert main(words) == 0
    assert "median" in capsys.readouterr().out


def test_bench_read_names_what_it_cannot_read(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "read", "--models", str(models)]
    assert main([*words, str(tmp_path)]) == 2
    assert main([*words, str(tmp_path / "gone.jpg")]) == 1
    assert "gone.jpg" in capsys.readouterr().err


def test_overlay_never_writes_over_the_picture_itself(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "a.jpg", scene(NINE))
    before = path.read_bytes()
    status, _, _ = read(models, capsys, path, "--save-overlay", tmp_path)
    assert status == 0
    assert path.read_bytes() == before
    assert (tmp_path / "a.marked.jpg").exists()


def test_file_named_like_a_camera_is_read_as_a_file(
    tmp_path: Path,
    models: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save(tmp_path / "5.png", scene(NINE)).rename(tmp_path / "5")
    monkeypatch.chdir(tmp_path)
    status, (record,), _ = read(models, capsys, "5")
    assert (status, faces(record)) == (0, NINE)


def test_device_is_no_picture(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, records, err = read(models, capsys, "/dev/zero")
    assert (status, records) == (2, [])
    assert "/dev/zero: is not a regular file" in err
