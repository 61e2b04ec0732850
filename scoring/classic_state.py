"""What the classic game is made of: its frozen state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.classic_options import ClassicOptions, read_classic_options
from scoring.refusals import RuleError
from scoring.rolling import MOST_ROLLS, Throws

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.hands import Hand
    from scoring.target_deck import GameCard, ShootoutCard, Target


class Phase(StrEnum):
    """What the game waits for."""

    DRAW = "draw"
    ROLL = "roll"
    DECIDE = "decide"
    STOP = "stop"
    DUEL_OPPONENT = "duel_opponent"
    DUEL_ROLL = "duel_roll"
    DUEL_DECIDE = "duel_decide"
    DUEL_STOP = "duel_stop"
    OVER = "over"


DUEL_PHASES = frozenset(
    {Phase.DUEL_OPPONENT, Phase.DUEL_ROLL, Phase.DUEL_DECIDE, Phase.DUEL_STOP}
)


@dataclass(frozen=True, slots=True)
class ClassicState:
    """A classic game as far as it went. Players are seats, counted from 0.

    Attributes:
        players: names in seat order.
        options: the agreements.
        phase: what the game waits for.
        scores: chips of each seat.
        held: shootout cards of each seat.
        pile: cards that can be drawn.
        discards: cards that become the pile when it is empty (CL-05).
        round: from 1; extra rounds go on counting.
        contenders: who plays this round, in seat order.
        first: who begins this round (and draws for all, CL-34).
        actor: whose turn it is, or who rolls in a Showdown.
        throws: the dice of the running turn.
        target: the target lying there.
        used: cards that go to the discards when the turn ends (CL-30).
        joker_cards: Joker cards played in this turn (CL-24).
        doubled: whether a Double-Down lies on this turn.
        quick_draws: who played a Quick-Draw on this turn.
        drawer: who drew the Showdown being fought; None if none is.
        opponent: who was chosen to face the drawer.
        drawer_hand: what the drawer stopped with.
        winners: who won, when the game is over.
    """

    players: tuple[str, ...]
    options: ClassicOptions
    phase: Phase
    scores: tuple[int, ...]
    held: tuple[tuple[ShootoutCard, ...], ...]
    pile: tuple[GameCard, ...]
    discards: tuple[GameCard, ...]
    round: int
    contenders: tuple[int, ...]
    first: int
    actor: int
    throws: Throws
    target: Target | None = None
    used: tuple[GameCard, ...] = ()
    joker_cards: int = 0
    doubled: bool = False
    quick_draws: tuple[int, ...] = ()
    drawer: int | None = None
    opponent: int | None = None
    drawer_hand: Hand | None = None
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    @property
    def kept_places(self) -> tuple[int, ...]:
        """Places that the next roll leaves."""
        return self.throws.kept_places

    @property
    def actor_name(self) -> str:
        """Who acts next."""
        return self.players[self.actor]

    @property
    def selected_after_roll_1(self) -> bool:
        """Whether it is the moment of Double-Down and Quick-Draw (CL-19, CL-21)."""
        return self.throws.count == 1 and self.throws.kept is not None


def begin_classic(
    players: tuple[str, ...], options: Mapping[str, object]
) -> ClassicState:
    """Set up a game.

    Raises:
        RuleError: CL-01 nobody plays; CM-03, CL-02, CL-12 wrong options.
    """
    if not players:
        raise RuleError("CL-01", "The classic game needs at least one player.")
    read = read_classic_options(options, players)
    return ClassicState(
        players=players,
        options=read,
        phase=Phase.DRAW,
        scores=(0,) * len(players),
        held=((),) * len(players),
        pile=read.deck,
        discards=(),
        round=1,
        contenders=tuple(range(len(players))),
        first=0,
        actor=0,
        throws=Throws(read.dice_set),
    )


def phase_after_roll(throws: Throws, duel: bool) -> Phase:
    """What a player may do after a roll."""
    if throws.count < MOST_ROLLS:
        return Phase.DUEL_DECIDE if duel else Phase.DECIDE
    return Phase.DUEL_STOP if duel else Phase.STOP


def finish_turn(state: ClassicState) -> ClassicState:
    """End the actor's turn: discard what was used, pass to the left (CL-03, CL-30)."""
    state = clear_turn(state)
    order = rolling_order(state)
    place = order.index(state.actor) + 1
    if place == len(order):
        return _finish_round(state)
    phase = Phase.ROLL if state.options.same_target else Phase.DRAW
    return replace(state, actor=order[place], phase=phase)


def clear_turn(state: ClassicState) -> ClassicState:
    """Put away dice and used cards of a turn or Showdown.

    The target for all (CL-34) stays until the round is over.
    """
    same = state.options.same_target
    target = () if same or state.target is None else (state.target,)
    return replace(
        state,
        discards=(*state.discards, *target, *state.used),
        target=state.target if same else None,
        throws=Throws(state.options.dice_set),
        used=(),
        joker_cards=0,
        doubled=False,
        quick_draws=(),
        drawer=None,
        opponent=None,
        drawer_hand=None,
    )


def rolling_order(state: ClassicState) -> tuple[int, ...]:
    """The seats in the order of this round."""
    place = state.contenders.index(state.first)
    return (*state.contenders[place:], *state.contenders[:place])


def _finish_round(state: ClassicState) -> ClassicState:
    if state.target is not None:
        state = replace(state, discards=(*state.discards, state.target), target=None)
    contenders = state.contenders
    if state.round >= state.options.rounds:
        most = max(state.scores[seat] for seat in contenders)
        contenders = tuple(s for s in contenders if state.scores[s] == most)
        if len(contenders) == 1:  # CL-31; CL-33: also one player alone
            return replace(
                state, phase=Phase.OVER, winners=contenders, actor=contenders[0]
            )
    first = contenders[0]
    if state.options.same_target:  # CL-34: the drawing moves one place to the left
        after = (seat for seat in contenders if seat > state.first)
        first = next(after, contenders[0])
    return replace(
        state,
        phase=Phase.DRAW,
        round=state.round + 1,
        contenders=contenders,
        first=first,
        actor=first,
    )
