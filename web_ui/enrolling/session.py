"""One enrolment that is going on: its thread looks, people's orders come in between."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.enrolment.set_folder import SETS, SetFolder, has_reader
from datasets.enrolment.shots import ShotError, take_shot
from datasets.shards import DataSetError
from scoring.dice_sets import DiceSetError
from vision.errors import VisionError
from web_ui.enrolling.grid import faces_of
from web_ui.enrolling.guide import EnrolmentGuide
from web_ui.enrolling.lookout import Lookout
from web_ui.enrolling.shown_dice import ShownDice, as_kept
from web_ui.enrolling.trial import Trial
from web_ui.enrolling.trial_result import tried_both

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.enrolment.faces_shown import ShownFace, Side
    from datasets.enrolment.fresh_rolls import FreshResult
    from vision.ports import Frame
    from vision.reader import RollReader
    from web_ui.live_picture import LivePicture

log = logging.getLogger(__name__)

ENROLLING = "enrolling"
"""Folder of all enrolments that are going on, in the data folder."""
ATTENDED_S = 15.0
"""A session that no page asks about for so long looks no more, so that a page which
was closed does not keep the table from being read."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Loads what reads; each takes a second or two.

    Attributes:
        plain: the reader before anything is learned.
        own: the reader of an enrolled set, by its folder.
        models: folder of the models that is learned from; None for the bundled ones.
    """

    plain: Callable[[], RollReader]
    own: Callable[[Path], RollReader]
    models: Callable[[], Path | None]


class Session(threading.Thread):
    """Looks at the camera for one enrolment.

    Everything below is read and changed with `lock` held.

    Args:
        name: of the set.
        data: the table's folder.
        live: the pictures of the camera.
        readers: loads what reads.
    """

    def __init__(
        self, name: str, data: Path, live: LivePicture, readers: Readers
    ) -> None:
        super().__init__(name="enrolment", daemon=True)
        self.set_name, self.data = name, data
        self.folder = data / ENROLLING / name
        self.lock = threading.RLock()
        self.phase = "opening"
        """`opening`, `showing`, `learning`, `loading`, `trying`, `judging`, `failed`,
        in which nothing works any more."""
        self.guide = EnrolmentGuide(ShownDice(self.folder))
        self.trial: Trial | None = None
        self.results: dict[str, FreshResult] = {}
        self.told, self.told_kind = "", ""
        self.moves = False
        self.edition = 0
        """Counts changes of what was shown."""
        self.opened = (0, 0)
        """Pictures of before that were looked at, and all of them."""
        self.asked_at = time.monotonic()
        """When a page asked last."""
        self._faces: tuple[int, dict[Side, ShownFace]] = (-1, {})
        self._live, self._readers = live, readers
        self._plain: RollReader | None = None
        self._own: RollReader | None = None
        self._lookout = Lookout()
        self._stopping = threading.Event()

    @property
    def faces(self) -> dict[Side, ShownFace]:
        """What the sides are thought to be; all matched anew when one changes."""
        if self._faces[0] != self.edition:
            self._faces = (self.edition, faces_of(self.guide.shown))
        return self._faces[1]

    @property
    def is_learned(self) -> bool:
        """Whether there is a reader of the set."""
        place = self.data / SETS / self.set_name
        known = self.set_name in SetFolder(self.data / SETS).names()
        return known and has_reader(place)

    @property
    def looks(self) -> bool:
        """Whether it looks at the camera's pictures, so that the table should not."""
        attended = time.monotonic() - self.asked_at < ATTENDED_S
        return attended and self.phase in ("opening", "showing", "loading", "trying")

    def changed(self) -> None:
        """What was shown has changed: look at the picture anew."""
        self.edition += 1
        self._lookout.forget()

    def say(self, sentence: str, kind: str = "refused") -> None:
        """Tell people something: `taken`, `refused` or plain news, ``."""
        self.told, self.told_kind = sentence, kind

    def run(self) -> None:
        """Look until stopped."""
        try:
            self._open()
            number = 0
            while not self._stopping.is_set():
                self._work()
                newest = self._live.frame_after(number, 0.2)
                if newest is not None:
                    number = newest[0]
                    self._see(newest[1])
        except (VisionError, DataSetError, DiceSetError, OSError) as error:
            self._fail(str(error))
        except Exception as error:  # told on the page: a person waits there
            log.exception("the enrolment failed")
            self._fail(str(error))

    def _fail(self, sentence: str) -> None:
        with self.lock:
            self.phase = "failed"
            self.say(sentence)

    def _open(self) -> None:
        self._plain = self._readers.plain()
        shown = ShownDice(self.folder)
        shown.load(self._plain, self._count)
        with self.lock:
            self.guide = EnrolmentGuide(shown)
            self.phase = "showing"
            self.changed()

    def _count(self, done: int, total: int) -> None:
        self.opened = (done, total)
        if self._stopping.is_set():
            raise DataSetError("stopped")

    def _work(self) -> None:
        """What takes long and was ordered."""
        if self.phase == "loading":
            self._begin_trial()
        elif self.phase == "judging":
            self._judge_trial()

    def _see(self, frame: Frame) -> None:
        if self.phase not in ("showing", "trying") or not self.looks:
            return
        worth = self._lookout.worth(frame)
        with self.lock:
            self.moves = self._lookout.moves
            busy = self.trial is not None and self.trial.roll is not None
        if not worth or busy:
            return
        if self.phase == "showing":
            self._look(frame)
        else:
            self._try(frame)

    def _look(self, frame: Frame) -> None:
        assert self._plain is not None
        with self.lock:
            asked, edition = self.guide.die, self.edition
            if self.guide.is_done:
                return
        jpeg, image = as_kept(frame.image)
        try:
            shot = take_shot(self._plain, image, asked, "shown")
        except ShotError as error:
            self._refuse(frame, f"{_sentence(str(error))}.")
            return
        with self.lock:
            if self.phase != "showing" or (asked, edition) != (
                self.guide.die,
                self.edition,
            ):
                return  # a person has ordered something meanwhile
            try:
                verdict = self.guide.judge(jpeg, shot)
            except OSError as error:
                self._refuse(frame, f"The picture cannot be kept: {error}.")
                return
            self.say(verdict.sentence, verdict.told)
            self._lookout.took(frame)
            if verdict.side is not None:
                self.edition += 1

    def _refuse(self, frame: Frame, sentence: str) -> None:
        with self.lock:
            self.say(sentence)
            self._lookout.refused(frame)

    def _begin_trial(self) -> None:
        place = self.data / SETS / self.set_name
        try:
            own = self._readers.own(place)
        except (VisionError, DiceSetError) as error:
            with self.lock:
                self.phase = "showing"
                self.say(_sentence(f"{error}."))
            return
        with self.lock:
            self._own = own
            self.trial, self.results = Trial(self.folder, own.dice_set), {}
            self.phase = "trying"
            self.say("", "")
            self._lookout.forget()

    def _try(self, frame: Frame) -> None:
        assert self._own is not None
        reading = self._own.read(frame.image)
        with self.lock:
            if self.trial is None or self.phase != "trying":
                return
            why = self.trial.offer(frame.image, reading)
            if why:
                self.say(why)
                self._lookout.refused(frame)
            else:
                self.say("Is this right?", "taken")
                self._lookout.took(frame)

    def _judge_trial(self) -> None:
        assert self._plain is not None
        assert self._own is not None
        assert self.trial is not None
        place = self.data / SETS / self.set_name
        results = tried_both(self._plain, self._own, self.trial, place)
        with self.lock:
            self.results, self.phase = results, "showing"
            self.trial, self._own = None, None
            self.say("", "")

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        self._stopping.set()
        if self.is_alive():
            self.join(deadline_s)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].removesuffix(".")
