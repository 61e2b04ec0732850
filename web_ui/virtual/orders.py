"""Commands to the virtual table as JSON, and its truth as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from scoring.cards import FaceCodeError, parse_face
from scoring.dice_sets import DiceSetError, bundled_dice_set
from web_ui.virtual.painter import camera_of, seen_at
from web_ui.virtual.rolls import RollError
from web_ui.virtual.shots import SIZE_MM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.cards import Face
    from web_ui.virtual.shots import View, VirtualDie
    from web_ui.virtual.table import VirtualTable
    from web_ui.virtual.truth import Truth

FIELDS: Mapping[str, tuple[str, ...]] = {
    "throw": ("faces", "keep", "keeping", "cocked"),
    "expect": ("dice_set", "count", "kept"),
    "clear": (),
    "hand": ("seconds",),
    "glare": ("on",),
    "dark": ("on",),
    "cock": ("die",),
    "nudge": (),
    "straighten": (),
    "freeze": ("on",),
    "unplug": (),
    "plug_in": (),
    "auto": ("on", "every_s"),
}
"""What can be done, and what is said with it."""
MOST_LISTED = 20


def carry_out(table: VirtualTable, body: object) -> None:
    """Do what a command says.

    Args:
        table: the table.
        body: as JSON gives it: `{"do": "throw", "faces": ["AS", "KH"]}`.

    Raises:
        RollError: it cannot be done; names the field.
        TableBusyError: too much waits already.
    """
    if not isinstance(body, dict):
        raise RollError("body", "must be a JSON object")
    fields = cast("dict[str, Any]", body)
    what = fields.get("do")
    if not isinstance(what, str) or what not in FIELDS:
        raise RollError("do", f"must be one of {', '.join(FIELDS)}")
    for key in fields:
        if key != "do" and key not in FIELDS[what]:
            known = ", ".join(FIELDS[what]) or "nothing"
            raise RollError(str(key)[:40], f"is unknown; {what} takes {known}")
    match what:
        case "throw":
            faces, keep = _faces(fields, "faces"), _faces(fields, "keep")
            keeping = _text(fields, "keeping", "lie")
            table.throw(faces, keep, keeping, _places(fields, "cocked"))
        case "expect":
            kept = _faces(fields, "kept") or ()
            count = None if fields.get("count") is None else _whole(fields, "count")
            name = _text(fields, "dice_set", "square-shooters")
            try:
                dice_set = bundled_dice_set(name)
            except DiceSetError as error:
                raise RollError("dice_set", str(error)) from error
            table.expect(dice_set, count, kept)
        case "hand":
            table.hand(_number(fields, "seconds", 2.0))
        case "cock":
            table.cock(_whole(fields, "die"))
        case "glare":
            table.glare(_truth(fields, "on"))
        case "dark":
            table.dark(_truth(fields, "on"))
        case "freeze":
            table.freeze(_truth(fields, "on"))
        case "auto":
            table.auto(_truth(fields, "on"), _number(fields, "every_s", 8.0))
        case "clear":
            table.clear()
        case "nudge":
            table.nudge()
        case "straighten":
            table.straighten()
        case "unplug":
            table.unplug()
        case _:
            table.plug_in()


def _faces(fields: Mapping[str, Any], key: str) -> tuple[Face, ...] | None:
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > MOST_LISTED:
        raise RollError(key, f"must be a list of at most {MOST_LISTED} face codes")
    out = []
    for code in value:
        if not isinstance(code, str):
            raise RollError(key, f"a face is a text, not {code!r:.40}")
        try:
            out.append(parse_face(code[:20]))
        except FaceCodeError as error:
            raise RollError(key, str(error)) from error
    return tuple(out)


def _places(fields: Mapping[str, Any], key: str) -> tuple[int, ...]:
    value = fields.get(key, [])
    if not isinstance(value, list) or len(value) > MOST_LISTED:
        raise RollError(key, f"must be a list of at most {MOST_LISTED} places")
    return tuple(_whole({key: item}, key) for item in value)


def _whole(fields: Mapping[str, Any], key: str) -> int:
    value = fields.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RollError(key, f"must be a whole number, not {value!r:.40}")
    return value


def _number(fields: Mapping[str, Any], key: str, usual: float) -> float:
    value = fields.get(key, usual)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise RollError(key, f"must be a number, not {value!r:.40}")
    try:
        return float(value)
    except OverflowError:
        raise RollError(key, "is too large") from None


def _truth(fields: Mapping[str, Any], key: str) -> bool:
    value = fields.get(key)
    if not isinstance(value, bool):
        raise RollError(key, f"must be true or false, not {value!r:.40}")
    return value


def _text(fields: Mapping[str, Any], key: str, usual: str) -> str:
    value = fields.get(key, usual)
    if not isinstance(value, str):
        raise RollError(key, f"must be a text, not {value!r:.40}")
    return value


def truth_record(truth: Truth) -> dict[str, Any]:
    """Write what lies on the table, for JSON."""
    expected = truth.expected
    return {
        "throw": truth.throw,
        "resting": truth.resting,
        "dice": [_die_record(die, truth.view) for die in truth.dice],
        "planned": {
            "throw": truth.planned_throw,
            "faces": [die.face.code for die in truth.planned],
        },
        "expected": {
            "dice_set": expected.dice_set.name,
            "count": expected.count,
            "kept": [face.code for face in expected.kept],
        },
        "glare": truth.view.glare,
        "dark": truth.view.dark,
        "nudged": (truth.view.dx, truth.view.dy, truth.view.turn_deg) != (0, 0, 0),
        "hand": truth.hand,
        "frozen": truth.frozen,
        "plugged": truth.plugged,
        "auto_s": truth.auto_s,
    }


def _die_record(die: VirtualDie, view: View) -> dict[str, Any]:
    at = camera_of().project(np.array([die.x, die.y, SIZE_MM]))
    x, y = (round(float(v), 1) for v in seen_at(at, view))
    return {"face": die.face.code, "x": x, "y": y, "cocked": die.lean_deg > 0}
