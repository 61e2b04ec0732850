"""`tableside bench datasets`: albums filled and every stage measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.captures.album import Album
from datasets.captures.checking import verify
from web_ui.bench_datasets import STAGES, measure
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_every_stage_is_timed_and_leaves_a_whole_album(tmp_path: Path) -> None:
    for stage, run in STAGES.items():
        times = run(tmp_path / "a", 30)
        assert times, stage
        assert min(times) > 0, stage
    album = Album(tmp_path / "a")
    assert verify(album).good == 30
    assert album.tally().by_review == {"reviewed": 30}
    assert album.tally().dropped == {"person": 50}


def test_stage_in_a_process_of_its_own_tells_its_memory(tmp_path: Path) -> None:
    record = measure("open", tmp_path / "a", 0).record()
    assert (record["stage"], record["captures"], record["steps"]) == ("open", 0, 3)
    assert 10 < float(str(record["peak_mb"])) < 2000


@pytest.mark.parametrize("counts", ["0", "x", "5,,5", "2000000"])
def test_bench_datasets_refuses_unusable_counts(counts: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["bench", "datasets", "--captures", counts])
    assert caught.value.code == 2
