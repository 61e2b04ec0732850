"""Odds as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.hand_shapes import HandName
from scoring.odds import advice_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from scoring.cards import Face
    from scoring.keep_waits import Wait
    from scoring.odds import FirstRolls, Keeps
    from scoring.showdown_odds import Play, ShowdownOdds
    from scoring.war_odds import BattleOdds

Record = dict[str, object]


def codes_of(faces: Iterable[Face]) -> list[str]:
    """The codes of faces."""
    return [face.code for face in faces]


def keeps_record(keeps: Keeps, waits: tuple[Wait, ...], *, every: bool) -> Record:
    """The best keep, why, and with `every` all kept sets, the best first."""
    advice = advice_of(keeps)
    record: Record = {
        "faces": codes_of(keeps.faces),
        "value": advice.value,
        "stop": advice.stop,
        "roll": advice.roll,
        "keep": None if advice.keep is None else codes_of(advice.keep),
        "best": [keep_record(keeps, number) for number in keeps.best],
        "waits": [wait_record(wait) for wait in waits],
    }
    if every:
        record["keeps"] = [keep_record(keeps, number) for number in keeps.in_order()]
    return record


def keep_record(keeps: Keeps, number: int) -> Record:
    """One kept set; keeping everything is stopping."""
    keep = keeps.keep(number)
    return {
        "keep": codes_of(keep.kept),
        "value": keep.value,
        "exact": keep.exact,
        "type": keep.type,
    }


def wait_record(wait: Wait) -> Record:
    """What a kept set waits for."""
    return {
        "what": wait.what,
        "missing": wait.missing,
        "outs": [{"die": out.die, "faces": codes_of(out.faces)} for out in wait.outs],
        "next_roll": wait.chance,
    }


def first_rolls_record(table: FirstRolls) -> Record:
    """How many first rolls contain each hand."""
    rows = zip(HandName, table.blank, table.wild, strict=True)
    return {
        "of": table.of,
        "hands": {
            hand.value: {"jokers_blank": blank, "jokers_wild": wild}
            for hand, blank, wild in rows
        },
    }


def showdown_record(odds: ShowdownOdds) -> Record:
    """What a turn of Showdown can bring."""
    return {
        "rows": {row: _play_record(play) for row, play in odds.rows},
        "points": _play_record(odds.points),
    }


def _play_record(play: Play) -> Record:
    return {
        "value": float(play.value),
        "exactly": str(play.value),
        "stop": _number(play.stop),
        "roll": _number(play.roll),
        "keeps": [codes_of(keep) for keep in play.keeps],
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def war_record(odds: BattleOdds) -> Record:
    """How a battle of War ends."""
    return {
        "red": float(odds.red),
        "black": float(odds.black),
        "cases": {
            case.case: {
                "red": float(case.red),
                "black": float(case.black),
                "exactly": [str(case.red), str(case.black)],
            }
            for case in odds.cases
        },
        "level": float(odds.level),
        "joker": float(odds.joker),
    }
