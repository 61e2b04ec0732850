"""Settings from TOML: what is read, and how each mistake is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_ui.settings import GameSettings, Settings, SettingsError, load_settings

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, text: str) -> Path:
    path = folder / "tableside.toml"
    path.write_text(text, "utf-8")
    return path


def test_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, "")) == Settings()


def test_settings_are_read_and_the_rest_keeps_its_default(tmp_path: Path) -> None:
    text = '[server]\nport = 9000\nheartbeat_s = 5\n[game]\nplayers = ["A", "Bö"]\n'
    settings = load_settings(written(tmp_path, text))
    assert settings.server.port == 9000
    assert settings.server.heartbeat_s == pytest.approx(5.0)
    assert isinstance(settings.server.heartbeat_s, float)
    assert settings.game.players == ("A", "Bö")
    assert settings.game.bonus == GameSettings().bonus
    assert settings.video == Settings().video


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        pytest.param("[sever]\n", "sever", "unknown", id="unknown-table"),
        pytest.param("[server]\nprot = 1\n", "server.prot", "1", id="unknown-key"),
        pytest.param("server = 5\n", "server", "table, not 5", id="not-a-table"),
        pytest.param(
            '[server]\nport = "8"\n', "server.port", "whole number, not '8'", id="text"
        ),
        pytest.param(
            "[server]\nport = true\n", "server.port", "not True", id="bool-no-number"
        ),
        pytest.param(
            "[server]\nport = 1.5\n", "server.port", "not 1.5", id="float-no-int"
        ),
        pytest.param(
            "[server]\nport = 70000\n", "server", "port must be 0..65535", id="range"
        ),
        pytest.param(
            "[game]\njokers_wild = 1\n", "game.jokers_wild", "true or false", id="int"
        ),
        pytest.param(
            "[game]\nplayers = [1]\n", "game.players", "a list of texts", id="list"
        ),
        pytest.param(
            '[game]\nplayers = ["A", "a "]\n', "game", "must differ", id="same-names"
        ),
        pytest.param("[game]\nplayers = []\n", "game", "1..12", id="nobody"),
        pytest.param(
            "[video]\nquality = 4\n", "video", "quality must be 10..95", id="quality"
        ),
    ],
)
def test_mistake_names_file_key_and_value(
    tmp_path: Path, text: str, key: str, said: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    assert caught.value.key == key
    assert str(caught.value).startswith(f"{path}: {key}: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("data", [b"[server\n", b"\xff\xfe"], ids=["toml", "utf-8"])
def test_file_that_is_not_toml_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(data)
    with pytest.raises(SettingsError, match="is not TOML"):
        load_settings(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"absent\.toml: cannot be read"):
        load_settings(tmp_path / "absent.toml")
