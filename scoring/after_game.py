"""After the game: what of a player's chips was luck, and what the decisions cost.

A turn is a way through values. Before the first roll it is worth its expectation with
best play; every roll lifts or lowers it (luck), every decision that is not the best
lowers it (loss), a card played lifts it; at the end it is worth the chips paid. So

    chips = expectation at the start + luck - loss + cards

holds exactly, turn by turn. What is best is meant for the chips of this turn alone, not
for winning the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, assert_never

from scoring.cards import ScoringError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.cards import Face

Faces = tuple["Face", ...]

TIE = 1e-9
"""OD-05: values nearer than this are equal."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll of the turn.

    Attributes:
        faces: what lies there afterwards, in place order.
        kept: the faces that were not rolled; none at the first roll.
    """

    faces: Faces
    kept: Faces = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A card was played that changes what the turn pays.

    Attributes:
        card: its kind, as in `double_down`.
    """

    card: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The turn was scored.

    Attributes:
        chips: what it paid its player.
        choice: what was chosen, in games with a choice: the row of a score card.
    """

    chips: int
    choice: str = ""


Moment = Rolled | Played | Stopped


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as the log finally tells it: what was undone or corrected is gone.

    Attributes:
        player: whose turn it was.
        round: its number in the game, from 1.
        aim: what it was about: the target and its type of hand.
        moments: what happened, at least one thing; the last is `Stopped` unless the
            turn still runs.
    """

    player: str
    round: int
    aim: str
    moments: tuple[Moment, ...]

    @property
    def ended(self) -> bool:
        """Whether it was scored."""
        return isinstance(self.moments[-1], Stopped)

    @property
    def chips(self) -> int:
        """What it paid; nothing yet while it runs."""
        last = self.moments[-1]
        return last.chips if isinstance(last, Stopped) else 0


class NotJudgedError(ScoringError):
    """A turn whose values cannot be told exactly; the message says why."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a player can do, and its value.

    Attributes:
        value: chips to be expected.
        stop: whether it is to stop; otherwise to roll.
        keep: the faces kept for the roll, one of the best keeps if several are.
        choice: what is chosen by stopping, in games with a choice.
        forced: whether it is the only thing to do.
    """

    value: float
    stop: bool = True
    keep: Faces = ()
    choice: str = ""
    forced: bool = False


class Worth(Protocol):
    """What a turn is worth with best play, card by card that was played.

    Every method raises `NotJudgedError` where a value cannot be told.
    """

    def start(self, cards: Sequence[str]) -> float:
        """Before the first roll."""
        ...

    def stop(self, faces: Faces, roll: int, cards: Sequence[str], choice: str) -> float:
        """Stopping after a roll (1 to 3) with what is chosen by it."""
        ...

    def best(self, faces: Faces, roll: int, cards: Sequence[str]) -> Option:
        """The best thing to do after a roll (1 to 3), one of them if several are."""
        ...

    def keep(self, faces: Faces, kept: Faces, roll: int, cards: Sequence[str]) -> float:
        """Rolling all but the kept faces once more after a roll (1 or 2)."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way.

    Attributes:
        moment: what happened.
        before: what the turn was worth.
        choice: what the decision before it made of that; `before` where there was none.
        after: what it is worth now.
        best: the best thing to do instead of what was decided; None where there was
            nothing to decide.
    """

    moment: Moment
    before: float
    choice: float
    after: float
    best: Option | None = None

    @property
    def loss(self) -> float:
        """What the decision cost, >= 0."""
        return self.before - self.choice

    @property
    def gain(self) -> float:
        """What the dice or the card then changed."""
        return self.after - self.choice


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A turn judged.

    Attributes:
        turn: what happened.
        start: what it was worth before the first roll.
        steps: the way from there; none if it is not judged.
        why_not: why it is not judged; empty if it is.
    """

    turn: Turn
    start: float = 0.0
    steps: tuple[Step, ...] = ()
    why_not: str = ""

    @property
    def judged(self) -> bool:
        """Whether its values are known."""
        return not self.why_not

    @property
    def luck(self) -> float:
        """Chips won against the expectation of the rolls."""
        return sum(s.gain for s in self.steps if isinstance(s.moment, Rolled))

    @property
    def cards(self) -> float:
        """Chips that cards added to the expectation when they were played."""
        return sum(s.gain for s in self.steps if isinstance(s.moment, Played))

    @property
    def loss(self) -> float:
        """Chips that decisions cost against the best ones."""
        return sum(step.loss for step in self.steps)

    @property
    def decisions(self) -> tuple[Step, ...]:
        """The steps at which the player decided something."""
        return tuple(step for step in self.steps if step.best is not None)


def review_turn(turn: Turn, worth: Worth) -> TurnReview:
    """Judge a turn; one that cannot be judged says why."""
    try:
        start, steps = worth.start(()), tuple(_steps(turn, worth))
    except ScoringError as why:  # also dice that cannot show these faces
        return TurnReview(turn, why_not=str(why))
    return TurnReview(turn, start, steps)


def _steps(turn: Turn, worth: Worth) -> Iterable[Step]:
    cards: tuple[str, ...] = ()
    faces: Faces = ()
    roll, value = 0, worth.start(cards)
    best: Option | None = None  # where there is something to decide
    for moment in turn.moments:
        decided, choice = best, value
        match moment:
            case Rolled():
                if roll:
                    choice = worth.keep(faces, moment.kept, roll, cards)
                roll, faces = roll + 1, moment.faces
            case Played():
                cards, decided = (*cards, moment.card), None
            case Stopped():
                choice = worth.stop(faces, roll, cards, moment.choice)
                if abs(choice - moment.chips) > TIE:
                    raise NotJudgedError("it paid other chips than the odds know of")
                yield Step(moment, value, choice, choice, decided)
                return
            case _:
                assert_never(moment)
        if roll:
            option = worth.best(faces, roll, cards)
            best, after = (None if option.forced else option), option.value
        else:
            after = worth.start(cards)
        yield Step(moment, value, choice, after, decided)
        value = after
