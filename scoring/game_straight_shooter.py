"""Straight Shooter: a trick game without trump (SS-01 to SS-14)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.game import Record, check_actor, not_now
from scoring.game_options import OptionReader
from scoring.refusals import RuleError
from scoring.straight_state import (
    OPTIONS,
    Phase,
    Played,
    StraightState,
    pack_rank,
    read_pack_card,
)

if TYPE_CHECKING:
    from scoring.action import Action, Hands
    from scoring.cards import Card


class StraightShooterGame:
    """The rules of `straight_shooter.md`."""

    name = "straight_shooter"
    options = OPTIONS
    actions = frozenset({"deal", "play", "draw"})

    def begin(self, players: tuple[str, ...], options: Record) -> StraightState:
        """Start a game (SS-01, SS-04)."""
        if len(players) not in (3, 4):
            raise RuleError(
                "SS-01",
                f"Straight Shooter is for three or four players, not {len(players)}.",
            )
        reader = OptionReader(options, OPTIONS)
        return StraightState(
            players=players,
            target=reader.number("target", 1),
            phase=Phase.DEAL,
            scores=(0,) * len(players),
            contenders=tuple(range(len(players))),
            dealer=reader.player("dealer", players, len(players) - 1),
            tricks=(0,) * len(players),
        )

    def decide(
        self, state: StraightState, action: Action
    ) -> tuple[StraightState, Record | None]:
        """Judge an action and let it happen."""
        match action.do:
            case "deal":
                return _deal(state, action), None
            case "draw":
                return _draw(state, action)
            case _:
                return _play(state, action)

    def fields(self, state: StraightState) -> Record:
        """What can be seen of the state."""
        names = state.players
        return {
            "phase": state.phase.value,
            "next_player": None if state.over else names[state.next_seat],
            "scores": dict(zip(names, state.scores, strict=True)),
            "winners": [] if state.winner is None else [names[state.winner]],
            "dealer": names[state.dealer],
            "deal": state.deal,
            "tricks": dict(zip(names, state.tricks, strict=True)),
            "trick": [[names[p.seat], p.card.code] for p in state.trick],
            "shootout": state.shootout,
            "contenders": [names[seat] for seat in state.contenders],
        }


def _deal(state: StraightState, action: Action) -> StraightState:
    """SS-04, SS-13: deal the cards, known or not."""
    if state.phase is not Phase.DEAL:
        raise not_now(action, state.phase)
    check_actor(action, state.players[state.dealer])
    hands = None if action.hands is None else _read_hands(state, action.hands)
    return replace(
        state,
        phase=Phase.PLAY,
        deal=state.deal + 1,
        actor=state.left_of(state.dealer),
        hands=hands,
        played=frozenset(),
        voids=frozenset(),
        trick=(),
        tricks=(0,) * len(state.players),
    )


def _read_hands(state: StraightState, hands: Hands) -> tuple[frozenset[Card], ...]:
    named = dict(hands)
    expected = {state.players[seat] for seat in state.contenders}
    if set(named) != expected:
        raise RuleError("SS-04", f"Deal to {', '.join(sorted(expected))}.")
    dealt: set[Card] = set()
    read: list[frozenset[Card]] = []
    for name in state.players:
        cards = [read_pack_card(code) for code in named.get(name, ())]
        if name in expected and len(cards) != state.cards_each:
            raise RuleError(
                "SS-04", f"{name} gets {state.cards_each} cards, not {len(cards)}."
            )
        for card in cards:
            if card in dealt:
                raise RuleError("SS-04", f"{card.code} was dealt twice.")
            dealt.add(card)
        read.append(frozenset(cards))
    return tuple(read)


def _play(state: StraightState, action: Action) -> tuple[StraightState, Record]:
    """SS-05 to SS-08: lead or follow."""
    if state.phase is not Phase.PLAY:
        raise not_now(action, state.phase)
    card = read_pack_card(action.card)
    check_actor(action, state.players[state.actor])
    _check_card(state, card)
    seat = state.actor
    led = state.trick[0].card.suit if state.trick else card.suit
    hands = state.hands
    if hands is not None:
        hands = tuple(
            held - {card} if other == seat else held for other, held in enumerate(hands)
        )
    voids = state.voids if card.suit is led else state.voids | {(seat, led)}
    state = replace(
        state,
        hands=hands,
        voids=voids,
        played=state.played | {card},
        trick=(*state.trick, Played(seat, card)),
    )
    if len(state.trick) < len(state.contenders):
        return replace(state, actor=state.left_of(seat)), {"trick": None}
    return _finish_trick(state)


def _check_card(state: StraightState, card: Card) -> None:
    name = state.players[state.actor]
    if card in state.played:
        raise RuleError("SS-05", f"{card.code} was played already in this deal.")
    led = state.trick[0].card.suit if state.trick else None
    if state.hands is None:
        if (state.actor, card.suit) in state.voids:
            raise RuleError(
                "SS-07",
                f"{name} did not follow {card.suit.name.lower()} before and cannot"
                f" have {card.code}.",
            )
        return
    hand = state.hands[state.actor]
    if card not in hand:
        raise RuleError("SS-05", f"{name} does not hold {card.code}.")
    able = any(other.suit is led for other in hand)
    if led is not None and card.suit is not led and able:
        raise RuleError("SS-06", f"{name} must follow {led.name.lower()}.")


def _finish_trick(state: StraightState) -> tuple[StraightState, Record]:
    led = state.trick[0].card.suit
    following = [play for play in state.trick if play.card.suit is led]
    winner = max(following, key=lambda play: pack_rank(play.card)).seat
    tricks = list(state.tricks)
    tricks[winner] += 1
    state = replace(state, trick=(), tricks=tuple(tricks), actor=winner)
    result: dict[str, object] = {"trick": state.players[winner]}
    if len(state.played) < state.cards_each * len(state.contenders):
        return state, result
    state, points = _finish_shootout(state) if state.shootout else _finish_deal(state)
    return state, {**result, "deal": points}


def _finish_deal(state: StraightState) -> tuple[StraightState, Record]:
    """SS-09 to SS-11: count the tricks; all of them count double."""
    whole = state.cards_each
    points = [2 * count if count == whole else count for count in state.tricks]
    scores = tuple(
        score + more for score, more in zip(state.scores, points, strict=True)
    )
    dealer = (state.dealer + 1) % len(state.players)
    counted = dict(zip(state.players, points, strict=True))
    state = replace(state, scores=scores, dealer=dealer, phase=Phase.DEAL)
    most = max(scores)
    if most < state.target:
        return state, counted
    top = tuple(seat for seat, score in enumerate(scores) if score == most)
    return _win_or_shoot(state, top), counted


def _win_or_shoot(state: StraightState, top: tuple[int, ...]) -> StraightState:
    """SS-11, SS-14: one at the top wins, several go to a shootout."""
    if len(top) == 1:
        return replace(state, phase=Phase.OVER, winner=top[0])
    return replace(
        state,
        phase=Phase.SHOOTOUT_DRAW,
        shootout=True,
        contenders=top,
        drawing=top,
        draws=(),
    )


def _finish_shootout(state: StraightState) -> tuple[StraightState, Record]:
    """SS-13, SS-14: most tricks wins the game; points do not change."""
    most = max(state.tricks[seat] for seat in state.contenders)
    top = tuple(seat for seat in state.contenders if state.tricks[seat] == most)
    counted = {state.players[seat]: state.tricks[seat] for seat in state.contenders}
    return _win_or_shoot(state, top), counted


def _draw(state: StraightState, action: Action) -> tuple[StraightState, Record | None]:
    """SS-12: the tied draw for the deal, the lowest card deals."""
    if action.player is None or action.card is None:
        raise RuleError("CM-04", "A draw names the player and the card.")
    if state.phase is not Phase.SHOOTOUT_DRAW:
        raise not_now(action, state.phase)
    card = read_pack_card(action.card)
    seat = state.players.index(action.player)
    if seat not in state.drawing or any(draw.seat == seat for draw in state.draws):
        raise RuleError("SS-12", f"{action.player} has no card to draw now.")
    if any(draw.card == card for draw in state.draws):
        raise RuleError("SS-12", f"{card.code} was drawn just now.")
    draws = (*state.draws, Played(seat, card))
    state = replace(state, draws=draws)
    if len(draws) < len(state.drawing):
        return state, None
    lowest = min(pack_rank(draw.card) for draw in draws)
    low = {draw.seat for draw in draws if pack_rank(draw.card) == lowest}
    if len(low) > 1:
        again = tuple(sorted(low))
        redraw = {"redraw": [state.players[other] for other in again]}
        return replace(state, drawing=again, draws=()), redraw
    (dealer,) = low
    state = replace(state, phase=Phase.DEAL, dealer=dealer, drawing=(), draws=())
    return state, {"dealer": state.players[dealer]}
