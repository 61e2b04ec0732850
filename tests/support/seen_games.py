"""Games in a store whose rolls tell a layout: read by a camera, kept dice and all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from table_makers import reading
from table_rounds import Round

from scoring.dice_sets import reference_dice_set
from web_ui.store.store import EventStore
from web_ui.table.books import STORE_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from scoring.cards import Face
    from web_ui.table.events import NewEvent

DICE = reference_dice_set().dice or ()
PICTURE = "ab" * 32


def shown(chance: np.random.Generator, dice: tuple[int, ...]) -> list[Face]:
    """What some dice show after a throw."""
    return [DICE[die][int(chance.integers(6))] for die in dice]


def codes(faces: list[Face]) -> str:
    return " ".join(face.code for face in faces)


def turn(table: Round, chance: np.random.Generator) -> list[list[Face]]:
    """A turn of three rolls in which two dice are kept; the dice thrown each time."""
    every = tuple(range(len(DICE)))
    if table.state.game is None or table.state.game.state.over:
        table.order("start", players=["Ann", "Bob"])
    if table.state.need is None:
        table.order("draw")
    faces = shown(chance, every)
    seed = int(chance.integers(1, 10_000))
    thrown = [faces]
    table.settle(reading(codes(faces), seed), picture=PICTURE)
    for number in (1, 2):
        places = {die["face"]["code"]: die["place"] for die in dice_of(table)}
        kept = faces[:2]
        table.order("keep", dice=[places[face.code] for face in kept])
        again = shown(chance, every[2:])
        thrown.append(again)
        faces = [*kept, *again]
        table.settle(reading(codes(faces), seed + number), picture=PICTURE)
    return thrown


def dice_of(table: Round) -> list[dict[str, dict[str, str]]]:
    found: list[dict[str, dict[str, str]]] = table.record()["reading"]["dice"]
    return found


def played(turns: int, seed: int = 1) -> tuple[Round, list[list[Face]]]:
    """A game of some turns, and all that was thrown in it."""
    chance, table, thrown = np.random.default_rng(seed), Round(), list[list["Face"]]()
    for _ in range(turns):
        thrown += turn(table, chance)
        table.order("stop")
    return table, thrown


def stored(folder: Path, *games: list[NewEvent]) -> Path:
    """A store with the events of games; its file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / STORE_FILE
    store = EventStore.open(path)
    for events in games:
        store.append(events)
    store.close()
    return path
