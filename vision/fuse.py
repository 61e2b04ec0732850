"""Several frames of resting dice as one: what each frame says of a die adds up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.body import mean_body
from vision.classes import TURNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.face_reading import Evidence
    from vision.look import Look

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
class Track:
    """One die over the frames.

    Attributes:
        looks: what each frame that shows it says, oldest first; all quads, and so the
            turns, start at the same corner.
    """

    looks: list[Evidence] = field(default_factory=list)

    @property
    def centre(self) -> Floats:
        """Where it was seen last, (2,) pixels."""
        return np.asarray(self.looks[-1].quad.mean(axis=0), np.float64)


def follow_dice(frames: Sequence[tuple[Evidence, ...]]) -> list[Track]:
    """Find each die in the frames.

    Args:
        frames: evidence of each frame in which the dice rest, of one picture size.

    Returns:
        The dice that enough of the frames show.
    """
    tracks: list[Track] = []
    for evidence in frames:
        free = list(tracks)
        for piece in evidence:
            track = _nearest(free, piece)
            if track is None:
                track = Track()
                tracks.append(track)
            else:
                free.remove(track)
            _add(track, piece)
    least = LEAST_SHARE * len(frames)
    return [track for track in tracks if len(track.looks) >= least]


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
    return tuple(_fused(track) for track in follow_dice(frames))


def _nearest(tracks: list[Track], piece: Evidence) -> Track | None:
    if not tracks:
        return None
    centre = piece.quad.mean(axis=0)
    distances = [float(np.linalg.norm(track.centre - centre)) for track in tracks]
    best = int(np.argmin(distances))
    return tracks[best] if distances[best] < REACH * piece.side_px else None


def _add(track: Track, piece: Evidence) -> None:
    """Append a sighting, its corners (and so its turns) counted as in the first one."""
    if track.looks:
        first = track.looks[0].quad - track.looks[0].quad.mean(axis=0)
        here = piece.quad - piece.quad.mean(axis=0)
        apart = [
            float(np.linalg.norm(np.roll(here, -shift, axis=0) - first))
            for shift in range(TURNS)
        ]
        shift = int(np.argmin(apart))
        piece = replace(
            piece,
            quad=np.roll(piece.quad, -shift, axis=0),
            log_p=np.roll(piece.log_p, -shift, axis=1),
        )
    track.looks.append(piece)


def _fused(track: Track) -> Evidence:
    count = len(track.looks)
    weight = (1 + INDEPENDENCE * (count - 1)) / count
    log_p = np.sum([look.log_p for look in track.looks], axis=0) * weight
    log_none = float(np.sum([look.log_none for look in track.looks]) * weight)
    whole = np.logaddexp(np.logaddexp.reduce(log_p, axis=None), log_none)
    return replace(
        track.looks[-1],
        look=_mean_look(track),
        quad=np.mean([look.quad for look in track.looks], axis=0),
        score=float(np.mean([look.score for look in track.looks])),
        log_p=log_p - whole,
        log_none=float(log_none - whole),
    )


def _mean_look(track: Track) -> Look | None:
    """The last look, with how the die lies as all looks together say."""
    last = track.looks[-1].look
    body = mean_body([one.look.body if one.look else None for one in track.looks])
    return replace(last, body=body) if last and body else last
