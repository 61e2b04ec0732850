"""Random actions for every game: mostly sensible, now and then nonsense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.cards import CARD_DICE_FACES
from web_ui.random_play import sensible, start

if TYPE_CHECKING:
    from random import Random

__all__ = ["nonsense", "sensible", "start"]

Action = dict[str, Any]


def nonsense(random: Random, names: list[str]) -> Action:
    """An action that may or may not be possible."""
    faces = [face.code for face in random.choices(CARD_DICE_FACES, k=9)]
    player = random.choice([*names, "Zoe", None])
    return random.choice(
        [
            {"do": "dance"},
            {"do": "roll", "faces": faces, "player": player},
            {"do": "roll", "faces": faces[:4]},
            {"do": "roll", "faces": "TC"},
            {"do": "keep", "dice": [random.randint(-1, 9), 3], "player": player},
            {"do": "stop", "player": player},
            {"do": "draw", "player": player, "card": faces[0]},
            {"do": "duel", "opponent": player},
            {"do": "play_card", "player": player, "card": "quick_draw"},
            {"do": "play_card", "player": player, "card": "double_down"},
            {"do": "play_card", "player": player, "card": "joker"},
            {"do": "toss", "player": player, "face": faces[0], "die": 9},
            {"do": "choose", "row": "queens", "item": 4},
            # a card nobody holds might be taken where hands are not known (SS-07)
            {"do": "play", "player": player, "card": "8S"},
            {"do": "guess", "player": player, "correct": False},
            {"do": "start_timer", "player": player},
            {"do": "undo"},
            {"do": "redo"},
            {"do": "correct", "roll": random.randint(0, 9), "faces": faces},
        ]
    )
