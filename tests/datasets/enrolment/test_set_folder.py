from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from datasets.enrolment.set_folder import SetFolder, find_dice_set
from datasets.enrolment.tuned_set import write_report
from datasets.whole_files import write_whole
from scoring.dice_sets import DiceSetError, bundled_names, reference_dice_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.dice_sets import DiceSet

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


def fill(words: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for end in ("onnx", "json"):
            (folder / f"faces.{end}").write_text(words)

    return write


OTHER = replace(MINE, dice=(MINE.dice or ())[::-1])


def kept(sets: SetFolder) -> tuple[DiceSet, str, str]:
    layout, place = sets.load("my-dice"), sets.place("my-dice")
    readers = [(place / f"faces.{end}").read_text() for end in ("onnx", "json")]
    return (layout, readers[0], readers[1])


def test_set_takes_the_place_of_another_with_all_its_files(tmp_path: Path) -> None:
    sets = SetFolder(tmp_path / "sets")
    with sets.alone("my-dice"):
        place = sets.put(MINE, fill("first"))
    (place / "report.json").write_text("of the first")
    with sets.alone("my-dice"):
        sets.put(OTHER, fill("second"))
    assert kept(sets) == (OTHER, "second", "second")
    names = sorted(path.name for path in place.iterdir())
    assert names == ["faces.json", "faces.onnx", "set.json"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in place.iterdir())
    assert sets.names() == ("my-dice",)
    # a layout alone must not come beside the reader of other dice
    with pytest.raises(DiceSetError, match="holds a face reader"):
        sets.save(MINE)


@pytest.mark.parametrize("step", range(3))
def test_stopped_while_replacing_leaves_one_set_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    sets = SetFolder(tmp_path / "sets")
    with sets.alone("my-dice"):
        sets.put(MINE, fill("first"))

    def stop(_: Path) -> None:
        raise KeyboardInterrupt

    renames = []
    plain = Path.rename

    def rename(path: Path, target: Path) -> Path:
        renames.append(path)
        if len(renames) == step:
            os._exit(7)
        return plain(path, target)

    if step == 0:
        with sets.alone("my-dice"), pytest.raises(KeyboardInterrupt):
            sets.put(OTHER, stop)
    else:
        child = os.fork()
        if child == 0:  # as by a kill: nothing is tidied
            monkeypatch.setattr(Path, "rename", rename)
            with sets.alone("my-dice"):
                sets.put(OTHER, fill("second"))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    again = SetFolder(tmp_path / "sets")
    assert kept(again) == (MINE, "first", "first")
    assert again.names() == ("my-dice",)
    with again.alone("my-dice"):
        again.put(OTHER, fill("second"))
    assert kept(again) == (OTHER, "second", "second")
    left = sorted(path.name for path in (tmp_path / "sets").iterdir())
    assert left == [".my-dice.lock", "my-dice"]


def test_set_takes_the_place_of_a_link_and_leaves_what_it_leads_to(
    tmp_path: Path,
) -> None:
    there = SetFolder(tmp_path / "other").save(MINE)
    sets = SetFolder(tmp_path / "sets")
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "my-dice").symlink_to(there.parent)
    for word in ("one", "two"):
        with sets.alone("my-dice"):
            sets.put(MINE, fill(word))
    place = tmp_path / "sets" / "my-dice"
    assert ((place / "faces.onnx").read_text(), place.is_symlink()) == ("two", False)
    assert there.exists()
    assert [p.name for p in (tmp_path / "sets").glob(".*.old")] == []


def test_one_set_is_replaced_by_one_at_a_time(tmp_path: Path) -> None:
    sets, others = SetFolder(tmp_path), SetFolder(tmp_path)
    with sets.alone("my-dice"):
        with pytest.raises(DiceSetError, match="being enrolled already"):
            others.alone("my-dice").__enter__()
        with others.alone("other-dice"):
            pass
    with others.alone("my-dice"):
        pass


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
    said = "'mine' is no dice set: .* in .*nowhere/sets, `tableside enrol NAME`"
    with pytest.raises(DiceSetError, match=said):
        find_dice_set("mine", tmp_path / "nowhere")


def test_all_that_is_kept_of_a_set_is_for_its_owner_alone(tmp_path: Path) -> None:
    data, before = tmp_path / "data", os.umask(0o022)
    sets = SetFolder(data / "sets")
    try:
        with sets.alone("my-dice"):
            place = sets.put(MINE, lambda half: write_whole(half / "faces.json", "{}"))
        write_report(place, {"set": "my-dice"})
    finally:
        os.umask(before)
    inside = [data, *data.rglob("*")]
    assert len(inside) == 7  # with the lock
    for path in inside:
        mode = path.stat().st_mode & 0o777
        assert mode == (0o700 if path.is_dir() else 0o600), path
