"""The classic game at the table: targets, shootout cards and Showdowns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.classic_state import DUEL_PHASES, ClassicState, Phase
from scoring.hands import describe, title
from scoring.rolling import MOST_ROLLS
from scoring.target_deck import CardKind, Target
from web_ui.table.desk import Choice, Record, Turn
from web_ui.table.needs import Need

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.target_deck import GameCard

CARD_TITLES = {
    CardKind.DOUBLE_DOWN: "Double-Down",
    CardKind.QUICK_DRAW: "Quick-Draw",
    CardKind.SHOWDOWN: "Showdown",
    CardKind.JOKER: "Joker",
}
WAITS_FOR_DICE = frozenset(
    {
        Phase.ROLL,
        Phase.DECIDE,
        Phase.DUEL_ROLL,
        Phase.DUEL_DECIDE,
    }
)


class ClassicDesk:
    """See `Desk`."""

    name = "classic"
    title = "Classic"
    unit = "chips"
    players = (1, 12)
    summary = "Eight rounds of target hands, with bonus and shootout cards."

    def need(self, state: ClassicState) -> Need | None:
        """Nine dice, while the target (or a Showdown) waits for them."""
        if state.phase not in WAITS_FOR_DICE or not state.throws.can_roll:
            return None
        lying = state.throws.faces
        kept = {place: lying[place] for place in state.throws.kept_places}
        return Need(state.options.dice_set, kept)

    def rolled(
        self, state: ClassicState, faces: tuple[Face, ...]
    ) -> tuple[Record, ...]:
        """One roll."""
        return ({"do": "roll", "faces": [face.code for face in faces]},)

    def turn(self, state: ClassicState) -> Turn:
        """The running turn, or the rolling of a Showdown."""
        keeps = state.phase in (Phase.DECIDE, Phase.DUEL_DECIDE)
        played = state.throws.count == 1 and (state.doubled or state.quick_draws)
        return Turn(
            player=state.actor_name,
            rolls=state.throws.rolls,
            rolls_max=MOST_ROLLS,
            kept=state.throws.kept_places,
            can_keep=keeps and not played,
            target=None if state.phase in DUEL_PHASES else state.target,
        )

    def choices(self, state: ClassicState) -> tuple[Choice, ...]:
        """Drawing, stopping, choosing whom to face, and the cards held."""
        out: list[Choice] = []
        name = state.actor_name
        if state.phase is Phase.DRAW:
            draw = {"do": "draw", "player": name}
            out.append(Choice("Draw a card", draw, primary=True))
        if state.phase is Phase.DUEL_OPPONENT:
            out += [
                Choice(
                    f"Face {state.players[seat]}",
                    {"do": "duel", "opponent": state.players[seat]},
                    group="player",
                    detail=f"{state.scores[seat]} chips",
                )
                for seat in state.contenders
                if seat != state.actor
            ]
        if state.throws.can_stop:
            last = state.phase in (Phase.STOP, Phase.DUEL_STOP)
            words = "Stop here" if state.phase in DUEL_PHASES else "Stop and score"
            out.append(Choice(words, {"do": "stop"}, primary=last))
        return (*out, *_cards_held(state))

    def actor(self, state: ClassicState) -> str | None:
        """Whose turn it is, or who rolls in a Showdown."""
        return None if state.over else state.actor_name

    def hint(self, state: ClassicState) -> str:
        """What to do next."""
        name = state.actor_name
        match state.phase:
            case Phase.DRAW:
                return f"{name}: draw a card."
            case Phase.ROLL | Phase.DUEL_ROLL:
                fight = " for the Showdown" if state.phase is Phase.DUEL_ROLL else ""
                return f"{name}: roll all nine dice{fight}."
            case Phase.DECIDE | Phase.DUEL_DECIDE:
                return f"{name}: tap dice to keep and roll the others, or stop."
            case Phase.STOP | Phase.DUEL_STOP:
                return f"{name}: that was the last roll. Stop to score it."
            case Phase.DUEL_OPPONENT:
                return f"{name} drew a Showdown: choose whom to face."
            case _:
                winners = " and ".join(state.players[seat] for seat in state.winners)
                return f"The game is over: {winners} won."

    def more(self, state: ClassicState) -> Record:
        """Cards held, what lies on this turn, and the Showdown that is fought."""
        duel = None
        if state.drawer is not None and state.opponent is not None:
            hand = state.drawer_hand
            duel = {
                "drawer": state.players[state.drawer],
                "opponent": state.players[state.opponent],
                "hand": None if hand is None else describe(hand),
            }
        return {
            "held": {
                player: [CARD_TITLES[card.kind] for card in held]
                for player, held in zip(state.players, state.held, strict=True)
            },
            "doubled": state.doubled,
            "quick_draws": [state.players[seat] for seat in state.quick_draws],
            "joker_cards": state.joker_cards,
            "duel": duel,
            "pile": len(state.pile),
            "cards": [
                {
                    "id": card.id,
                    "title": title(card.hand)
                    if isinstance(card, Target)
                    else CARD_TITLES[card.kind],
                }
                for card in sorted(state.pile or state.discards, key=_by_id)
            ],
        }


def _by_id(card: GameCard) -> tuple[int, str]:
    return len(card.id), card.id


def _cards_held(state: ClassicState) -> list[Choice]:
    """The cards that could be played now; the rules judge again when one is."""
    out: list[Choice] = []
    for seat, held in enumerate(state.held):
        for kind in sorted({card.kind for card in held}):
            if _may_play(state, seat, kind):
                player = state.players[seat]
                command = {"do": "play_card", "player": player, "card": kind.value}
                label = f"{player}: play {CARD_TITLES[kind]}"
                out.append(Choice(label, command, group="card", player=player))
    return out


def _may_play(state: ClassicState, seat: int, kind: CardKind) -> bool:
    own = seat == state.actor
    fighting = state.phase in DUEL_PHASES
    match kind:
        case CardKind.DOUBLE_DOWN:  # CL-19, CL-20, CL-26
            open_now = state.selected_after_roll_1 and not fighting
            return own and open_now and not state.doubled
        case CardKind.QUICK_DRAW:  # CL-21, CL-22, CL-26, CL-32
            open_now = state.selected_after_roll_1 and not fighting
            free = seat in state.contenders and seat not in state.quick_draws
            return not own and open_now and free
        case _:  # CL-24
            if not own or state.phase in (Phase.DRAW, Phase.DUEL_OPPONENT, Phase.OVER):
                return False
            drawer = seat == state.drawer and state.options.drawer_plays_jokers
            return drawer if fighting else True
