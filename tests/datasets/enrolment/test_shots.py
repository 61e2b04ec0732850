from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.enrolment.aside_sets import match_of
from datasets.enrolment.faces_shown import propose_faces, set_of
from datasets.enrolment.shots import PATCH_MARGIN, Shot, ShotError, take_shot, upright
from datasets.enrolment.variations import NONE_SHARE, varied_crops
from datasets.shards import DataSetError
from scoring.cards import ALL_FACES, CARD_DICE_FACES, Face, parse_face
from scoring.dice_sets import DiceSetError, reference_dice_set
from vision.classes import CLASS_NAMES, TURNS
from vision.face_reading import Evidence
from vision.limits import SHIPPED
from vision.look import Look
from vision.picture_quality import DieLight

DICE = reference_dice_set().dice or ()
RNG = np.random.default_rng(3)
ART = np.kron(
    RNG.integers(0, 255, (6, 6, 3), dtype=np.uint8), np.ones((10, 10, 1), np.uint8)
)


def drawn(turn: int = 0, side: int = 60) -> np.ndarray:
    """A table with one square of art in the middle."""
    image = np.full((240, 240, 3), 90, np.uint8)
    art = np.rot90(cv2.resize(ART, (side, side)), -turn)
    at = (240 - side) // 2
    image[at : at + side, at : at + side] = art
    return image


class OneDie:
    """Stands for a reader that finds squares in the middle, as `RollReader` does."""

    light = None
    limits = SHIPPED

    def __init__(self, scores: tuple[float, ...], side: int = 60, face: int = 0):
        self.scores, self.side, self.face = scores, side, face
        self.look: Look | None = None

    def evidence(self, image: np.ndarray) -> tuple[Evidence, ...]:
        low, high = 119.5 - self.side / 2, 119.5 + self.side / 2
        quad = np.array([[low, low], [high, low], [high, high], [low, high]])
        log_p = np.full((len(ALL_FACES), TURNS), -9.0)
        log_p[self.face, 0] = -0.1
        return tuple(
            Evidence(quad, score, log_p, -5.0, self.look) for score in self.scores
        )


def shot_by(reader: OneDie, image: np.ndarray) -> Shot:
    return take_shot(reader, image, 1, "a")  # type: ignore[arg-type]  # see OneDie


