"""What the virtual camera sees in one frame, before it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datasets.hostile_hand import Placed
    from scoring.cards import Face

FRAMES_PER_S = 15
"""Rate of the virtual camera."""
WIDTH_PX, HEIGHT_PX = 1280, 720
SIZE_MM = 18.0
"""Edge of a virtual die."""
DIE_PX = 64.0
"""Width of a die in the picture."""


@dataclass(frozen=True, slots=True)
class VirtualDie:
    """A die on the virtual table.

    Attributes:
        face: what it shows.
        sides: faces of its four sides.
        x: centre, mm to the right of the middle of the table.
        y: centre, mm away from the viewer.
        yaw_deg: turn about the vertical, anticlockwise from above.
        lean_deg: how far it leans; 0: it lies flat.
        axis_deg: level axis about which it leans.
    """

    face: Face
    sides: tuple[Face, Face, Face, Face]
    x: float
    y: float
    yaw_deg: float
    lean_deg: float = 0.0
    axis_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Flight:
    """Dice in the air.

    Attributes:
        dice: as they will come to rest.
        aside: how far from the side each comes, one a die.
        turns: half turns that each tumbles, one a die.
        share: of the flight that is over, 0..1.
        step: share of the flight that passes in one frame.
    """

    dice: tuple[VirtualDie, ...]
    aside: tuple[float, ...]
    turns: tuple[int, ...]
    share: float
    step: float


@dataclass(frozen=True, slots=True)
class View:
    """How the camera stands and what the light does.

    Attributes:
        dx: shift of the picture, pixels.
        dy: likewise, down.
        turn_deg: turn of the picture.
        glare: whether a lamp is mirrored in the dice.
        dark: whether the lamp is off.
    """

    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0
    glare: bool = False
    dark: bool = False


STRAIGHT = View()


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame to draw.

    Attributes:
        still: dice that lie.
        dragged: dice that a hand moves.
        flight: dice in the air; None without any.
        hands: where hands are.
        view: of the camera.
    """

    still: tuple[VirtualDie, ...] = ()
    dragged: tuple[VirtualDie, ...] = ()
    flight: Flight | None = None
    hands: tuple[Placed, ...] = ()
    view: View = STRAIGHT

    @property
    def calm(self) -> bool:
        """Whether nothing moves in it."""
        return not self.dragged and self.flight is None and not self.hands
