"""The doctor: what is missing is named; what is optional does not fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from small_models import save_models

from datasets.enrolment.set_folder import SetFolder
from datasets.registry.shelf import registry_of
from scoring.dice_sets import reference_dice_set
from vision.limits import SHIPPED
from vision.limits_file import FILE_NAME, limits_record
from vision.model_files import BUNDLED, read_card
from web_ui.cli import main
from web_ui.doctor import (
    Finding,
    Health,
    check_camera,
    check_disk,
    check_enrolled,
    check_models,
    check_packages,
    check_promoted,
    check_python,
    check_samples,
    playable,
)


def test_python_and_packages_of_the_tests_are_good() -> None:
    findings = (*check_python(), *check_packages())
    assert [finding.health for finding in findings] == [Health.GOOD] * 3


def test_missing_models_are_named(tmp_path: Path) -> None:
    findings = check_models(tmp_path)
    what = [(finding.what, finding.health) for finding in findings]
    assert what == [
        ("model detector", Health.BAD),
        ("model faces", Health.BAD),
        ("model body", Health.NOTE),
    ]
    assert all(str(tmp_path) in finding.sentence for finding in findings[:2])


def test_bundled_models_and_limits_are_good() -> None:
    findings = check_models(None)
    assert [finding.what for finding in findings] == [
        "model detector",
        "model faces",
        "model body",
        "limits",
    ]
    assert all(finding.health is Health.GOOD for finding in findings)


def test_limits_of_other_models_are_named(tmp_path: Path) -> None:
    save_models(tmp_path)
    record = limits_record(SHIPPED, {"faces": "faces-0@sha256:0"}, {})
    (tmp_path / FILE_NAME).write_text(json.dumps(record), "utf-8")
    finding = check_models(tmp_path)[-1]
    assert (finding.what, finding.health) == ("limits", Health.BAD)
    assert FILE_NAME in finding.sentence


def test_changed_model_is_found_by_its_hash(tmp_path: Path) -> None:
    card = {"name": "faces-0", "sha256": "0" * 64, "input_px": [96, 96], "classes": []}
    (tmp_path / "faces.json").write_text(json.dumps(card), "utf-8")
    (tmp_path / "faces.onnx").write_bytes(b"not the model")
    faces = check_models(tmp_path)[1]
    assert faces.health is Health.BAD
    assert "sha256" in faces.sentence


def test_promoted_models_are_told_and_damaged_ones_are_bad(tmp_path: Path) -> None:
    assert check_promoted(tmp_path) == ()
    (tmp_path / "new").mkdir()
    registry = registry_of(tmp_path)
    version = registry.keep(save_models(tmp_path / "new"))
    registry.promote(version.name, "Ann")
    (found,) = check_promoted(tmp_path)
    assert found.health is Health.GOOD
    assert found.sentence.startswith(f"{version.name}, of 1 kept")
    assert version.folder is not None
    (version.folder / "faces.json").unlink()
    (found,) = check_promoted(tmp_path)
    assert found.health is Health.BAD
    assert "used instead" in found.sentence


def test_enrolled_sets_are_told_with_what_keeps_them_from_use(tmp_path: Path) -> None:
    assert check_enrolled(tmp_path) == ()
    sets = SetFolder(tmp_path / "sets")
    for name in ("layout", "other", "own"):
        sets.save(replace(reference_dice_set(), name=name))
    based_on = read_card("faces").identity
    for name, identity in (("other", "faces-0@sha256:000000000000"), ("own", based_on)):
        card = json.loads((BUNDLED / "faces.json").read_text())
        card["training"]["based_on"] = identity
        (tmp_path / "sets" / name / "faces.json").write_text(json.dumps(card))
        copy = tmp_path / "sets" / name / "faces.onnx"
        copy.write_bytes((BUNDLED / "faces.onnx").read_bytes())
    layout, other, own = check_enrolled(tmp_path)
    assert (layout.what, layout.health) == ("set layout", Health.GOOD)
    assert layout.sentence == "layout only"
    assert other.health is Health.NOTE
    assert "was enrolled with faces-0@sha256:000000000000" in other.sentence
    assert (own.health, own.sentence) == (Health.GOOD, "with a reader of its own")


def test_no_sample_picture_is_bad(tmp_path: Path) -> None:
    (finding,) = check_samples(tmp_path)
    assert finding.health is Health.BAD


def test_absent_camera_is_a_note_and_others_are_named(tmp_path: Path) -> None:
    assert check_camera(tmp_path, 0).health is Health.NOTE
    (tmp_path / "video2").touch()
    assert "video2" in check_camera(tmp_path, 0).sentence
    assert check_camera(tmp_path, 2).health is Health.GOOD


def test_disk_is_measured() -> None:
    assert "GB free" in check_disk(Path.cwd()).sentence


@pytest.mark.parametrize(
    ("healths", "good"),
    [
        ([], True),
        ([Health.GOOD, Health.NOTE], True),
        ([Health.GOOD, Health.BAD], False),
    ],
)
def test_only_bad_findings_keep_from_playing(healths: list[Health], good: bool) -> None:
    findings = tuple(Finding("x", health, "") for health in healths)
    assert playable(findings) is good


def test_doctor_looks_at_the_captures_of_the_folder_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "captures").write_text("no folder")
    main(["doctor", "--json", "--camera", "63", "--data", str(tmp_path)])
    told = json.loads(capsys.readouterr().out)["findings"]
    (found,) = (item for item in told if item["what"] == "captures")
    assert str(tmp_path) in found["sentence"]


def test_doctor_prints_one_finding_a_line_and_ends_by_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = main(["doctor", "--json", "--camera", "63"])
    told = json.loads(capsys.readouterr().out)
    assert status == (0 if told["playable"] else 1)
    healths = {item["what"]: item["health"] for item in told["findings"]}
    assert healths["camera"] == "note"
    assert {"python", "opencv", "openvino", "model detector", "disk"} <= set(healths)
    assert main(["doctor", "--camera", "63"]) == status
    assert "no camera 63" in capsys.readouterr().out
