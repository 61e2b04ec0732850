"""The state of the table: one frozen value that the table's thread replaces."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.tray_watch import NO_TRAY

if TYPE_CHECKING:
    from scoring.classic_turn import Event, Turn
    from scoring.dice_sets import DiceSet
    from scoring.target_deck import Target
    from vision.tray_watch import TrayNews
    from vision.watch import WatchState
    from web_ui.settings import GameSettings
    from web_ui.shown import Shown


class CameraState(StrEnum):
    """How the source of pictures is doing."""

    OPENING = "opening"
    LIVE = "live"
    STALLED = "stalled"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class CameraNews:
    """What the camera's thread has to say.

    Attributes:
        state: how it is doing.
        sentence: the same for people.
    """

    state: CameraState
    sentence: str


@dataclass(frozen=True, slots=True)
class House:
    """What does not change while the table runs.

    Attributes:
        dice_set: the dice that are rolled.
        game: the settings of the game.
        demo: whether nobody is there to press buttons: turns then end by themselves.
    """

    dice_set: DiceSet
    game: GameSettings
    demo: bool


@dataclass(frozen=True, slots=True)
class Player:
    """A seat.

    Attributes:
        name: shown on the page.
        chips: won so far, >= 0.
        turns: turns finished.
    """

    name: str
    chips: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """The last thing that people should know.

    Attributes:
        sentence: what happened.
        rule: number of the rule behind it, empty if none.
        warn: whether somebody should do something about it.
    """

    sentence: str
    rule: str = ""
    warn: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything the page shows.

    Attributes:
        players: the seats in order.
        seat: whose turn it is, a place in `players`.
        turn_number: counts turns from 1.
        turn: the running or just scored turn; None while no target is drawn.
        events: what happened in it, from its beginning: replaying them gives `turn`.
        pile: targets still face down, next first.
        camera: how the camera is doing.
        watch: what the camera sees happening; None before the first frame.
        current: the reading of the roll that lies there, counted or waiting for an
            answer; None before the first.
        refused: a later reading that did not count; None if the last one did.
        held: readings that came while `current` was waiting, oldest first.
        next_reading: id of the next reading.
        notice: the last news, None if there is none.
        tray: how it is with the tray.
    """

    players: tuple[Player, ...]
    seat: int
    turn_number: int
    turn: Turn | None
    events: tuple[Event, ...]
    pile: tuple[Target, ...]
    camera: CameraNews
    watch: WatchState | None = None
    current: Shown | None = None
    refused: Shown | None = None
    held: tuple[Shown, ...] = ()
    next_reading: int = 1
    notice: Notice | None = None
    tray: TrayNews = NO_TRAY

    @property
    def player(self) -> Player:
        """Whose turn it is."""
        return self.players[self.seat]


def new_table(players: tuple[str, ...], pile: tuple[Target, ...]) -> TableState:
    """Set a table: no chips, no target, no reading.

    Args:
        players: names in seat order, at least one.
        pile: targets, the next to be drawn first.
    """
    return TableState(
        players=tuple(Player(name) for name in players),
        seat=0,
        turn_number=1,
        turn=None,
        events=(),
        pile=pile,
        camera=CameraNews(CameraState.OPENING, "Opening the camera"),
    )
