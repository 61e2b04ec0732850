"""Rummy and best-hand rounds at the table: nine dice, three rolls, then stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scoring.hands import best_hand, describe
from scoring.rolling import MOST_ROLLS
from scoring.rummy_points import rummy_points
from web_ui.table.desk import Choice, Record, Turn
from web_ui.table.needs import Need

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from scoring.game_best_hand import BestHandState
    from scoring.game_rummy import RummyState
    from scoring.rolling import Throws


class _Options(Protocol):
    @property
    def dice_set(self) -> DiceSet: ...


class _Rounds(Protocol):
    """What both games' states have."""

    @property
    def throws(self) -> Throws: ...
    @property
    def over(self) -> bool: ...
    @property
    def actor_name(self) -> str: ...
    @property
    def options(self) -> _Options: ...


def _need(state: _Rounds) -> Need | None:
    if state.over or not state.throws.can_roll:
        return None
    lying = state.throws.faces
    kept = {place: lying[place] for place in state.throws.kept_places}
    return Need(state.options.dice_set, kept)


def _turn(state: _Rounds) -> Turn:
    throws = state.throws
    return Turn(
        state.actor_name,
        throws.rolls,
        MOST_ROLLS,
        throws.kept_places,
        throws.can_keep and not state.over,
    )


def _stop(state: _Rounds, words: str) -> tuple[Choice, ...]:
    if state.over or not state.throws.can_stop:
        return ()
    last = state.throws.count >= MOST_ROLLS
    return (Choice(words, {"do": "stop"}, primary=last),)


def _hint(state: _Rounds, winners: str) -> str:
    name, throws = state.actor_name, state.throws
    if state.over:
        return f"The game is over: {winners} won."
    if not throws.count:
        return f"{name}: roll all nine dice."
    if throws.count < MOST_ROLLS:
        return f"{name}: tap dice to keep and roll the others, or stop."
    return f"{name}: that was the last roll. Stop to score it."


class RummyDesk:
    """See `Desk`."""

    name = "rummy"
    title = "Rummy"
    unit = "points"
    players = (1, 12)
    summary = "Sets and runs count their cards; most points after the rounds win."

    def need(self, state: RummyState) -> Need | None:
        """Nine dice."""
        return _need(state)

    def rolled(self, state: RummyState, faces: tuple[Face, ...]) -> tuple[Record, ...]:
        """One roll."""
        return ({"do": "roll", "faces": [face.code for face in faces]},)

    def turn(self, state: RummyState) -> Turn:
        """The running turn."""
        return _turn(state)

    def choices(self, state: RummyState) -> tuple[Choice, ...]:
        """Stopping."""
        if not state.throws.can_stop:
            return ()
        points = rummy_points(state.throws.faces, state.options.jokers_wild)
        return _stop(state, f"Stop: {points} points")

    def actor(self, state: RummyState) -> str | None:
        """Whose turn it is."""
        return None if state.over else state.actor_name

    def hint(self, state: RummyState) -> str:
        """What to do next."""
        winner = "" if state.winner is None else state.players[state.winner]
        return _hint(state, winner)

    def more(self, state: RummyState) -> Record:
        """What the dice count now."""
        faces = state.throws.faces
        points = rummy_points(faces, state.options.jokers_wild) if faces else None
        return {"points_now": points, "to": state.options.to}


class BestHandDesk:
    """See `Desk`."""

    name = "best_hand"
    title = "Best hand"
    unit = "rounds"
    players = (2, 12)
    summary = "The best poker hand of a round wins it."

    def need(self, state: BestHandState) -> Need | None:
        """Nine dice."""
        return _need(state)

    def rolled(
        self, state: BestHandState, faces: tuple[Face, ...]
    ) -> tuple[Record, ...]:
        """One roll."""
        return ({"do": "roll", "faces": [face.code for face in faces]},)

    def turn(self, state: BestHandState) -> Turn:
        """The running turn."""
        return _turn(state)

    def choices(self, state: BestHandState) -> tuple[Choice, ...]:
        """Stopping."""
        if not state.throws.can_stop:
            return ()
        hand = best_hand(
            state.throws.faces,
            state.options.jokers_wild,
            six_of_a_kind=state.options.six_of_a_kind,
        )
        return _stop(state, f"Stop: {describe(hand)}")

    def actor(self, state: BestHandState) -> str | None:
        """Whose turn it is."""
        return None if state.over else state.actor_name

    def hint(self, state: BestHandState) -> str:
        """What to do next."""
        most = max(state.scores)
        pairs = zip(state.players, state.scores, strict=True)
        top = [name for name, score in pairs if score == most]
        return _hint(state, " and ".join(top))

    def more(self, state: BestHandState) -> Record:
        """The hands of this round so far."""
        names = [state.players[seat] for seat in state.contenders]
        pairs = zip(names, state.hands, strict=False)
        return {"hands": {name: describe(hand) for name, hand in pairs}}
