"""Straight Shooter at the table: cards are dealt by hand, tricks are tapped in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.straight_state import PACK, Phase, StraightState, pack_rank
from web_ui.table.desk import Choice, Record, Turn

if TYPE_CHECKING:
    from scoring.cards import Card, Face
    from web_ui.table.needs import Need


def _in_order(card: Card) -> tuple[str, int]:
    return card.suit.value, -pack_rank(card)


class StraightDesk:
    """See `Desk`."""

    name = "straight_shooter"
    title = "Straight Shooter"
    unit = "points"
    players = (3, 4)
    summary = "A trick game with 24 cards and no trump."

    def need(self, state: StraightState) -> Need | None:
        """No dice."""
        return None

    def rolled(
        self, state: StraightState, faces: tuple[Face, ...]
    ) -> tuple[Record, ...]:
        """Nothing is rolled."""
        return ()

    def turn(self, state: StraightState) -> Turn | None:
        """There is no keeping."""
        return None

    def choices(self, state: StraightState) -> tuple[Choice, ...]:
        """Dealing, the cards that may be played, and drawing for the deal."""
        name = state.players[state.next_seat]
        match state.phase:
            case Phase.DEAL:
                return (Choice(f"{name} has dealt", {"do": "deal"}, primary=True),)
            case Phase.PLAY:
                do, cards = "play", _playable(state)
            case Phase.SHOOTOUT_DRAW:
                drawn = {draw.card for draw in state.draws}
                do, cards = "draw", [card for card in PACK if card not in drawn]
            case _:
                return ()
        return tuple(
            Choice(
                card.code,
                {"do": do, "player": name, "card": card.code},
                group="card",
                player=name,
                face=card.code,
            )
            for card in sorted(cards, key=_in_order)
        )

    def actor(self, state: StraightState) -> str | None:
        """Who acts next."""
        return None if state.over else state.players[state.next_seat]

    def hint(self, state: StraightState) -> str:
        """What to do next."""
        name = state.players[state.next_seat]
        match state.phase:
            case Phase.DEAL:
                return f"{name}: deal {state.cards_each} cards to each player."
            case Phase.PLAY:
                if not state.trick:
                    return f"{name} leads: tap the card."
                led = state.trick[0].card.suit.name.lower()
                return f"{name} follows ({led} were led): tap the card."
            case Phase.SHOOTOUT_DRAW:
                return f"Shootout: {name} draws a card for the deal: tap it."
            case _:
                winner = "" if state.winner is None else state.players[state.winner]
                return f"The game is over: {winner} won."

    def more(self, state: StraightState) -> Record:
        """The trick on the table and the tricks taken."""
        return {
            "trick": [
                {"player": state.players[play.seat], "card": play.card.code}
                for play in state.trick
            ],
            "tricks": dict(zip(state.players, state.tricks, strict=True)),
            "dealer": state.players[state.dealer],
            "target": state.target,
            "shootout": state.shootout,
        }


def _playable(state: StraightState) -> list[Card]:
    """The cards that nothing known speaks against."""
    seat = state.actor
    if state.hands is not None:
        held = state.hands[seat]
        led = state.trick[0].card.suit if state.trick else None
        following = [card for card in held if card.suit is led]
        return following or [*held]
    return [
        card
        for card in PACK
        if card not in state.played and (seat, card.suit) not in state.voids
    ]
