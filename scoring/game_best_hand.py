"""Best hand: rounds of nine dice, the best poker hand takes the point (BH-01 ...)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.game import Record, check_actor, not_now
from scoring.game_options import (
    LAYOUT,
    SIX_OF_A_KIND,
    GameOption,
    OptionReader,
    OptionTable,
)
from scoring.hands import Hand, best_hand, hand_record, strength
from scoring.refusals import RuleError
from scoring.rolling import CARD_DICE, Throws, check_stop, roll_or_keep

if TYPE_CHECKING:
    from scoring.action import Action
    from scoring.dice_sets import DiceSet

OPTIONS = OptionTable(
    GameOption("rounds", 1, "rounds; the best hand of each takes the point", "BH-06"),
    GameOption(
        "jokers_wild",
        True,
        "whether jokers stand for any card; otherwise they are blanks",
        "BH-04",
    ),
    GameOption(
        "tie",
        "reroll",
        'level hands: those players roll again ("reroll") or "share" the point',
        "BH-05",
    ),
    SIX_OF_A_KIND,
    LAYOUT,
)


@dataclass(frozen=True, slots=True)
class BestHandOptions:
    """The agreements; defaults and meaning: `best_hand.md`."""

    rounds: int = 1
    jokers_wild: bool = True
    share: bool = False
    six_of_a_kind: bool = True
    dice_set: DiceSet = CARD_DICE


@dataclass(frozen=True, slots=True)
class BestHandState:
    """A game as far as it went. Players are seats, counted from 0.

    Attributes:
        players: names in seat order.
        options: the agreements.
        scores: rounds won (or shared) by each seat.
        round: from 1; rolling again after a tie is the same round (BH-05).
        contenders: who rolls in this round, in rolling order.
        hands: what the contenders stopped with so far.
        throws: the dice of the running turn.
        over: whether the game has ended.
    """

    players: tuple[str, ...]
    options: BestHandOptions
    scores: tuple[int, ...]
    round: int
    contenders: tuple[int, ...]
    hands: tuple[Hand, ...]
    throws: Throws
    over: bool = False

    @property
    def kept_places(self) -> tuple[int, ...]:
        """Places that the next roll leaves."""
        return self.throws.kept_places

    @property
    def actor_name(self) -> str:
        """Who acts next."""
        return self.players[self.contenders[len(self.hands) % len(self.contenders)]]


class BestHandGame:
    """The rules of `best_hand.md`."""

    name = "best_hand"
    options = OPTIONS
    actions = frozenset({"roll", "keep", "stop"})

    def begin(self, players: tuple[str, ...], options: Record) -> BestHandState:
        """Start a game (BH-01)."""
        if len(players) < 2:
            raise RuleError("BH-01", "Best hand needs two players or more.")
        reader = OptionReader(options, OPTIONS)
        read = BestHandOptions(
            rounds=reader.number("rounds", 1),
            jokers_wild=reader.flag("jokers_wild"),
            share=reader.choice("tie", ("reroll", "share")) == "share",
            six_of_a_kind=reader.flag("six_of_a_kind"),
            dice_set=reader.card_dice(),
        )
        scores = (0,) * len(players)
        seats = tuple(range(len(players)))
        return BestHandState(players, read, scores, 1, seats, (), Throws(read.dice_set))

    def decide(
        self, state: BestHandState, action: Action
    ) -> tuple[BestHandState, Record | None]:
        """Judge an action and let it happen (BH-02)."""
        check_actor(action, state.actor_name)
        match action.do:
            case "roll" | "keep":
                throws = roll_or_keep(state.throws, action)
                return replace(state, throws=throws), None
            case "stop":
                return _stop(state)
            case _:
                raise not_now(action, state.throws.phase)

    def fields(self, state: BestHandState) -> Record:
        """What can be seen of the state."""
        names = state.players
        most = max(state.scores)
        winners = [
            name
            for name, score in zip(names, state.scores, strict=True)
            if state.over and score == most  # BH-06: equal points share
        ]
        return {
            "phase": "over" if state.over else state.throws.phase,
            "next_player": None if state.over else state.actor_name,
            "scores": dict(zip(names, state.scores, strict=True)),
            "winners": winners,
            "round": state.round,
            "contenders": [names[seat] for seat in state.contenders],
            "roll_number": state.throws.count,
        }


def _stop(state: BestHandState) -> tuple[BestHandState, Record]:
    """BH-03: the best five of the nine dice count."""
    check_stop(state.throws)
    hand = best_hand(
        state.throws.faces,
        state.options.jokers_wild,
        six_of_a_kind=state.options.six_of_a_kind,
    )
    hands = (*state.hands, hand)
    result = dict(hand_record(hand))
    state = replace(state, hands=hands, throws=Throws(state.options.dice_set))
    if len(hands) < len(state.contenders):
        return state, result
    best = max(strength(other) for other in hands)
    top = tuple(
        seat
        for seat, other in zip(state.contenders, hands, strict=True)
        if strength(other) == best
    )
    result["round"] = [state.players[seat] for seat in top]
    if len(top) > 1 and not state.options.share:  # BH-05: those level roll again
        return replace(state, contenders=top, hands=()), result
    scores = tuple(score + (seat in top) for seat, score in enumerate(state.scores))
    return _next_round(replace(state, scores=scores)), result


def _next_round(state: BestHandState) -> BestHandState:
    """BH-06: the next player to the left begins the next round."""
    if state.round == state.options.rounds:
        return replace(state, over=True)
    count = len(state.players)
    order = tuple((state.round + place) % count for place in range(count))
    return replace(state, round=state.round + 1, contenders=order, hands=())
