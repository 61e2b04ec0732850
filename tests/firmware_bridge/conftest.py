"""Boxes under test: the firmware in simavr, and the box in software."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from button_boxes import Listener, build, need

from firmware_bridge.boxes import ButtonBoxes
from firmware_bridge.simulated_box import SimulatedBox
from firmware_bridge.virtual_box import VirtualBox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from button_boxes import Box


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with box.hex and simulate, freshly built."""
    need("make", "cc", "avr-gcc", "avr-objcopy", "avr-size", "simavr")
    folder = tmp_path_factory.mktemp("firmware")
    build(folder / "box.hex", folder)
    build(folder / "simulate", folder)
    return folder


@pytest.fixture
def simulated(built: Path) -> Iterator[SimulatedBox]:
    box = SimulatedBox(built / "simulate", built / "box.hex")
    yield box
    box.close()


@pytest.fixture
def virtual() -> Iterator[VirtualBox]:
    box = VirtualBox("box")
    yield box
    box.close()


@pytest.fixture(params=["simulated", "virtual"])
def box(request: pytest.FixtureRequest) -> Box:
    made: Box = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def connect(listener: Listener) -> Iterator[Callable[..., ButtonBoxes]]:
    """Make ButtonBoxes that end with the test."""
    made: list[ButtonBoxes] = []

    def make(*ports: str) -> ButtonBoxes:
        made.append(ButtonBoxes(listener, list(ports)))
        return made[-1]

    yield make
    for boxes in made:
        assert boxes.stop()
