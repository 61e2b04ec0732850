"""The state of the table: one frozen value that the table's thread replaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vision.tray_watch import NO_TRAY
from web_ui.camera_news import CameraNews, CameraState
from web_ui.settings import TableSettings
from web_ui.table.desks import DESKS
from web_ui.table.timer import IDLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.dice_sets import DiceSet, Layout
    from scoring.play import Play
    from vision.tray_watch import TrayNews
    from vision.watch import WatchState
    from web_ui.settings import GameSettings
    from web_ui.table.desks import AnyDesk
    from web_ui.table.needs import Need
    from web_ui.table.shown import Shown
    from web_ui.table.timer import Timer


AGREED = TableSettings()


@dataclass(frozen=True, slots=True)
class House:
    """What does not change while the table runs.

    Attributes:
        dice_set: the card dice that are rolled; a layout that is known is obeyed.
        game: settings: the game that is played first, its players and options.
        chance: picks one of so many, from 0, all alike; the only chance of the table.
        demo: whether nobody is there to press buttons: turns then end by themselves.
        agreed: agreements of the house: advice, the length of a turn.
    """

    dice_set: DiceSet
    game: GameSettings
    chance: Callable[[int], int]
    demo: bool = False
    agreed: TableSettings = AGREED


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
class LogItem:
    """Something done in the game, as people read it.

    Attributes:
        number: counts what was done in this game, from 1.
        do: the action, as game scripts call it.
        player: who did it; empty if nobody in particular.
        words: what happened, in a sentence.
        by: who entered it.
        at: when, ISO 8601.
        reading: id of the reading behind it; None without one.
        roll: number of the roll in the game, from 0; None for anything else.
        done: False once it is taken back.
    """

    number: int
    do: str
    player: str
    words: str
    by: str
    at: str
    reading: int | None = None
    roll: int | None = None
    done: bool = True


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody doubts a score, and what the referee said.

    Attributes:
        id: counts the claims of a game, from 1.
        words: what is claimed.
        by: who claims it.
        at: when, ISO 8601.
        reading: id of the reading it is about; None if about none.
        ruling: `upheld` or `rejected`; empty while it is open.
        reason: the referee's words.
        ruled_by: who ruled.
    """

    id: int
    words: str
    by: str
    at: str
    reading: int | None = None
    ruling: str = ""
    reason: str = ""
    ruled_by: str = ""


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that is being played, or was until another began.

    Attributes:
        id: tells it from all other games.
        play: its log; treated as frozen: what changes it is a copy.
        started_at: ISO 8601.
        log: what was done, oldest first.
        undone: places in `log` of what `redo` would bring back, next last.
        claims: doubts and rulings, oldest first.
        signed_by: who signed the result; empty before.
    """

    id: str
    play: Play[Any]
    started_at: str
    log: tuple[LogItem, ...] = ()
    undone: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    signed_by: str = ""

    @property
    def desk(self) -> AnyDesk:
        """How it is played at a table."""
        return DESKS[self.play.game.name]

    @property
    def state(self) -> Any:
        """The state of the game, of the game's own kind."""
        return self.play.state

    @property
    def step(self) -> int:
        """How much was done so far: what a command was meant for."""
        return len(self.play.journal)

    @property
    def need(self) -> Need | None:
        """The dice it waits for."""
        return None if self.state.over else self.desk.need(self.state)


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything the pages show.

    Attributes:
        game: the game on the table; None before the first.
        current: the reading of the roll that lies there, counted or waiting for an
            answer; None if there is none.
        refused: a later reading that did not count; None if the last one did.
        held: readings that came while `current` was waiting, oldest first.
        next_reading: id of the next reading.
        frozen: why nothing may be done but by a referee; empty if it may.
        advice_on: whether the table shows what to keep.
        timer: the timer.
        camera: how the camera is doing.
        watch: what the camera sees happening; None before the first frame.
        tray: how it is with the tray.
        notice: the last news, None if there is none.
        layout: the faces of each card die, if they are known.
    """

    camera: CameraNews = CameraNews(CameraState.OPENING, "Opening the camera")  # noqa: RUF009  # frozen
    game: OpenGame | None = None
    current: Shown | None = None
    refused: Shown | None = None
    held: tuple[Shown, ...] = ()
    next_reading: int = 1
    frozen: str = ""
    advice_on: bool = True
    timer: Timer = IDLE
    watch: WatchState | None = None
    tray: TrayNews = NO_TRAY
    notice: Notice | None = None

    layout: Layout | None = None

    @property
    def need(self) -> Need | None:
        """The dice that the game waits for."""
        return None if self.game is None else self.game.need
