"""Where web threads look at the enrolment and hand in orders; one goes on at a time."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from datasets.enrolment.set_folder import SETS, check_set_name
from datasets.shards import DataSetError
from scoring.dice_sets import DiceSetError
from web_ui.enrolling.carrying_out import SESSION_ORDERS
from web_ui.enrolling.grid import ALL_SIDES, crop_of, set_problems, side_of
from web_ui.enrolling.learning import (
    Learning,
    Progress,
    can_learn,
    enrol_command,
    how_elsewhere,
    words_elsewhere,
)
from web_ui.enrolling.refusals import RefusedError
from web_ui.enrolling.session import ENROLLING, Session
from web_ui.enrolling.shown_dice import forget
from web_ui.extras import install_words
from web_ui.live_picture import encode_jpeg

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from web_ui.enrolling.orders import EnrolmentOrder
    from web_ui.enrolling.session import Readers
    from web_ui.live_picture import LivePicture

    Command = Callable[[str, Path, Path, Path | None], list[str]]

END_S = 3.0
ROLL_WIDTH_PX = 1280
ROLL_QUALITY = 85


class EnrolmentDesk:
    """Keeps the one enrolment that goes on.

    Args:
        live: the pictures of the camera.
        data: the table's folder.
        readers: loads what reads.
        command: makes the program that learns a set.
        possible: whether a set can be learned on this machine.
    """

    def __init__(
        self,
        live: LivePicture,
        data: Path,
        readers: Readers,
        command: Command = enrol_command,
        possible: Callable[[], bool] = can_learn,
    ) -> None:
        self._live, self._readers, self._command = live, readers, command
        self._possible = possible
        self.data = data
        self._lock = threading.RLock()
        self._session: Session | None = None
        self._learning: Learning | None = None

    @property
    def looks(self) -> bool:
        """Whether the camera is looked at for an enrolment; from any thread."""
        session = self._session
        return session is not None and session.looks

    @property
    def session(self) -> Session | None:
        """The enrolment that goes on; whoever asks is taken to look at it."""
        session = self._session
        if session is not None:
            session.asked_at = time.monotonic()
        return session

    @property
    def progress(self) -> Progress:
        """How far learning is."""
        learning = self._learning
        return Progress() if learning is None else learning.progress

    @property
    def hindrance(self) -> str:
        """Why nothing can be learned on this machine; empty if it can."""
        if self._possible():
            return ""
        how = install_words("train")
        return f"Learning needs PyTorch, which is not installed here: {how}."

    def hindrance_of(self, session: Session) -> str:
        """The same, and how to learn what was shown on another machine."""
        if not (why := self.hindrance):
            return ""
        sets, models = self.data / SETS, self._readers.models()
        return f"{why} {how_elsewhere(session.folder, sets, models)}"

    def words_of(self, session: Session) -> str:
        """The command that learns what was shown on another machine, to be typed."""
        return words_elsewhere(session.folder, self._readers.models())

    def carry_out(self, order: EnrolmentOrder) -> None:
        """Do what was ordered.

        Raises:
            RefusedError: it cannot be done now; says why.
        """
        with self._lock:
            try:
                self._carry_out(order)
            except (DataSetError, DiceSetError, OSError) as error:
                raise RefusedError(str(error)) from error

    def _carry_out(self, order: EnrolmentOrder) -> None:
        match order.do:
            case "begin":
                self._begin(order.name)
            case "forget":
                self._forget(order.name)
            case "leave":
                self.stop()
            case "learn":
                self._learn()
            case "cancel":
                self._cancel()
            case do:
                session = self._open_session()
                with session.lock:
                    SESSION_ORDERS[do](session, order)

    def _open_session(self) -> Session:
        session = self._session
        if session is None:
            raise RefusedError("No set is being enrolled: begin with its name.")
        if session.phase == "opening":
            raise RefusedError("The reader is being loaded: a moment, please.")
        return session

    def _begin(self, name: str) -> None:
        check_set_name(name)
        now = self._session
        if now is not None and now.phase != "failed":
            if now.set_name == name:
                return  # a second browser, or a second press
            raise RefusedError(f"{now.set_name} is being enrolled: leave it first.")
        self.stop()
        self._session = Session(name, self.data, self._live, self._readers)
        self._session.start()

    def _forget(self, name: str) -> None:
        check_set_name(name)
        if self._session is not None and self._session.set_name == name:
            raise RefusedError("Leave it first.")
        forget(self.data / ENROLLING / name)

    def _learn(self) -> None:
        session = self._open_session()
        if self.progress.state == "running":
            return
        if self.hindrance:
            raise RefusedError(self.hindrance)
        with session.lock:
            if session.phase != "showing":
                raise RefusedError("Finish the rolls first.")
            faces = session.faces
            if len(faces) < ALL_SIDES:
                raise RefusedError(
                    f"{ALL_SIDES - len(faces)} of {ALL_SIDES} sides were not shown yet."
                )
            if problems := set_problems(session.guide, faces):
                raise RefusedError(problems[0])
            session.guide.shown.say_all({s: shown.face for s, shown in faces.items()})
            session.edition += 1
            words = self._command(
                session.set_name, session.folder, self.data, self._readers.models()
            )
            session.phase = "learning"
            session.results = {}
            session.say("", "")
        try:
            self._learning = Learning(words, lambda progress: _ended(session, progress))
        except OSError:
            _ended(session, Progress("failed", sentence="Python cannot be started."))
            raise

    def _cancel(self) -> None:
        learning, session = self._learning, self._session
        if learning is None or learning.progress.state != "running":
            raise RefusedError("Nothing is being learned.")
        learning.cancel()
        if session is not None:
            with session.lock:
                session.phase = "showing"

    def side_picture(self, die: int, number: int) -> bytes | None:
        """The face of a side as JPEG; None if it was not shown."""
        session = self._session
        if session is None:
            return None
        with session.lock:
            return crop_of(session.guide.shown, side_of(die, number))

    def roll_picture(self) -> bytes | None:
        """The roll that waits for a person as JPEG; None if none does."""
        session = self._session
        trial = None if session is None else session.trial
        image = None if trial is None else trial.picture
        if image is None:
            return None
        return encode_jpeg(image, ROLL_WIDTH_PX, ROLL_QUALITY)

    def stop(self) -> None:
        """Leave the enrolment; pictures stay. A learning that runs is given up."""
        with self._lock:
            if self._learning is not None and self.progress.state == "running":
                self._learning.cancel()
            session, self._session, self._learning = self._session, None, None
        if session is not None:
            session.stop(END_S)


def _ended(session: Session, progress: Progress) -> None:
    with session.lock:
        if session.phase != "learning":
            return
        session.phase = "showing"
        if progress.state == "failed":
            session.say(progress.sentence)
