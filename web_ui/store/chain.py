"""Events as texts, and the chain of hashes over them (docs/store.md has the format)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from web_ui.store.errors import StoreError, Trouble
from web_ui.table.events import NewEvent, StoredEvent

GENESIS = "0" * 64
"""The hash before the first event."""

MOST_BODY_BYTES = 4 * 1024 * 1024
MOST_NAME = 200
"""Most characters of a game's id, a kind, a name."""

MOST_NUMBER = 2**31 - 1

_KEY = re.compile(r"[0-9a-f]{32}\Z")
_HASH = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True, slots=True)
class Row:
    """An event as it lies in the store: texts and one number.

    Attributes:
        number: from 1 without gaps.
        key: 32 hex digits, no other event has them.
        game: id of the game; empty for what belongs to none.
        kind: what happened.
        body: canonical JSON of an object.
        by: who did it.
        at: when, ISO 8601 in UTC.
        previous: hash of the event before, `GENESIS` for the first.
        hash: SHA-256 of `text`, hex.
    """

    number: int
    key: str
    game: str
    kind: str
    body: str
    by: str
    at: str
    previous: str
    hash: str

    @property
    def text(self) -> str:
        """What is hashed: one line of canonical JSON, the keys in order."""
        rest = {
            "by": self.by,
            "game": self.game,
            "key": self.key,
            "kind": self.kind,
            "number": self.number,
            "previous": self.previous,
        }
        # the body is put in as it is stored: a reader in another language need not
        # write numbers as Python does
        return f'{{"at":{canonical(self.at)},"body":{self.body},{canonical(rest)[1:]}'

    @property
    def proper_hash(self) -> str:
        """The hash that belongs to the text."""
        return sha256(self.text.encode("utf-8"))

    @property
    def stored(self) -> StoredEvent:
        """The event in it."""
        body = cast("Mapping[str, object]", json.loads(self.body))
        event = NewEvent(self.game, self.kind, body, self.by, self.at, self.key)
        return StoredEvent(self.number, self.hash, event)


def sha256(data: bytes) -> str:
    """Hash bytes; 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def is_hash(text: object) -> bool:
    """Whether something is a SHA-256 in hex, as this store writes them."""
    return isinstance(text, str) and _HASH.match(text) is not None


def canonical(value: object) -> str:
    """Write a value as JSON in one way only: keys sorted, no blanks, few escapes.

    Raises:
        ValueError: not JSON: NaN, half of a character.
        TypeError: not JSON: a key that is no text, a set, bytes.
    """
    text = json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    text.encode("utf-8")  # half of a character raises here
    return text


def row_of(event: NewEvent, number: int, previous: str) -> Row:
    """Give an event its place in the chain.

    Raises:
        StoreError: refused: the event cannot be stored.
    """
    if number > MOST_NUMBER:
        raise StoreError(Trouble.FULL, f"The store holds {MOST_NUMBER} events already.")
    texts = {"game": event.game, "kind": event.kind, "by": event.by, "at": event.at}
    for name, text in texts.items():
        _check_text(name, text)
    if not isinstance(event.key, str) or not _KEY.match(event.key):
        raise _refused(f"an event's key must be 32 hex digits, not {event.key!r:.60}")
    if not event.kind:
        raise _refused("an event's kind must not be empty")
    body = _body_text(event.body)
    row = Row(
        number,
        event.key,
        event.game,
        event.kind,
        body,
        event.by,
        event.at,
        previous,
        "",
    )
    return sealed(row)


def sealed(row: Row) -> Row:
    """The row with the hash that belongs to it."""
    return Row(
        row.number,
        row.key,
        row.game,
        row.kind,
        row.body,
        row.by,
        row.at,
        row.previous,
        row.proper_hash,
    )


def same_fact(row: Row, event: NewEvent) -> bool:
    """Whether a row holds this event, and not another one with its key."""
    facts = (row.game, row.kind, row.by, row.at, row.body)
    return facts == (
        event.game,
        event.kind,
        event.by,
        event.at,
        _body_text(event.body),
    )


def parse_line(line: str) -> Row:
    """Read the text that was hashed back into a row.

    Raises:
        ValueError: not such a text, or not written in the canonical way.
    """
    record = json.loads(line)
    wanted = {"at", "body", "by", "game", "key", "kind", "number", "previous"}
    if not isinstance(record, dict) or set(record) != wanted:
        raise ValueError("not an event")
    number, previous, body = record["number"], record["previous"], record["body"]
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("the number must be a whole one")
    if not 1 <= number <= MOST_NUMBER or not is_hash(previous):
        raise ValueError("number or previous hash is out of range")
    event = NewEvent(
        record["game"], record["kind"], body, record["by"], record["at"], record["key"]
    )
    try:
        row = row_of(event, number, previous)
    except StoreError as error:
        raise ValueError(error.sentence) from error
    if row.text != line:
        raise ValueError("not canonical JSON")
    return row


def fault(row: Row, number: int, previous: str) -> str:
    """What is wrong with a row at its place in the chain; empty if nothing is.

    Args:
        row: as stored.
        number: which it must have.
        previous: hash of the row before it.
    """
    if row.number != number:
        return f"event {number} is missing"
    if row.previous != previous:
        return "it does not follow the event before it"
    try:
        if parse_line(row.text).hash != row.hash:
            return "it is not what was written: its hash differs"
    except (ValueError, RecursionError) as error:
        return f"it is not what was written: {error}"
    return ""


def picture_hashes(body: object) -> set[str]:
    """The pictures that a body names: every hash under the key `picture`."""
    found: set[str] = set()
    rest = [body]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            if is_hash(value.get("picture")):
                found.add(value["picture"])
            rest += value.values()
        elif isinstance(value, list | tuple):
            rest += value
    return found


def _body_text(body: object) -> str:
    if not isinstance(body, Mapping):
        raise _refused(f"an event's body must be an object, not {type(body).__name__}")
    try:
        text = canonical(dict(body))
        # JSON has no keys but texts: 1 and "1" would become one
        if canonical(json.loads(text)) != text:
            raise ValueError("it is another when it is read back")
    except (TypeError, ValueError, RecursionError) as error:
        raise _refused(f"an event's body is not JSON: {error}") from error
    size = len(text.encode("utf-8"))
    if size > MOST_BODY_BYTES:
        raise _refused(f"an event's body has {size} bytes, most are {MOST_BODY_BYTES}")
    return text


def _check_text(name: str, text: object) -> None:
    if not isinstance(text, str):
        raise _refused(f"an event's {name} must be text, not {type(text).__name__}")
    if len(text) > MOST_NAME:
        raise _refused(f"an event's {name} has {len(text)} signs, most are {MOST_NAME}")
    if "\0" in text:
        raise _refused(f"an event's {name} must not hold the character 0")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _refused(f"an event's {name} holds half of a character") from error


def _refused(why: str) -> StoreError:
    return StoreError(Trouble.REFUSED, f"Not stored: {why}.")
