"""Squint at the table: one die, a timer, and guesses that are tapped in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.game_squint import DIE, ITEMS
from scoring.squint_state import Phase, SquintState
from web_ui.table.desk import Choice, Record, Turn
from web_ui.table.needs import Need

if TYPE_CHECKING:
    from scoring.cards import Face


class SquintDesk:
    """See `Desk`."""

    name = "squint"
    title = "Squint"
    unit = "chips"
    players = (3, 8)
    summary = "Build the picture before the timer runs out; the others guess."

    def need(self, state: SquintState) -> Need | None:
        """The Squint die."""
        return Need(DIE) if state.phase is Phase.ROLL else None

    def rolled(self, state: SquintState, faces: tuple[Face, ...]) -> tuple[Record, ...]:
        """One roll."""
        return ({"do": "roll", "faces": [face.code for face in faces]},)

    def turn(self, state: SquintState) -> Turn | None:
        """There is no keeping."""
        return None

    def choices(self, state: SquintState) -> tuple[Choice, ...]:
        """Drawing a card, the timer, the item, and who guessed."""
        builder = state.players[state.builder]
        match state.phase:
            case Phase.DRAW:
                words = f"{builder} has drawn a card"
                return (Choice(words, {"do": "draw"}, primary=True),)
            case Phase.TIMER:
                holder = state.players[state.timer_holder]
                command = {"do": "start_timer", "player": holder}
                words = f"{holder}: start the timer"
                return (Choice(words, command, primary=True, player=holder),)
            case Phase.CHOOSE:
                items = (
                    Choice(f"Item {n}", {"do": "choose", "item": n}, group="row")
                    for n in ITEMS
                )
                return (*items, Choice("Give up", {"do": "pass"}))
            case Phase.BUILD:
                return _guesses(state)
            case _:
                return ()

    def actor(self, state: SquintState) -> str | None:
        """The builder, or who turns the timer."""
        if state.over:
            return None
        holds = state.phase is Phase.TIMER
        return state.players[state.timer_holder if holds else state.builder]

    def hint(self, state: SquintState) -> str:
        """What to do next."""
        builder = state.players[state.builder]
        match state.phase:
            case Phase.ROLL:
                return f"{builder} builds: roll the Squint die."
            case Phase.DRAW:
                return f"{builder}: draw a Squint card."
            case Phase.TIMER:
                holder = state.players[state.timer_holder]
                return f"{holder}: start the timer when {builder} is ready."
            case Phase.CHOOSE:
                return f"{builder}: choose an item of the card."
            case Phase.BUILD:
                return f"{builder} builds: tap who guesses it."
            case _:
                winners = " and ".join(state.players[seat] for seat in state.winners)
                return f"The game is over: {winners} won."

    def more(self, state: SquintState) -> Record:
        """Roles, die and round."""
        timed = not (state.practice or state.over)
        return {
            "builder": state.players[state.builder],
            "timer_holder": state.players[state.timer_holder] if timed else None,
            "die": state.die,
            "item": state.item,
            "tie_breaker": bool(state.tied),
            "timer_seconds": state.options.timer_seconds,
        }


def _guesses(state: SquintState) -> tuple[Choice, ...]:
    seats = state.tied or tuple(range(len(state.players)))
    guesses = [
        Choice(
            f"{state.players[seat]} guessed it",
            {"do": "guess", "player": state.players[seat]},
            group="player",
            player=state.players[seat],
        )
        for seat in seats
        if seat != state.builder
    ]
    if state.practice:
        return (*guesses, Choice("Give up", {"do": "pass"}))
    return (*guesses, Choice("Time is up", {"do": "time_up"}))
