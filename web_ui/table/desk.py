"""A game as a table plays it: what it waits for, what people can press."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.target_deck import Target
    from web_ui.table.needs import Need

S_contra = TypeVar("S_contra", contravariant=True)

Record = Mapping[str, object]
"""An action of a game script, as JSON gives it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that somebody can do now.

    Attributes:
        label: on the button.
        command: what is posted when it is pressed.
        group: `main` for the way on; `row`, `card`, `player`, `die` for lists of alike.
        primary: whether it is the likely way on.
        player: whose it is; None for whoever runs the table.
        detail: a second, smaller line; empty for none.
        face: code of a card or face to draw on the button; empty for none.
    """

    label: str
    command: Record = field(hash=False)
    group: str = "main"
    primary: bool = False
    player: str | None = None
    detail: str = ""
    face: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """The running turn of a game that rolls and keeps.

    Attributes:
        player: whose it is.
        rolls: the faces of each roll so far, in place order.
        rolls_max: most rolls.
        kept: places that the next roll leaves.
        can_keep: whether dice can be selected now.
        target: the target card that lies there, if the game has them.
    """

    player: str
    rolls: tuple[tuple[Face, ...], ...]
    rolls_max: int
    kept: tuple[int, ...]
    can_keep: bool
    target: Target | None = None


class Desk(Protocol[S_contra]):
    """One game at the table. Holds nothing, changes nothing.

    Attributes:
        name: as game scripts call it.
        title: as people call it.
        unit: what is counted: `chips`, `points`.
        players: fewest and most players.
        summary: the game in one line.
    """

    @property
    def name(self) -> str: ...  # noqa: D102  # see the class

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def unit(self) -> str: ...  # noqa: D102

    @property
    def players(self) -> tuple[int, int]: ...  # noqa: D102

    @property
    def summary(self) -> str: ...  # noqa: D102

    def need(self, state: S_contra) -> Need | None:
        """The dice it waits for; None while it waits for something else."""
        ...

    def rolled(self, state: S_contra, faces: tuple[Face, ...]) -> tuple[Record, ...]:
        """The actions that a roll of these faces (in place order) is."""
        ...

    def turn(self, state: S_contra) -> Turn | None:
        """The running turn; None in a game that does not roll and keep."""
        ...

    def choices(self, state: S_contra) -> tuple[Choice, ...]:
        """What can be done now, apart from rolling, keeping, undo and corrections."""
        ...

    def actor(self, state: S_contra) -> str | None:
        """Who acts next; None when it is over."""
        ...

    def hint(self, state: S_contra) -> str:
        """What to do next, in a sentence."""
        ...

    def more(self, state: S_contra) -> Record:
        """What else its page shows, as JSON (score card, tricks, pot)."""
        ...
