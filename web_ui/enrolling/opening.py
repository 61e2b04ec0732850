"""The enrolment desk of a running table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web_ui.enrolling.desk import EnrolmentDesk
from web_ui.enrolling.session import Readers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.reader import RollReader
    from web_ui.live_picture import LivePicture

PLAIN_SET = "square-shooters"
"""What is known of dice before they are enrolled: 54 faces, no layout."""


def readers_of(models: Callable[[], Path | None], threads: int = 0) -> Readers:
    """What loads the readers of an enrolment.

    Args:
        models: folder of the models in use; None for those of Tableside.
        threads: CPU threads; 0 lets the runtime choose.
    """

    def plain() -> RollReader:
        # here, because loading the runtime of the models takes a second
        from scoring.dice_sets import bundled_dice_set
        from vision.reader import load_reader

        return load_reader(bundled_dice_set(PLAIN_SET), models(), threads)

    def own(place: Path) -> RollReader:
        from datasets.enrolment.set_folder import SET_FILE
        from scoring.dice_sets import load_dice_set
        from vision.reader import load_reader

        own_set = load_dice_set(place / SET_FILE)
        return load_reader(own_set, models(), threads, enrolled=place)

    return Readers(plain, own, models)


def open_enrolment(
    live: LivePicture, data: Path, models: Callable[[], Path | None]
) -> EnrolmentDesk:
    """The desk of a table.

    Args:
        live: the pictures of its camera.
        data: its folder.
        models: folder of the models in use; None for those of Tableside.
    """
    return EnrolmentDesk(live, data, readers_of(models))
