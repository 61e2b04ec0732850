"""The evidence of a table: pictures for good, the last readings at hand."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from web_ui.evidence import Evidence
from web_ui.store.errors import StoreError
from web_ui.table.reading_records import reading_on_page

if TYPE_CHECKING:
    from web_ui.evidence import EvidenceShelf
    from web_ui.table.ports import Pictures
    from web_ui.table.shown import Shown
    from web_ui.table.state import TableState

log = logging.getLogger(__name__)


class EvidenceKeeper:
    """Keeps what readings were read from. Used by the table's thread alone.

    Args:
        shelf: the last readings, for whoever asks.
        pictures: where pictures are kept for good.
    """

    def __init__(self, shelf: EvidenceShelf, pictures: Pictures) -> None:
        self._shelf, self._pictures = shelf, pictures

    def keep(self, number: int, picture: bytes) -> str:
        """Keep the picture of a reading before anything is scored from it.

        Args:
            number: id of the reading.
            picture: JPEG; empty if there is none.

        Returns:
            Its SHA-256, hex; empty if it could not be kept: that must not stop play.
        """
        self._shelf.put(Evidence(number, "", picture))
        if not picture:
            return ""
        try:
            return self._pictures.put(picture)
        except (StoreError, OSError) as error:
            log.warning("a picture was not kept: %s", error)
            return ""

    def renew(self, state: TableState) -> None:
        """Say on the shelf what became of the readings on the table."""
        known: list[Shown] = [*state.held]
        known += [item for item in (state.current, state.refused) if item is not None]
        for item in known:
            before = self._shelf.get(item.id)
            picture = before.picture if before else b""
            body = json.dumps(reading_on_page(item), ensure_ascii=False)
            self._shelf.put(Evidence(item.id, body, picture))
