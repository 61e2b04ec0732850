"""The review desk: lists captures, judges labels, keeps and undoes decisions."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from datasets.captures.album import Album, StaleError
from datasets.captures.capture import CapturedDie, Origin, Review
from datasets.captures.fields import CaptureError
from datasets.captures.files import sha256
from datasets.captures.listing import Filter, Order
from datasets.captures.sidecar import sidecar_text
from datasets.enrolment.set_folder import find_dice_set
from scoring.dice_sets import DiceSetError
from web_ui.captures.opening import MEGABYTE, WAIT_S, captures_folder
from web_ui.reviewing.judging import PostedDie, Remark, judge
from web_ui.reviewing.records import (
    capture_record,
    entry_record,
    judged_record,
    set_record,
    tally_record,
)

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.captures.capture import Capture
    from scoring.dice_sets import DiceSet
    from web_ui.reviewing.judging import Judged
    from web_ui.settings import CaptureSettings

MOST_UNDO = 500
"""Decisions that are remembered, to be undone."""
REMOVED_AT_ONCE = 100
"""Captures set aside that one request removes for good."""


class NoCaptureError(LookupError):
    """There is no such capture, or no longer."""


class ChangedError(RuntimeError):
    """Somebody else changed the capture meanwhile.

    Attributes:
        record: the capture as it is now.
    """

    def __init__(self, record: dict[str, Any]) -> None:
        who = {die["role"] for die in record["dice"] if die["role"]}
        by = f" by {', '.join(sorted(who))}" if who else ""
        super().__init__(f"this picture was changed{by} meanwhile: look at it again")
        self.record = record


class BlockedError(ValueError):
    """Labels that break the rules of their set.

    Attributes:
        remarks: what is wrong with them.
    """

    def __init__(self, remarks: tuple[Remark, ...]) -> None:
        first = next(one for one in remarks if one.blocks != "never")
        super().__init__(f"{first.sentence}. {first.resolve}")
        self.remarks = remarks


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided about a capture.

    Attributes:
        seen: version that it was decided on.
        review: what becomes of it.
        dice: what is in the picture; None to leave it.
        meant: what breaks a rule is really so.
    """

    seen: str
    review: Review
    dice: tuple[PostedDie, ...] | None = None
    meant: bool = False


