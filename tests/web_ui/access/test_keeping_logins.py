"""What is kept of logins: over restarts, clock steps, damage, and full books."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_ui.access import sessions
from web_ui.access.access_file import AccessFileError, load_access
from web_ui.access.keeper import Keeper
from web_ui.access.limits import MOST_KEYS, Buckets, address_key
from web_ui.access.roles import CODED, Actor, Role
from web_ui.access.sessions import SessionBook
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

KEY = "k" * 64


class Clocks:
    """A monotonic clock and a wall clock, set by hand."""

    def __init__(self) -> None:
        self.steady_s = 1000.0
        self.wall_s = 1e9


def book(path: Path, clocks: Clocks, key: str = KEY) -> SessionBook:
    return SessionBook(path, key, 3600, lambda: clocks.steady_s, lambda: clocks.wall_s)


@pytest.mark.parametrize("step_s", [-1e8, 1e8])
def test_step_of_the_wall_clock_neither_ends_nor_lengthens_a_login(
    tmp_path: Path, step_s: float
) -> None:
    clocks = Clocks()
    kept = book(tmp_path / "s.json", clocks)
    name = kept.begin(Actor(Role.OPERATOR, "Ann"))
    clocks.wall_s += step_s
    assert kept.find(name) is not None
    clocks.steady_s += 3601
    assert kept.find(name) is None


def test_login_survives_a_restart_but_lasts_no_longer_for_a_clock_set_back(
    tmp_path: Path,
) -> None:
    clocks = Clocks()
    actor = Actor(Role.PLAYER, "Ann", "Ann", "game")
    name = book(tmp_path / "s.json", clocks).begin(actor)
    clocks.steady_s, clocks.wall_s = 5.0, clocks.wall_s - 1e8
    again = book(tmp_path / "s.json", clocks)
    found = again.find(name)
    assert found is not None
    assert found.actor == actor
    clocks.steady_s += 3601
    assert again.find(name) is None
    assert book(tmp_path / "s.json", clocks, "other").find(name) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"format": "tableside-sessions/1"}']
)
def test_damaged_sessions_have_everybody_log_in_once_more(
    tmp_path: Path, text: str
) -> None:
    path, clocks = tmp_path / "s.json", Clocks()
    path.write_text(text, "utf-8")
    kept = book(path, clocks)
    assert kept.find(kept.begin(Actor(Role.VIEWER))) is not None


def test_login_goes_on_where_it_cannot_be_written_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = book(tmp_path / "missing" / "s.json", Clocks())
    assert kept.find(kept.begin(Actor(Role.REFEREE))) is not None
    assert "will not survive a restart" in caplog.text


def test_full_book_forgets_viewers_before_a_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 3)
    kept = book(tmp_path / "s.json", Clocks())
    referee = kept.begin(Actor(Role.REFEREE))
    viewers = [kept.begin(Actor(Role.VIEWER)) for _ in range(5)]
    assert kept.find(referee) is not None
    assert [kept.find(name) is not None for name in viewers] == [False] * 3 + [True] * 2


def test_bound_on_attempts_keeps_the_emptiest_in_bounded_memory() -> None:
    now = [0.0]
    buckets = Buckets(2, 30, lambda: now[0])
    assert [buckets.take("bad") for _ in range(3)] == [0, 0, 30]
    for number in range(MOST_KEYS + 50):
        assert buckets.take(str(number)) == 0
    assert buckets.take("bad") == 30
    assert len(buckets._filled) <= MOST_KEYS
    now[0] = 30
    assert buckets.take("bad") == 0


def test_addresses_of_one_customer_count_as_one() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff%eth0")
    assert address_key("::ffff:10.0.0.1") == "10.0.0.1"
    assert address_key("nonsense") == address_key(None) == "unknown"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "tableside-access/1"}'])
def test_damaged_file_of_logins_opens_no_table(tmp_path: Path, text: str) -> None:
    (tmp_path / "access.json").write_text(text, "utf-8")
    with pytest.raises(AccessFileError, match="remove the file"):
        Keeper.open(tmp_path, 16)


def test_folder_that_cannot_be_made_opens_no_table(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(AccessFileError, match="cannot"):
        Keeper.open(tmp_path / "file" / "data", 16)


def test_commands_make_change_and_show_who_is_let_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["access", "--data", str(tmp_path / "data")]
    assert main([*data, "show-roles"]) == 0
    assert "no code yet" in capsys.readouterr().out
    assert main([*data, "new-pin", "operator"]) == 0
    assert "shown this once" in capsys.readouterr().out
    first = load_access(tmp_path / "data" / "access.json")
    assert main([*data, "new-pin", "operator"]) == 0
    second = load_access(tmp_path / "data" / "access.json")
    assert first is not None
    assert second is not None
    assert first.key != second.key
    changed = [
        role for role in CODED if dict(first.codes)[role] != dict(second.codes)[role]
    ]
    assert changed == [Role.OPERATOR]
    assert (tmp_path / "data" / "access.json").stat().st_mode & 0o077 == 0
    assert main([*data, "token", "add", "a\0b", "--role", "viewer"]) == 2
    assert main([*data, "token", "add", "  ", "--role", "viewer"]) == 2
    assert main([*data, "token", "remove", "nothing"]) == 1
