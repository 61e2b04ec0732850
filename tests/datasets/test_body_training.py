"""Training the network of bodies: turning and mirroring lessons, and widening."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from datasets.body_release import gate_bodies, train_and_publish_bodies
from datasets.body_scenes import BodyOptions
from datasets.body_set import BodyCrops, render_bodies
from datasets.body_training import (
    OUTPUTS,
    BodyRun,
    make_network,
    mirrored,
    train_bodies,
    turned,
    widened,
)
from datasets.export_gate import ExportDiffersError
from datasets.shards import DataSetError
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.train


def lessons(count: int = 3) -> tuple[torch.Tensor, torch.Tensor]:
    maker = torch.Generator().manual_seed(5)
    images = torch.rand(count, 3, 64, 64, generator=maker)
    return images, torch.rand(count, 8, generator=maker) - 0.5


def test_four_quarter_turns_and_two_mirrors_change_nothing() -> None:
    images, shape = lessons()
    out = (images, shape)
    for _ in range(4):
        out = turned(*out)
    assert torch.equal(out[0], images)
    assert torch.allclose(out[1], shape)
    out = mirrored(*mirrored(images, shape))
    assert torch.equal(out[0], images)
    assert torch.allclose(out[1], shape)


def test_a_turn_takes_the_foot_along() -> None:
    images, shape = torch.zeros(1, 3, 64, 64), torch.zeros(1, 8)
    images[0, :, 32, 60] = 1  # a bright spot on the right, and the foot there
    shape[0, 6:8] = torch.tensor([0.9, 0.0])
    pictures, points = turned(images, shape)
    (row,), (column,) = torch.nonzero(pictures[0, 0], as_tuple=True)
    assert (int(row), int(column)) == (60, 31)  # below: clockwise on the screen
    assert points[0, 6:8].tolist() == pytest.approx([0.0, 0.9])


def test_a_widened_network_says_the_same() -> None:
    torch.manual_seed(1)
    narrow, wide = make_network(6).eval(), make_network(10).eval()
    images, _ = lessons(4)
    before = wide(images)
    wide.load_state_dict(widened(narrow.state_dict(), wide.state_dict()))
    assert torch.allclose(wide(images), narrow(images), atol=1e-5)
    assert not torch.allclose(before, narrow(images), atol=1e-2)


def test_a_network_is_not_narrowed() -> None:
    narrow, wide = make_network(6), make_network(10)
    with pytest.raises(DataSetError, match="wider network"):
        widened(wide.state_dict(), narrow.state_dict())
    with pytest.raises(DataSetError, match="other layers"):
        widened({}, narrow.state_dict())


def test_training_learns_and_goes_on_wider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    count = 64
    foot = rng.uniform(-0.5, 0.5, count)
    shape = np.zeros((count, 8), np.float32)
    shape[:, 6] = foot
    grey = (128 + 200 * foot).astype(
        np.uint8
    )  # as bright as the foot is far to the right
    held = BodyCrops(
        images=np.broadcast_to(grey[:, None, None, None], (count, 64, 64, 3)).copy(),
        shape=shape,
        visible=np.ones(count, np.float32),
        stacked=np.zeros(count, np.bool_),
        printed=np.zeros(count, np.bool_),
        lean_deg=np.zeros(count, np.float32),
        die_px=np.full(count, 40, np.float32),
    )
    monkeypatch.setattr("datasets.body_training.read_bodies", lambda _: held)
    losses: list[float] = []
    run = BodyRun(tmp_path, tmp_path / "w.pt", epochs=6, batch=16, width=4, threads=1)
    train_bodies(run, lambda _, loss: losses.append(loss))
    assert losses[-1] < losses[0] - 0.5
    weights = tmp_path / "w.pt"
    wider = BodyRun(tmp_path, weights, 1, batch=16, rate=1e-5, width=6, threads=1)
    more: list[float] = []
    network = train_bodies(wider, lambda _, loss: more.append(loss))
    assert more[0] < losses[0] - 0.5
    assert network(torch.zeros(1, 3, 64, 64)).shape == (1, OUTPUTS)


def test_what_ships_says_what_was_trained(tmp_path: Path) -> None:
    options = BodyOptions(size_px=160)
    for name, seed in (("train", 1), ("val", 2)):
        render_bodies(tmp_path / name, 1, seed, options, 1, lambda d, _: d, scenes=2)
    run = BodyRun(tmp_path / "train", tmp_path / "w.pt", epochs=0, width=4, threads=1)
    card = train_and_publish_bodies(
        run, tmp_path / "val", tmp_path / "out", "a note", lambda *_: None
    )
    facts = json.loads(card.read_text("utf-8"))
    assert facts["metrics"]["export_gate"]["lengths_apart"] <= 0.02
    weights = (tmp_path / "w.onnx").stat().st_size
    assert (tmp_path / "out" / "body.onnx").stat().st_size == weights
    assert weights < 2.2 * sum(p.numel() for p in make_network(4).parameters()) + 9000


@pytest.mark.parametrize("place", [0, 8, 12])
def test_an_export_that_says_something_else_is_refused(place: int) -> None:
    said = np.zeros((3, OUTPUTS), np.float32)
    other = said.copy()
    assert gate_bodies(said, other)["lengths_apart"] == 0
    for wrong in (0.3, np.nan):
        other[1, place] = wrong
        with pytest.raises(ExportDiffersError, match="apart"):
            gate_bodies(said, other)


def test_a_training_repeated_from_its_manifest_gives_the_same_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seed in (("data", 1), ("val", 2)):
        render_bodies(
            tmp_path / name, 1, seed, BodyOptions(), 1, lambda d, _: d, scenes=3
        )
    sets = ["--data", str(tmp_path / "data"), "--val", str(tmp_path / "val")]
    weights = ["--weights", str(tmp_path / "w.pt"), "--publish", str(tmp_path / "m")]
    words = ["train", "body", *sets, *weights, "--width", "4", "--threads", "1"]
    assert main([*words, "--epochs", "1"]) == 0
    # from here on it begins with weights: they too must be had again
    assert main([*words, "--epochs", "2"]) == 0
    card = json.loads((tmp_path / "m" / "body.json").read_text())
    manifest = tmp_path / "w.run.json"
    digest = hashlib.sha256(manifest.read_bytes()).hexdigest()
    assert card["training"]["run_sha256"] == digest
    again = ["train", "--from-manifest", str(manifest), "--into", str(tmp_path / "a")]
    assert main(again) == 0
    assert "differs" not in capsys.readouterr().err
    repeated = json.loads((tmp_path / "a" / "published" / "body.json").read_text())
    assert repeated["sha256"] == card["sha256"]
    (tmp_path / "w.start.pt").write_bytes(b"other weights")
    again[-1] = str(tmp_path / "b")
    assert main(again) == 2
    assert "not the weights that were begun with" in capsys.readouterr().err
