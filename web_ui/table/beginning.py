"""Beginning a game, and the card that the program draws: chance at the table."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, cast

from scoring.dice_sets import bundled_dice_set
from scoring.games import GAMES
from scoring.refusals import RuleError, shown
from web_ui.table.desks import DESKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.classic_state import ClassicState
    from scoring.dice_sets import DiceSet
    from web_ui.table.pen import Pen
    from web_ui.table.state import OpenGame

CARD_DICE_SETS = {
    "square-shooters": "Nine card dice, layout not known",
    "square-shooters-reference": "Nine card dice in the layout of reference",
}
"""The card dice that come with Tableside, and what people call them."""


def start_game(
    pen: Pen,
    name: str,
    players: tuple[str, ...],
    options: Mapping[str, object],
    dice_set: str | None = None,
) -> None:
    """Close the game on the table and begin another.

    Args:
        pen: writes it down.
        name: which game.
        players: names in seat order.
        options: what departs from the defaults.
        dice_set: the card dice that are rolled, whose layout is obeyed if it is known;
            None for those of the house.

    Raises:
        RuleError: CM-03 no such game or dice, or the players or options are not of
            that game.
    """
    if name not in DESKS:
        raise RuleError(
            "CM-03", f"There is no game {shown(name)}: expected {', '.join(DESKS)}."
        )
    before = pen.state.game
    if before is not None:
        pen.write("game_closed", {"over": before.state.over})
    agreed = dict(options)
    layout = (pen.house.dice_set if dice_set is None else _card_dice(dice_set)).dice
    if layout and "layout" in GAMES[name].options and "layout" not in agreed:
        agreed["layout"] = [[face.code for face in die] for die in layout]
    pen.write(
        "game_started",
        {
            "game": name,
            "players": [*players],
            "options": agreed,
            "next_reading": pen.state.next_reading,
            "advice": pen.state.advice_on,
        },
        uuid.uuid4().hex,
    )


def _card_dice(name: str) -> DiceSet:
    if name not in CARD_DICE_SETS:
        known = ", ".join(CARD_DICE_SETS)
        raise RuleError(
            "CM-03", f"There are no card dice {shown(name)}: expected {known}."
        )
    return bundled_dice_set(name)


def draw_card(pen: Pen, game: OpenGame, card: str | None = None) -> None:
    """Draw the card that was named, or one by chance.

    Raises:
        RuleError: CL-04 not in the pile; CM-06 nothing is drawn now.
    """
    state = cast("ClassicState", game.state)
    pile = state.pile or state.discards
    if card is not None:
        wanted = card.strip().casefold()
        named = (known.id for known in pile if known.id.casefold() == wanted)
        card = next(named, card)
    if card is None and not state.over:
        card = pile[pen.house.chance(len(pile))].id if pile else None
    pen.act({"do": "draw", "player": game.desk.actor(state), "card": card})


def start_again(pen: Pen) -> None:
    """Begin the same game with the same players, or the one of the settings.

    Raises:
        RuleError: CM-03, the settings do not fit the game.
    """
    game = pen.state.game
    if game is None:
        agreed = pen.house.game
        start_game(pen, agreed.name, agreed.players, agreed.options)
        return
    start = game.play.entries[0].action
    start_game(pen, game.play.game.name, game.state.players, start.options or {})
