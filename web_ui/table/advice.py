"""What to keep, worked out beside the table: odds take a moment, play must not."""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scoring.odds_error import OddsError
from scoring.rolling import MOST_ROLLS
from web_ui.table.shown import Use

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.cards import Face
    from scoring.classic_state import ClassicState
    from scoring.dice_sets import DiceSet
    from scoring.game_showdown import ShowdownState
    from scoring.turn_ends import Goal
    from scoring.war_state import WarState
    from web_ui.odds_store import OddsStore
    from web_ui.table.state import TableState

log = logging.getLogger(__name__)
BEST_SHOWN = 5
"""Kept sets that are shown, the best first."""


@dataclass(frozen=True, slots=True)
class ClassicQuestion:
    """What to keep for a target.

    Attributes:
        dice_set: the dice, their layout known.
        goal: the target and the agreements.
        faces: what lies there, in place order; nothing before the first roll.
        rolls_left: rolls still to go.
    """

    dice_set: DiceSet
    goal: Goal
    faces: tuple[Face, ...]
    rolls_left: int


@dataclass(frozen=True, slots=True)
class ShowdownQuestion:
    """Which row to aim for.

    Attributes:
        rows: the open rows.
        points: what each of them counts, in the same order.
        faces: what lies there, in place order; nothing before the first roll.
        rolls_left: rolls still to go.
        five_is_full_house: SH-15.
    """

    rows: tuple[str, ...]
    points: tuple[int, ...]
    faces: tuple[Face, ...]
    rolls_left: int
    five_is_full_house: bool


@dataclass(frozen=True, slots=True)
class WarQuestion:
    """Who wins the battle of two dice.

    Attributes:
        red: the six faces of the red player's die.
        black: those of the black player's.
        joker_high: WR-11.
    """

    red: tuple[Face, ...]
    black: tuple[Face, ...]
    joker_high: bool


Question = ClassicQuestion | ShowdownQuestion | WarQuestion


@dataclass(frozen=True, slots=True)
class AdviceReady:
    """An answer, as the table's queue takes it."""

    question: Question
    record: Mapping[str, Any] = field(hash=False)


def question_of(state: TableState) -> Question | None:
    """What could be advised now; None if nothing can, or nobody wants it."""
    game = state.game
    if game is None or game.state.over or not state.advice_on:
        return None
    if state.current is not None and state.current.use is Use.WAITING:
        return None
    match game.play.game.name:
        case "classic":
            return _classic(game.state)
        case "showdown":
            return _showdown(game.state)
        case "war":
            return _war(state, game.state)
        case _:
            return None


def _classic(state: ClassicState) -> ClassicQuestion | None:
    from scoring.turn_ends import Goal

    target, throws = state.target, state.throws
    if target is None or state.joker_cards or throws.dice_set.dice is None:
        return None
    left = MOST_ROLLS - throws.count
    if not throws.count or not left:
        return None
    if state.actor_name in state.options.kids:  # CL-11
        chips = max(target.chips_exact, target.chips_type)
        target = replace(target, chips_type=chips)
    goal = Goal(target.hand, target, state.options.pay)
    return ClassicQuestion(throws.dice_set, goal, throws.faces, left)


def _showdown(state: ShowdownState) -> ShowdownQuestion | None:
    from scoring.game_showdown import row_points
    from scoring.showdown_rows import ROWS

    taken = {scored.row for scored in state.card}
    rows = tuple(row for row in ROWS if row not in taken)
    throws = state.throws
    if not throws.count:
        return None
    return ShowdownQuestion(
        rows,
        tuple(row_points(state, row) for row in rows),
        throws.faces,
        MOST_ROLLS - throws.count,
        state.options.five_is_full_house,
    )


def _war(table: TableState, state: WarState) -> WarQuestion | None:
    """The battle of the two lowest dice, which meet where nobody names others."""
    layout = table.layout
    if layout is None or state.phase != "toss" or not all(state.dice):
        return None
    red = state.options.red
    first, second = (
        layout[(state.again[seat] or state.dice[seat][0]) - 1]
        for seat in (red, 1 - red)
    )
    return WarQuestion(first, second, state.options.joker_high)


