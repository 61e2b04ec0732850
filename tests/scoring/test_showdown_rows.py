from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from scoring.cards import POKER_DICE_FACES
from scoring.showdown_rows import fits

ROLLS = [*combinations_with_replacement(POKER_DICE_FACES, 5)]


def test_sh_13_the_maiden_is_one_queen_and_four_pips_in_any_mixture() -> None:
    for faces in ROLLS:
        codes = sorted(face.code for face in faces)
        rest = [code for code in codes if code != "Q"]
        maiden = len(rest) == 4 and not {"J", "K"} & set(rest)
        assert fits("maiden", faces) is maiden, codes


@pytest.mark.parametrize("other", ["K", "J"])
def test_sh_13_another_court_face_is_no_maiden(other: str) -> None:
    by_code = {face.code: face for face in POKER_DICE_FACES}
    assert not fits("maiden", [by_code[code] for code in f"9TA9{other}"])
    assert fits("maiden", [by_code[code] for code in "9TA9Q"])
