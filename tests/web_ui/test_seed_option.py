"""Seeds that no generator takes are refused before anything is read."""

from __future__ import annotations

import pytest

from web_ui.cli import main
from web_ui.seed_option import MOST_SEED, whole_seed

COMMANDS = {
    "enrol": ["enrol", "mine", "--pictures", "nowhere"],
    "bench corrupt": ["bench", "corrupt", "nowhere"],
    "bench watch": ["bench", "watch"],
    "bench enrolment": ["bench", "enrolment"],
    "demo": ["dataset", "demo", "--out", "nowhere"],
    "train": ["train", "faces"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("text", ["-1", "9" * 30, "9" * 5000, "1.5", "one", ""])
def test_odd_seed_is_refused_by_name(
    command: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*COMMANDS[command], f"--seed={text}"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"argument --seed: must be a whole number of 0..{MOST_SEED}" in told


def test_every_seed_up_to_the_largest_is_taken() -> None:
    assert [whole_seed(text) for text in ("0", "7", "007", str(MOST_SEED))] == [
        0,
        7,
        7,
        MOST_SEED,
    ]
