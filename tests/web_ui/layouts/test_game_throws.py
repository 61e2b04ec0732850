"""The throws of games: kept dice, undo, corrections, rolls that are not counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from seen_games import PICTURE, codes, played, shown
from table_makers import reading
from table_rounds import Round

from scoring.cards import parse_face
from vision.reading import Status
from web_ui.layouts.game_throws import game_throws
from web_ui.table.events import StoredEvent

if TYPE_CHECKING:
    from scoring.cards import Face
    from web_ui.layouts.game_throws import SeenThrow
    from web_ui.table.events import NewEvent

EVERY = tuple(range(9))


def faces_of(text: str) -> frozenset[Face]:
    return frozenset(parse_face(code) for code in text.split())


def numbered(events: list[NewEvent]) -> list[StoredEvent]:
    return [StoredEvent(k, "", event) for k, event in enumerate(events, start=1)]


def throws(table: Round) -> tuple[SeenThrow, ...]:
    return game_throws(numbered(table.events))


def begun() -> Round:
    table = Round()
    table.order("draw", card="T18")
    return table


def rolls(count: int, seed: int = 3) -> list[str]:
    chance = np.random.default_rng(seed)
    return [codes(shown(chance, EVERY)) for _ in range(count)]


def test_kept_dice_are_not_seen_again() -> None:
    table, thrown = played(1)
    found = throws(table)
    assert [frozenset(one.faces) for one in found] == [frozenset(t) for t in thrown]
    assert [len(one.faces) for one in found] == [9, 7, 7]
    numbers = [one.number for one in found]
    kinds = [table.events[number - 1].kind for number in numbers]
    assert kinds == ["acted"] * 3
    assert numbers == sorted(set(numbers))


def test_no_throw_without_a_game() -> None:
    assert game_throws([]) == ()
    assert throws(Round()) == ()


def test_roll_typed_in_without_a_picture_is_left_out() -> None:
    table = begun()
    table.order("roll", faces=rolls(1)[0].split())
    assert throws(table) == ()


def test_what_was_taken_back_was_never_seen() -> None:
    first, second = rolls(2)
    table = begun()
    table.settle(reading(first, 1), picture=PICTURE)
    table.order("undo")
    assert throws(table) == ()
    table.settle(reading(second, 2), picture=PICTURE)
    (found,) = throws(table)
    assert frozenset(found.faces) == faces_of(second)


def test_the_same_roll_read_again_after_undo_counts_once() -> None:
    (first,) = rolls(1)
    table = begun()
    table.settle(reading(first, 1), picture=PICTURE)
    table.order("stop")
    table.order("draw")
    table.settle(reading(first, 2), picture=PICTURE)  # nobody has thrown
    assert len(throws(table)) == 1


def test_corrected_die_counts_as_it_was_corrected() -> None:
    (first,) = rolls(1)
    table = begun()
    table.settle(reading(first, 1), picture=PICTURE)
    other = next(c for c in ("2S", "3S", "4S") if c not in first.split())
    table.order("correct", reading=1, die=0, face=other, by="referee Eve")
    (found,) = throws(table)
    assert parse_face(other) in found.faces
    assert len(found.faces) == 9


def test_doubtful_roll_counts_once_a_person_settled_it() -> None:
    (first,) = rolls(1)
    table = begun()
    table.settle(reading(first, 1, Status.ASK, (0,)), picture=PICTURE)
    assert throws(table) == ()
    table.order("confirm", reading=1)
    assert len(throws(table)) == 1


def test_game_with_a_known_layout_teaches_nothing() -> None:
    table, _ = played(1)
    layout = [[face.code for face in die] for die in _dice()]
    start = table.events[0]
    body = {**start.body, "options": {"layout": layout}}
    events = numbered(table.events)
    told = StoredEvent(1, "", type(start)(start.game, start.kind, body, "", "", "k"))
    assert game_throws([told, *events[1:]]) == ()
    assert len(game_throws([told, *events[1:]], known=True)) == 3


@pytest.mark.parametrize("cut", [0, 1, 3])
def test_events_that_do_not_fit_teach_nothing(cut: int) -> None:
    table, _ = played(1)
    events = numbered(table.events)
    assert game_throws(events[:cut] + events[cut + 1 :]) == ()


def _dice() -> tuple[tuple[Face, ...], ...]:
    from seen_games import DICE

    return DICE
