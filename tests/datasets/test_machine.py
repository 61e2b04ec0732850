"""What is installed, told so that machines can be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from datasets.machine import (
    DRAWING,
    _imported,
    code_digest,
    differences,
    machine_of,
    this_machine,
)

HERE = this_machine(DRAWING, ("datasets.crops",), fonts=False)


def test_a_machine_is_read_back_as_it_was_written() -> None:
    assert machine_of(HERE.record()) == HERE
    assert differences(HERE, HERE) == ()


@pytest.mark.parametrize("record", [None, [], {}, {"python": 3}, "x"])
def test_what_describes_no_machine_is_refused(record: object) -> None:
    with pytest.raises(ValueError, match="machine"):
        machine_of(record)


def test_every_difference_is_named() -> None:
    packages = tuple((name, "0.1") for name, _ in HERE.packages)
    other = replace(HERE, packages=packages, fonts="f", code="c", processor="pdp11")
    told = differences(other, HERE)
    assert [text.split()[0] for text in told[1:-2]] == sorted(DRAWING)
    assert told[0].endswith("not pdp11")
    assert told[-2:] == ("the fonts are others", "Tableside's own code is another")


def test_only_code_that_is_imported_counts() -> None:
    crops = _imported(("datasets.crops",))
    assert {"datasets.crops", "datasets.art", "vision.rectify", "scoring.cards"} < crops
    assert not crops & {"datasets.render", "scoring.odds", "vision.reader"}
    assert code_digest(("datasets.crops",)) != code_digest(("datasets.lens",))
