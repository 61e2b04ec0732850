"""The enrolment as the page and machines get it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from datasets.enrolment.set_folder import SETS, SetFolder
from web_ui.enrolling.grid import ALL_SIDES, dice_records, number_of, set_problems
from web_ui.enrolling.session import ENROLLING
from web_ui.enrolling.shown_dice import unfinished
from web_ui.face_records import face_record

if TYPE_CHECKING:
    from datasets.enrolment.fresh_rolls import FreshResult
    from web_ui.enrolling.desk import EnrolmentDesk
    from web_ui.enrolling.session import Session
    from web_ui.enrolling.trial import Trial

SURE = 0.9
"""A face that is less likely than this should be looked at by a person."""


def enrolment_record(desk: EnrolmentDesk) -> dict[str, Any]:
    """What goes on (schema `Enrolment`)."""
    session = desk.session
    if session is None:
        return {
            "phase": "none",
            "unfinished": list(unfinished(desk.data / ENROLLING)),
            "sets": list(SetFolder(desk.data / SETS).names()),
            "enrolment": None,
        }
    with session.lock:
        return {
            "phase": session.phase,
            "unfinished": [],
            "sets": [],
            "enrolment": _session_record(desk, session),
        }


def _session_record(desk: EnrolmentDesk, session: Session) -> dict[str, Any]:
    guide, faces, progress = session.guide, session.faces, desk.progress
    problems = set_problems(guide, faces)
    turned = guide.turned
    ready = session.phase == "showing" and len(faces) == ALL_SIDES and not problems
    return {
        "name": session.set_name,
        "opened": list(session.opened),
        "die": guide.die,
        "ask": guide.ask(),
        "told": session.told,
        "told_kind": str(session.told_kind),
        "moves": session.moves,
        "turned": None if turned is None else [turned[0], number_of(turned)],
        "taken": guide.taken,
        "wanted": guide.wanted,
        "dice": dice_records(guide, faces, session.edition),
        "unsure": sum(shown.p < SURE for shown in faces.values()),
        "problems": problems,
        "can_learn": ready and not desk.hindrance,
        "hindrance": desk.hindrance_of(session),
        "command": desk.words_of(session),
        "learned": session.is_learned,
        "learning": {
            "state": progress.state,
            "what": progress.what,
            "done": progress.done,
            "total": progress.total,
            "left_s": None if progress.left_s is None else round(progress.left_s),
            "sentence": progress.sentence,
        },
        "trial": None if session.trial is None else _trial_record(session.trial),
        "results": _result_records(session.results),
        "use": f"tableside play --set {shlex.quote(session.set_name)}"
        f" --data {shlex.quote(str(desk.data))}",
    }


def _trial_record(trial: Trial) -> dict[str, Any]:
    roll = trial.roll
    return {
        "rolls": trial.rolls,
        "wanted": trial.wanted,
        "right": trial.right,
        "faces": trial.faces,
        "faults": trial.faults(),
        "roll": None
        if roll is None
        else {
            "id": roll.number,
            "picture": f"roll.jpg?{roll.number}",
            "width_px": roll.width_px,
            "height_px": roll.height_px,
            "dice": [
                {
                    "quad": [[round(v, 1) for v in point] for point in die.quad],
                    "face": None if die.face is None else face_record(die.face),
                    "corrected": die.face != die.read,
                }
                for die in roll.dice
            ],
        },
    }


def _result_records(results: dict[str, FreshResult]) -> dict[str, Any] | None:
    if not results:
        return None
    return {
        word: {"faces": found.faces.record(), "rolls": found.rolls.record()}
        for word, found in results.items()
    }
