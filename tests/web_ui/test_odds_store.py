"""Odds kept on disk: the same as fresh ones, and no trust in damaged files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from plain_turns import PAIR, dice_set

from scoring.hand_shapes import HandName
from scoring.odds import Goal, all_keeps, best_play, first_roll_count, first_roll_table
from scoring.odds_error import OddsError
from scoring.target_score import PayRules
from scoring.turn_odds import turn_odds
from web_ui.bench_odds import first_dice
from web_ui.odds_answers import first_rolls, keeps_after_roll, play_from_start
from web_ui.odds_dice import target_named
from web_ui.odds_store import OddsStore, user_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ABOUT = {"what": "a test", "dice": [["AS"]]}
DATA = bytes(range(256)) * 40
GOAL = Goal(HandName.PAIR, PAIR)


def only_file(store: OddsStore) -> Path:
    (path,) = store.folder.iterdir()
    return path


def forget() -> None:
    """Let the process remember something else."""
    turn_odds(dice_set(2), Goal(HandName.FLUSH))


@pytest.fixture
def store(tmp_path: Path) -> OddsStore:
    return OddsStore(tmp_path / "deep" / "odds")


def test_what_was_kept_is_found_by_what_it_is_about(store: OddsStore) -> None:
    assert store.find(ABOUT) is None
    store.keep(ABOUT, DATA)
    assert store.find(ABOUT) == DATA
    assert store.find({**ABOUT, "what": "else"}) is None
    assert only_file(store).suffix == ".odds"
    store.keep(ABOUT, b"")
    assert store.find(ABOUT) == b""


def cut(data: bytes) -> bytes:
    return data[:-1]


def longer(data: bytes) -> bytes:
    return data + b"\0"


def flipped(data: bytes) -> bytes:
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


def other_hash(data: bytes) -> bytes:
    return data.replace(b'"sha256": "', b'"sha256": "0', 1)


def of_something_else(data: bytes) -> bytes:
    return data.replace(b"a test", b"a lie!", 1)


def older(data: bytes) -> bytes:
    return data.replace(b"odds/1", b"odds/0", 1)


DAMAGE = [
    cut,
    longer,
    flipped,
    other_hash,
    of_something_else,
    older,
    pytest.param(lambda _: b"", id="empty"),
    pytest.param(lambda _: b"[" * 100_000, id="nested"),
    pytest.param(lambda _: b"[]\nx", id="list"),
    pytest.param(lambda _: os.urandom(5000), id="noise"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_file_is_ignored_and_written_anew(
    store: OddsStore, damage: Callable[[bytes], bytes]
) -> None:
    store.keep(ABOUT, DATA)
    path = only_file(store)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert store.find(ABOUT) is None
    store.keep(ABOUT, DATA)
    assert path.read_bytes() == whole


def test_pipe_in_the_place_of_a_file_is_not_waited_for(store: OddsStore) -> None:
    store.keep(ABOUT, DATA)
    path = only_file(store)
    path.unlink()
    os.mkfifo(path)
    assert store.find(ABOUT) is None
    store.keep(ABOUT, DATA)
    assert store.find(ABOUT) == DATA


def test_packed_bomb_is_not_unpacked_to_the_end(store: OddsStore) -> None:
    store.keep(ABOUT, bytes(200 * 1024 * 1024))
    assert only_file(store).stat().st_size < 2**20
    assert store.find(ABOUT) is None


def test_folder_stays_small_and_keeps_what_was_used_last(tmp_path: Path) -> None:
    store = OddsStore(tmp_path, most_bytes=10_000)
    noise = os.urandom(3000)
    for number in range(6):
        store.keep({"number": number}, noise)
        for path in tmp_path.iterdir():  # all an hour older
            state = path.stat()
            os.utime(path, (state.st_atime - 3600, state.st_mtime - 3600))
        assert store.find({"number": 0}) == noise  # used again and again
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_000
    assert store.find({"number": 5}) == noise
    assert store.find({"number": 2}) is None


def test_more_than_the_folder_may_hold_is_not_kept(tmp_path: Path) -> None:
    store = OddsStore(tmp_path / "odds", most_bytes=1000)
    store.keep(ABOUT, os.urandom(3000))
    assert store.find(ABOUT) is None


def test_what_a_stopped_program_left_is_swept_and_other_files_stay(
    store: OddsStore,
) -> None:
    store.folder.mkdir(parents=True)
    left, theirs = store.folder / "tmp12345", store.folder / "notes.txt"
    for path in (left, theirs):
        path.write_bytes(b"half")
        os.utime(path, (0, 0))
    running = store.folder / "tmp67890"
    running.write_bytes(b"of another program")
    store.keep(ABOUT, DATA)
    assert not left.exists()
    assert running.exists()
    assert theirs.read_bytes() == b"half"


def test_folder_that_cannot_be_used_changes_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = OddsStore(tmp_path / "file" / "odds")
    store.keep(ABOUT, DATA)
    assert "cannot keep odds" in caplog.text
    assert store.find(ABOUT) is None
    assert keeps_after_roll(dice_set(2), GOAL, FACES, 2, store) == all_keeps(
        dice_set(2), GOAL, FACES
    )


FACES = dice_set(2).dice[0][:1] + dice_set(2).dice[1][:1]  # type: ignore[index]  # known


@pytest.mark.parametrize("left", [1, 2])
def test_keeps_from_the_store_are_those_computed(store: OddsStore, left: int) -> None:
    few = dice_set(2)
    fresh = all_keeps(few, GOAL, FACES, left)
    forget()
    assert keeps_after_roll(few, GOAL, FACES, left, store) == fresh
    kept = list(store.folder.iterdir()) if left == 2 else []
    forget()
    assert keeps_after_roll(few, GOAL, FACES, left, store) == fresh
    assert keeps_after_roll(few, GOAL, FACES, left, None) == fresh
    assert [path.read_bytes() for path in kept] == (
        [path.read_bytes() for path in store.folder.iterdir()] if kept else []
    )


def test_seven_dice_from_the_store_are_those_computed(store: OddsStore) -> None:
    seven, target = first_dice(7), target_named("T18")
    assert target is not None
    goal = Goal(target.hand, target)
    faces = [die[2] for die in seven.dice or ()]
    forget()
    fresh = keeps_after_roll(seven, goal, faces, 2, store)
    assert len(fresh.value) == 2**7
    assert fresh.value == pytest.approx(all_keeps(seven, goal, faces).value)
    forget()
    assert keeps_after_roll(seven, goal, faces, 2, store) == fresh


def test_counts_of_another_size_are_computed_anew(store: OddsStore) -> None:
    few = dice_set(2)
    forget()
    fresh = keeps_after_roll(few, GOAL, FACES, 2, store)
    path = only_file(store)
    whole = path.read_bytes()
    store.keep(about_of(whole), b"1234")
    assert path.read_bytes() != whole
    forget()
    assert keeps_after_roll(few, GOAL, FACES, 2, store) == fresh
    assert path.read_bytes() == whole


def about_of(whole: bytes) -> dict[str, object]:
    found = json.loads(whole.split(b"\n", 1)[0])["about"]
    assert isinstance(found, dict)
    return found


def test_turns_and_first_rolls_from_the_store_are_those_computed(
    store: OddsStore,
) -> None:
    few = dice_set(3)
    for _ in range(2):
        told = play_from_start(few, GOAL, 3, store)
        assert told == (best_play(few, GOAL), *first_roll_count(few, GOAL))
        assert first_rolls(few, store) == first_roll_table(few)
    assert len(list(store.folder.iterdir())) == 2


def test_other_rules_dice_or_rolls_are_other_odds(store: OddsStore) -> None:
    few = dice_set(2)
    blank = Goal(HandName.PAIR, PAIR, PayRules(jokers_wild=False))
    poor = Goal(HandName.PAIR, PAIR, PayRules(bonus=0))
    for goal in (GOAL, blank, poor, Goal(HandName.PAIR)):
        for rolls in (1, 2, 3):
            play_from_start(few, goal, rolls, store)
            play_from_start(dice_set(3), goal, rolls, store)
    assert len(list(store.folder.iterdir())) == 4 * 3 * 2


def test_refusals_come_before_anything_is_kept(store: OddsStore) -> None:
    for left in (0, 3):
        with pytest.raises(OddsError, match="rolls left"):
            keeps_after_roll(dice_set(2), GOAL, FACES, left, store)
    with pytest.raises(OddsError, match="2 faces, not 1"):
        keeps_after_roll(dice_set(2), GOAL, FACES[:1], 2, store)
    assert not store.folder.exists()


def test_user_store_is_where_the_system_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store = user_store()
    assert store is not None
    assert store.folder == tmp_path / "tableside" / "odds"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    store = user_store()
    assert store is not None
    assert store.folder == tmp_path / "home" / ".cache" / "tableside" / "odds"
