"""Watching a table: from frames to one reading for each roll that has settled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.freeze import FreezeSense
from vision.fuse import fuse
from vision.intruders import Intruder, Intruders
from vision.motion import differ, is_dark, view_of
from vision.reading import ProblemCode, Status
from vision.rest import Rest
from vision.steady import ask_about, wavering_dice
from vision.tray_roll import doubted

if TYPE_CHECKING:
    from vision.face_reading import Evidence
    from vision.motion import View
    from vision.ports import BgrImage, Frame
    from vision.reader import RollReader
    from vision.reading import Reading
    from vision.rest import Lying


class WatchState(StrEnum):
    """What happens on the table."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLING = "settling"
    SETTLED = "settled"
    DARK = "dark"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Observation:
    """What one frame showed.

    Attributes:
        state: what happens on the table.
        reading: the roll, in the one observation in which it settled.
        roll: its number, from 1; None without a reading. A roll that was refused and
            then mended by hand keeps its number.
        lying: in the observation in which a scene was judged, what became of its dice
            since the rest before; None otherwise.
    """

    state: WatchState
    reading: Reading | None = None
    roll: int | None = None
    lying: Lying | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds and frames.

    Attributes:
        look_s: nothing may move for so long before the dice are looked at ...
        pace_s: ... as often as this; looks that follow faster show the same noise ...
        quiet_s: ... for so long before a roll is told ...
        quiet_frames: ... and for so many frames.
        told_s: a roll that is not clear by then is told as it is: no look is taken for
            which it would have to wait longer.
        most_looks: frames that are read and fused; two if those make it clear.
        refused_s: a scene that is no roll (dice missing) gets so long to become one.
        hand_s: pause between looks at a scene with a hand in it.
        gap_s: more time than this between two frames is not known to be quiet.
    """

    look_s: float = 0.12
    pace_s: float = 0.045
    quiet_s: float = 0.2
    quiet_frames: int = 3
    told_s: float = 0.32
    most_looks: int = 6
    refused_s: float = 1.0
    hand_s: float = 0.5
    gap_s: float = 0.34


PATIENCE = Patience()
ROUNDING_S = 0.0005
"""3 frames of 1/15 s are 0.2 s but for rounding."""
BODY_WORDS = "something large lies there that was not there before"
FROZEN_S = 0.5
"""A freeze shorter than this is not worth telling."""


class Watcher:
    """Follows the frames of one camera or clip.

    A scene counts as quiet while it does not differ from the first frame of the quiet
    time, so that slow creeping is motion too. A quiet scene is read unless it looks
    like the empty table or like the scene that was read last; what was told of a rest
    stays. Nothing is told while a hand is in the picture, in the dark, or of frames
    that show an earlier moment.

    Args:
        reader: reads the pictures.
        patience: how long to wait.
    """

    def __init__(self, reader: RollReader, patience: Patience = PATIENCE) -> None:
        self._reader = reader
        self._patience = patience
        self._state = WatchState.SETTLING
        self._freeze = FreezeSense()
        self._frozen_s = 0.0
        self._intruders = Intruders()
        self._anchor: View | None = None
        self._start_quiet()
        self._empty: View | None = None
        self._still: View | None = None
        self._rest = Rest()
        self._latest: Frame | None = None

    def see(self, frame: Frame) -> Observation:
        """Judge the next frame; times must not run backwards."""
        last, self._latest = self._latest, frame
        pause_s = frame.time_s - last.time_s if last is not None else 0.0
        if self._freeze.see(frame.image):
            return self._freeze_on(pause_s)
        thawed, self._frozen_s = self._frozen_s > 0, 0.0
        view = view_of(frame.image)
        if is_dark(view, self._still):
            self._anchor = None
            self._intruders.blink()
            return self._say(WatchState.DARK)
        if thawed:
            self._intruders.blink()
        self._intruders.see(view, self._stills(), frame.time_s)
        if self._anchor is None:
            self._start_quiet(view)
            return self._say(WatchState.SETTLING)
        if differ(view, self._anchor):
            self._start_quiet(view)
            hand = self._intruders.hand(view, self._stills())
            return self._say(WatchState.HAND if hand else WatchState.MOVING)
        if thawed and not self._judged:
            self._start_quiet(view)
            return self._say(WatchState.SETTLING)
        self._quiet_frames += 1
        self._quiet_s += min(pause_s, self._patience.gap_s)
        if self._judged:
            self._look_around(frame, view)
            return self._say(self._state)
        if self._quiet_s < self._patience.look_s - ROUNDING_S:
            return self._wait()
        return self._judge(frame.image, view, pause_s)

    def finish(self) -> Observation:
        """Judge what lies there when the frames end, however short it has been quiet.

        Returns:
            With a reading if dice came to rest in the last frames and were not read.
        """
        frame, view = self._latest, self._anchor
        if frame is None or view is None or self._judged or self._quiet_frames < 2:
            return Observation(self._state)
        if self._frozen_s > 0 or self._known(view) is not None:
            return Observation(self._state)
        reading, body = self._look(frame.image, view)
        if body is Intruder.HAND:
            return self._say(WatchState.HAND)
        return self._decide(view, reading, body)

    def _start_quiet(self, view: View | None = None) -> None:
        self._anchor, self._quiet_s, self._quiet_frames = view, 0.0, 1
        self._judged, self._next_look_s = False, 0.0
        self._looks: list[tuple[Evidence, ...]] = []

    def _say(self, state: WatchState) -> Observation:
        self._state = state
        return Observation(state)

    def _wait(self) -> Observation:
        """Nothing moves, but it is too early to say more; a hand stays a hand."""
        hand = self._state is WatchState.HAND
        return self._say(WatchState.HAND if hand else WatchState.SETTLING)

    def _freeze_on(self, pause_s: float) -> Observation:
        """The frame shows an earlier moment: nothing is known of this one."""
        self._frozen_s += pause_s
        if self._frozen_s < FROZEN_S:
            return Observation(self._state)
        return self._say(WatchState.FROZEN)

    def _stills(self) -> list[View]:
        """Views of the scene that are known to be free of hands."""
        return [still for still in (self._empty, self._still) if still is not None]

    def _look_around(self, frame: Frame, view: View) -> None:
        """Accept things that were laid into a scene judged before, once they lie."""
        quiet = self._quiet_s >= self._patience.quiet_s
        if not quiet or frame.index % 8:  # it costs more than it is worth every time
            return
        stills = self._stills()
        if not self._intruders.suspected(view, stills):
            return
        dice = [die.quad for die in self._rest.dice]
        width_px = frame.image.shape[1]
        if self._intruders.judge(view, stills, dice, width_px) is Intruder.THING:
            self._still = view

    def _known(self, view: View) -> WatchState | None:
        """The state of a scene that looks like one judged before."""
        if self._empty is not None and not differ(view, self._empty):
            return WatchState.EMPTY
        if self._still is not None and not differ(view, self._still):
            return WatchState.EMPTY if self._rest.empty else WatchState.SETTLED
        return None

    def _judge(self, image: BgrImage, view: View, pause_s: float) -> Observation:
        """Decide what a quiet scene is."""
        patience = self._patience
        early = self._quiet_s < patience.quiet_s - ROUNDING_S
        early = early or self._quiet_frames < patience.quiet_frames
        known = self._known(view)
        if known is not None:
            return self._wait() if early else self._see_again(view, known)
        if self._quiet_s < self._next_look_s - ROUNDING_S:
            return self._wait()
        reading, body = self._look(image, view)
        self._next_look_s = self._quiet_s + patience.pace_s
        if body is Intruder.HAND:
            self._next_look_s, self._looks = self._quiet_s + patience.hand_s, []
            return self._say(WatchState.HAND)
        if self._state is WatchState.HAND:
            self._state = WatchState.SETTLING
        if early or len(self._looks) < 2:
            return self._wait()
        clear = reading.status is Status.SURE or not reading.dice
        last = self._quiet_s + pause_s > patience.told_s + ROUNDING_S
        if not clear and not last:
            return self._wait()
        refused = reading.status is Status.REFUSE and bool(reading.dice)
        if refused and self._quiet_s < patience.refused_s - ROUNDING_S:
            self._next_look_s = patience.refused_s
            return self._wait()
        return self._decide(view, reading, body)

    def _look(self, image: BgrImage, view: View) -> tuple[Reading, Intruder]:
        """Read the scene once more; what all looks say, and what else lies there."""
        looks = [*self._looks, self._reader.evidence(image)]
        self._looks = looks[-self._patience.most_looks :]
        reading = self._reader.decide(fuse(self._looks))
        reading = ask_about(reading, wavering_dice(self._looks, self._reader.dice_set))
        dice = [die.quad for die in (*reading.dice, *reading.outside)]
        stills = self._stills()
        body = self._intruders.judge(view, stills, dice, image.shape[1])
        return reading, body

    def _see_again(self, view: View, known: WatchState) -> Observation:
        """Note a scene that looks like one judged before."""
        self._judged = True
        self._intruders.forget_throw()
        if known is WatchState.EMPTY:
            self._rest.clear()
            self._still = view
        return self._say(known)

    def _decide(self, view: View, reading: Reading, body: Intruder) -> Observation:
        """Tell whether the dice that rest are a new roll."""
        self._judged, self._still = True, view
        thrown = self._intruders.thrown
        self._intruders.forget_throw()
        if not reading.dice:
            self._empty = view
            self._rest.clear()
            return self._say(WatchState.EMPTY)
        self._state = WatchState.SETTLED
        if body is Intruder.THING:
            reading = doubted(reading, ProblemCode.BODY_IN_VIEW, BODY_WORDS)
        lying = self._rest.settle(reading, thrown)
        told = reading if lying.told else None
        return Observation(self._state, told, lying.roll, lying)
