"""The table's thread: one writer, many who ask, and nothing published twice."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from open_tables import SETTINGS, WAIT_S, OpenTable, house_of
from table_makers import FIRST, THIRD, reading
from table_rounds import Round

from scoring.refusals import RuleError
from vision.watch import WatchState
from web_ui.camera_news import CameraNews, CameraState, newer
from web_ui.evidence import EvidenceShelf
from web_ui.feed import Feed
from web_ui.settings import TableSettings
from web_ui.store.errors import StoreError, Trouble
from web_ui.table.books import open_books
from web_ui.table.commands import parse_order
from web_ui.table.table_thread import TableThread
from web_ui.table_door import BusyError
from web_ui.watch_thread import Seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from web_ui.table.events import NewEvent


def obey(table: OpenTable, do: str, **fields: object) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(
        table.thread.obey(parse_order({"do": do, **fields}))
    )
    return told


def test_order_answers_with_the_state_after_it(table: OpenTable) -> None:
    state = obey(table, "draw", card="T18")
    assert state["turn"]["target"]["id"] == "T18"
    latest = table.feed.latest()
    assert latest is not None
    assert json.loads(latest.body) == state
    assert (state["run"], state["version"]) == ("test", latest.number)


def test_same_sight_twice_is_published_once(table: OpenTable) -> None:
    table.thread.tell(Seen(WatchState.MOVING))
    table.thread.tell(Seen(WatchState.MOVING))
    obey(table, "draw")
    latest = table.feed.latest()
    assert latest is not None
    assert latest.number == 3


def test_orders_of_many_threads_are_carried_out_one_by_one(table: OpenTable) -> None:
    done: list[dict[str, Any]] = []
    refused: list[str] = []

    def draw() -> None:
        try:
            done.append(obey(table, "draw"))
        except RuleError as error:
            refused.append(error.rule)

    threads = [threading.Thread(target=draw) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert len(done) == 1
    assert refused == ["CM-06"] * 19


def test_command_sent_twice_is_done_once(table: OpenTable) -> None:
    first = obey(table, "draw", id="tap-1")
    assert obey(table, "draw", id="tap-1") == first
    with pytest.raises(RuleError):
        obey(table, "draw", id="tap-2")


def test_command_for_an_earlier_moment_is_refused(table: OpenTable) -> None:
    step = obey(table, "draw")["game"]["step"]
    table.settle(reading(FIRST, 1))
    with pytest.raises(RuleError) as caught:
        obey(table, "stop", step=step)
    assert caught.value.rule == "TB-02"


def test_two_people_correcting_the_same_roll_do_not_overwrite_each_other(
    table: OpenTable,
) -> None:
    obey(table, "draw")
    table.settle(reading(FIRST, 1))
    step = json.loads(table.feed.latest().body)["game"]["step"]  # type: ignore[union-attr]
    obey(table, "name", reading=1, die=0, face="TS", step=step)
    with pytest.raises(RuleError) as caught:
        obey(table, "name", reading=1, die=0, face="TH", step=step)
    assert caught.value.rule == "TB-02"
    assert table.thread.state.current is not None
    assert table.thread.state.current.known[0].code == "TS"


def test_closed_table_takes_no_orders(table: OpenTable) -> None:
    table.close()
    with pytest.raises(BusyError, match="closed"):
        obey(table, "draw")
    assert "the table is closed" in table.thread.unready()


def test_game_goes_on_after_a_restart() -> None:
    books = open_books(SETTINGS, demo=True)
    table = OpenTable(books=books)
    obey(table, "draw", card="T18", id="tap-1")
    table.settle(reading(THIRD, 1))
    before = obey(table, "stop")
    table.feed.close()
    table.thread.stop(WAIT_S)
    past = tuple(stored.event for stored in books.store.events(before["game"]["id"]))
    feed = Feed("again")
    thread = TableThread(
        house_of(), feed, EvidenceShelf(9), books.journal, books.pictures, past
    )
    thread.start()
    (first,) = feed.after(0, WAIT_S)
    after = json.loads(first.body)
    for same in ("game", "players", "log", "reading", "turn", "choices"):
        assert after[same] == before[same], same
    # what was sent before the restart is not done again after it
    again = json.loads(thread.obey(parse_order({"do": "draw", "id": "tap-1"})))
    assert again["turn"]["target"] is None
    thread.stop(WAIT_S)
    table.live.close()
    books.close()


def test_reading_that_was_kept_but_not_counted_counts_after_a_restart() -> None:
    table = Round()
    table.order("draw", card="T18")
    table.settle(reading(FIRST, 1))
    assert [event.kind for event in table.events[-2:]] == ["read", "acted"]
    books = open_books(SETTINGS, demo=True)
    feed = Feed("t")
    thread = TableThread(
        house_of(),
        feed,
        EvidenceShelf(9),
        books.journal,
        books.pictures,
        table.events[:-1],
    )
    thread.start()
    (first,) = feed.after(0, WAIT_S)
    thread.stop(WAIT_S)
    books.close()
    told = json.loads(first.body)
    assert told["turn"]["rolls"] == 1
    assert told["reading"]["use"] == "taken"


class FullJournal:
    """A journal that takes nothing more."""

    pending = 0
    sentence = "The disk is full."
    refuses = False

    def write(self, events: Sequence[NewEvent]) -> bool:
        if self.refuses:
            raise StoreError(Trouble.FULL, self.sentence)
        return True


def test_nothing_happens_that_cannot_even_be_remembered() -> None:
    journal = FullJournal()
    thread = TableThread(house_of(), Feed("t"), EvidenceShelf(9), journal, NoPictures())
    thread.start()
    thread.obey(parse_order({"do": "draw"}))
    journal.refuses = True
    with pytest.raises(BusyError, match="disk is full"):
        thread.obey(parse_order({"do": "roll", "faces": FIRST.split()}))
    seen = Seen(WatchState.SETTLED, reading(FIRST, 1), 1280, 720, b"a picture")
    thread.tell(seen)
    with pytest.raises(BusyError):
        thread.obey(parse_order({"do": "undo"}))
    journal.refuses = False
    told = json.loads(thread.obey(parse_order({"do": "undo"})))
    thread.stop(WAIT_S)
    assert told["log"][0]["do"] == "draw"
    assert told["reading"] is None


class BrokenJournal:
    """A journal whose store cannot be written."""

    def __init__(self) -> None:
        self.kept: list[NewEvent] = []

    def write(self, events: Sequence[NewEvent]) -> bool:
        self.kept += events
        return False

    @property
    def pending(self) -> int:
        return len(self.kept)

    @property
    def sentence(self) -> str:
        return "The disk is full."


class NoPictures:
    def put(self, data: bytes) -> str:
        raise OSError(28, "No space left on device")


def test_play_goes_on_and_says_so_while_nothing_can_be_written() -> None:
    feed = Feed("t")
    thread = TableThread(
        house_of(), feed, EvidenceShelf(9), BrokenJournal(), NoPictures()
    )
    thread.start()
    told = json.loads(thread.obey(parse_order({"do": "draw"})))
    seen = Seen(WatchState.SETTLED, reading(FIRST, 1), 1280, 720, b"a picture")
    thread.tell(seen)
    told = json.loads(thread.obey(parse_order({"do": "keep", "dice": [0]})))
    thread.stop(WAIT_S)
    assert told["turn"]["kept"] == [0]
    assert told["store"] == {"pending": 5, "sentence": "The disk is full."}
    assert "The disk is full." in thread.unready()


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_timer_runs_on_the_servers_clock_and_rings() -> None:
    clock, feed = Clock(), Feed("t")
    books = open_books(SETTINGS, demo=True)
    thread = TableThread(
        house_of(),
        feed,
        EvidenceShelf(9),
        books.journal,
        books.pictures,
        clock=clock,
    )
    thread.start()
    order = parse_order({"do": "timer", "timer": "start", "seconds": 30})
    told = json.loads(thread.obey(order))["timer"]
    assert (told["running"], told["ends_ms"]) == (True, 130_000)
    clock.now_s = 110.0
    stop = parse_order({"do": "timer", "timer": "stop"})
    told = json.loads(thread.obey(stop))["timer"]
    assert (told["running"], told["left_s"]) == (False, 20.0)
    thread.obey(parse_order({"do": "timer", "timer": "start"}))
    clock.now_s = 131.0
    thread.tell(Seen(WatchState.MOVING))
    told = json.loads(thread.obey(parse_order({"do": "advice", "on": False})))["timer"]
    assert told["rung"]
    with pytest.raises(RuleError, match="seconds"):
        thread.obey(parse_order({"do": "timer", "timer": "start", "seconds": -1}))
    thread.stop(WAIT_S)
    books.close()


def test_timer_ends_with_its_game_and_with_the_undo_of_its_start() -> None:
    clock = Clock()
    books = open_books(SETTINGS, demo=True)
    thread = TableThread(
        house_of(),
        Feed("t"),
        EvidenceShelf(9),
        books.journal,
        books.pictures,
        clock=clock,
    )
    thread.start()

    def timer(do: str, **fields: object) -> bool:
        told = json.loads(thread.obey(parse_order({"do": do, **fields})))
        running: bool = told["timer"]["running"]
        return running

    assert timer("timer", timer="start", seconds=30)
    names = ["Ann", "Bob", "Cem"]
    options = {"timer_seconds": 30}
    assert not timer("start", game="squint", players=names, options=options)
    timer("roll", faces=["2"])
    timer("draw")
    assert timer("start_timer", player="Bob")
    assert not timer("undo")
    thread.stop(WAIT_S)
    books.close()


def test_turn_timer_starts_anew_with_each_turn() -> None:
    clock = Clock()
    agreed = TableSettings(turn_s=60.0, advice=False)
    books = open_books(SETTINGS, demo=True)
    thread = TableThread(
        replace(house_of(), agreed=agreed),
        Feed("t"),
        EvidenceShelf(9),
        books.journal,
        books.pictures,
        clock=clock,
    )
    thread.start()
    told = json.loads(thread.obey(parse_order({"do": "draw"})))
    assert told["timer"]["ends_ms"] == 160_000
    assert told["advice"]["on"] is False
    clock.now_s = 110.0
    thread.obey(parse_order({"do": "roll", "faces": FIRST.split()}))
    told = json.loads(thread.obey(parse_order({"do": "stop"})))
    assert told["timer"]["ends_ms"] == 170_000
    thread.stop(WAIT_S)
    books.close()


def test_demo_shows_the_next_target_when_the_tray_was_cleared() -> None:
    feed = Feed("t")
    books = open_books(SETTINGS, demo=True)
    thread = TableThread(
        house_of(demo=True), feed, EvidenceShelf(9), books.journal, books.pictures
    )
    thread.start()
    for seed, codes in enumerate((FIRST, THIRD, FIRST), start=1):
        thread.tell(Seen(WatchState.SETTLED, reading(codes, seed), 1280, 720))
    thread.tell(Seen(WatchState.HAND))
    thread.tell(Seen(WatchState.EMPTY))
    number = 0
    states: list[dict[str, Any]] = []
    while not states or states[-1]["table"]["watch"] != "empty":
        for snapshot in feed.after(number, WAIT_S):
            number = snapshot.number
            states.append(json.loads(snapshot.body))
    thread.stop(WAIT_S)
    books.close()
    assert states[-2]["game"]["result"] is not None
    assert states[-1]["turn"]["phase"] == "roll"
    assert states[-1]["turn"]["target"]["id"] != "T18"


LIVE = CameraNews(CameraState.LIVE, "live")
STALLED = CameraNews(CameraState.STALLED, "stands")


@pytest.mark.parametrize("state", [CameraState.LOST, CameraState.ENDED])
def test_camera_that_is_gone_is_not_said_to_stand_still(state: CameraState) -> None:
    gone = CameraNews(state, "gone")
    assert newer(LIVE, gone) is gone
    assert newer(gone, STALLED) is gone
    assert newer(gone, LIVE) is LIVE
    assert newer(LIVE, STALLED) is STALLED
    assert newer(STALLED, gone) is gone
