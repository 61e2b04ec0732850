"""Poker dice and the Squint die are read as sets of their own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from scoring.cards import ALL_FACES, Card, PokerFace, Suit, parse_face
from scoring.dice_sets import DiceSet, bundled_dice_set
from vision.kin_faces import NEVER, in_the_words_of
from vision.pictures import load_picture
from vision.reader import RollReader, load_reader
from vision.reading import Status

if TYPE_CHECKING:
    from vision.reading import Reading

PICTURES = Path(__file__).parent / "other_dice"
RECORDS: list[dict[str, Any]] = json.loads((PICTURES / "labels.json").read_text())
POKER = bundled_dice_set("poker-dice")


@pytest.fixture(scope="module")
def bundled() -> RollReader:
    return load_reader(POKER)


def read(bundled: RollReader, picture: str, dice_set: str) -> Reading:
    reader = RollReader(
        bundled.detector,
        bundled.faces,
        bundled_dice_set(dice_set),
        bodies=bundled.bodies,
        limits=bundled.limits,
    )
    return reader.read(load_picture(PICTURES / picture).image)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["image"])
def test_bundled_models_read_other_dice(
    bundled: RollReader, record: dict[str, Any]
) -> None:
    reading = read(bundled, record["image"], record["set"])
    assert reading.status is Status.SURE
    said = Counter(die.face.code for die in reading.dice if die.face is not None)
    assert said == Counter(die["face"] for die in record["dice"])


def test_poker_dice_are_no_roll_of_another_set(bundled: RollReader) -> None:
    for name in ("squint-die", "square-shooters"):
        reading = read(bundled, RECORDS[0]["image"], name)
        assert reading.status is not Status.SURE


def one_die(
    code: str, p: float, turn: int = 0
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Log-probabilities of one die that shows a face, the rest spread evenly."""
    rest = (1 - p) / (len(ALL_FACES) * 4 - 1)
    log_p = np.full((1, len(ALL_FACES), 4), np.log(rest))
    log_p[0, ALL_FACES.index(parse_face(code)), turn] = np.log(p)
    return log_p


@pytest.mark.parametrize("suit", Suit)
@pytest.mark.parametrize("face", POKER.faces, ids=lambda face: face.code)
def test_card_on_a_poker_die_is_its_rank_and_keeps_its_turn(
    face: PokerFace, suit: Suit
) -> None:
    said = in_the_words_of(POKER, one_die(Card(face.rank, suit).code, 0.9, turn=3))
    place, turn = np.unravel_index(int(said[0].argmax()), said[0].shape)
    assert ALL_FACES[place] == face
    assert turn == 3
    assert said[0, ALL_FACES.index(Card(face.rank, suit))].max() == NEVER


def test_probabilities_still_add_up_when_cards_count_as_ranks() -> None:
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.ones(len(ALL_FACES) * 4), 3).reshape(3, -1, 4)
    said = np.exp(in_the_words_of(POKER, np.log(p)))
    assert said.sum(axis=(1, 2)) == pytest.approx(np.ones(3), abs=1e-6)
    squint = [place for place, face in enumerate(ALL_FACES) if face.code in "123"]
    assert said[:, squint] == pytest.approx(p[:, squint])


def test_cards_that_are_in_the_set_stay_cards() -> None:
    ace, spade = parse_face("A"), parse_face("AS")
    both = DiceSet("both", (ace, spade), 2)
    said = in_the_words_of(both, one_die("AS", 0.9))
    assert ALL_FACES[int(said[0].max(axis=1).argmax())] == spade


@pytest.mark.parametrize("name", ["square-shooters", "squint-die"])
def test_other_sets_are_left_alone(name: str) -> None:
    given = one_die("KH", 0.7)
    assert in_the_words_of(bundled_dice_set(name), given) is given


def test_no_dice_are_no_matter() -> None:
    assert in_the_words_of(POKER, np.zeros((0, len(ALL_FACES), 4))).shape[0] == 0
