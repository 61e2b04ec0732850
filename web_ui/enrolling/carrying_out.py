"""What each order does to the enrolment that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web_ui.enrolling.grid import side_of
from web_ui.enrolling.refusals import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from datasets.enrolment.faces_shown import Side
    from web_ui.enrolling.orders import EnrolmentOrder
    from web_ui.enrolling.session import Session
    from web_ui.enrolling.trial import Trial

    Work = Callable[[Session, EnrolmentOrder], None]


def _showing(session: Session) -> None:
    if session.phase != "showing":
        raise RefusedError("Not now: wait for what is being done, or finish the rolls.")


def _shown(session: Session, order: EnrolmentOrder) -> Side:
    _showing(session)
    side = side_of(order.die, order.side)
    if side not in session.guide.shown.sides:
        raise RefusedError(f"Side {order.side} of die {order.die} was not shown yet.")
    return side


def _go(session: Session, order: EnrolmentOrder) -> None:
    _showing(session)
    session.guide.go(order.die)
    session.changed()
    session.say("", "")


def _undo(session: Session, order: EnrolmentOrder) -> None:
    _showing(session)
    if not session.guide.undo():
        raise RefusedError(
            "No picture was taken just now: choose the side that is to be shown again."
        )
    session.changed()
    session.say("", "")


def _new_side(session: Session, order: EnrolmentOrder) -> None:
    _showing(session)
    if session.guide.shown.free_side(session.guide.die) is None:
        raise RefusedError(f"Die {session.guide.die} has six sides already.")
    session.guide.insists = True
    session.changed()


def _retake(session: Session, order: EnrolmentOrder) -> None:
    session.guide.retake(_shown(session, order))
    session.changed()
    session.say("", "")


def _retake_die(session: Session, order: EnrolmentOrder) -> None:
    _showing(session)
    session.guide.retake_die(order.die)
    session.changed()
    session.say("", "")


def _say(session: Session, order: EnrolmentOrder) -> None:
    side = _shown(session, order)
    assert order.face is not None
    for other, face in session.guide.shown.said.items():
        if face == order.face and other != side:
            raise RefusedError(
                f"{face.code} was said of die {other[0]}, side"
                f" {other[1].removeprefix('side')}: each face is there once."
            )
    session.guide.shown.say(side, order.face)
    session.edition += 1


def _unsay(session: Session, order: EnrolmentOrder) -> None:
    session.guide.shown.say(_shown(session, order), None)
    session.edition += 1


def _try(session: Session, order: EnrolmentOrder) -> None:
    _showing(session)
    if not session.is_learned:
        raise RefusedError("There is no reader of these dice yet: learn first.")
    session.phase = "loading"


def _trial(session: Session) -> Trial:
    if session.trial is None or session.phase != "trying":
        raise RefusedError("No rolls are being tried.")
    return session.trial


def _correct(session: Session, order: EnrolmentOrder) -> None:
    assert order.face is not None
    _trial(session).correct(order.roll, order.place, order.face)


def _right(session: Session, order: EnrolmentOrder) -> None:
    trial = _trial(session)
    trial.confirm(order.roll)
    session.say("Kept. Roll all nine dice again.", "taken")
    if trial.is_done:
        session.phase = "judging"


def _pass(session: Session, order: EnrolmentOrder) -> None:
    _trial(session).pass_over(order.roll)
    session.say("Left out. Roll all nine dice again.", "")


def _finish(session: Session, order: EnrolmentOrder) -> None:
    _trial(session)
    session.phase = "judging"


SESSION_ORDERS: Mapping[str, Work] = {
    "go": _go,
    "undo": _undo,
    "new_side": _new_side,
    "retake": _retake,
    "retake_die": _retake_die,
    "say": _say,
    "unsay": _unsay,
    "try": _try,
    "correct": _correct,
    "right": _right,
    "pass": _pass,
    "finish": _finish,
}
"""Each with the session's lock held."""
