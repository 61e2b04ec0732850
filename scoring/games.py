"""The games that Tableside knows, by the names that game scripts use."""

from __future__ import annotations

from typing import Any

from scoring.game import Game
from scoring.game_best_hand import BestHandGame
from scoring.game_classic import ClassicGame
from scoring.game_rummy import RummyGame
from scoring.game_showdown import ShowdownGame
from scoring.game_squint import SquintGame
from scoring.game_straight_shooter import StraightShooterGame
from scoring.game_war import WarGame

AnyGame = Game[Any]
"""A game whose kind of state does not matter to the caller."""

_ALL: tuple[AnyGame, ...] = (
    ClassicGame(),
    BestHandGame(),
    RummyGame(),
    ShowdownGame(),
    WarGame(),
    StraightShooterGame(),
    SquintGame(),
)

GAMES: dict[str, AnyGame] = {game.name: game for game in _ALL}
