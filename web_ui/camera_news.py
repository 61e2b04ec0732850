"""How the source of pictures is doing, as its threads tell it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CameraState(StrEnum):
    """How the source of pictures is doing."""

    OPENING = "opening"
    LIVE = "live"
    STALLED = "stalled"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class CameraNews:
    """What the camera's thread has to say.

    Attributes:
        state: how it is doing.
        sentence: the same for people.
    """

    state: CameraState
    sentence: str


def newer(before: CameraNews, news: CameraNews) -> CameraNews:
    """Choose what to show of a camera: that it is gone says more than that it stands.

    Args:
        before: what is shown.
        news: what came.
    """
    if news.state is CameraState.STALLED and before.state is not CameraState.LIVE:
        return before
    return news
