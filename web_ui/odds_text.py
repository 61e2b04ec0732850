"""Odds in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import Card
from scoring.hand_shapes import HandName
from scoring.hands import title
from scoring.odds import TIE, advice_of
from scoring.war_odds import CASES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.cards import Face
    from scoring.keep_waits import Out, Wait
    from scoring.odds import FirstRolls, Keeps
    from scoring.showdown_odds import Play, ShowdownOdds
    from scoring.turn_ends import Goal
    from scoring.war_odds import BattleOdds

MOST_TOLD = 4
"""Equally good keeps that are named; of more only how many there are."""

MOST_FACES = 18
"""Faces waited for that are named."""


def keeps_text(
    keeps: Keeps, goal: Goal, waits: tuple[Wait, ...], *, every: bool
) -> list[str]:
    """What to do with the dice, why, and with `every` all kept sets."""
    unit = "chance" if goal.target is None else "chips"
    advice = advice_of(keeps)
    numbers = keeps.best
    if len(numbers) == 1:
        kept = _kept(keeps.kept(numbers[0]))
    else:
        some = "; ".join(_kept(keeps.kept(number)) for number in numbers[:MOST_TOLD])
        more = len(numbers) - MOST_TOLD
        kept = f"several keeps are equally good: {some}"
        kept += f"; {more} more" if more > 0 else ""
    better = "stop" if advice.stop >= advice.roll - TIE else "roll"
    lines = [
        f"stop: {unit} {advice.stop:.9f}",
        f"roll: {unit} {advice.roll:.9f} ({kept})",
        f"best: {better}",
    ]
    if goal.target is not None:
        keep = keeps.keep(numbers[0])
        lines.append(f"  ends exact {keep.exact:.6f}, with the type {keep.type:.6f}")
    lines += [f"  {_waits_for(wait, goal)}" for wait in waits]
    return [*lines, *_all_keeps(keeps, goal)] if every else lines


def _all_keeps(keeps: Keeps, goal: Goal) -> list[str]:
    unit = "chance" if goal.target is None else "chips"
    ends = goal.target is not None
    lines = ["", f"{unit:>12}" + ("     exact      type" if ends else "") + "  keep"]
    for number in keeps.in_order():
        keep = keeps.keep(number)
        line = f"{keep.value:12.9f}"
        if ends:
            line += f"  {keep.exact:.6f}  {keep.type:.6f}"
        everything = number == len(keeps.value) - 1
        kept = " ".join(face.code for face in keep.kept) or "nothing"
        lines.append(f"{line}  {'stop' if everything else kept}")
    return lines


def _kept(faces: Iterable[Face]) -> str:
    return "keep " + (" ".join(face.code for face in faces) or "nothing")


def _waits_for(wait: Wait, goal: Goal) -> str:
    what = "the exact cards" if wait.what == "exact" else title(goal.hand).lower()
    if wait.missing is None:
        return f"{what}: cannot come in the next roll with these kept"
    chance = f"{wait.chance:.6f} in the next roll"
    match wait.missing:
        case 0:
            return f"{what}: there already"
        case 1:
            return f"{what}: waits for {_outs(wait.outs, ' or ')}: {chance}"
        case _:
            named = _outs(wait.outs, ", ")
            return f"{what}: needs {wait.missing} more, from {named}: {chance}"


def _outs(outs: tuple[Out, ...], joint: str) -> str:
    """The faces waited for, those of one rank together: `any 4 (4S 4H) or 9C`."""
    by_rank: dict[str, list[str]] = {}
    die_of: dict[str, int] = {}
    for out in outs:
        for face in out.faces:
            rank = face.code[0] if isinstance(face, Card) else face.code
            by_rank.setdefault(rank, []).append(face.code)
            die_of[face.code] = out.die
    if len(die_of) > MOST_FACES:
        return f"any of {len(die_of)} faces"
    told = []
    for rank, codes in by_rank.items():
        if len(codes) == 1:
            told.append(f"{codes[0]} (die {die_of[codes[0]]})")
        else:
            dice = ", ".join(f"{code} die {die_of[code]}" for code in codes)
            told.append(f"any {rank} ({dice})")
    return joint.join(told)


def first_rolls_text(table: FirstRolls) -> list[str]:
    """How many first rolls contain each hand."""
    lines = [
        f"first rolls that contain a hand, of {table.of}",
        f"{'hand':<16} {'jokers blank':>12} {'chance':>9} {'jokers wild':>12}"
        f" {'chance':>9}",
    ]
    for hand, blank, wild in zip(HandName, table.blank, table.wild, strict=True):
        lines.append(
            f"{title(hand):<16} {blank:>12} {blank / table.of:>9.6f} {wild:>12}"
            f" {wild / table.of:>9.6f}"
        )
    return lines


def showdown_text(odds: ShowdownOdds) -> list[str]:
    """What a turn of Showdown can bring."""
    lines = [f"{'row':<16} {'chance':>9}  best"]
    lines += [
        f"{row:<16} {float(play.value):>9.6f}  {_to_do(play)}"
        for row, play in odds.rows
    ]
    points = odds.points
    lines.append(f"{'points':<16} {float(points.value):>9.6f}  {_to_do(points)}")
    return lines


def _to_do(play: Play) -> str:
    if play.roll is None or (play.stop is not None and play.stop >= play.roll):
        return "stop"
    if play.stop is None:
        return "roll all five"
    some = [_kept(keep) for keep in play.keeps[:MOST_TOLD]]
    more = len(play.keeps) - MOST_TOLD
    return " or ".join(some) + (f" or {more} more" if more > 0 else "")


def war_text(odds: BattleOdds) -> list[str]:
    """How a battle of War ends."""
    lines = [f"{'case':<5} {'red wins':>9} {'black wins':>10}"]
    for case in odds.cases:
        lines.append(
            f"{case.case:<5} {float(case.red):>9.6f} {float(case.black):>10.6f}"
            f"  {CASES[case.case]}"
        )
    return [
        *lines,
        f"{'all':<5} {float(odds.red):>9.6f} {float(odds.black):>10.6f}",
        f"tossed again: level {float(odds.level):.6f}, a joker {float(odds.joker):.6f}",
    ]
