"""A table that plays by itself: turns end and targets are drawn without anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.target_deck import Target
from web_ui.table.beginning import draw_card, start_again

if TYPE_CHECKING:
    from web_ui.table.pen import Pen
    from web_ui.table.state import OpenGame

MOST_STEPS = 64
"""More than any game needs between two rolls."""


def make_room(pen: Pen) -> None:
    """Do what has to be done until the game waits for dice; nothing if it does."""
    for _ in range(MOST_STEPS):
        game = pen.state.game
        if game is not None and game.need is not None:
            return
        if game is None or game.state.over:
            start_again(pen)
            continue
        choices = game.desk.choices(game.state)
        choice = next((c for c in choices if c.primary), choices[0])
        if choice.command["do"] == "draw":
            draw_card(pen, game, _some_target(pen, game))
        else:
            pen.act(dict(choice.command))


def _some_target(pen: Pen, game: OpenGame) -> str | None:
    """A target by chance: who only looks on shall see what the dice are for."""
    state = game.state
    targets = [card.id for card in state.pile if isinstance(card, Target)]
    return targets[pen.house.chance(len(targets))] if targets else None


def end_turn(pen: Pen) -> None:
    """Score a turn that has no roll left."""
    game = pen.state.game
    if game is None or game.state.over or game.need is not None:
        return
    for choice in game.desk.choices(game.state):
        if choice.command["do"] == "stop":
            pen.act(dict(choice.command))
            return
