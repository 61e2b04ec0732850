"""The table's thread: one writer, many who ask, and nothing published twice."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from open_tables import WAIT_S, OpenTable, full_house_first
from table_makers import FIRST, THIRD, reading

from scoring.dice_sets import bundled_dice_set
from scoring.refusals import RuleError
from vision.watch import WatchState
from web_ui.commands import Draw, Next, Order, Start, Stop
from web_ui.evidence import EvidenceShelf
from web_ui.feed import Feed
from web_ui.settings import GameSettings
from web_ui.table_door import BusyError
from web_ui.table_state import CameraNews, CameraState, House
from web_ui.table_thread import TableThread, newer
from web_ui.watch_thread import Seen

if TYPE_CHECKING:
    from scoring.target_deck import Target


def test_order_answers_with_the_state_after_it(table: OpenTable) -> None:
    state = json.loads(table.thread.obey(Order(Draw("T18"))))
    assert state["turn"]["target"]["id"] == "T18"
    latest = table.feed.latest()
    assert latest is not None
    assert json.loads(latest.body) == state
    assert (state["run"], state["version"]) == ("test", latest.number)


def test_same_sight_twice_is_published_once(table: OpenTable) -> None:
    table.thread.tell(Seen(WatchState.MOVING))
    table.thread.tell(Seen(WatchState.MOVING))
    table.thread.obey(Order(Draw()))
    latest = table.feed.latest()
    assert latest is not None
    assert latest.number == 3


def test_orders_of_many_threads_are_carried_out_one_by_one(table: OpenTable) -> None:
    done: list[str] = []
    refused: list[str] = []

    def draw() -> None:
        try:
            done.append(table.thread.obey(Order(Draw())))
        except RuleError as error:
            refused.append(error.rule)

    threads = [threading.Thread(target=draw) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert len(done) == 1
    assert refused == ["CM-06"] * 19


def test_button_pressed_twice_does_not_skip_a_player(table: OpenTable) -> None:
    table.thread.obey(Order(Draw(), 1))
    table.settle(reading(FIRST, 1))
    table.thread.obey(Order(Stop(), 1))
    table.thread.obey(Order(Next(), 1))
    with pytest.raises(RuleError, match="meant for turn 1"):
        table.thread.obey(Order(Next(), 1))
    assert table.thread.state.player.name == "Bob"


def test_pile_is_shuffled_anew_when_it_is_used_up() -> None:
    shuffled = 0

    def two_targets() -> tuple[Target, ...]:
        nonlocal shuffled
        shuffled += 1
        return full_house_first()[:2]

    game = GameSettings(players=("Ann",))
    house = House(bundled_dice_set("square-shooters"), game, demo=False)
    thread = TableThread(house, two_targets, Feed("t"), EvidenceShelf(9))
    thread.start()
    for _ in range(5):
        thread.obey(Order(Draw()))
        thread.obey(Order(Start(("Ann",))))
    thread.stop(WAIT_S)
    assert shuffled == 3


def test_closed_table_takes_no_orders(table: OpenTable) -> None:
    table.close()
    with pytest.raises(BusyError, match="closed"):
        table.thread.obey(Order(Draw()))
    assert "the table is closed" in table.thread.unready()


def test_demo_shows_the_next_target_when_the_tray_was_cleared() -> None:
    house = House(bundled_dice_set("square-shooters"), GameSettings(), demo=True)
    feed = Feed("t")
    thread = TableThread(house, full_house_first, feed, EvidenceShelf(9))
    thread.start()
    for seed, codes in enumerate((FIRST, THIRD, FIRST), start=1):
        thread.tell(Seen(WatchState.SETTLED, reading(codes, seed), 1280, 720))
    thread.tell(Seen(WatchState.HAND))
    thread.tell(Seen(WatchState.EMPTY))
    number = 0
    turns: list[dict[str, Any]] = []
    while not turns or turns[-1]["number"] < 2:
        for snapshot in feed.after(number, WAIT_S):
            number = snapshot.number
            turns.append(json.loads(snapshot.body)["turn"])
    thread.stop(WAIT_S)
    assert turns[-2]["result"] is not None
    assert turns[-1]["phase"] == "roll"
    assert turns[-1]["target"]["id"] != turns[-2]["target"]["id"]


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
