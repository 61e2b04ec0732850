"""Watching a table: from frames to one reading for each roll that has settled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.fuse import fuse
from vision.motion import differ, hand_in, view_of
from vision.reading import Status
from vision.unmoved import Change, change_of

if TYPE_CHECKING:
    from vision.face_reading import Evidence
    from vision.motion import View
    from vision.ports import BgrImage, Frame
    from vision.reader import RollReader
    from vision.reading import DieReading, Reading


class WatchState(StrEnum):
    """What happens on the table."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLING = "settling"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Observation:
    """What one frame showed.

    Attributes:
        state: what happens on the table.
        reading: the roll, in the one observation in which it settled.
        roll: its number, from 1; None without a reading.
    """

    state: WatchState
    reading: Reading | None = None
    roll: int | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds and frames.

    Attributes:
        quiet_s: nothing may move for so long before dice are read ...
        quiet_frames: ... and for so many frames.
        most_looks: frames that are read and fused; two if those make it clear.
        refused_s: a scene that is no roll (dice missing) gets so long to become one.
        still_hand_s: something large that lies still for so long is no hand.
    """

    quiet_s: float = 0.2
    quiet_frames: int = 3
    most_looks: int = 5
    refused_s: float = 1.0
    still_hand_s: float = 3.0


PATIENCE = Patience()


class Watcher:
    """Follows the frames of one camera or clip.

    A scene counts as quiet while it does not differ from the first frame of the quiet
    time, so that slow creeping is motion too. A quiet scene is read unless it looks
    like the empty table or like the scene that was read last; dice that lie where they
    lay, or some of which were picked up, are no new roll.

    Args:
        reader: reads the pictures.
        patience: how long to wait.
    """

    def __init__(self, reader: RollReader, patience: Patience = PATIENCE) -> None:
        self._reader = reader
        self._patience = patience
        self._state = WatchState.SETTLING
        self._anchor: View | None = None
        self._quiet_since_s = 0.0
        self._quiet_frames = 0
        self._judged = False
        self._looks: list[tuple[Evidence, ...]] = []
        self._empty: View | None = None
        self._rest: View | None = None
        self._dice: tuple[DieReading, ...] = ()
        self._refused = False
        self._rolls = 0
        self._latest: Frame | None = None

    def see(self, frame: Frame) -> Observation:
        """Judge the next frame; times must not run backwards."""
        view = view_of(frame.image)
        self._latest = frame
        if self._anchor is None or differ(view, self._anchor):
            first = self._anchor is None
            self._start_quiet(view, frame.time_s)
            if first:
                return self._say(WatchState.SETTLING)
            hand = self._hand(view)
            return self._say(WatchState.HAND if hand else WatchState.MOVING)
        self._quiet_frames += 1
        if self._judged:
            return self._say(self._state)
        quiet_s = frame.time_s - self._quiet_since_s
        patience = self._patience
        # half a millisecond: 3 frames of 1/15 s are 0.2 s but for rounding
        early = quiet_s < patience.quiet_s - 0.0005
        if early or self._quiet_frames < patience.quiet_frames:
            waiting = self._state if self._state is WatchState.HAND else None
            return self._say(waiting or WatchState.SETTLING)
        return self._judge(frame.image, view, quiet_s)

    def finish(self) -> Observation:
        """Judge what lies there when the frames end, however short it has been quiet.

        Returns:
            With a reading if dice came to rest in the last frames and were not read.
        """
        frame, view = self._latest, self._anchor
        if frame is None or view is None or self._judged or self._quiet_frames < 2:
            return Observation(self._state)
        if self._hand(view) or self._known(view) is not None:
            return Observation(self._state)
        self._looks.append(self._reader.evidence(frame.image))
        return self._decide(view, self._reader.decide(fuse(self._looks)))

    def _start_quiet(self, view: View, now_s: float) -> None:
        self._anchor, self._quiet_since_s = view, now_s
        self._quiet_frames, self._judged, self._looks = 1, False, []

    def _say(self, state: WatchState) -> Observation:
        self._state = state
        return Observation(state)

    def _hand(self, view: View) -> bool:
        """Whether a hand reaches in, against every scene known to be free of hands."""
        known = [still for still in (self._empty, self._rest) if still is not None]
        return bool(known) and all(hand_in(view, still) for still in known)

    def _known(self, view: View) -> WatchState | None:
        """The state of a scene that looks like one judged before."""
        if self._empty is not None and not differ(view, self._empty):
            return WatchState.EMPTY
        if self._rest is not None and not differ(view, self._rest):
            return WatchState.SETTLED if self._dice else WatchState.EMPTY
        return None

    def _judge(self, image: BgrImage, view: View, quiet_s: float) -> Observation:
        """Decide what a quiet scene is."""
        known = self._known(view)
        if known is not None:
            self._judged = True
            if known is WatchState.EMPTY:
                self._dice, self._rest = (), view
            return self._say(known)
        hand = self._hand(view)
        if hand and quiet_s < self._patience.still_hand_s:
            return self._say(WatchState.HAND)
        refused = len(self._looks) == self._patience.most_looks
        if refused and quiet_s < self._patience.refused_s:
            return self._say(WatchState.SETTLING)
        self._looks = [*self._looks, self._reader.evidence(image)]
        self._looks = self._looks[-self._patience.most_looks :]
        reading = self._reader.decide(fuse(self._looks))
        looks = len(self._looks)
        clear = reading.status is Status.SURE or not reading.dice
        if looks < (2 if clear else self._patience.most_looks):
            return self._say(WatchState.SETTLING)
        if reading.status is Status.REFUSE and reading.dice:
            if hand:  # look again after the same time
                self._quiet_since_s += self._patience.still_hand_s
                self._looks = []
                return self._say(WatchState.HAND)
            if quiet_s < self._patience.refused_s:
                return self._say(WatchState.SETTLING)
        return self._decide(view, reading)

    def _decide(self, view: View, reading: Reading) -> Observation:
        """Tell whether the dice that rest are a new roll."""
        self._judged, self._rest = True, view
        if not reading.dice:
            self._empty, self._dice = view, ()
            return self._say(WatchState.EMPTY)
        self._state = WatchState.SETTLED
        # against the roll last told, not the last rest: dice that were lost from sight
        # for a while and are found again in their places are no new roll
        new = change_of(self._dice, reading.dice) is Change.ROLLED
        # what was refused was no roll: if it has become one, that is told
        mended = self._refused and reading.status is not Status.REFUSE
        if not new and not mended:
            return Observation(self._state)
        self._dice, self._refused = reading.dice, reading.status is Status.REFUSE
        self._rolls += 1
        return Observation(self._state, reading, self._rolls)
