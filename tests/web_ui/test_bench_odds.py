"""The benchmark of odds measures what it says, in processes of their own."""

from __future__ import annotations

import json

import pytest

from scoring.odds import Goal, all_keeps
from web_ui.bench_odds import first_dice, measure_here
from web_ui.cli import main
from web_ui.odds_dice import target_named


def test_benchmark_tells_every_number_of_dice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["bench", "odds", "--dice", "5", "--dice", "6", "--rounds", "1"]
    assert main([*words, "--targets", "T18", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [row["dice"] for row in record["dice"]] == [5, 6]
    for row in record["dice"]:
        times = ("first_ms", "cpu_ms", "stored_ms", "later_ms", "later_p99_ms")
        assert all(row[name] > 0 for name in times)
        assert row["first_most_ms"] >= row["first_ms"]
        assert row["later_p99_ms"] >= row["later_ms"]
        assert row["peak_mib"] > 10
    assert record["answers"] == 200


def test_measure_counts_its_answers() -> None:
    target = target_named("t18")
    assert target is not None
    assert target.id == "T18"
    assert len(measure_here(5, target, 3, None).later_ms) == 3
    few = first_dice(6)
    assert len(few.dice or ()) == few.dice_count == 6
    faces = [die[0] for die in few.dice or ()]
    assert len(all_keeps(few, Goal(target.hand, target), faces).value) == 2**6


@pytest.mark.parametrize(
    ("name", "found"),
    [("T05", "T05"), ("t5", "T05"), ("T34", "T34"), ("T005", "T05")],
)
def test_targets_are_found_by_number(name: str, found: str) -> None:
    target = target_named(name)
    assert target is not None
    assert target.id == found


@pytest.mark.parametrize("name", ["", "T", "T0", "T35", "5", "T٣", "DD1", "T5x"])
def test_other_names_are_no_targets(name: str) -> None:
    assert target_named(name) is None


@pytest.mark.parametrize(
    "words", [["--targets", "T99"], ["--targets", ","], ["--rounds", "0"]]
)
def test_benchmark_refuses_what_cannot_be_measured(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "odds", *words]) == 2
    assert "tableside bench odds:" in capsys.readouterr().err