class ReviewDesk:
    """Used by many web threads at once.

    Args:
        data: folder of the table.
        settings: what is kept, and how much.
        album: open already; None to open it when first asked for.
    """

    def __init__(
        self, data: Path, settings: CaptureSettings, album: Album | None = None
    ) -> None:
        self.data, self.settings = data, settings
        self.folder = captures_folder(data) if album is None else album.folder
        self._album = album
        self._guard = threading.Lock()
        self._before: OrderedDict[tuple[str, str], Capture] = OrderedDict()

    @property
    def album(self) -> Album:
        """The album.

        Raises:
            CaptureError: it cannot be used.
        """
        with self._guard:
            if self._album is None:
                budget = self.settings.budget_mb * MEGABYTE
                self._album = Album(self.folder, budget, wait_s=WAIT_S)
            return self._album

    def overview(self) -> dict[str, Any]:
        """What is kept, and how many there are."""
        return {"keep": self.settings.keep, **tally_record(self.album.tally())}

    def listed(
        self, which: Filter, order: Order, start: int, count: int
    ) -> dict[str, Any]:
        """A part of a list."""
        page = self.album.page(which, order, start, count)
        return {
            "captures": [entry_record(entry) for entry in page.entries],
            "start": page.start,
            "total": page.total,
        }

    def beside(
        self, which: Filter, order: Order, name: str, count: int, *, before: bool
    ) -> dict[str, Any]:
        """What follows a capture in a list, or comes before it.

        The capture need not be in the list any more: it was there until it was decided.

        Raises:
            NoCaptureError: there is no such capture.
        """
        self._known(name)
        place, there = self.album.place(name, which, order)
        if not before:
            return self.listed(which, order, place + there, count)
        start = max(0, place - count)
        return self.listed(which, order, start, place - start)

    def capture(self, name: str) -> dict[str, Any]:
        """One capture whole.

        Raises:
            NoCaptureError: there is none.
            CaptureError: its sidecar cannot be used.
        """
        while True:
            self._known(name)
            version = self.album.entry(name).sidecar
            capture = self.album.get(name)
            # what was read must be what the version says, whoever writes meanwhile
            if self.album.entry(name).sidecar == version:
                return self._record(capture, version)

    def picture(self, name: str) -> bytes:
        """The JPEG of a capture.

        Raises:
            NoCaptureError: there is none.
            CaptureError: it was damaged.
        """
        self._known(name)
        return self.album.picture(name)

    def _known(self, name: str) -> None:
        try:
            self.album.entry(name)
        except CaptureError as error:
            raise NoCaptureError(
                f"there is no picture {name:.40}: it may have been removed"
            ) from error

    def _record(self, capture: Capture, version: str) -> dict[str, Any]:
        with self._guard:
            undo = (capture.id, version) in self._before
        return capture_record(capture, version, undo=undo)

    def dice_set(self, name: str) -> DiceSet | None:
        """The dice set of that name; None if it is not known here."""
        try:
            return find_dice_set(name, self.data)
        except DiceSetError:
            return None

    def set_record(self, name: str) -> dict[str, Any]:
        """A dice set for the page."""
        return set_record(name, self.dice_set(name))

    def check(self, name: str, dice: tuple[PostedDie, ...]) -> dict[str, Any]:
        """Judge labels that are still being typed.

        Raises:
            NoCaptureError: there is no such capture.
        """
        self._known(name)
        return judged_record(self._judged(self.album.get(name), dice))

    def _judged(self, capture: Capture, dice: tuple[PostedDie, ...]) -> Judged:
        dice_set = self.dice_set(capture.dice_set)
        return judge(dice, capture.width_px, capture.height_px, dice_set)

    def decide(self, name: str, decision: Decision, by: str) -> dict[str, Any]:
        """Keep a decision about a capture.

        Args:
            name: id of the capture.
            decision: what becomes of it.
            by: who decides.

        Raises:
            NoCaptureError: there is no such capture.
            ChangedError: somebody else changed it meanwhile; nothing has changed.
            BlockedError: the labels break a rule; nothing has changed.
            CaptureError: it cannot be written.
        """
        self._known(name)

        def decided(before: Capture) -> Capture:
            dice = before.dice
            if decision.dice is not None:
                judged = self._judged(before, decision.dice)
                # what is set aside, or waits, may be half labelled
                done = decision.review is Review.REVIEWED
                if judged.blocked(meant=decision.meant or not done):
                    raise BlockedError(judged.remarks)
                dice = _named(before, judged, by)
            elif decision.review is Review.REVIEWED:
                dice = tuple(_vouched(die, by) for die in dice)
            return replace(before, dice=dice, review=decision.review)

        return self._change(name, decided, decision.seen)

    def undo(self, name: str, seen: str) -> dict[str, Any]:
        """Make a capture again what it was before the decision that led to `seen`.

        Raises:
            NoCaptureError: there is no such capture, or nothing to undo.
            ChangedError: somebody else changed it meanwhile.
            CaptureError: it cannot be written.
        """
        self._known(name)
        with self._guard:
            before = self._before.get((name, seen))
        if before is None:
            if self.album.entry(name).sidecar != seen:
                raise ChangedError(self.capture(name))
            raise NoCaptureError("there is no decision here that can be undone")
        return self._change(name, lambda _: before, seen, remember=False)

    def _change(
        self, name: str, how: Any, seen: str, *, remember: bool = True
    ) -> dict[str, Any]:
        known: list[Capture] = []

        def noted(before: Capture) -> Capture:
            known.append(before)
            after: Capture = how(before)
            return after

        try:
            after = self.album.change(name, noted, seen)
        except StaleError as error:
            raise ChangedError(self.capture(name)) from error
        version = sha256(sidecar_text(after).encode("utf-8"))
        with self._guard:
            if remember and after != known[0]:
                self._before[name, version] = known[0]
                while len(self._before) > MOST_UNDO:
                    self._before.popitem(last=False)
            elif not remember:
                self._before.pop((name, seen), None)
        return self._record(after, version)

    def remove(self, name: str, seen: str) -> None:
        """Remove a capture with its files, for good.

        Raises:
            NoCaptureError: there is none.
            ChangedError: somebody else changed it meanwhile.
            CaptureError: the folder cannot be written.
        """
        self._known(name)
        try:
            self.album.drop(name, seen=seen)
        except StaleError as error:
            raise ChangedError(self.capture(name)) from error
        self._forget(name)

    def remove_set_aside(self) -> dict[str, int]:
        """Remove some of what was set aside, for good; tells how many are left."""
        which = Filter(review=Review.DROPPED)
        page = self.album.page(which, Order.OLDEST, 0, REMOVED_AT_ONCE)
        removed = 0
        for entry in page.entries:
            try:
                self.album.drop(entry.id, seen=entry.sidecar)
            except StaleError:
                continue  # somebody took it back this very moment
            self._forget(entry.id)
            removed += 1
        return {"removed": removed, "left": self.album.page(which, count=0).total}

    def _forget(self, name: str) -> None:
        """Nothing of a removed picture stays, in memory neither."""
        with self._guard:
            for key in [key for key in self._before if key[0] == name]:
                del self._before[key]


def _named(before: Capture, judged: Judged, by: str) -> tuple[CapturedDie, ...]:
    """Dice as a person states them; drawn ones that stay as they are stay drawn."""
    drawn = [die for die in before.dice if die.origin is Origin.DRAWN]
    dice = []
    for posted, face in zip(judged.dice, judged.faces, strict=True):
        same = (posted.quad, face, posted.state)
        kept = [die for die in drawn if (die.quad, die.face, die.state) == same]
        new = CapturedDie(posted.quad, face, posted.state, Origin.PERSON, by)
        dice.append(kept[0] if kept else new)
    return tuple(dice)


def _vouched(die: CapturedDie, by: str) -> CapturedDie:
    if die.origin is Origin.MODEL:
        return replace(die, origin=Origin.PERSON, role=by)
    return die
