"""What Straight Shooter is made of: its pack, options and frozen state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.cards import CARDS, Card, FaceCodeError, Suit, parse_face
from scoring.game_options import GameOption, OptionTable
from scoring.refusals import RuleError, shown

OPTIONS = OptionTable(
    GameOption(
        "dealer",
        None,
        "the player who deals first; null: the last in the list",
        "SS-04",
    ),
    GameOption("target", 32, "points that end the game", "SS-11"),
)

ACE_HIGH = 14
LEAST_RANK = 9
SHOOTOUT_CARDS = {2: 7, 3: 7, 4: 6}
"""SS-13: cards for each player, by the number of players."""


def pack_rank(card: Card) -> int:
    """SS-02: 9 is the lowest rank, the ace (14) the highest."""
    return ACE_HIGH if card.rank == 1 else card.rank


PACK = frozenset(card for card in CARDS if pack_rank(card) >= LEAST_RANK)
"""SS-02: 24 cards."""


def read_pack_card(code: str | None) -> Card:
    """Read the code of one of the 24 cards, leniently.

    Raises:
        RuleError: SS-03, it is none of them.
    """
    try:
        card = parse_face(code or "")
    except FaceCodeError as error:
        raise RuleError(
            "SS-03", f"{shown(code)} is not one of the 24 cards."
        ) from error
    if not isinstance(card, Card) or card not in PACK:
        raise RuleError("SS-03", f"{shown(code)} is not one of the 24 cards.")
    return card


class Phase(StrEnum):
    """What the game waits for."""

    DEAL = "deal"
    PLAY = "play"
    SHOOTOUT_DRAW = "shootout_draw"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Played:
    """A card on the table, and who played or drew it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class StraightState:
    """A game as far as it went. Players are seats, counted from 0.

    Attributes:
        players: names in seat order.
        target: points that end the game (SS-11).
        phase: what the game waits for.
        scores: points of each seat.
        contenders: who plays this deal, in seat order.
        dealer: who deals, or has dealt.
        deal: number of deals so far.
        shootout: whether the deal belongs to a shootout (SS-12 to SS-14).
        actor: who plays next.
        hands: cards still held by each seat; None if the hands are not known.
        played: cards played in this deal.
        voids: who did not follow which suit, hands not known (SS-07).
        trick: cards on the table, the lead first.
        tricks: tricks of this deal taken by each seat.
        drawing: who draws a card for the deal of the shootout (SS-12).
        draws: cards drawn so far for it.
        winner: the seat that won; None before the end.
    """

    players: tuple[str, ...]
    target: int
    phase: Phase
    scores: tuple[int, ...]
    contenders: tuple[int, ...]
    dealer: int
    deal: int = 0
    shootout: bool = False
    actor: int = 0
    hands: tuple[frozenset[Card], ...] | None = None
    played: frozenset[Card] = frozenset()
    voids: frozenset[tuple[int, Suit]] = frozenset()
    trick: tuple[Played, ...] = ()
    tricks: tuple[int, ...] = ()
    drawing: tuple[int, ...] = ()
    draws: tuple[Played, ...] = ()
    winner: int | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    @property
    def kept_places(self) -> tuple[int, ...]:
        """There are no dice in this game."""
        return ()

    @property
    def cards_each(self) -> int:
        """How many cards each player gets (SS-04, SS-13)."""
        count = len(self.contenders)
        return SHOOTOUT_CARDS[count] if self.shootout else len(PACK) // count

    @property
    def next_seat(self) -> int:
        """Who acts next."""
        match self.phase:
            case Phase.DEAL:
                return self.dealer
            case Phase.SHOOTOUT_DRAW:
                drawn = {draw.seat for draw in self.draws}
                return next(seat for seat in self.drawing if seat not in drawn)
            case _:
                return self.actor

    def left_of(self, seat: int) -> int:
        """The next of those who play this deal, to the left."""
        count = len(self.players)
        around = ((seat + step) % count for step in range(1, count + 1))
        return next(other for other in around if other in self.contenders)
