"""The virtual table: dice thrown on command, hands, lamps and a camera that fails."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scoring.dice_sets import bundled_dice_set
from web_ui.virtual.acts import (
    PAUSE_S,
    Act,
    Scene,
    frames,
    linger,
    pause,
    put,
    shake,
    take,
    throw,
)
from web_ui.virtual.painter import camera_of
from web_ui.virtual.rolls import (
    RollError,
    check_faces,
    roll_faces,
    set_aside,
    strew,
    tipped,
)
from web_ui.virtual.shots import SIZE_MM, STRAIGHT, Shot
from web_ui.virtual.truth import Expected, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from datasets.hostile_hand import Placed
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from web_ui.virtual.shots import View, VirtualDie

MOST_WAITING = 4
"""Acts that wait for those before them; more are refused."""
LONGEST_HAND_S = 60.0
AUTO_S = (2.0, 600.0)
"""Bounds of the time between two throws by itself."""
KEEPING = ("lie", "beside", "away")
"""Where kept dice are: where they lay, beside the tray, out of the picture."""


class TableBusyError(RuntimeError):
    """Too much is waiting to happen already."""


class VirtualTable:
    """Takes commands from any thread; the camera's thread asks for frame after frame.

    Args:
        dice_set: thrown until something else is expected.
        seed: of every throw.
    """

    def __init__(self, dice_set: DiceSet, seed: int | None = None) -> None:
        self._lock = threading.Lock()
        self._rng = np.random.default_rng(seed)
        self._camera = camera_of()
        self._expected = Expected(dice_set, dice_set.dice_count)
        self._lying: tuple[VirtualDie, ...] = ()
        self._planned: tuple[VirtualDie, ...] = ()
        self._throw = self._planned_throw = 0
        self._acts: deque[Act] = deque()
        self._hand: Iterator[Placed] | None = None
        self._shake: Iterator[View] | None = None
        self._view = STRAIGHT
        self._frozen, self._plugged = False, True
        self._auto_s: float | None = None
        self._quiet = 0

    def truth(self) -> Truth:
        """What lies there now, and what is under way."""
        with self._lock:
            return Truth(
                self._throw,
                self._lying,
                not self._acts,
                self._planned,
                self._planned_throw,
                self._expected,
                self._view,
                self._hand is not None,
                self._frozen,
                self._plugged,
                self._auto_s,
            )

    def expect(
        self,
        dice_set: DiceSet,
        count: int | None = None,
        kept_faces: Sequence[Face] = (),
    ) -> None:
        """Say what the next throw is, if nothing else is said.

        Args:
            dice_set: which dice.
            count: how many there are, the kept ones included; None: all of the set.
            kept_faces: what the dice show that are not thrown.

        Raises:
            RollError: there are no such dice.
        """
        whole = dice_set.dice_count if count is None else count
        if not 1 <= whole <= dice_set.dice_count:
            most = dice_set.dice_count
            raise RollError("count", f"must be 1..{most}, not {whole}")
        if len(kept_faces) > whole:
            raise RollError("kept", f"must be at most {whole} faces")
        for face in kept_faces:
            if face not in dice_set.faces:
                raise RollError("kept", f"{face.code} is no face of {dice_set.name}")
        with self._lock:
            self._expected = Expected(dice_set, whole, tuple(kept_faces))

    def throw(
        self,
        faces: Sequence[Face] | None = None,
        keep: Sequence[Face] | None = None,
        keeping: str = "lie",
        cocked: Sequence[int] = (),
    ) -> tuple[int, tuple[VirtualDie, ...]]:
        """Throw dice.

        Args:
            faces: what the thrown dice are to show; None leaves it to chance.
            keep: faces of dice that lie there and stay; None: as expected. Those that
                do not lie there are taken to be set aside already.
            keeping: where kept dice are, one of `KEEPING`.
            cocked: places of thrown dice that come to lean.

        Returns:
            Number of the throw, and all dice that will lie in the picture, the thrown
            ones last in the order of `faces`.

        Raises:
            RollError: no such dice.
            TableBusyError: too much waits already.
        """
        if keeping not in KEEPING:
            raise RollError("keeping", f"must be one of {', '.join(KEEPING)}")
        with self._lock:
            expected = self._expected
            dice_set = expected.dice_set
            held = expected.kept if keep is None else tuple(keep)
            if faces is None:
                count = expected.count - len(held)
                if count < 1:
                    raise RollError("keep", "no die is left to throw")
                faces = roll_faces(self._rng, dice_set, count, held)
            check_faces(dice_set, faces, held)
            for place in cocked:
                if not 0 <= place < len(faces):
                    top = len(faces) - 1
                    raise RollError("cocked", f"must be 0..{top}, not {place}")
            self._check_room()
            kept, gone = self._split(held)
            kept = {"lie": kept, "away": ()}.get(keeping, set_aside(kept))
            new = list(strew(self._rng, faces, dice_set, kept))
            for place in cocked:
                new[place] = tipped(self._rng, new[place])
            return self._throw_now(tuple(new), kept, gone)

    def _split(
        self, held: Sequence[Face]
    ) -> tuple[tuple[VirtualDie, ...], tuple[VirtualDie, ...]]:
        """Dice that stay, and dice that a hand takes."""
        kept: list[VirtualDie] = []
        gone = list(self._planned)
        for face in held:
            die = next((die for die in gone if die.face == face), None)
            if die is not None:
                kept.append(die)
                gone.remove(die)
        return tuple(kept), tuple(gone)

    def _throw_now(
        self,
        new: tuple[VirtualDie, ...],
        kept: tuple[VirtualDie, ...],
        gone: tuple[VirtualDie, ...],
    ) -> tuple[int, tuple[VirtualDie, ...]]:
        number = self._planned_throw
        before = self._planned
        if gone or any(die not in before for die in kept):
            left = tuple(die for die in before if die not in gone)
            at = self._pixel(gone or left)
            self._add(take(self._rng, gone or left, left if gone else (), at), kept)
            self._add(pause(kept, PAUSE_S), kept)
        number += 1
        self._add(throw(self._rng, new, kept), (*kept, *new), number)
        return number, self._planned

    def _add(
        self,
        scenes: Iterator[Scene],
        after: tuple[VirtualDie, ...],
        number: int | None = None,
    ) -> None:
        self._planned = after
        self._planned_throw = self._planned_throw if number is None else number
        self._acts.append(Act(scenes, after, self._planned_throw))
        if not self._plugged:
            self._hurry()

    def _check_room(self) -> None:
        if len(self._acts) >= MOST_WAITING:
            raise TableBusyError("The table is busy: wait until the dice lie still.")

    def _pixel(self, dice: Sequence[VirtualDie]) -> tuple[float, float]:
        """Where a hand reaches for dice."""
        middle = np.mean([(die.x, die.y, SIZE_MM) for die in dice], axis=0)
        x, y = self._camera.project(middle)
        return float(x), float(y)

    def clear(self) -> None:
        """A hand takes all dice away.

        Raises:
            TableBusyError: too much waits already.
        """
        with self._lock:
            self._check_room()
            if self._planned:
                dice = self._planned
                self._add(take(self._rng, dice, (), self._pixel(dice)), ())

    def cock(self, place: int) -> None:
        """A hand tips a die that lies there.

        Raises:
            RollError: there is no such die.
            TableBusyError: too much waits already.
        """
        with self._lock:
            self._check_room()
            dice = list(self._planned)
            if not 0 <= place < len(dice):
                what = f"0..{len(dice) - 1}" if dice else "thrown first"
                raise RollError("die", f"must be {what}, not {place}")
            at = self._pixel([dice[place]])
            dice[place] = tipped(self._rng, dice[place])
            self._add(put(self._rng, self._planned, tuple(dice), at), tuple(dice))

    def hand(self, seconds: float) -> None:
        """A hand comes over the dice and stays, whatever happens meanwhile.

        Raises:
            RollError: not a time.
        """
        if not 0 <= seconds <= LONGEST_HAND_S:
            raise RollError("seconds", f"must be 0..{LONGEST_HAND_S:g}, not {seconds}")
        with self._lock:
            where = self._pixel(self._planned) if self._planned else (640.0, 360.0)
            self._hand = linger(self._rng, where, seconds)

    def glare(self, on: bool) -> None:
        """Let a lamp be mirrored in the dice, or not."""
        with self._lock:
            self._view = replace(self._view, glare=on)

    def dark(self, on: bool) -> None:
        """Put the lamp out, or on."""
        with self._lock:
            self._view = replace(self._view, dark=on)

    def nudge(self) -> None:
        """Knock against the camera: it stands a little otherwise afterwards."""
        with self._lock:
            dx, dy = (float(v) for v in self._rng.uniform(-9, 9, 2))
            turn = float(self._rng.uniform(-1.2, 1.2))
            end = replace(self._view, dx=dx, dy=dy, turn_deg=turn)
            self._shake = shake(self._rng, self._view, end)

    def straighten(self) -> None:
        """Put the camera back where it stood."""
        with self._lock:
            end = replace(self._view, dx=0.0, dy=0.0, turn_deg=0.0)
            self._shake = shake(self._rng, self._view, end)

    def freeze(self, on: bool) -> None:
        """Let the camera repeat one picture, or go on."""
        with self._lock:
            self._frozen = on

    def unplug(self) -> None:
        """Pull the camera's plug; what happens then, no picture shows."""
        with self._lock:
            self._plugged = False
            self._hurry()

    def plug_in(self) -> None:
        """Put the plug back: the camera can be opened again."""
        with self._lock:
            self._plugged = True

    @property
    def plugged(self) -> bool:
        """Whether there is a camera to be opened."""
        with self._lock:
            return self._plugged

    def auto(self, on: bool, every_s: float = 8.0) -> None:
        """Throw what is expected by itself, so long after the dice came to rest.

        Raises:
            RollError: a time outside `AUTO_S`.
        """
        low, high = AUTO_S
        if not low <= every_s <= high:
            raise RollError("every_s", f"must be {low:g}..{high:g}, not {every_s}")
        with self._lock:
            self._auto_s = every_s if on else None
            self._quiet = 0

    def _hurry(self) -> None:
        """Let everything have happened that was under way."""
        while self._acts:
            self._finish(self._acts.popleft())
        self._hand = None
        if self._shake is not None:
            for view in self._shake:
                self._turn(view)
            self._shake = None

    def _finish(self, act: Act) -> None:
        self._lying, self._throw, self._quiet = act.after, act.throw, 0

    def _turn(self, view: View) -> None:
        """Move the camera; the lamps are switched meanwhile."""
        now = self._view
        self._view = replace(view, glare=now.glare, dark=now.dark)

    def next_shot(self) -> tuple[Shot, bool]:
        """Let one frame's time pass.

        Returns:
            What the camera is pointed at, and whether it is frozen.
        """
        self._throw_if_due()
        with self._lock:
            scene = self._next_scene()
            hands = [scene.hand] if scene.hand is not None else []
            if self._hand is not None:
                hand = next(self._hand, None)
                if hand is None:
                    self._hand = None
                else:
                    hands.append(hand)
            if self._shake is not None:
                view = next(self._shake, None)
                if view is None:
                    self._shake = None
                else:
                    self._turn(view)
            shot = Shot(
                scene.still, scene.dragged, scene.flight, tuple(hands), self._view
            )
            return shot, self._frozen

    def _next_scene(self) -> Scene:
        while self._acts:
            scene = next(self._acts[0].scenes, None)
            if scene is not None:
                return scene
            self._finish(self._acts.popleft())
        self._quiet += 1
        return Scene(self._lying)

    def _throw_if_due(self) -> None:
        with self._lock:
            due = self._auto_s is not None and not self._acts
            due = due and self._quiet >= frames(self._auto_s or 0.0)
            if due:
                self._quiet = 0
        if due:
            try:
                self.throw()
            except RollError:  # all dice are kept: there is nothing to throw
                return


def card_table(seed: int | None = None) -> VirtualTable:
    """A virtual table with nine card dice."""
    return VirtualTable(bundled_dice_set("square-shooters"), seed)
