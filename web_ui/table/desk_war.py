"""War at the table: two dice meet, the left one is the first player's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.dice_sets import DiceSet
from scoring.refusals import RuleError
from scoring.rolling import CARD_DICE
from scoring.war_state import MOST_NUMBER, Phase, WarState
from web_ui.table.desk import Choice, Record, Turn
from web_ui.table.needs import Need

if TYPE_CHECKING:
    from scoring.cards import Face

TWO_DICE = DiceSet(CARD_DICE.name, CARD_DICE.faces, 2)


class WarDesk:
    """See `Desk`."""

    name = "war"
    title = "War"
    unit = "games"
    players = (2, 2)
    summary = "Die against die; who has none left has lost."

    def need(self, state: WarState) -> Need | None:
        """Two dice, without those that lie there already."""
        if state.phase is not Phase.TOSS:
            return None
        kept = {
            seat: toss.face
            for seat, toss in enumerate(state.tosses)
            if toss is not None
        }
        return Need(TWO_DICE, kept, state.players)

    def rolled(self, state: WarState, faces: tuple[Face, ...]) -> tuple[Record, ...]:
        """A toss of each player who has still to toss.

        Raises:
            RuleError: CM-17, a die that lies there shows something else.
        """
        for player, toss, face in zip(state.players, state.tosses, faces, strict=True):
            if toss is not None and toss.face != face:
                raise RuleError(
                    "CM-17",
                    f"{player}'s die lies there: it shows {toss.face.code}, "
                    f"it cannot show {face.code}.",
                )
        return tuple(
            {"do": "toss", "player": player, "face": face.code}
            for seat, (player, face) in enumerate(
                zip(state.players, faces, strict=True)
            )
            if state.tosses[seat] is None
        )

    def turn(self, state: WarState) -> Turn | None:
        """There is no keeping."""
        return None

    def choices(self, state: WarState) -> tuple[Choice, ...]:
        """Picking the dice, where they are drafted."""
        if state.phase is not Phase.DRAFT:
            return ()
        taken = {number for dice in state.dice for number in dice}
        player = state.players[state.actor]
        return tuple(
            Choice(
                f"Die {number}",
                {"do": "draft", "player": player, "die": number},
                group="die",
                player=player,
            )
            for number in range(1, MOST_NUMBER + 1)
            if number not in taken
        )

    def actor(self, state: WarState) -> str | None:
        """Who acts next."""
        return None if state.over else state.players[state.actor]

    def hint(self, state: WarState) -> str:
        """What to do next."""
        first, second = state.players
        if state.over:
            winner = "" if state.winner is None else state.players[state.winner]
            return f"The game is over: {winner} won."
        if state.phase is Phase.DRAFT:
            return f"{state.players[state.actor]}: pick a die."
        missing = [
            name
            for name, toss in zip(state.players, state.tosses, strict=True)
            if toss is None
        ]
        again = [
            name
            for name, die in zip(state.players, state.again, strict=True)
            if die is not None and name in missing
        ]
        if len(missing) == 1 and not again:
            return f"{missing[0]} tosses a die; the other one lies there."
        if state.tied and len(missing) > 1:
            return "Level: both toss the same dice again."
        if again:
            return f"A joker: {' and '.join(again)} toss the same die again."
        return f"Both toss a die: {first} on the left, {second} on the right."

    def more(self, state: WarState) -> Record:
        """Who has which dice, the pot, and what was tossed."""
        return {
            "dice": {
                name: [*dice]
                for name, dice in zip(state.players, state.dice, strict=True)
            },
            "pot": [*state.pot],
            "red": state.players[state.options.red],
            "tosses": {
                name: None if toss is None else toss.face.code
                for name, toss in zip(state.players, state.tosses, strict=True)
            },
            "best_of": state.options.best_of,
            "game": state.game,
        }
