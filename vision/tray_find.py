"""Finding a tray by whatever there is: the printed sheet, or else the tray's edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.tray_edge import find_edge
from vision.tray_sheet import find_sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.ports import BgrImage
    from vision.reading import Quad
    from vision.tray import Tray


@dataclass(frozen=True, slots=True)
class Proposal:
    """A tray that may be one; a person decides.

    Attributes:
        tray: the area.
        confidence: 0..1.
        sentence: what it was found by, for people.
    """

    tray: Tray
    confidence: float
    sentence: str


def find_trays(image: BgrImage, dice: Sequence[Quad] = ()) -> tuple[Proposal, ...]:
    """Look for trays.

    Args:
        image: (H, W, 3) uint8 BGR.
        dice: quads of dice in its pixels, if known.

    Returns:
        What was found, a printed sheet first; empty if nothing was.
    """
    found = []
    sheet = find_sheet(image)
    if sheet is not None:
        count = len(sheet.markers)
        words = f"The printed sheet ({sheet.paper}), by {count} of its 8 markers"
        found.append(Proposal(sheet.tray, sheet.confidence, words))
    edge = find_edge(image, dice)
    if edge is not None:
        words = "An edge round the middle that may be a tray's: look whether it is"
        found.append(Proposal(edge.tray, edge.confidence, words))
    return tuple(found)
