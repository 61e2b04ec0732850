"""Several frames of resting dice as one: what each frame says of a die adds up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.classes import TURNS
from vision.face_reading import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float64]

REACH = 0.5
"""Sightings of two frames are the same die if their centres are closer, in sides."""
LEAST_SHARE = 0.5
"""A die is kept if at least this share of the frames shows it."""
INDEPENDENCE = 0.25
"""What another look at the same resting die is worth, against a look at another one.

Noise differs from frame to frame; light, angle and artwork do not. Adding the logs up
fully would make five looks at one misread die five times as sure of the mistake.
"""


@dataclass(slots=True, eq=False)
class _Track:
    """One die over the frames; its quads start at the same corner in all of them."""

    quads: list[Floats]
    scores: list[float]
    log_p: list[Floats]
    log_none: list[float]

    @property
    def centre(self) -> Floats:
        return np.asarray(self.quads[-1].mean(axis=0), np.float64)


def fuse(frames: Sequence[tuple[Evidence, ...]]) -> tuple[Evidence, ...]:
    """Combine the evidence of frames in which the dice rest.

    Args:
        frames: evidence of each frame, all of one picture size.

    Returns:
        One piece of evidence for each die that enough of the frames show, with the mean
        quad; that of the only frame unchanged if there is one.
    """
    if len(frames) == 1:
        return frames[0]
    tracks: list[_Track] = []
    for evidence in frames:
        free = list(tracks)
        for piece in evidence:
            track = _nearest(free, piece)
            if track is None:
                tracks.append(_Track([], [], [], []))
                track = tracks[-1]
            else:
                free.remove(track)
            _add(track, piece)
    least = LEAST_SHARE * len(frames)
    return tuple(_fused(track) for track in tracks if len(track.quads) >= least)


def _nearest(tracks: list[_Track], piece: Evidence) -> _Track | None:
    if not tracks:
        return None
    centre = piece.quad.mean(axis=0)
    distances = [float(np.linalg.norm(track.centre - centre)) for track in tracks]
    best = int(np.argmin(distances))
    return tracks[best] if distances[best] < REACH * piece.side_px else None


def _add(track: _Track, piece: Evidence) -> None:
    """Append a sighting, its corners (and so its turns) counted as in the first one."""
    quad, log_p = piece.quad, piece.log_p
    if track.quads:
        first = track.quads[0] - track.quads[0].mean(axis=0)
        here = quad - quad.mean(axis=0)
        apart = [
            float(np.linalg.norm(np.roll(here, -shift, axis=0) - first))
            for shift in range(TURNS)
        ]
        shift = int(np.argmin(apart))
        quad = np.roll(quad, -shift, axis=0)
        log_p = np.roll(log_p, -shift, axis=1)
    track.quads.append(quad)
    track.scores.append(piece.score)
    track.log_p.append(log_p)
    track.log_none.append(piece.log_none)


def _fused(track: _Track) -> Evidence:
    count = len(track.quads)
    weight = (1 + INDEPENDENCE * (count - 1)) / count
    log_p = np.sum(track.log_p, axis=0) * weight
    log_none = float(np.sum(track.log_none) * weight)
    whole = np.logaddexp(np.logaddexp.reduce(log_p, axis=None), log_none)
    return Evidence(
        np.mean(track.quads, axis=0),
        float(np.mean(track.scores)),
        log_p - whole,
        float(log_none - whole),
    )
