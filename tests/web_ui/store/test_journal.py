"""The journal loses nothing, doubles nothing, and never makes the table wait long."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from store_makers import happened, numbers

from web_ui.store.errors import StoreError, Trouble
from web_ui.store.journal import AT_ONCE, Journal
from web_ui.store.store import EventStore
from web_ui.table.events import NewEvent, StoredEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PATIENT_S = 30


class Troubled:
    """A real store that a test can make fail, before or after it has written."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.before: StoreError | None = None
        self.after: StoreError | None = None
        self.open = threading.Event()
        self.open.set()

    def append(
        self, events: Sequence[NewEvent], *, wait_s: float
    ) -> tuple[StoredEvent, ...]:
        assert self.open.wait(PATIENT_S)
        if self.before is not None:
            raise self.before
        stored = self.store.append(events, wait_s=wait_s)
        if self.after is not None:
            raise self.after
        return stored


@pytest.fixture
def troubled(tmp_path: Path) -> Iterator[Troubled]:
    store = EventStore.open(tmp_path / "store.db")
    yield Troubled(store)
    store.close()


@pytest.fixture
def journal(troubled: Troubled) -> Iterator[Journal]:
    # it tries again only when it is told to
    opened = Journal(troubled, wait_s=PATIENT_S, again_s=[3600])
    yield opened
    troubled.before = troubled.after = None
    troubled.open.set()
    opened.close()


def trouble(kind: Trouble = Trouble.FULL) -> StoreError:
    return StoreError(kind, "The disk is full.")


def test_journal_writes_and_says_so(journal: Journal, troubled: Troubled) -> None:
    assert journal.write([])
    assert journal.write([happened(1), happened(2)])
    assert (journal.pending, journal.sentence, journal.last) == (0, "", 2)
    assert numbers(troubled.store) == [1, 2]


def test_failed_events_wait_in_order_until_they_can_be_written(
    journal: Journal, troubled: Troubled
) -> None:
    troubled.before = trouble()
    for k in range(3):
        assert not journal.write([happened(k)])
    assert journal.pending == 3
    assert journal.sentence == (
        "3 events are not saved. The disk is full. It is tried again."
    )
    assert not journal.retry()
    assert troubled.store.events() == ()
    troubled.before = None
    assert journal.write([happened(3)])
    assert numbers(troubled.store) == [0, 1, 2, 3]
    assert (journal.pending, journal.sentence, journal.trouble) == (0, "", None)


def test_commit_that_nobody_knows_of_is_not_doubled(
    journal: Journal, troubled: Troubled
) -> None:
    troubled.after = trouble(Trouble.GONE)
    assert not journal.write([happened(1)])
    assert not journal.write([happened(2)])
    troubled.after = None
    assert journal.retry()
    assert numbers(troubled.store) == [1, 2]
    assert troubled.store.verify().ok


def test_slow_disk_does_not_hold_the_table(troubled: Troubled) -> None:
    journal = Journal(troubled, wait_s=0.01)
    troubled.open.clear()
    assert not journal.write([happened(1)])
    assert "slow" in journal.sentence
    assert not journal.write([happened(2)])
    troubled.open.set()
    assert journal.close(PATIENT_S)
    assert numbers(troubled.store) == [1, 2]


def test_backlog_longer_than_one_transaction_keeps_its_order(
    journal: Journal, troubled: Troubled
) -> None:
    troubled.before = trouble()
    many = 2 * AT_ONCE + 7
    journal.write([happened(k) for k in range(many)])
    troubled.before = None
    assert journal.retry()
    assert numbers(troubled.store) == list(range(many))


def test_memory_is_bounded_and_nothing_taken_is_lost(troubled: Troubled) -> None:
    journal = Journal(troubled, wait_s=PATIENT_S, most_bytes=1000, again_s=[3600])
    troubled.before = trouble()
    taken = 0
    try:
        while taken < 100:
            journal.write([happened(taken)])
            taken += 1
    except StoreError as error:
        assert error.kind is Trouble.FULL  # noqa: PT017  # the loop counts as well
    assert 0 < taken == journal.pending < 100
    troubled.before = None
    assert journal.close(PATIENT_S)
    assert numbers(troubled.store) == list(range(taken))


def test_event_that_cannot_be_stored_is_refused_at_once(journal: Journal) -> None:
    bad = NewEvent("one", "", {}, "operator", "", "a" * 32)
    with pytest.raises(StoreError) as caught:
        journal.write([happened(1), bad])
    assert caught.value.kind is Trouble.REFUSED
    assert journal.pending == 0


def test_closed_journal_takes_nothing(journal: Journal) -> None:
    assert journal.close()
    with pytest.raises(StoreError, match="closed"):
        journal.write([happened(1)])
    assert journal.close()


def test_journal_tries_again_by_itself(troubled: Troubled) -> None:
    journal = Journal(troubled, wait_s=PATIENT_S, again_s=[0.01])
    troubled.before = trouble(Trouble.LOCKED)
    assert not journal.write([happened(1)])
    troubled.before = None
    for _ in range(3000):
        if not journal.pending:
            break
        threading.Event().wait(0.01)
    assert numbers(troubled.store) == [1]
    assert journal.close()


def test_journal_outlives_a_fault_that_nobody_foresaw(
    journal: Journal, troubled: Troubled
) -> None:
    troubled.before = ZeroDivisionError("odd")  # type: ignore[assignment]  # on purpose
    assert not journal.write([happened(1)])
    assert "odd" in journal.sentence
    troubled.before = None
    assert journal.retry()
