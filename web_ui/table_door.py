"""The door of the table: how web threads hand in commands, and what they look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from web_ui.model_swap import NO_MODELS, ModelsInUse
from web_ui.serving.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.captures.album import Album
    from web_ui.camera_desk import CameraDesk
    from web_ui.enrolling.desk import EnrolmentDesk
    from web_ui.evidence import EvidenceShelf
    from web_ui.feed import Feed
    from web_ui.layouts.layout_desk import LayoutDesk
    from web_ui.live_picture import LivePicture
    from web_ui.table.books import Books
    from web_ui.table.commands import Order
    from web_ui.tray_desk import TrayDesk
    from web_ui.virtual.table import VirtualTable


class BusyError(RuntimeError):
    """The table did not answer in time, or is being closed."""


class TableDoor(Protocol):
    """Where commands are handed in, from any thread."""

    def obey(self, order: Order) -> str:
        """Have an order carried out.

        Returns:
            The state after it, as JSON text.

        Raises:
            RuleError: a rule refuses it.
            BusyError: no answer in time.
        """
        ...

    def unready(self) -> list[str]:
        """Say why a roll would not be read and scored now; empty if it would."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the app is made of.

    Attributes:
        table: takes commands.
        feed: snapshots of the table.
        shelf: readings with their pictures.
        live: the live picture.
        demo: whether the demo is playing.
        trays: where the tray is set.
        books: where games and pictures are kept.
        cameras: where the camera is chosen; None if it cannot be.
        metrics: what is counted and timed.
        virtual: the table, if it is drawn.
        models: tells which models read the table.
        layouts: tells which faces share a die; None where nothing is gathered.
        album: rolls kept from play, opened already; None to open it when asked for.
        enrolling: where a set of dice is shown and learned; None if it cannot be.
    """

    table: TableDoor
    feed: Feed
    shelf: EvidenceShelf
    live: LivePicture
    demo: bool
    trays: TrayDesk
    books: Books
    cameras: CameraDesk | None = None
    metrics: Metrics = field(default_factory=Metrics)
    virtual: VirtualTable | None = None
    models: Callable[[], ModelsInUse] = lambda: NO_MODELS
    layouts: LayoutDesk | None = None
    album: Album | None = None
    enrolling: EnrolmentDesk | None = None