def test_shot_holds_the_die_and_its_surroundings() -> None:
    shot = shot_by(OneDie((0.9, 0.3)), drawn())
    px = shot.patch.shape[0]
    assert px == round(60 * (1 + 2 * PATCH_MARGIN))
    assert np.abs(shot.patch[: px // 4].astype(int) - 90).max() <= 1
    middle = shot.patch[px // 3 : 2 * px // 3, px // 3 : 2 * px // 3].astype(int)
    assert np.abs(middle - ART).mean() < 12
    assert np.exp(shot.log_p).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("reader", "words"),
    [
        pytest.param(OneDie(()), "no die", id="none"),
        pytest.param(OneDie((0.2,)), "no die", id="faint"),
        pytest.param(OneDie((0.9, 0.8)), "2 dice", id="two"),
        pytest.param(OneDie((0.9,), side=20), "20 pixels wide", id="small"),
    ],
)
def test_pictures_that_teach_nothing_are_refused(reader: OneDie, words: str) -> None:
    with pytest.raises(ShotError, match=words):
        shot_by(reader, drawn())


def test_dark_die_is_refused_with_advice() -> None:
    reader = OneDie((0.9,))
    dark = DieLight(darkest=5, brightest=20, edge=0.0)
    reader.look = Look(dark, 1.0, None)
    with pytest.raises(ShotError, match="too dark"):
        shot_by(reader, drawn())


def test_shots_of_one_side_are_turned_alike() -> None:
    shots = [shot_by(OneDie((0.9,)), drawn(turn)) for turn in range(TURNS)]
    first, *others = upright(shots)
    for other in others:
        assert np.abs(first.astype(int) - other).mean() < 4


def shots_of(faces: dict[tuple[int, str], Face], sharp: float) -> list[Shot]:
    out = []
    for (die, side), face in faces.items():
        log_p = np.zeros(len(CARD_DICE_FACES))
        log_p[CARD_DICE_FACES.index(face)] = sharp
        log_p -= np.logaddexp.reduce(log_p)
        out.append(
            Shot(die, side, np.zeros((9, 9, 3), np.uint8), 60.0, log_p, np.zeros(4))
        )
    return out


TRUE = {
    (number, f"side{k}"): face
    for number, die in enumerate(DICE, 1)
    for k, face in enumerate(die)
}


def test_faces_are_proposed_together() -> None:
    shots = shots_of(TRUE, 3.0)
    # one side is read as a face that another side shows more clearly
    muddled = shots_of({(1, "side0"): TRUE[2, "side0"]}, 1.0)[0]
    shots[0] = replace(shots[0], log_p=muddled.log_p)
    proposed = propose_faces(shots)
    assert {side: shown.face for side, shown in proposed.items()} == TRUE
    assert proposed[1, "side0"].p < 0.1
    own = set_of("mine", proposed)
    assert {frozenset(die) for die in own.dice or ()} == {frozenset(d) for d in DICE}


def test_what_a_person_says_holds() -> None:
    a, b = (1, "side0"), (2, "side0")
    said = {a: TRUE[b], b: TRUE[a]}
    proposed = propose_faces(shots_of(TRUE, 9.0), said)
    assert proposed[a].face == TRUE[b]
    assert proposed[a].by_person
    assert len({shown.face for shown in proposed.values()}) == 54


def test_sides_and_words_that_cannot_be_are_refused() -> None:
    shots = shots_of(TRUE, 9.0)
    with pytest.raises(DataSetError, match="die 1: 5 sides"):
        propose_faces(shots[1:])
    with pytest.raises(DataSetError, match="was not shown"):
        propose_faces(shots, {(1, "top"): parse_face("AS")})
    ace = parse_face("AS")
    with pytest.raises(DataSetError, match="AS is said of two"):
        propose_faces(shots, {(1, "side0"): ace, (2, "side1"): ace})


def test_set_that_breaks_what_is_published_is_refused() -> None:
    swapped = dict(TRUE)
    jokers = [side for side, face in TRUE.items() if face.code in ("RJ", "BJ")]
    beside = next(s for s in TRUE if s[0] == jokers[0][0] and s != jokers[0])
    swapped[beside], swapped[jokers[1]] = TRUE[jokers[1]], TRUE[beside]
    proposed = propose_faces(shots_of(swapped, 9.0))
    with pytest.raises(DiceSetError, match="jokers"):
        set_of("mine", proposed)


def test_lessons_show_every_patch_in_every_turn() -> None:
    rng = np.random.default_rng(1)
    patch = shot_by(OneDie((0.9,)), drawn()).patch
    crops, labels = varied_crops(rng, [patch, patch], [3, 5], 400, 48)
    assert crops.shape == (400, 48, 48, 3)
    none = len(CLASS_NAMES) - 1
    assert 0.3 * NONE_SHARE < (labels == none).mean() < 3 * NONE_SHARE
    told = {divmod(int(label), TURNS) for label in labels if label != none}
    assert told == {(face, turn) for face in (3, 5) for turn in range(TURNS)}
    again, _ = varied_crops(np.random.default_rng(1), [patch, patch], [3, 5], 400, 48)
    assert (crops == again).all()


def test_match_tells_a_face_from_a_burnt_out_one() -> None:
    image = drawn()
    quad = np.array([[89.5, 89.5], [149.5, 89.5], [149.5, 149.5], [89.5, 149.5]])
    assert match_of(image, quad, ART) > 0.95
    burnt = np.full_like(image, 255)
    assert match_of(burnt, quad, ART) == 0


def test_every_face_is_taught_as_often_however_often_it_was_shown() -> None:
    rng = np.random.default_rng(1)
    dark, light = (np.full((180, 180, 3), tone, np.uint8) for tone in (40, 200))
    patches, faces = [dark, dark, dark, light, dark], [3, 3, 3, 3, 5]
    crops, labels = varied_crops(rng, patches, faces, 400, 48)
    of_many, of_one = (
        (labels >= face * TURNS) & (labels < (face + 1) * TURNS) for face in (3, 5)
    )
    assert abs(int(of_many.sum()) - int(of_one.sum())) < 30
    # and each of its pictures as often
    bright = crops.mean(axis=(1, 2, 3)) > 120
    assert 0.15 < bright[of_many].mean() < 0.4
