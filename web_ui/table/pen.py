"""A pen: writes events and lets them happen, all of them or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.action import action_record
from web_ui.table.events import new_event
from web_ui.table.fold import apply, open_game

if TYPE_CHECKING:
    from scoring.action import Action
    from web_ui.table.events import NewEvent
    from web_ui.table.shown import Shown
    from web_ui.table.state import House, TableState


class Pen:
    """Works on a state of its own until somebody takes over what it wrote.

    Args:
        house: the fixed part of the table.
        state: the table before.
        by: who does it.

    Attributes:
        state: the table after what was written.
        events: what was written, in order.
    """

    def __init__(self, house: House, state: TableState, by: str) -> None:
        self.house, self.state, self.by = house, state, by
        self.events: list[NewEvent] = []
        self.about: dict[str, object] = {}

    def write(self, kind: str, body: dict[str, object], game: str = "") -> None:
        """Let something happen.

        Raises:
            RuleError: a rule refuses it; nothing was written then.
        """
        where = game or (self.state.game.id if self.state.game else "")
        event = new_event(where, kind, {**body, **self.about}, self.by)
        self.state = apply(self.state, event)
        self.events.append(event)
        # who sent the command is noted once, with the first thing it led to
        self.about = {}

    def act(
        self,
        action: dict[str, object],
        item: Shown | None = None,
        reason: str = "",
        places: tuple[int, ...] = (),
    ) -> None:
        """Let an action of the game script happen.

        Args:
            action: as JSON gives it.
            item: the reading behind it.
            reason: why, if a person said so.
            places: the places of that reading that it is about.

        Raises:
            RuleError: a rule refuses it.
        """
        open_game(self.state)
        body: dict[str, object] = {"action": action}
        if reason:
            body["reason"] = reason
        if item is not None:
            body["reading"] = item.id
            body["places"] = [*places]
            body["order"] = [*item.order]
            body["answers"] = [
                None if face is None else face.code for face in item.answers
            ]
        self.write("acted", body)

    def do(self, action: Action, reason: str = "") -> None:
        """Let an action happen that was read already.

        Raises:
            RuleError: a rule refuses it.
        """
        self.act(action_record(action), reason=reason)

    def fork(self) -> Pen:
        """A pen that goes on from here; `join` takes over what it wrote."""
        other = Pen(self.house, self.state, self.by)
        other.about = dict(self.about)
        return other

    def join(self, other: Pen) -> None:
        """Take over what a fork of this pen wrote."""
        self.state, self.about = other.state, other.about
        self.events += other.events
