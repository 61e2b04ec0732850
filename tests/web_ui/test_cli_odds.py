from __future__ import annotations

import json

import pytest

from web_ui.cli import main

FACES = "5H TS 9D 9C 9H TC KS TD TH"


def test_odds_of_one_roll_agree_with_the_count(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["odds", "--target", "royal_flush", "--jokers-blank", "--rolls-left", "1"]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["first_roll"], record["of"]) == (5184, 6**9)
    assert record["value"] == pytest.approx(5184 / 6**9, abs=1e-12)
    assert main(words) == 0
    assert "5184 of 10077696 rolls" in capsys.readouterr().out


def test_odds_say_what_to_keep(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "--target", "t18", "--faces", FACES, "--rolls-left", "1"]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["stop"] == 10
    assert record["roll"] == pytest.approx(8)  # no bonus on the third roll
    assert main(words) == 0
    assert "stop: chips 10.000000000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["--target", "T99"], "'T99' is no target", id="target"),
        pytest.param(
            ["--target", "pair", "--set", "square-shooters"], "known layout", id="set"
        ),
        pytest.param(["--target", "pair", "--faces", "XX"], "'XX'", id="face"),
        pytest.param(["--target", "pair", "--rolls-left", "4"], "not 4", id="rolls"),
    ],
)
def test_odds_refuse_unusable_input(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *words]) == 2
    assert said in capsys.readouterr().err
