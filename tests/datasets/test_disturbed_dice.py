"""Leaning and stacked dice of rendered scenes, jokers in several inks, cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.art import draw_face
from datasets.art_jokers import joker_inks
from datasets.art_pips import CARD_SIZE, playing_card
from datasets.cube import Die
from datasets.fonts import font_book
from datasets.lying import leaning
from datasets.picture_sets import roll_record
from datasets.scene import SceneOptions, make_scene
from datasets.style import FIGURES, JOKER_KINDS, random_style
from scoring.cards import CARD_DICE_FACES, Card, Joker
from vision.limits import SHIPPED
from vision.plane import fit_plane

OPTIONS = SceneOptions(640, 480, 26, 34, full_roll=True, clutter=0.0, hand=0.0)
JOKERS = [face for face in CARD_DICE_FACES if isinstance(face, Joker)]
CARDS = [face for face in CARD_DICE_FACES if isinstance(face, Card)]


def flat_die() -> Die:
    art = np.zeros((112, 112, 3), np.uint8)
    return Die(3.0, -5.0, 20.0, 18.0, (art,) * 5, (200.0, 200.0, 200.0), 0.1)


@pytest.mark.parametrize("angle", [5, 20, 40])
def test_a_leaning_die_stands_on_its_lowest_corner(angle: int) -> None:
    die = leaning(flat_die(), 30.0, angle)
    corners, normals = die.sides()
    assert corners[..., 2].min() == pytest.approx(0, abs=1e-9)
    assert np.rad2deg(np.arccos(normals[0][2])) == pytest.approx(angle)
    edges = np.linalg.norm(die.top() - np.roll(die.top(), 1, axis=0), axis=1)
    assert edges == pytest.approx(18.0)


def test_scenes_with_a_leaning_or_stacked_die_say_so_in_their_truth() -> None:
    kinds = set()
    for seed in range(4):
        options = replace(OPTIONS, lean=seed % 2, stack=1 - seed % 2)
        scene = make_scene(np.random.default_rng(seed), font_book(), options)
        states = sorted({die.state for die in scene.dice} - {"flat"})
        assert states == (["cocked"] if seed % 2 else ["stacked"])
        kinds.add(roll_record("a.jpg", scene)["tags"][0])
    assert kinds == {"special:cocked", "special:stacked"}


def test_what_a_stacked_die_hides_does_not_count_as_seen() -> None:
    options = replace(OPTIONS, stack=1.0)
    for seed in range(5):
        scene = make_scene(np.random.default_rng(seed), font_book(), options)
        top = next(die for die in scene.dice if die.state == "stacked")
        assert top.visible == 1.0
        assert min(die.visible for die in scene.dice) < 0.7


def test_without_disturbance_all_dice_are_flat_and_look_it() -> None:
    scene = make_scene(np.random.default_rng(1), font_book(), OPTIONS)
    assert {die.state for die in scene.dice} == {"flat"}
    corners = np.array([die.quad for die in scene.dice])
    fit = fit_plane(corners, np.full(len(corners), 0.01))
    assert fit is not None
    assert np.linalg.norm(fit.shape, axis=1).max() < SHIPPED.most_flattened


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("kind", JOKER_KINDS)
@pytest.mark.parametrize("many_inks", [False, True])
def test_the_jokers_of_a_set_differ_in_colour(
    kind: str, figure: str, many_inks: bool
) -> None:
    for seed in range(6):
        style = replace(
            random_style(np.random.default_rng(seed), font_book()),
            joker=kind,
            figure=figure,
            many_inks=many_inks,
        )
        red, black = (draw_face(style, joker).astype(int) for joker in JOKERS)
        assert np.abs(red - black).max(axis=2).mean() > 2
        assert joker_inks(style, JOKERS[0])[0] != joker_inks(style, JOKERS[1])[0]


def test_worn_and_cloudy_faces_keep_most_of_their_ink() -> None:
    style = random_style(np.random.default_rng(4), font_book())
    new = draw_face(replace(style, wear=0.0, marble=0.0), CARDS[11])
    worn = draw_face(replace(style, wear=0.3, marble=0.0), CARDS[11])
    body = np.asarray(style.body)
    ink = np.abs(new - body).max(axis=2) > 60
    left = np.abs(worn - body).max(axis=2) > 60
    assert 0.5 < (left & ink).sum() / ink.sum() < 0.98
    assert (
        draw_face(replace(style, wear=0.3), CARDS[11])
        == draw_face(replace(style, wear=0.3), CARDS[11])
    ).all()


def test_a_playing_card_is_the_same_on_its_head_but_for_its_pips() -> None:
    style = random_style(np.random.default_rng(2), font_book())
    card = playing_card(style, CARDS[3])
    assert card.shape == (CARD_SIZE[1], CARD_SIZE[0], 3)
    corner, far = card[:60, :36], card[::-1, ::-1][:60, :36]
    assert np.abs(corner.astype(int) - far).mean() < 12
    assert corner.min() < 140
