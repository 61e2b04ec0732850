from dataclasses import replace
from pathlib import Path

import pytest

from datasets.enrolment.set_folder import SetFolder, find_dice_set
from scoring.dice_sets import DiceSetError, bundled_names, reference_dice_set

MINE = replace(reference_dice_set(), name="my-dice")


def test_set_folder_gives_back_what_it_was_given(tmp_path: Path) -> None:
    sets = SetFolder(tmp_path / "sets")
    assert sets.names() == ()
    path = sets.save(MINE)
    assert sets.names() == ("my-dice",)
    assert sets.load("my-dice") == MINE
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    assert [file.name for file in path.parent.iterdir()] == ["set.json"]


def test_set_folder_leaves_other_files_of_a_set(tmp_path: Path) -> None:
    sets = SetFolder(tmp_path)
    beside = sets.save(MINE).parent / "report.json"
    beside.write_text("{}")
    swapped = replace(MINE, dice=(MINE.dice or ())[::-1])
    sets.save(swapped)
    assert sets.load("my-dice") == swapped
    assert beside.read_text() == "{}"


def test_set_folder_overcomes_a_half_written_file(tmp_path: Path) -> None:
    sets = SetFolder(tmp_path)
    half = sets.save(MINE).with_name("set.json.part")
    half.write_text('{"name": "my-')
    half.chmod(0o644)
    assert sets.load("my-dice") == MINE
    assert sets.save(MINE).stat().st_mode & 0o077 == 0
    assert not half.exists()


@pytest.mark.parametrize(
    "name",
    ["", "../mine", "a/b", "Mine", "-a", "a-", "a" * 41, "nul", "com1", "a\n", "ä"]
    + list(bundled_names()),
)
def test_set_folder_refuses_names(tmp_path: Path, name: str) -> None:
    sets = SetFolder(tmp_path / "sets")
    with pytest.raises(DiceSetError):
        sets.place(name)
    if name:
        with pytest.raises(DiceSetError):
            sets.save(replace(MINE, name=name))
    assert list(tmp_path.iterdir()) == []


def test_set_folder_tells_a_file_under_a_wrong_name(tmp_path: Path) -> None:
    sets = SetFolder(tmp_path)
    sets.save(MINE)
    (tmp_path / "my-dice").rename(tmp_path / "yours")
    with pytest.raises(DiceSetError, match="my-dice"):
        sets.load("yours")


def test_dice_sets_are_found_bundled_and_enrolled(tmp_path: Path) -> None:
    SetFolder(tmp_path / "sets").save(MINE)
    assert find_dice_set("my-dice", tmp_path) == MINE
    assert find_dice_set("poker-dice", tmp_path).dice_count == 5
    with pytest.raises(DiceSetError, match=r"'yours'.*my-dice"):
        find_dice_set("yours", tmp_path)
    with pytest.raises(DiceSetError, match="'mine'"):
        find_dice_set("mine", tmp_path / "nowhere")
