"""A game being played: its log, undo, redo and corrections (CM-01 to CM-12)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from scoring.action import Action, read_action
from scoring.cards import FaceCodeError, parse_face
from scoring.game import Game, Record, State
from scoring.refusals import RuleError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

S = TypeVar("S", bound=State)

ROLL_ACTIONS = frozenset({"roll", "toss"})
IMPOSSIBLE_ROLL = frozenset({"CM-13", "CM-14", "CM-15", "CM-16"})


@dataclass(frozen=True, slots=True)
class Entry(Generic[S]):
    """An accepted action of the list, and what came of it."""

    action: Action
    state: S
    result: Record | None


@dataclass(frozen=True, slots=True)
class Change(Generic[S]):
    """A change of the list: at place `at`, `old` was replaced by `new`."""

    at: int
    old: tuple[Entry[S], ...]
    new: tuple[Entry[S], ...]


class Play(Generic[S]):
    """The log of one game, and the state that replaying it gives.

    Attributes:
        game: the rules.
        entries: the accepted actions now in the list, `start` first.
        journal: everything accepted, undo, redo and corrections included, as it came.
        result: of the last accepted action; None after undo, redo and correct.
    """

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.entries: list[Entry[S]] = []
        self.journal: list[Action] = []
        self.result: Record | None = None
        self._done: list[Change[S]] = []
        self._undone: list[Change[S]] = []

    def copy(self) -> Play[S]:
        """Another log with the same entries: what happens to one leaves the other."""
        other = Play(self.game)
        other.entries, other.journal = [*self.entries], [*self.journal]
        other.result = self.result
        other._done, other._undone = [*self._done], [*self._undone]
        return other

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back (CM-08)."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to bring back (CM-09)."""
        return bool(self._undone)

    @property
    def state(self) -> S | None:
        """The state now; None before the start."""
        return self.entries[-1].state if self.entries else None

    def view(self) -> Record:
        """The fields of the state as `cases.md` lists them, with the result."""
        if self.state is None:
            return {
                "phase": "start",
                "next_player": None,
                "scores": {},
                "winners": [],
                "result": None,
            }
        return {**self.game.fields(self.state), "result": self.result}

    def act(self, record: object) -> None:
        """Let an action happen, as JSON gives it.

        Raises:
            RuleError: the rule that refuses it; nothing has changed then (CM-02).
        """
        action = read_action(record)
        match action.do:
            case "start":
                self._start(action)
            case "undo":
                self._undo()
            case "redo":
                self._redo()
            case "correct":
                self._correct(action)
            case _:
                self._go_on(action)
        self.journal.append(action)

    def _start(self, action: Action) -> None:
        if self.entries:
            raise RuleError("CM-03", "The game was started already.")
        players = action.players or ()
        if any(not name.strip() for name in players):
            raise RuleError("CM-03", "A player's name must not be empty.")
        for name in players:
            _check_writable(name)
        if len(set(players)) < len(players):
            raise RuleError("CM-03", "Players must have different names.")
        state = self.game.begin(players, action.options or {})
        self.entries.append(Entry(action, state, None))
        self.result = None

    def _go_on(self, action: Action) -> None:
        state = self.state
        if state is None:
            raise RuleError("CM-03", "Start the game first.")
        entry = self._judge(state, action)
        change = Change(len(self.entries), (), (entry,))
        self._change(change)
        self.result = entry.result

    def _judge(self, state: S, action: Action) -> Entry[S]:
        if action.do not in self.game.actions:
            raise RuleError("CM-04", f"{self.game.name} knows no {shown(action.do)}.")
        if action.player is not None and action.player not in state.players:
            raise RuleError("CM-04", f"There is no player {shown(action.player)}.")
        if state.over:
            raise RuleError("CM-07", "The game is over.")
        after, result = self.game.decide(state, action)
        return Entry(action, after, result)

    def _change(self, change: Change[S]) -> None:
        self._put(change.at, change.old, change.new)
        self._done.append(change)
        self._undone.clear()

    def _put(
        self, at: int, old: tuple[Entry[S], ...], new: tuple[Entry[S], ...]
    ) -> None:
        self.entries[at : at + len(old)] = new

    def _undo(self) -> None:
        if not self._done:
            raise RuleError("CM-08", "There is nothing to take back.")
        change = self._done.pop()
        self._put(change.at, change.new, change.old)
        self._undone.append(change)
        self.result = None

    def _redo(self) -> None:
        if not self._undone:
            raise RuleError("CM-09", "There is nothing to bring back.")
        change = self._undone.pop()
        self._put(change.at, change.old, change.new)
        self._done.append(change)
        self.result = None

    def _correct(self, action: Action) -> None:
        if self.state is None:
            raise RuleError("CM-03", "Start the game first.")
        if not self.game.actions & ROLL_ACTIONS:
            raise RuleError("CM-04", f"{self.game.name} has no rolls to correct.")
        rolls = [
            place
            for place, entry in enumerate(self.entries)
            if entry.action.do in ROLL_ACTIONS
        ]
        number = action.roll or 0
        if not 0 <= number < len(rolls):
            raise RuleError(
                "CM-10", f"There is no roll {number}: {len(rolls)} were made, from 0."
            )
        changed = self._corrected(rolls, number, _canonical(action.faces or ()))
        self._change(self._retold(changed, rolls[number]))
        self.result = None

    def _corrected(
        self, rolls: Sequence[int], number: int, faces: tuple[str, ...]
    ) -> dict[int, Action]:
        """The actions that change, by place in the list (CM-12)."""
        old = _codes(self.entries[rolls[number]].action)
        if len(faces) != len(old):
            raise RuleError("CM-13", f"A roll names {len(old)} faces here.")
        told = {rolls[number]: list(faces)}
        for die, face in enumerate(faces):
            if face == old[die]:
                continue
            for index in self._lying(rolls, number, die):
                place = rolls[index]
                codes = told.setdefault(place, [*_codes(self.entries[place].action)])
                codes[die] = face
        return {
            place: _with_codes(self.entries[place].action, codes)
            for place, codes in told.items()
        }

    def _lying(self, rolls: Sequence[int], number: int, die: int) -> list[int]:
        """Numbers of the other rolls during which a die lay without being rolled."""
        lying = []
        index = number
        while index > 0 and die in self._kept_before(rolls[index]):
            index -= 1
            lying.append(index)
        index = number + 1
        while index < len(rolls) and die in self._kept_before(rolls[index]):
            lying.append(index)
            index += 1
        return lying

    def _kept_before(self, place: int) -> tuple[int, ...]:
        return self.entries[place - 1].state.kept_places

    def _retold(self, changed: dict[int, Action], named: int) -> Change[S]:
        """Play on from the first corrected roll (CM-10, CM-11).

        As soon as the game stands as it did before, the rest of it is as it was.
        """
        first, last = min(changed), max(changed)
        state = self.entries[first - 1].state
        new: list[Entry[S]] = []
        for place in range(first, len(self.entries)):
            action = changed.get(place, self.entries[place].action)
            try:
                entry = self._judge(state, action)
            except RuleError as error:
                impossible = error.rule in IMPOSSIBLE_ROLL
                if impossible and place in changed and place <= named:
                    raise
                raise RuleError(
                    "CM-11",
                    f"With these faces action {place} ({action.do}) would be refused"
                    f" ({error.rule}: {error.sentence}) Undo back to it first.",
                ) from error
            new.append(entry)
            state = entry.state
            if place >= last and state == self.entries[place].state:
                break
        old = self.entries[first : first + len(new)]
        return Change(first, tuple(old), tuple(new))


def _check_writable(name: str) -> None:
    """CM-03: JSON can hold half of a character, which no file can."""
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise RuleError("CM-03", f"{shown(name)} is not a name.") from error


def _canonical(texts: Sequence[str]) -> tuple[str, ...]:
    codes = []
    for text in texts:
        try:
            codes.append(parse_face(text).code)
        except FaceCodeError as error:
            raise RuleError("CM-14", f"{shown(text)} is not a face.") from error
    return tuple(codes)


def _codes(action: Action) -> tuple[str, ...]:
    texts = (action.face,) if action.face is not None else action.faces or ()
    return _canonical(texts)


def _with_codes(action: Action, codes: Sequence[str]) -> Action:
    if action.face is not None:
        return replace(action, face=codes[0])
    return replace(action, faces=tuple(codes))
