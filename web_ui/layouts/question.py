"""What is asked of a store, and the answer: which layout its rolls tell.

Run as a program (`python -m web_ui.layouts.question`) it takes a question as JSON from
its input and writes the answer: a running table asks so, that its own threads never
wait for the arithmetic.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from datasets.enrolment.seen_layout import seen_layout, whole_rolls
from web_ui.layouts.game_throws import LeftOut, tell_game
from web_ui.store.errors import StoreError
from web_ui.store.store import EventStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.cards import Face
    from web_ui.layouts.game_throws import SeenThrow

MOST_THROWS = 600
"""The newest throws that are looked at: two hundred always were enough."""
MOST_EVENTS = 50_000
"""Events of one game that are told; more are no evening of play."""
MOST_GAMES = 2000
"""Newest games that are looked at."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a table wants to know of its store.

    Attributes:
        store: file or address of the store.
        since: only throws counted by later events are of the dice of now.
        without: ids of games that were played with other dice.
        only: ids of the only games that count; None for all others.
        dice: codes of six faces of each die of the layout that is in use; None if none
            is.
        dice_since: number of the event after which throws are held against it.
    """

    store: str
    since: int = 0
    without: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    dice: tuple[tuple[str, ...], ...] | None = None
    dice_since: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rolls of a store tell.

    Attributes:
        throws: how many throws it rests on.
        confidence: of the most likely layout.
        conflicts: throws that show two faces of one of its dice.
        certain: whether it may be proposed.
        reason: why a likely one must not be; empty if it may.
        dice: codes of six faces of each die; nothing without a throw.
        clashes: throws that show two faces of one die of the layout in use.
        held: throws that were held against that layout.
        worth: how many rolls of all dice tell as much as these throws.
        left_out: how many rolls and games do not count, by why.
    """

    throws: int = 0
    confidence: float = 0.0
    conflicts: int = 0
    certain: bool = False
    reason: str = ""
    dice: tuple[tuple[str, ...], ...] = ()
    clashes: int = 0
    held: int = 0
    worth: float = 0.0
    left_out: tuple[tuple[str, int], ...] = ()


def answer(question: Question) -> Answer:
    """Look through a store.

    Raises:
        StoreError: it cannot be read.
    """
    store = EventStore.open(question.store)
    counted: Counter[LeftOut] = Counter()
    try:
        throws = tuple(_newest(store, question, counted))
        held: tuple[SeenThrow, ...] = ()
        if question.dice is not None:
            since = max(question.since, question.dice_since)
            held = tuple(_newest(store, question, Counter(), since, known=True))
    finally:
        store.close()
    dice = question.dice or ()
    clashes = sum(_clashes(one.faces, dice) for one in held)
    left_out = tuple((why.value, count) for why, count in sorted(counted.items()))
    if not throws:
        return Answer(clashes=clashes, held=len(held), left_out=left_out)
    seen = seen_layout([one.faces for one in throws])
    return Answer(
        seen.throws,
        seen.confidence,
        seen.conflicts,
        seen.certain,
        seen.reason,
        tuple(tuple(face.code for face in die) for die in seen.dice),
        clashes,
        len(held),
        round(whole_rolls([one.faces for one in throws]), 1),
        left_out,
    )


def _newest(
    store: EventStore,
    question: Question,
    counted: Counter[LeftOut],
    since: int | None = None,
    *,
    known: bool = False,
) -> tuple[SeenThrow, ...]:
    """The newest throws after an event, oldest first; counts what is left out."""
    after = question.since if since is None else since
    backwards = _backwards(store, question, counted, after, known=known)
    return tuple(islice(backwards, MOST_THROWS))[::-1]


def _backwards(
    store: EventStore,
    question: Question,
    counted: Counter[LeftOut],
    since: int,
    *,
    known: bool,
) -> Iterator[SeenThrow]:
    for game in store.games()[-MOST_GAMES:][::-1]:
        if question.only is not None and game.game not in question.only:
            continue
        if game.imported or game.game in question.without:
            counted[LeftOut.IMPORTED if game.imported else LeftOut.DRAWN] += 1
            continue
        # a game that began long ago may go on now: each says when it last did
        if game.last <= since:
            continue
        told = tell_game(store.events(game.game, limit=MOST_EVENTS), known=known)
        counted.update(dict(told.left_out))
        for throw in told.throws[::-1]:
            if throw.number > since:
                yield throw
            else:
                counted[LeftOut.EARLIER] += 1


def _clashes(faces: tuple[Face, ...], dice: tuple[tuple[str, ...], ...]) -> bool:
    shown = {face.code for face in faces}
    return any(len(shown & set(die)) > 1 for die in dice)


def question_text(question: Question) -> str:
    """Write a question as JSON."""
    return json.dumps(asdict(question))


def answer_of(text: str) -> Answer:
    """Read an answer that this program wrote.

    Raises:
        ValueError: it is none.
    """
    record: dict[str, Any] = json.loads(text)
    if not isinstance(record, dict):
        raise ValueError("no answer")
    try:
        dice = tuple(tuple(die) for die in record.pop("dice"))
        left_out = tuple((why, count) for why, count in record.pop("left_out"))
        return Answer(**record, dice=dice, left_out=left_out)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no answer: {error}") from error


def main() -> int:
    """Answer the question that comes in; 2 and a sentence if that cannot be."""
    try:
        record = json.loads(sys.stdin.read())
        found = answer(Question(**record))
    except (StoreError, TypeError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(json.dumps(asdict(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
