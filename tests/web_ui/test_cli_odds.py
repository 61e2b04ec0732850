from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoring.hand_shapes import HandName
from scoring.odds import Goal
from scoring.turn_odds import turn_odds
from web_ui.cli import main
from web_ui.odds_dice import odds_dice_of

if TYPE_CHECKING:
    from pathlib import Path

FACES = "5H TS 9D 9C 9H TC KS TD TH"
TWO = {
    "name": "two",
    "dice": [
        ["AS", "KS", "QS", "JS", "TS", "RJ"],
        ["AH", "KH", "QH", "JH", "TH", "BJ"],
    ],
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder for odds; no test may touch the real one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tableside" / "odds"


@pytest.fixture
def two(tmp_path: Path) -> str:
    """Two dice, so that everything is quick."""
    path = tmp_path / "two.json"
    path.write_text(json.dumps(TWO))
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["odds", *words]) == 0
    return capsys.readouterr().out


def record(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found = json.loads(told(capsys, *words, "--json"))
    assert isinstance(found, dict)
    return found


def test_odds_of_one_roll_agree_with_the_count(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--target", "royal_flush", "--jokers-blank", "--rolls-left", "1"]
    found = record(capsys, *words)
    assert (found["first_roll"], found["of"]) == (5184, 6**9)
    assert found["value"] == pytest.approx(5184 / 6**9, abs=1e-12)
    assert "5184 of 10077696 rolls" in told(capsys, *words)


def test_odds_say_what_to_keep(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--target", "t18", "--faces", FACES, "--rolls-left", "1"]
    found = record(capsys, *words)
    assert found["stop"] == 10
    assert found["roll"] == pytest.approx(8)  # no bonus on the third roll
    text = told(capsys, *words)
    assert "stop: chips 10.000000000" in text
    assert "best: stop" in text
    assert "the exact cards: there already" in text


def test_odds_of_all_keeps_come_best_first(
    two: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--target", "pair", "--faces", "AS KH", "--set", two]
    assert "keeps" not in record(capsys, *words)
    found = record(capsys, *words, "--all")
    assert found["keep"] == []
    assert [keep["keep"] for keep in found["keeps"]] == [
        [],
        ["KH"],
        ["AS"],
        ["AS", "KH"],
    ]
    values = [keep["value"] for keep in found["keeps"]]
    assert values == sorted(values, reverse=True)
    assert values[0] == found["roll"] == found["value"] > values[-1] == 0
    lines = told(capsys, *words, "--all").splitlines()
    assert lines[-1].split() == ["0.000000000", "stop"]
    assert lines[-4].split()[-1] == "nothing"


def test_odds_say_what_a_keep_waits_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "three.json"
    third = ["AD", "2D", "3D", "4D", "5D", "6D"]
    path.write_text(json.dumps({"name": "three", "dice": [*TWO["dice"], third]}))
    words = ["--target", "three_of_a_kind", "--faces", "AS AH 2D", "--set", str(path)]
    found = record(capsys, *words)
    assert found["keep"] == ["AH", "AS"]
    (wait,) = found["waits"]
    assert wait == {
        "what": "type",
        "missing": 1,
        "outs": [{"die": 3, "faces": ["AD"]}],
        "next_roll": pytest.approx(1 / 6),
    }
    assert "waits for AD (die 3): 0.166667 in the next roll" in told(capsys, *words)


def test_table_counts_first_rolls_of_every_hand(
    two: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = record(capsys, "--table", "--set", two)
    assert found["of"] == 36
    assert len(found["hands"]) == 12
    assert found["hands"]["pair"] == {"jokers_blank": 5, "jokers_wild": 16}
    (line,) = (
        x for x in told(capsys, "--table", "--set", two).splitlines() if "Pa" in x
    )
    assert line.split() == ["Pair", "5", "0.138889", "16", "0.444444"]


def test_odds_of_showdown_rows(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "showdown", "--open", "aces,maiden", "--faces", "Q Q 9 T A"]
    found = record(capsys, *words)
    assert list(found["rows"]) == ["aces", "maiden"]
    assert found["rows"]["maiden"]["exactly"] == "3/4"  # of two rolls, 1/2 each
    assert found["rows"]["maiden"]["keeps"] == [["9", "T", "Q", "A"]]
    text = told(capsys, *words)
    assert "maiden            0.750000  keep 9 T Q A" in text
    assert "roll all five" in told(capsys, "--game", "showdown")
    assert "stop" in told(
        capsys, "--game", "showdown", "--open", "one_pair", "--faces", "Q Q 9 T A"
    )


def test_odds_of_a_battle_of_war(two: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "war", "--dice", "1,2", "--set", two]
    found = record(capsys, *words)
    # red tosses spades, black tosses hearts: each in the other's colour
    assert found["cases"]["b"]["exactly"] == ["1/2", "1/2"]
    assert found["level"] == pytest.approx(1 / 5)
    assert found["joker"] == pytest.approx(1 - 25 / 36)
    swapped = record(capsys, "--game", "war", "--dice", "2 1", "--set", two)
    assert swapped["cases"]["a"]["red"] == 0.5
    high = record(capsys, *words, "--joker", "high")
    assert high["joker"] == 0
    assert "die 1 (red) against die 2 (black)" in told(capsys, *words)


def test_odds_are_kept_for_the_next_time(
    two: str, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--target", "pair", "--faces", "AS KH", "--set", two]
    fresh = told(capsys, *words, "--no-cache")
    assert not cache.exists()
    for _ in range(2):
        turn_odds(odds_dice_of(two), Goal(HandName.FLUSH))  # remembers but one
        assert told(capsys, *words) == fresh
    assert len(list(cache.iterdir())) == 1
    own = tmp_path / "own"
    turn_odds(odds_dice_of(two), Goal(HandName.FLUSH))
    assert told(capsys, *words, "--cache", str(own)) == fresh
    assert len(list(own.iterdir())) == 1


def test_agreements_change_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--target", "T18", "--faces", FACES, "--rolls-left", "1", "--no-cache"]
    assert record(capsys, *words, "--bonus", "5")["stop"] == 13
    joker = ["--target", "T18", "--rolls-left", "1", "--no-cache"]
    lying = ["--faces", "5H TS 9D RJ 9H TC KS TD TH"]
    assert record(capsys, *joker, *lying)["stop"] == 8
    less = record(capsys, *joker, *lying, "--exact-with-joker", "type")
    assert less["stop"] == 4
    kid = record(capsys, *joker, *lying, "--exact-with-joker", "type", "--kid")
    assert kid["stop"] == 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param([], "need --target", id="nothing"),
        pytest.param(["--target", "T99"], "'T99' is no target", id="target"),
        pytest.param(
            ["--target", "pair", "--set", "square-shooters"], "known layout", id="set"
        ),
        pytest.param(
            ["--target", "pair", "--set", "no/such.json"], "cannot be read", id="file"
        ),
        pytest.param(["--target", "pair", "--faces", "XX"], "'XX'", id="face"),
        pytest.param(["--target", "pair", "--faces", "TS"], "9 faces, not 1", id="few"),
        pytest.param(["--target", "pair", "--rolls-left", "4"], "not 4", id="rolls"),
        pytest.param(["--target", "pair", "--all"], "--all needs --faces", id="all"),
        pytest.param(["--target", "pair", "--bonus", "-1"], "chips must", id="bonus"),
        pytest.param(["--target", "pair", "--open", "aces"], "--open", id="other-game"),
        pytest.param(["--table", "--faces", FACES], "--faces", id="table-of-faces"),
        pytest.param(
            ["--target", "pair", "--cache", "x", "--no-cache"], "both", id="caches"
        ),
        pytest.param(["--game", "war"], "need --dice", id="war-without-dice"),
        pytest.param(["--game", "war", "--dice", "1"], "two numbers", id="one-die"),
        pytest.param(["--game", "war", "--dice", "1,10"], "no die 10", id="no-die"),
        pytest.param(["--game", "war", "--dice", "1,1"], "on both", id="same-die"),
        pytest.param(["--game", "war", "--table"], "--table", id="war-table"),
        pytest.param(["--game", "showdown", "--open", "x"], "no row", id="row"),
        pytest.param(
            ["--game", "showdown", "--faces", FACES], "5 faces", id="card-faces"
        ),
    ],
)
def test_odds_refuse_unusable_input(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        pytest.param([], "dice_count", id="none"),
        pytest.param([["AS"]], "6 faces, not 1", id="one-face"),
        pytest.param("AS", "list", id="text"),
        pytest.param([["AS", "KS", "QS", "JS", "TS", "XX"]], "XX", id="no-face"),
        pytest.param([TWO["dice"][0]] * 2, "on two dice", id="same-dice"),
        pytest.param([["A", "K", "Q", "J", "T", "9"]], "card dice", id="poker"),
    ],
)
def test_odds_refuse_dice_files(
    dice: object, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dice.json"
    path.write_text(json.dumps({"name": "odd", "dice": dice}))
    assert main(["odds", "--target", "pair", "--set", str(path)]) == 2
    assert said in capsys.readouterr().err
