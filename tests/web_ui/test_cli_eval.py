"""`tableside eval`: painted sets are measured, reported and refused by name."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import painted_dice
import pytest
from labelled_sets import label_record, slot_corners, write_labels
from painted_dice import COLOURS, NINE, SLOTS, draw_die, empty_table, scene
from PIL import Image
from small_models import save_models

from web_ui.cli import main

if TYPE_CHECKING:
    from vision.ports import BgrImage

OTHER = "QS JH TD 9C KS AH 2D 3C 4S"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_models(tmp_path_factory.mktemp("models"))


def save(path: Path, image: BgrImage) -> None:
    Image.fromarray(image[:, :, ::-1]).save(path)


def save_clip(path: Path, pictures: list[BgrImage]) -> None:
    code = cv2.VideoWriter.fourcc(*"MJPG")
    size = (painted_dice.WIDTH, painted_dice.HEIGHT)
    writer = cv2.VideoWriter(str(path), code, 20.0, size)
    for picture in pictures:
        writer.write(picture)
    writer.release()


def measure(
    folder: Path, models: Path, capsys: Capture, *words: str | Path
) -> tuple[int, dict[str, Any], str]:
    command = ["eval", str(folder), "--json", "--models", str(models)]
    status = main([*command, *map(str, words)])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else {}, err


def counted(share: dict[str, Any]) -> tuple[int, int]:
    return share["k"], share["n"]


@pytest.fixture
def rolls(tmp_path: Path) -> Path:
    """Three rolls: right, one face labelled otherwise, one die too few."""
    folder = tmp_path / "rolls"
    folder.mkdir()
    save(folder / "a.png", scene(NINE))
    save(folder / "b.png", scene(OTHER))
    save(folder / "c.png", scene(NINE[:-3]))
    write_labels(
        folder,
        label_record("a.png", NINE, tags=["dim"], art="flat", die_px=30),
        label_record("b.png", OTHER.replace("QS", "QC"), die_px=45),
        label_record("c.png", NINE[:-3], tags=["dim"]),
    )
    return folder


def test_rolls_are_measured_stage_by_stage(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    status, record, err = measure(rolls, models, capsys)
    assert (status, err) == (0, "")
    assert record["format"] == "tableside-eval/1"
    assert record["measured"]["faces"].startswith("small-faces@sha256:")
    whole = record["all"]
    assert counted(whole["localisation"]["recall"]) == (26, 26)
    assert counted(whole["localisation"]["precision"]) == (26, 26)
    assert counted(whole["reading"]["face"]) == (25, 26)
    assert counted(whole["rolls_right"]) == (1, 2)
    assert counted(whole["wrong_while_sure"]) == (1, 3)
    assert counted(whole["other_pictures_not_sure"]) == (1, 1)
    stages = record["stages"]
    assert counted(stages["read"]["labelled"]["top1"]) == (25, 26)
    assert counted(stages["read"]["sighted"]["in_set"]["face"]) == (25, 26)
    assert stages["decoded"]["wrong_both"] == 1
    # the painted detector states every slot in every picture
    at_first = stages["found"]["by_score"][0]
    assert counted(at_first["sighted"]) == (26, 26)
    assert counted(at_first["sightings_fitting"]) == (26, 3 * len(SLOTS))
    assert record["confusions"] == [{"label": "QC", "said": "QS", "n": 1}]
    assert record["wrong_while_sure"] == ["b.png"]
    assert list(record["by_tag"]) == ["dim"]
    assert record["by_art"]["flat"]["pictures"] == 1
    misses = {r["image"]: [m["kind"] for m in r["misses"]] for r in record["results"]}
    assert misses == {
        "a.png": [],
        "b.png": ["wrong_while_sure", "wrong_face"],
        "c.png": [],
    }


def test_reading_is_the_one_that_read_tells(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    main(["read", "--json", "--models", str(models), str(rolls)])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    _, record, _ = measure(rolls, models, capsys)
    told = {Path(line["image"]).name: line for line in lines}
    for one in record["results"]:
        assert one["status"] == told[one["image"]]["status"]
        assert one["confidence"] == told[one["image"]]["confidence"]


def test_every_key_is_described(rolls: Path, models: Path, capsys: Capture) -> None:
    (docs,) = Path(__file__).parents[2].glob("docs/eval.md")
    text = docs.read_text("utf-8")
    _, record, _ = measure(rolls, models, capsys)
    parts = [record, record["measured"], record["all"], record["stages"]]
    parts += [record["stages"][name] for name in ("found", "decoded")]
    parts += [record["stages"]["found"]["by_iou"][0], record["sizes"][0]]
    parts += [record["stages"]["read"]["sighted"], record["results"][0]]
    parts += [record["reliability"]["die"], record["strictness"][0], record["ranks"]]
    missing = {key for part in parts for key in part if f"`{key}`" not in text}
    assert missing == set()


def test_tags_set_count_and_overlap_are_heeded(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    _, dim, _ = measure(rolls, models, capsys, "--tag", "dim", "--tag", "art:flat")
    assert [one["image"] for one in dim["results"]] == ["a.png"]
    _, eight, _ = measure(rolls, models, capsys, "--count", "8")
    kinds = [one["kind"] for one in eight["results"]]
    assert kinds == ["other", "other", "ordinary"]
    _, any_count, _ = measure(rolls, models, capsys, "--count", "any", "--iou", "0.9")
    assert {one["kind"] for one in any_count["results"]} == {"ordinary"}
    assert any_count["measured"]["least_iou"] == 0.9


def test_dice_set_decides_how_many_dice_are_a_roll(
    tmp_path: Path, models: Path, capsys: Capture
) -> None:
    save(tmp_path / "a.png", scene("A K K T 9"))
    write_labels(tmp_path, label_record("a.png", "A K K T 9"))
    _, record, _ = measure(tmp_path, models, capsys, "--set", "poker-dice")
    assert counted(record["all"]["rolls_right"]) == (1, 1)
    assert record["ranks"]["names"] == ["A", "9", "T", "K"]
    assert record["suits"]["names"] == []


def test_one_face_that_fills_a_picture_is_only_read(
    tmp_path: Path, models: Path, capsys: Capture
) -> None:
    records = []
    for code in ("QH", "7S"):
        image = np.full((64, 40, 3), COLOURS[code], np.uint8)
        save(tmp_path / f"{code}.png", image)
        records.append({"image": f"{code}.png", "cards": [{"face": code}]})
    records[1]["cards"] = [{"rank": "7", "box": [0, 0, 40, 64]}]
    write_labels(tmp_path, *records)
    _, record, _ = measure(tmp_path, models, capsys)
    assert record["crops"] == 2
    assert counted(record["all"]["reading"]["face"]) == (1, 1)
    assert counted(record["all"]["reading"]["rank"]) == (2, 2)
    assert counted(record["all"]["status"]["sure"]) == (0, 0)
    assert counted(record["all"]["localisation"]["recall"]) == (0, 0)
    assert [one["status"] for one in record["results"]] == [None, None]


def test_places_without_faces_are_found(
    tmp_path: Path, models: Path, capsys: Capture
) -> None:
    save(tmp_path / "a.png", scene(NINE))
    (x0, y0), _, (x1, y1), _ = slot_corners(0)
    boxes = [{"face": None, "box": [x0, y0, x1, y1]}, {"box": [0, 0, 5, 5]}]
    write_labels(tmp_path, {"image": "a.png", "dice": boxes})
    _, record, _ = measure(tmp_path, models, capsys, "--count", "any")
    assert counted(record["all"]["localisation"]["recall"]) == (1, 2)
    assert counted(record["all"]["wrong_while_sure"]) == (0, 0)
    assert record["results"][0]["kind"] == "unknown"


def test_clip_tells_when_it_was_read(
    tmp_path: Path, models: Path, capsys: Capture
) -> None:
    rest = 10
    save_clip(tmp_path / "a.avi", [empty_table()] * rest + [scene(NINE)] * 20)
    label = label_record("a.avi", NINE, fps=20.0, rest_frame=rest)
    label["clip"] = label.pop("image")
    write_labels(tmp_path, label)
    status, record, _ = measure(tmp_path, models, capsys)
    assert (status, record["clips"]) == (0, 1)
    (throw,) = record["throws"]
    assert (throw["outcome"], throw["good"]) == ("right", True)
    assert (throw["early"], throw["more"]) == ([], [])
    told = throw["told"]
    assert told["delay_ms"] == pytest.approx((told["frame"] - rest) / 20 * 1000)
    assert 0 < told["delay_ms"] <= 600
    assert counted(record["all"]["rolls_right"]) == (1, 1)
    # said to rest later than it does, the same reading comes too early
    label["rest_frame"] = 25
    write_labels(tmp_path, label)
    _, record, _ = measure(tmp_path, models, capsys)
    (throw,) = record["throws"]
    assert (throw["outcome"], throw["good"], len(throw["early"])) == (
        "silent",
        False,
        1,
    )
    assert throw["early"][0]["wrong_while_sure"] is True


def test_unreadable_picture_counts_as_refused(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    (rolls / "b.png").write_text("no picture")
    (rolls / "c.png").unlink()
    status, record, err = measure(rolls, models, capsys)
    assert status == 1
    assert [one["image"] for one in record["unreadable"]] == ["b.png", "c.png"]
    assert f"tableside eval: {rolls / 'b.png'}: is not a picture\n" in err
    assert f"tableside eval: {rolls / 'c.png'}: there is no such file\n" in err
    assert counted(record["all"]["status"]["refuse"]) == (2, 3)
    assert counted(record["all"]["localisation"]["recall"]) == (9, 26)


def test_label_of_another_picture_size_is_named(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    save(rolls / "b.png", scene(OTHER)[:-2])
    status, record, err = measure(rolls, models, capsys)
    assert (status, record) == (2, {})
    assert f"{rolls / 'b.png'}: has 640 x 358 pixels" in err


def test_nothing_readable_is_unusable(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    for path in rolls.glob("*.png"):
        path.unlink()
    assert measure(rolls, models, capsys)[0] == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["--set", "nonsense"], "nonsense", id="dice-set"),
        pytest.param(["--tag", "bright"], "dim", id="tag"),
        pytest.param(["--report", "."], "holds something else", id="report-folder"),
        pytest.param(["--report", "a.txt"], "is a file", id="report-file"),
    ],
)
def test_unusable_words_are_named(
    rolls: Path,
    models: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    expected: str,
) -> None:
    monkeypatch.chdir(rolls)
    (rolls / "a.txt").write_text("notes")
    status, record, err = measure(rolls, models, capsys, *words)
    assert (status, record) == (2, {})
    assert expected in err


@pytest.mark.parametrize("words", [["--iou", "0"], ["--iou", "nan"], ["--count", "0"]])
def test_impossible_numbers_are_refused(
    rolls: Path, models: Path, capsys: Capture, words: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        measure(rolls, models, capsys, *words)
    assert ended.value.code == 2


def test_missing_models_are_a_failure(rolls: Path, capsys: Capture) -> None:
    status, _, err = measure(rolls, rolls / "none", capsys)
    assert status == 1
    assert "model card" in err


def test_figures_are_told_in_words(rolls: Path, models: Path, capsys: Capture) -> None:
    assert main(["eval", str(rolls), "--models", str(models)]) == 0
    out = capsys.readouterr().out
    assert "found: in the reading" in out
    assert "26/26" in out
    assert "QC -> QS" in out
    assert "wrong while sure: b.png" in out


def test_report_shows_every_miss(
    rolls: Path, models: Path, capsys: Capture, tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    status, record, err = measure(rolls, models, capsys, "--report", folder)
    assert status == 0
    assert str(folder / "index.html") in err
    page = (folder / "index.html").read_text("utf-8")
    misses = [m for one in record["results"] for m in one["misses"]]
    files = sorted(path.name for path in (folder / "pictures").iterdir())
    assert len(files) == len(misses) == 2
    assert all(f'src="pictures/{name}"' in page for name in files)
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    # a second report takes the place of the first, with no picture left behind
    save(rolls / "b.png", scene(OTHER.replace("QS", "QC")))
    measure(rolls, models, capsys, "--report", folder)
    assert list((folder / "pictures").iterdir()) == []
    assert "everything was found" in (folder / "index.html").read_text("utf-8")


@pytest.mark.browser
def test_report_fits_the_screen(
    rolls: Path, models: Path, capsys: Capture, tmp_path: Path
) -> None:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "the system has no Chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    measure(rolls, models, capsys, "--report", tmp_path / "report")
    options = ["--no-sandbox", "--disable-dev-shm-usage"]
    failed: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        page = browser.new_page()
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.goto((tmp_path / "report" / "index.html").as_uri())
        for width in (390, 820, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") == width
        pictures = page.locator(".view img")
        assert pictures.count() == 2
        for picture in pictures.all():
            picture.scroll_into_view_if_needed()
            picture.evaluate("image => image.decode()")
            assert picture.evaluate("image => image.naturalWidth") > 0
        outlines = page.locator(".view svg").first
        assert outlines.is_visible()
        page.locator("#outlines").uncheck()
        assert not outlines.is_visible()
        browser.close()
    assert failed == []


def test_report_escapes_what_labels_say(
    tmp_path: Path, models: Path, capsys: Capture
) -> None:
    folder = tmp_path / "a <b>"
    folder.mkdir()
    image = scene(NINE)
    draw_die(image, SLOTS[12], "KH")
    save(folder / "x&y.png", image)
    tag = "<img src=x onerror=alert(1)>"
    write_labels(folder, label_record("x&y.png", NINE, tags=[tag]))
    measure(folder, models, capsys, "--report", tmp_path / "report")
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert tag not in page
    assert "&lt;img src=x" in page
    assert "a &lt;b&gt;" in page
    assert "x&amp;y.png" in page
