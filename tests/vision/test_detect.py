"""The detector's output becomes quads in the picture, each face once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from small_models import detector_output, save_detector

from vision.detect import Eye, YoloDetector, decode_output, suppress
from vision.letterbox import letterbox
from vision.overlap import overlap
from vision.reader import load_detector
from vision.recorded import RecordedDetector, RecordingDetector, RecordingError

if TYPE_CHECKING:
    from pathlib import Path

    from vision.ports import BgrImage, Detector

Floats = NDArray[np.float64]


def square(x: float, y: float, side: float, angle_deg: float = 0.0) -> Floats:
    turn = np.deg2rad(angle_deg + 45 + 90 * np.arange(4))
    reach = side / np.sqrt(2)
    return np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], axis=1)


def same_quad(one: Floats, other: Floats) -> float:
    """Greatest distance of corners, whichever is first."""
    return min(float(np.abs(np.roll(one, k, axis=0) - other).max()) for k in range(4))


@pytest.mark.parametrize("angle", range(0, 90, 15))
@pytest.mark.parametrize("squeeze", [1.0, 0.7])
def test_output_gives_the_quads_back(angle: int, squeeze: float) -> None:
    quads = np.stack([square(0, 0, 30, angle), square(60, 10, 20, 2 * angle)])
    quads = quads * [1, squeeze] + [50, 80]
    found, scores = decode_output(detector_output(quads, [0.7, 0.9]))
    assert scores == pytest.approx([0.9, 0.7])
    assert same_quad(found[1], quads[0]) < 0.01
    assert same_quad(found[0], quads[1]) < 0.01


def test_weak_and_broken_rows_are_dropped() -> None:
    quads = np.stack([square(50 + 40 * k, 50, 30) for k in range(4)])
    output = detector_output(quads, [0.9, 0.05, 0.8, 0.7])
    output[5, 2] = np.nan
    found, scores = decode_output(output)
    assert scores == pytest.approx([0.9, 0.7])
    assert len(found) == 2


def test_nothing_gives_nothing() -> None:
    found, scores = decode_output(np.zeros((9, 100), np.float32))
    assert found.shape == (0, 4, 2)
    assert len(suppress(found, scores, 0.4)) == 0


def test_repeated_finds_count_once_and_the_best_stays() -> None:
    quads = np.stack([square(50 + k, 50 - k, 30, 3 * k) for k in range(5)])
    kept = suppress(quads, np.array([0.3, 0.5, 0.9, 0.4, 0.8]), 0.4)
    assert kept.tolist() == [2]


@pytest.mark.parametrize("angle", [0, 20, 45, 70])
def test_touching_dice_all_survive(angle: int) -> None:
    grid = [(x, y) for x in range(3) for y in range(3)]
    c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    quads = np.stack(
        [
            square(100 + 30 * (x * c - y * s), 100 + 30 * (x * s + y * c), 31, angle)
            for x, y in grid
        ]
    )
    assert len(suppress(quads, np.linspace(0.5, 0.9, 9), 0.4)) == 9


def test_overlap_is_the_share_of_the_smaller_quad() -> None:
    assert overlap(square(0, 0, 2), square(0, 0, 2)) == pytest.approx(1)
    assert overlap(square(0, 0, 2), square(1, 0, 2)) == pytest.approx(0.5)
    assert overlap(square(0, 0, 2), square(3, 0, 2)) == pytest.approx(0)
    assert overlap(square(0, 0, 9), square(1, 1, 2, 30)) == pytest.approx(1)
    octagon = 8 * (np.sqrt(2) - 1) / 4  # two unit squares, one turned by 45 degrees
    assert overlap(square(0, 0, 1), square(0, 0, 1, 45)) == pytest.approx(octagon)


def test_overlap_agrees_with_counting_points() -> None:
    rng = np.random.default_rng(6)
    axis = np.arange(-3, 3, 0.05)
    points = [(float(x), float(y)) for x in axis for y in axis]
    for _ in range(5):
        quads = [
            square(x, y, side, angle)
            for x, y, side, angle in rng.uniform([-1, -1, 1, 0], [1, 1, 2, 90], (2, 4))
        ]
        inside = [
            np.array([cv2.pointPolygonTest(shape, at, False) >= 0 for at in points])
            for shape in (quad.astype(np.float32) for quad in quads)
        ]
        counted = (inside[0] & inside[1]).sum() / min(i.sum() for i in inside)
        assert overlap(*quads) == pytest.approx(counted, abs=0.03)


def test_small_quad_inside_a_large_one_counts_once() -> None:
    quads = np.stack([square(50, 50, 60), square(52, 49, 20)])
    assert suppress(quads, np.array([0.8, 0.6]), 0.4).tolist() == [0]


def one_by_one(
    quads: NDArray[np.float64], scores: NDArray[np.float64], most_overlap: float
) -> list[int]:
    """What `suppress` must choose, by asking every pair."""
    kept: list[int] = []
    for place in np.argsort(-scores, kind="stable"):
        if all(overlap(quads[k], quads[place]) <= most_overlap for k in kept):
            kept.append(int(place))
    return kept


@pytest.mark.parametrize("most_overlap", [0.07, 0.4, 0.9])
@pytest.mark.parametrize("flat", [1.0, 0.5])
def test_suppression_is_that_of_asking_every_pair(
    most_overlap: float, flat: float
) -> None:
    rng = np.random.default_rng(8)
    for _ in range(5):
        places = rng.uniform([0, 0, 15, 0], [150, 150, 40, 90], (50, 4))
        quads = np.stack([square(x, y, side, turn) for x, y, side, turn in places])
        quads[..., 1] *= flat  # seen from low above the table
        scores = rng.random(50)
        said = suppress(quads, scores, most_overlap).tolist()
        assert said == one_by_one(quads, scores, most_overlap)


@pytest.mark.parametrize(
    "size", [(720, 1280), (480, 640), (1000, 300), (31, 47), (2160, 3840)]
)
@pytest.mark.parametrize("zoom", [1.0, 0.45])
def test_letterbox_keeps_places(size: tuple[int, int], zoom: float) -> None:
    image = np.zeros((*size, 3), np.uint8)
    y, x = int(size[0] * 0.7), int(size[1] * 0.2)
    radius = max(2, size[1] // 20)
    cv2.circle(image, (x, y), radius, (0, 0, 255), -1)
    fitted, fit = letterbox(image, (544, 960), zoom)
    assert fitted.shape == (544, 960, 3)
    red = fitted[:, :, 2].astype(int) - fitted[:, :, 1]
    ys, xs = np.nonzero(red > 127)
    middle = np.array([[xs.mean() + 0.5, ys.mean() + 0.5]])
    # a pixel of the input may be several of the picture
    assert np.abs(fit.to_picture(middle) - [x, y]).max() < 0.6 + 0.6 / fit.scale_x


def test_letterbox_pads_with_grey() -> None:
    image = np.full((100, 100, 3), (255, 0, 51), np.uint8)
    fitted, fit = letterbox(image, (50, 90))
    assert fitted[25, 45].tolist() == [255, 0, 51]
    assert fitted[25, 0].tolist() == [114, 114, 114]
    assert (fit.left_px, fit.top_px) == (20, 0)


def picture() -> BgrImage:
    return np.random.default_rng(4).integers(0, 256, (360, 640, 3), np.uint8)


def of_a_model(folder: Path) -> Detector:
    quads = np.stack([square(40 + 50 * k, 90, 16, 10 * k) for k in range(5)])
    save_detector(folder, detector_output(quads, [0.9, 0.8, 0.7, 0.6, 0.05]))
    return load_detector(folder)


def of_a_recording(folder: Path) -> Detector:
    recorder = RecordingDetector(of_a_model(folder))
    recorder.detect(picture())
    recorder.save(folder / "seen.json")
    return RecordedDetector(folder / "seen.json")


@pytest.mark.parametrize("make", [of_a_model, of_a_recording])
def test_detector_finds_quads_in_the_picture(tmp_path: Path, make: object) -> None:
    assert callable(make)
    detector = make(tmp_path)
    found = detector.detect(picture())
    assert [seen.score for seen in found] == pytest.approx([0.9, 0.8, 0.7, 0.6])
    for k, seen in enumerate(found):
        expected = square(80 + 100 * k, 180, 32, 10 * k) - 0.5
        assert same_quad(np.array(seen.quad), expected) < 0.01
    assert detector.name.startswith("small-detector@sha256:")


def test_recorded_detector_knows_only_what_was_recorded(tmp_path: Path) -> None:
    detector = of_a_recording(tmp_path)
    other = picture()
    other[0, 0, 0] ^= 1
    with pytest.raises(RecordingError, match="640 x 360"):
        detector.detect(other)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": "tableside-sightings/1", "pictures": {"a": [[1]]}}']
)
def test_damaged_recording_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "seen.json").write_text(text)
    with pytest.raises(RecordingError, match=r"seen\.json"):
        RecordedDetector(tmp_path / "seen.json")


class FindsSmallBlobs:
    """A network that finds the one white square, if it is small enough for it."""

    input_shape: tuple[int | None, ...] = (1, 3, 180, 320)

    def __init__(self, largest_px: float) -> None:
        self.largest_px = largest_px
        self.runs = 0

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        self.runs += 1
        ys, xs = np.nonzero(pictures[0].min(axis=2) > 229)
        side = float(np.ptp(xs) + 1) if len(xs) else 0.0
        if not 0 < side <= self.largest_px:
            return np.zeros((1, 9, 4), np.float32)
        quad = square(float(xs.mean()) + 0.5, float(ys.mean()) + 0.5, side)
        return detector_output(quad[None], [0.9])[None]


def white_square(side: int) -> BgrImage:
    image = np.zeros((360, 640, 3), np.uint8)
    image[180 - side // 2 : 180 + side // 2, 200 : 200 + side] = 255
    return image


def test_ordinary_dice_take_one_look() -> None:
    network = FindsSmallBlobs(60)
    found = YoloDetector(network, (180, 320), "blobs").detect(white_square(40))
    assert len(found) == 1
    assert network.runs == 1


@pytest.mark.parametrize("side", [140, 240])
def test_large_dice_are_found_by_a_second_look(side: int) -> None:
    network = FindsSmallBlobs(75)
    found = YoloDetector(network, (180, 320), "blobs").detect(white_square(side))
    assert network.runs == 2
    (seen,) = found
    expected = square(200 + side / 2, 180, side) - 0.5
    assert same_quad(np.array(seen.quad), expected) < 4


@pytest.mark.parametrize(
    ("side", "looks"),
    [
        pytest.param(72, (1, 0), id="large-enough"),
        pytest.param(50, (1, 1), id="too-small"),
        pytest.param(0, (1, 2), id="nothing"),
    ],
)
def test_whole_input_is_used_where_the_quick_look_is_not_enough(
    side: int, looks: tuple[int, int]
) -> None:
    quick, whole = FindsSmallBlobs(75), FindsSmallBlobs(75)
    eye = Eye(quick, (120, 214))  # a third of the picture
    detector = YoloDetector(whole, (180, 320), "blobs", quick=eye)
    found = detector.detect(white_square(side))
    assert (quick.runs, whole.runs) == looks
    assert len(found) == (side > 0)
    for seen in found:
        assert (
            same_quad(np.array(seen.quad), square(200 + side / 2, 180, side) - 0.5) < 4
        )


def test_faint_sightings_do_not_spare_the_whole_input() -> None:
    class Faint(FindsSmallBlobs):
        def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
            output = super().run(pictures)
            output[:, 4] = np.minimum(output[:, 4], 0.3)
            return output

    quick, whole = Faint(75), FindsSmallBlobs(75)
    detector = YoloDetector(whole, (180, 320), "blobs", quick=Eye(quick, (120, 214)))
    (seen,) = detector.detect(white_square(72))
    assert (quick.runs, whole.runs) == (1, 1)
    assert seen.score > 0.8


@pytest.mark.parametrize(("expected", "looks"), [(1, (1, 0)), (2, (1, 1))])
def test_fewer_dice_than_expected_are_no_reason_to_be_content(
    expected: int, looks: tuple[int, int]
) -> None:
    quick, whole = FindsSmallBlobs(75), FindsSmallBlobs(75)
    eye = Eye(quick, (120, 214))
    detector = YoloDetector(whole, (180, 320), "b", quick=eye, expected=expected)
    assert len(detector.detect(white_square(72))) == 1
    assert (quick.runs, whole.runs) == looks
