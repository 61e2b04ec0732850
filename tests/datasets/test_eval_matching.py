"""Pairing by overlap, compared with counting by hand and with trying everything."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from datasets.eval_matching import Place, iou_table, pair_up


def square(x: float, y: float, side: float = 10.0) -> Place:
    return Place(((x, y), (x + side, y), (x + side, y + side), (x, y + side)))


def box(x: float, y: float, side: float = 10.0) -> Place:
    return Place(None, (x, y, x + side, y + side))


def iou(one: Place, other: Place, width: float = 100, height: float = 50) -> float:
    return float(iou_table([one], [other], width, height)[0, 0])


DIAMOND = Place(((5.0, -5.0), (15.0, 5.0), (5.0, 15.0), (-5.0, 5.0)))


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        pytest.param(square(0, 0), square(0, 0), 1.0, id="same"),
        pytest.param(square(0, 0), square(5, 0), 1 / 3, id="half-moved"),
        pytest.param(square(0, 0), square(10, 0), 0.0, id="touching"),
        pytest.param(square(0, 0), DIAMOND, 0.5, id="diamond-round-a-square"),
        pytest.param(square(0, 0), square(0, 0, 0), 0.0, id="no-area"),
        pytest.param(square(0, 0, 0), square(0, 0, 0), 0.0, id="no-areas"),
        pytest.param(square(0, 0), box(5, 0), 1 / 3, id="quad-and-box"),
        pytest.param(DIAMOND, box(-5, -5, 20), 1.0, id="quad-as-upright-box"),
        pytest.param(Place(None), box(0, 0, 50), 0.5, id="whole-picture"),
    ],
)
def test_overlap(one: Place, other: Place, wanted: float) -> None:
    assert iou(one, other) == pytest.approx(wanted)
    assert iou(other, one) == pytest.approx(wanted)


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_order_of_corners_does_not_matter(order: tuple[int, ...]) -> None:
    quad = square(2, 3).quad
    assert quad is not None
    a, b, c, d = (quad[k] for k in order)
    assert iou(Place((a, b, c, d)), square(2, 3)) == pytest.approx(1)


def test_quads_far_from_the_origin_are_as_exact() -> None:
    assert iou(square(1e6, 1e6), square(1e6 + 5, 1e6)) == pytest.approx(1 / 3)


def test_pairing_takes_more_pairs_before_better_ones() -> None:
    # the best single pair would leave the other two alone
    truth, said = [square(0, 0), square(4, 0)], [square(2, 0), square(4.5, 0)]
    table = iou_table(truth, said, 100, 50)
    assert table[1, 1] == table.max()
    greedy = pair_up(np.array([[0.45, 0.9], [0.0, 0.5]]), 0.4)
    assert [(p.truth, p.said) for p in greedy] == [(0, 0), (1, 1)]
    assert len(pair_up(table, 0.4)) == 2


def test_pairs_below_the_limit_do_not_count() -> None:
    table = np.array([[0.39, 0.0], [0.0, 0.4]])
    assert [(p.truth, p.said, p.iou) for p in pair_up(table, 0.4)] == [(1, 1, 0.4)]


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_pairs_with_nothing(shape: tuple[int, int]) -> None:
    assert pair_up(np.zeros(shape), 0.4) == ()


def test_pairing_is_the_best_of_all() -> None:
    chance = np.random.default_rng(4)
    for _ in range(60):
        rows, columns = (int(n) for n in chance.integers(1, 5, 2))
        table = chance.uniform(0, 1, (rows, columns))
        pairs = pair_up(table, 0.4)
        assert (
            len({p.truth for p in pairs}) == len({p.said for p in pairs}) == len(pairs)
        )
        found = (len(pairs), sum(p.iou for p in pairs))
        assert found == pytest.approx(best_of_all(table, 0.4))


def best_of_all(table: np.ndarray, least: float) -> tuple[int, float]:
    """Most pairs, then greatest sum, over every way of pairing."""
    wide = table if table.shape[0] <= table.shape[1] else table.T
    ways = permutations(range(wide.shape[1]), wide.shape[0])
    kept = (
        [wide[r, c] for r, c in enumerate(way) if wide[r, c] >= least] for way in ways
    )
    return max((len(ious), float(sum(ious))) for ious in kept)
