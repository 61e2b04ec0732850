"""What the README shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from web_ui.cli import COMMANDS
from web_ui.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_settings_in_the_readme_are_the_defaults(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert found is not None
    path = tmp_path / "tableside.toml"
    path.write_text(found[1], "utf-8")
    assert load_settings(path) == Settings()


@pytest.mark.parametrize("name", COMMANDS)
def test_readme_names_every_command(name: str) -> None:
    assert f"`tableside {name}" in README


def test_files_the_readme_points_to_are_there() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [name for name in targets if not (ROOT / name).exists()] == []
