"""A table with its thread and its app, and one that is served for real."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from table_makers import HEIGHT_PX, WIDTH_PX

from scoring.dice_sets import bundled_dice_set
from scoring.target_deck import builtin_deck, builtin_targets
from vision.errors import ModelError, SourceError
from vision.watch import WatchState
from web_ui.app import create_app
from web_ui.camera_desk import CameraDesk
from web_ui.camera_news import CameraNews, CameraState
from web_ui.enrolling.desk import EnrolmentDesk
from web_ui.enrolling.session import Readers
from web_ui.evidence import EvidenceShelf
from web_ui.feed import Feed
from web_ui.live_picture import LivePicture
from web_ui.play_parts import open_eyes
from web_ui.running import RunningTable
from web_ui.server import address_of, listen
from web_ui.settings import GameSettings, ServerSettings, Settings
from web_ui.table.books import Books, open_books
from web_ui.table.state import House
from web_ui.table.table_thread import TableThread
from web_ui.table_door import Parts
from web_ui.tray_desk import TrayDesk
from web_ui.watch_thread import Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask.testing import FlaskClient

    from vision.ports import Source
    from vision.reader import RollReader
    from vision.reading import Reading
    from web_ui.access.keeper import Keeper
    from web_ui.camera_thread import CameraPlan
    from web_ui.virtual.table import VirtualTable

WAIT_S = 15
QUICK = ServerSettings(port=0, heartbeat_s=0.2, streams=16, viewers=2)
SETTINGS = Settings(server=QUICK, game=GameSettings(players=("Ann", "Bob")))


def picture() -> bytes:
    """A JPEG of the size that readings are made for."""
    image = np.full((HEIGHT_PX, WIDTH_PX, 3), 80, np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def house_of(settings: Settings = SETTINGS, *, demo: bool = False) -> House:
    """A house without chance: T18 (ten ten ten nine nine) is drawn, then the first."""
    dice_set = bundled_dice_set("square-shooters")
    full_house = [card.id for card in builtin_deck()].index("T18")
    # of all cards, or of the targets, which come first
    whole = (len(builtin_deck()), len(builtin_targets()))
    return House(
        dice_set,
        settings.game,
        lambda count: full_house if count in whole else 0,
        demo,
    )


class NoCameraThread:
    """Plays nothing."""

    def switch(self, plan: CameraPlan, first: Source) -> None:
        """Nothing is opened, so nothing comes here."""
        raise AssertionError("no source was opened")


def no_source(word: str) -> Source:
    """There is no camera here."""
    raise SourceError(word, "cannot be opened")


def no_reader() -> RollReader:
    """There are no models here."""
    raise ModelError("no models are loaded here")


def no_enrolment(live: LivePicture, data: Path) -> EnrolmentDesk:
    """Nothing can be enrolled without models."""
    readers = Readers(no_reader, lambda place: no_reader(), lambda: None)
    return EnrolmentDesk(live, data, readers)


class OpenTable:
    """A table that takes orders, with its app but without a server.

    Args:
        settings: all settings.
        books: where it writes; thrown away with the table if None.
        keeper: judges logins; None on loopback.
        virtual: the table, if it is drawn.
        enrolling: makes the desk of enrolments; without models if None.
    """

    def __init__(
        self,
        settings: Settings = SETTINGS,
        books: Books | None = None,
        keeper: Keeper | None = None,
        virtual: VirtualTable | None = None,
        enrolling: Callable[[LivePicture, Path], EnrolmentDesk] | None = None,
    ) -> None:
        house = house_of(settings)
        self.books = books or open_books(settings, demo=True)
        self.feed = Feed("test")
        self.live = LivePicture(settings.video)
        shelf = EvidenceShelf(settings.game.readings_kept)
        self.thread = TableThread(
            house,
            self.feed,
            shelf,
            self.books.journal,
            self.books.pictures,
            self.books.past,
        )
        self.trays = TrayDesk(self.live, "test")
        self.trays.open(None, self.thread.tell)
        self.enrolling = (enrolling or no_enrolment)(self.live, self.books.folder)
        parts = Parts(
            self.thread,
            self.feed,
            shelf,
            self.live,
            False,
            self.trays,
            self.books,
            CameraDesk(NoCameraThread(), self.trays, "test", no_source, list),  # type: ignore[arg-type]
            virtual=virtual,
            enrolling=self.enrolling,
        )
        app = create_app(settings, parts, keeper)
        app.testing = True
        self.client: FlaskClient = app.test_client()
        self.thread.start()
        self.feed.after(0, WAIT_S)

    def settle(self, reading: Reading) -> None:
        """A roll comes to rest; returns when the table has taken it."""
        before = self.feed.latest()
        seen = Seen(WatchState.SETTLED, reading, WIDTH_PX, HEIGHT_PX, picture(), 5.0)
        self.thread.tell(seen)
        self.feed.after(before.number if before else 0, WAIT_S)

    def camera(self, state: CameraState) -> None:
        """The camera says how it is."""
        before = self.feed.latest()
        self.thread.tell(CameraNews(state, f"The camera is {state}."))
        self.feed.after(before.number if before else 0, WAIT_S)

    def close(self) -> None:
        """End the table."""
        self.enrolling.stop()
        self.feed.close()
        self.live.close()
        self.thread.stop(WAIT_S)
        self.books.close()


class ServedTable:
    """A table played from a watch script and served on a free port."""

    def __init__(
        self, script: Path, settings: Settings = SETTINGS, *, demo: bool = False
    ) -> None:
        house = house_of(settings, demo=demo)
        eyes = open_eyes(str(script), house)
        sock = listen(settings.server.host, settings.server.port)
        self.port: int = sock.getsockname()[1]
        self.url = address_of(sock)
        self.running = RunningTable(
            settings,
            house,
            eyes.plan,
            eyes.source,
            eyes.watcher,
            open_books(settings, demo=True),
            sock,
        )
        self._thread = threading.Thread(target=self.running.serve)
        self._thread.start()

    def settle(self, reading: Reading) -> None:
        """A roll comes to rest that is not in the script."""
        seen = Seen(WatchState.SETTLED, reading, WIDTH_PX, HEIGHT_PX, picture(), 5.0)
        self.running.table.tell(seen)

    def wait_for(self, text: str) -> None:
        """Return when the state holds a text."""
        number = 0
        latest = self.running.feed.latest()
        while latest is None or text not in latest.body:
            news = self.running.feed.after(number, WAIT_S)
            if not news:
                raise AssertionError(f"{text!r} did not come in {WAIT_S} s")
            latest = news[-1]
            number = latest.number

    def close(self) -> None:
        """End the table and its server."""
        self.running.stop()
        self._thread.join(WAIT_S)
        if self._thread.is_alive():
            raise AssertionError("the server did not end")


def with_server(**changes: object) -> Settings:
    """The settings of the tests with other bounds of the server."""
    return replace(SETTINGS, server=replace(QUICK, **changes))  # type: ignore[arg-type]


def events_of(lines: Iterator[bytes]) -> Iterator[dict[str, str]]:
    """Take server-sent events apart; a comment comes as `{"": text}`."""
    event: dict[str, str] = {}
    for raw in lines:
        line = raw.decode().rstrip("\n")
        if not line:
            yield event
            event = {}
            continue
        name, _, value = line.partition(":")
        event[name] = value.removeprefix(" ")
