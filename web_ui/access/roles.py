"""Who somebody is at the table: roles, from looking to ruling, and actors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What somebody may do; each role may what those before it may."""

    VIEWER = "viewer"
    PLAYER = "player"
    OPERATOR = "operator"
    REFEREE = "referee"

    @property
    def rank(self) -> int:
        """Place in the order of roles, from 0."""
        return _ORDER.index(self)

    def reaches(self, least: Role) -> bool:
        """Whether this role may do what `least` may."""
        return self.rank >= least.rank


_ORDER = tuple(Role)

CODED = (Role.VIEWER, Role.OPERATOR, Role.REFEREE)
"""Roles that are joined by a code; a player joins by the link of a seat."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who asks something of the table.

    Attributes:
        role: what they may.
        name: how they call themselves; empty if they do not.
        seat: the player they are, only with the role of a player.
        game: the game that the seat belongs to, only with a seat.
    """

    role: Role
    name: str = ""
    seat: str = ""
    game: str = ""

    @property
    def by(self) -> str:
        """Who did it, for the log of the game: `referee Ann`."""
        called = self.seat or self.name
        return f"{self.role} {called}" if called else str(self.role)


LOCAL = Actor(Role.REFEREE, "local")
"""Whoever sits at the machine of a table that nobody else can reach."""
