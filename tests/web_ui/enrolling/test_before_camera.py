"""Dice shown to a camera from a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shown_to_camera import DICE, SquareReader, hand, moved, painted

from vision.ports import Frame
from web_ui.cli import main
from web_ui.enrolling.before_camera import show_to_camera

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from scoring.cards import Face
    from vision.ports import BgrImage
    from web_ui.enrolling.guide import EnrolmentGuide


def filmed(*pictures: BgrImage) -> Iterator[Frame]:
    """Each picture for a second, a hand between."""
    number = 0
    for picture in pictures:
        for image in (hand(number), *[picture] * 10):
            yield Frame(image, "test", number, number * 0.1)
            number += 1


def twice(faces: tuple[Face, ...]) -> list[BgrImage]:
    return [show for face in faces for show in (painted(face), moved(painted(face)))]


def led(
    folder: Path, frames: Iterator[Frame], *typed: str, stills: bool = False
) -> tuple[EnrolmentGuide, list[str]]:
    told: list[str] = []
    words = iter([*typed, *[""] * 10_000])
    reader: object = SquareReader()
    guide = show_to_camera(
        frames,
        reader,  # type: ignore[arg-type]  # see SquareReader
        folder,
        told.append,
        stills=stills,
        typed=words,
    )
    return guide, told


def test_all_dice_are_shown_and_going_on_needs_no_more(tmp_path: Path) -> None:
    first, _ = led(tmp_path, filmed(*twice(DICE[0])))
    assert (first.taken, first.die, first.is_done) == (12, 2, False)
    rest = [picture for die in DICE[1:] for picture in twice(die)]
    guide, told = led(tmp_path, filmed(*rest))
    assert (guide.taken, guide.is_done) == (108, True)
    assert told[-1] == "All nine dice were shown."
    assert len(list(tmp_path.glob("[1-9]/side[1-6]-[12].jpg"))) == 108


def test_why_nothing_was_taken_is_told_once(tmp_path: Path) -> None:
    guide, told = led(tmp_path, filmed(painted(*DICE[0][:2])))
    assert guide.taken == 0
    refusals = [line for line in told if line.startswith("Not taken: 2 dice")]
    assert len(refusals) == 1


def test_stills_are_all_looked_at(tmp_path: Path) -> None:
    frames = (
        Frame(image, "test", k, 0.0) for k, image in enumerate(twice(DICE[0][:2]))
    )
    guide, _ = led(tmp_path, frames, stills=True)
    assert guide.taken == 4


def test_typed_words_choose_dice_and_undo(tmp_path: Path) -> None:
    guide, told = led(tmp_path, filmed(painted(DICE[3][0])), "4")
    assert guide.shown.sides == ((4, "side1"),)
    assert "Lay die 4 alone on the table, any side up." in told
    again, _ = led(tmp_path, filmed(painted(), painted()), "4", "nonsense", "99")
    assert again.die == 4
    guide, _ = led(tmp_path, filmed(painted(DICE[4][1])), "4", "n")
    assert guide.shown.sides == ((4, "side1"), (4, "side2"))  # though another die


def test_camera_that_cannot_be_opened_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "none.mp4")
    words = ["enrol", "mine", "--camera", missing, "--data", str(tmp_path)]
    assert main(words) == 2
    assert "none.mp4" in capsys.readouterr().err


def test_clip_that_ends_too_soon_tells_where_the_pictures_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import cv2

    clip = tmp_path / "empty.jpg"
    cv2.imwrite(str(clip), painted())
    words = ["enrol", "mine", "--camera", str(clip), "--data", str(tmp_path)]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "0 of 108 pictures were taken" in said
    assert str(tmp_path / "enrolling" / "mine") in said


def test_dice_are_shown_where_nothing_can_be_learned(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import cv2

    from web_ui import cli_enrol

    monkeypatch.setattr(cli_enrol, "can_learn", lambda: False)
    still = tmp_path / "empty.jpg"
    cv2.imwrite(str(still), painted())
    data = ["--data", str(tmp_path)]
    assert main(["enrol", "mine", "--camera", str(still), *data]) == 2
    assert "0 of 108 pictures were taken" in capsys.readouterr().err
    assert main(["enrol", "mine", "--pictures", str(tmp_path), *data]) == 2
    assert "pip install -e '.[train]'" in capsys.readouterr().err
