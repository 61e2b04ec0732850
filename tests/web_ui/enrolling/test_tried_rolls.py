"""Rolls tried with an enrolled reader, as they lie on the disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from shown_to_camera import ROLL, hand
from table_makers import reading

from scoring.dice_sets import reference_dice_set
from web_ui.enrolling.shown_dice import forget
from web_ui.enrolling.trial import Trial

if TYPE_CHECKING:
    from pathlib import Path


def a_trial(folder: Path, rolls: int) -> Trial:
    """A trial of so many confirmed rolls; another one waits."""
    trial = Trial(folder, reference_dice_set())
    for number in range(1, rolls + 2):
        assert trial.offer(hand(number), reading(ROLL)) == ""
        if number <= rolls:
            trial.confirm(number)
    return trial


def test_pictures_of_rolls_go_with_those_of_the_dice(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    a_trial(folder, 2)
    assert len(list((folder / "rolls").iterdir())) == 3
    forget(folder)
    assert not folder.exists()


def test_what_others_put_beside_rolls_stays(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    a_trial(folder, 1)
    (folder / "rolls" / "notes.txt").write_text("mine")
    forget(folder)
    assert [path.name for path in (folder / "rolls").iterdir()] == ["notes.txt"]


def test_new_rolls_are_never_found_with_labels_of_an_earlier_trial(
    tmp_path: Path,
) -> None:
    again = a_trial(tmp_path, 3).folder
    trial = a_trial(tmp_path, 0)
    (again / "labels.json.part" / "x").mkdir(parents=True)  # stopped before the labels
    with pytest.raises(OSError, match=r"labels\.json\.part"):
        trial.confirm(1)
    assert not (again / "labels.json").exists()


def test_rolls_of_an_earlier_trial_make_way_for_the_first_new_one(
    tmp_path: Path,
) -> None:
    rolls = a_trial(tmp_path, 3).folder
    a_trial(tmp_path, 0)
    assert len(json.loads((rolls / "labels.json").read_text())) == 3
    a_trial(tmp_path, 1)
    found = sorted(path.name for path in rolls.iterdir())
    assert found == ["001.jpg", "labels.json"]
