"""Finding the top faces of dice with a YOLO pose network that states quads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.letterbox import letterbox
from vision.overlap import overlap
from vision.quads import decode_quads
from vision.reading import Sighting

if TYPE_CHECKING:
    from vision.ports import BgrImage, Network

Floats = NDArray[np.float64]

ROWS = 9
"""Rows of the output: box centre, box size, score, two points."""


@dataclass(frozen=True, slots=True)
class DetectorOptions:
    """How sightings are chosen.

    Attributes:
        least_score: sightings below are dropped, 0..1.
        most_overlap: of two quads whose intersection is a greater share of the smaller
            one, the less certain is dropped. Touching dice share their edge only.
        most_sightings: more are noise; the best are kept.
        large_px: mean side in the input above which dice are larger than those the
            network learned from; the picture is then looked at again, smaller.
        smaller: zoom of that second look.
        small_px: median side in the input of a quick look below which the whole input
            is needed; our own held-out dice above it were read as well by either.
        likely_score: sightings below have no say in that.
    """

    least_score: float = 0.1
    most_overlap: float = 0.07
    most_sightings: int = 60
    large_px: float = 60.0
    smaller: float = 0.45
    small_px: float = 20.0
    likely_score: float = 0.4


OPTIONS = DetectorOptions()


@dataclass(frozen=True, slots=True)
class Eye:
    """A network for one size of input.

    Attributes:
        network: (1, 3, H, W) to (1, 9, N), see `decode_output`.
        input_px: H and W.
    """

    network: Network
    input_px: tuple[int, int]


class YoloDetector:
    """A detector whose network states each top face as centre and two points.

    Args:
        network: (1, 3, H, W) to (1, 9, N), see `decode_output`.
        input_px: H and W.
        name: name and hash of the model.
        options: how sightings are chosen.
        quick: the same network for a smaller input, looked at first: where dice are
            large enough in it, the whole input shows nothing more.
        expected: so many dice are to be found; fewer in the quick look are no reason
            to be content with it.
    """

    def __init__(
        self,
        network: Network,
        input_px: tuple[int, int],
        name: str,
        options: DetectorOptions = OPTIONS,
        quick: Eye | None = None,
        expected: int = 1,
    ) -> None:
        self._whole, self._quick = Eye(network, input_px), quick
        self._options = options
        self.expected = max(1, expected)
        self.name = name

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        """Find the top faces in a whole picture, the most certain first.

        With a quick eye the whole input is used only where that one finds too few dice,
        or small ones. A picture in which nothing is found, or in which dice are larger
        than those of the training, is looked at once more at a smaller scale; quads
        that both looks found count once.

        Raises:
            ModelError: the network's output has another shape.
        """
        eye, (quads, scores, side_px) = self._first_look(image)
        if not len(quads) or side_px.max() > self._options.large_px:
            more, more_scores, _ = self._look(image, eye, self._options.smaller)
            quads = np.concatenate([quads, more])
            scores = np.concatenate([scores, more_scores])
            kept = suppress(quads, scores, self._options.most_overlap)
            quads, scores = quads[kept], scores[kept]
        return tuple(
            Sighting(
                (
                    (float(quad[0, 0]), float(quad[0, 1])),
                    (float(quad[1, 0]), float(quad[1, 1])),
                    (float(quad[2, 0]), float(quad[2, 1])),
                    (float(quad[3, 0]), float(quad[3, 1])),
                ),
                float(score),
            )
            for quad, score in zip(quads, scores, strict=True)
        )

    def _first_look(self, image: BgrImage) -> tuple[Eye, tuple[Floats, Floats, Floats]]:
        """The quick look if it is enough, else that with the whole input."""
        if self._quick is not None:
            seen = self._look(image, self._quick, 1.0)
            likely = seen[2][seen[1] >= self._options.likely_score]
            enough = len(likely) >= self.expected
            if enough and np.median(likely) >= self._options.small_px:
                return self._quick, seen
        return self._whole, self._look(image, self._whole, 1.0)

    def _look(
        self, image: BgrImage, eye: Eye, zoom: float
    ) -> tuple[Floats, Floats, Floats]:
        """One pass: quads in the picture, scores, mean sides in the input."""
        fitted, fit = letterbox(image, eye.input_px, zoom)
        output = eye.network.run(fitted[None])
        if output.ndim != 3 or output.shape[:2] != (1, ROWS):
            raise ModelError(
                f"{self.name}: output of shape {output.shape}, (1, {ROWS}, N) expected"
            )
        quads, scores = decode_output(output[0], self._options)
        kept = suppress(quads, scores, self._options.most_overlap)
        quads, scores = quads[kept], scores[kept]
        return fit.to_picture(quads), scores, quad_sides(quads)


def decode_output(
    output: NDArray[np.float32], options: DetectorOptions = OPTIONS
) -> tuple[Floats, Floats]:
    """Turn the raw output into quads.

    Args:
        output: (9, N): box centre x, y, width, height, score, and the `s` and `p`
            points of `vision.quads`; the box centre is the quad's centre. In pixels of
            the input.
        options: least score and greatest number.

    Returns:
        (K, 4, 2) corners in the input, clockwise, and (K,) scores, best first.
    """
    scores = output[4].astype(np.float64)
    chosen = np.flatnonzero(scores >= options.least_score)
    # neighbouring cells repeat a find: leave room for that before suppression
    order = chosen[np.argsort(-scores[chosen], kind="stable")]
    order = order[: 20 * options.most_sightings]
    points = output[[0, 1, 5, 6, 7, 8]][:, order].T.astype(np.float64)
    quads = decode_quads(points.reshape(-1, 3, 2))
    sound = np.isfinite(quads).all(axis=(1, 2)) & (quad_sides(quads) >= 2)
    return quads[sound], scores[order][sound]


def quad_sides(quads: Floats) -> Floats:
    """Mean side of each quad: (N, 4, 2) to (N,)."""
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    mean: Floats = sides.mean(axis=1)
    return mean


def suppress(quads: Floats, scores: Floats, most_overlap: float) -> NDArray[np.intp]:
    """Choose quads so that no two show the same face.

    Args:
        quads: (N, 4, 2), convex.
        scores: (N,).
        most_overlap: greatest intersection of two kept quads, share of the smaller.

    Returns:
        Places of the kept quads, best first; at most `OPTIONS.most_sightings`.
    """
    centres, reach = quads.mean(axis=1), quad_sides(quads)
    inside, areas = _inner_radii(quads, centres), _areas(quads)
    left = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    while len(left) and len(kept) < OPTIONS.most_sightings:
        best, left = int(left[0]), left[1:]
        kept.append(best)
        apart = np.linalg.norm(centres[left] - centres[best], axis=1)
        near = apart < 0.75 * (reach[left] + reach[best])
        # a network finds each die many times over at almost the same place; that
        # they overlap needs no exact answer
        shared = _shared_disc(np.minimum(inside[left], inside[best]), apart)
        smaller = np.minimum(areas[left], areas[best])
        gone = near & (shared > most_overlap * smaller)
        for k in np.flatnonzero(near & ~gone):
            gone[k] = overlap(quads[best], quads[left[k]]) > most_overlap
        left = left[~gone]
    return np.array(kept, np.intp)


def _inner_radii(quads: Floats, centres: Floats) -> Floats:
    """Radius of a disc about each centre that is inside its clockwise quad; or 0."""
    edges = np.roll(quads, -1, axis=1) - quads
    to_centre = centres[:, None] - quads
    across = edges[..., 0] * to_centre[..., 1] - edges[..., 1] * to_centre[..., 0]
    long = np.maximum(np.linalg.norm(edges, axis=2), 1e-9)
    radii: Floats = np.maximum((across / long).min(axis=1), 0.0)
    return radii


def _areas(quads: Floats) -> Floats:
    d1, d2 = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    areas: Floats = np.abs(d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]) / 2
    return areas


def _shared_disc(radius: Floats, apart: Floats) -> Floats:
    """Area shared by two discs of one radius: at least so much is shared by quads."""
    half = np.clip(apart / np.maximum(2 * radius, 1e-9), 0.0, 1.0)
    return 2 * radius**2 * (np.arccos(half) - half * np.sqrt(1 - half**2))
