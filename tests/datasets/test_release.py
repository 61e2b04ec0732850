"""Publishing a model: the card belongs to the file, nothing is there by halves."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from datasets import release
from datasets.release import Release, commit_of, publish, sha256_of
from vision.errors import ModelError
from vision.model_files import read_card

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = Release(
    kind="detector",
    input_px=(64, 96),
    classes=("die",),
    data={"train": {"seed": 4}},
    training={"epochs": 1},
    metrics={"held_out_rolls": {"recall": 0.5}},
)


def test_published_model_is_what_the_runtime_accepts(tmp_path: Path) -> None:
    onnx = tmp_path / "best.onnx"
    onnx.write_bytes(b"weights")
    card = publish(onnx, tmp_path / "models", RELEASE)
    read = read_card("detector", tmp_path / "models")
    assert read.input_px == (64, 96)
    assert read.sha256 == sha256_of(onnx)
    record = json.loads(card.read_text())
    assert record["data"] == RELEASE.data
    assert record["training"] == RELEASE.training
    assert record["metrics"] == RELEASE.metrics
    assert not list((tmp_path / "models").glob("*.part"))


def test_stopped_while_a_card_is_made_leaves_the_model_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    first.write_bytes(b"first")
    second.write_bytes(b"second")
    publish(first, tmp_path / "out", RELEASE)
    before = read_card("detector", tmp_path / "out")

    def stop(_: Path) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(release, "commit_of", stop)
    with pytest.raises(KeyboardInterrupt):
        publish(second, tmp_path / "out", RELEASE)
    assert read_card("detector", tmp_path / "out") == before


def test_nothing_is_left_of_a_model_that_could_not_be_published(
    tmp_path: Path,
) -> None:
    onnx = tmp_path / "best.onnx"
    onnx.write_bytes(b"weights")
    out = tmp_path / "out"
    (out / "detector.onnx").mkdir(parents=True)
    with pytest.raises(OSError, match=r"detector\.onnx"):
        publish(onnx, out, RELEASE)
    assert [path.name for path in out.iterdir()] == ["detector.onnx"]


def test_card_of_another_file_is_refused(tmp_path: Path) -> None:
    onnx = tmp_path / "best.onnx"
    onnx.write_bytes(b"weights")
    publish(onnx, tmp_path, RELEASE)
    (tmp_path / "detector.onnx").write_bytes(b"others")
    with pytest.raises(ModelError, match=r"detector\.onnx"):
        read_card("detector", tmp_path)


def test_commit_says_when_files_are_changed(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, timeout=30)

    assert commit_of(tmp_path / "nowhere") == "unknown"
    git("init", "--quiet")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("commit", "--quiet", "--message", "Begin")
    clean = commit_of(tmp_path)
    assert len(clean) == 12
    (tmp_path / "a").write_text("2")
    assert commit_of(tmp_path) == clean + "+"