def answer(question: Question, store: OddsStore | None) -> dict[str, Any]:
    """Work out an answer for the page (schema `Advice`); may take a second.

    Raises:
        OddsError: odds cannot be told for these dice.
    """
    match question:
        case ClassicQuestion():
            return _answer_classic(question, store)
        case ShowdownQuestion():
            return _answer_showdown(question)
        case _:
            return _answer_war(question)


def _answer_classic(
    question: ClassicQuestion, store: OddsStore | None
) -> dict[str, Any]:
    from scoring.keep_waits import waits_of
    from web_ui.odds_answers import keeps_after_roll
    from web_ui.odds_records import wait_record

    dice_set, goal, faces = question.dice_set, question.goal, question.faces
    keeps = keeps_after_roll(dice_set, goal, faces, question.rolls_left, store)
    best = max(keeps.value)
    rows = []
    for number in keeps.in_order()[:BEST_SHOWN]:
        keep = keeps.keep(number)
        kept = {face.code for face in keep.kept}
        rows.append(
            {
                "keep": [p for p, face in enumerate(faces) if face.code in kept],
                "faces": [face.code for face in faces if face.code in kept],
                "value": keep.value,
                "exact": keep.exact,
                "type": keep.type,
                "stop": len(kept) == len(faces),
                "share": keep.value / best if best > 0 else 0.0,
            }
        )
    waits = waits_of(dice_set, goal, faces, keeps.kept(keeps.best[0]))
    return {
        "game": "classic",
        "unit": "chips",
        "best": rows,
        "stop": keeps.stop,
        "waits": [wait_record(wait) for wait in waits],
    }


def _answer_showdown(question: ShowdownQuestion) -> dict[str, Any]:
    from scoring.showdown_odds import showdown_odds
    from web_ui.table.desk_showdown import row_title

    odds = showdown_odds(
        question.rows,
        question.faces,
        question.rolls_left,
        points=dict(zip(question.rows, question.points, strict=True)),
        five_is_full_house=question.five_is_full_house,
    )
    rows = [
        {
            "row": row,
            "title": row_title(row),
            "chance": float(play.value),
            "keep": _places(question.faces, [f.code for f in play.keeps[0]])
            if play.keeps
            else None,
        }
        for row, play in odds.rows
    ]
    rows.sort(key=lambda row: -float(str(row["chance"])))
    points = odds.points
    keep = None
    if points.keeps:
        keep = _places(question.faces, [face.code for face in points.keeps[0]])
    return {
        "game": "showdown",
        "unit": "points",
        "rows": rows,
        "value": float(points.value),
        "stop": None if points.stop is None else float(points.stop),
        "keep": keep,
    }


def _places(faces: tuple[Face, ...], kept: list[str]) -> list[int]:
    """The places of kept faces; alike dice are taken from the left."""
    wanted, places = list(kept), []
    for place, face in enumerate(faces):
        if face.code in wanted:
            wanted.remove(face.code)
            places.append(place)
    return places


def _answer_war(question: WarQuestion) -> dict[str, Any]:
    from scoring.war_odds import battle_odds
    from web_ui.odds_records import war_record

    odds = battle_odds(question.red, question.black, joker_high=question.joker_high)
    return {"game": "war", **war_record(odds)}


class Adviser(threading.Thread):
    """Works out answers, the newest question first; older ones are forgotten.

    Args:
        tell: called with each answer, from this thread.
        store: odds on disk; None to compute them anew.
    """

    def __init__(
        self, tell: Callable[[AdviceReady], None], store: OddsStore | None
    ) -> None:
        super().__init__(name="adviser", daemon=True)
        self._tell = tell
        self._store = store
        self._asked: queue.SimpleQueue[Question | None] = queue.SimpleQueue()

    def ask(self, question: Question) -> None:
        """Have a question answered; from any thread, never waits."""
        self._asked.put(question)

    def run(self) -> None:
        """Answer until stopped."""
        while True:
            question = self._asked.get()
            while question is not None and not self._asked.empty():
                question = self._asked.get()
            if question is None:
                return
            try:
                record = answer(question, self._store)
            except OddsError as error:
                record = {"game": None, "sentence": str(error)}
            except Exception:
                log.exception("no advice for %r", question)
                continue
            self._tell(AdviceReady(question, record))

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        self._asked.put(None)
        self.join(deadline_s)
