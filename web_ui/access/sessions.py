"""Sessions: who is logged in, for how long, and until they log out.

A cookie holds a random name, signed; what it stands for is kept here, so that a cookie
copied before a logout is worth nothing after it. Only hashes of the names are written
down. Time is the monotonic clock: a step of the wall clock ends or lengthens no login
of a running table.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import threading
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from datasets.captures.private_files import write_private
from scoring.json_files import JsonFileError, read_json
from web_ui.access.roles import Actor, Role

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

log = logging.getLogger(__name__)

MOST_SESSIONS = 500
FORMAT = "tableside-sessions/1"


@dataclass(frozen=True, slots=True)
class Session:
    """A login.

    Attributes:
        actor: who.
        token: hash of the token it was exchanged for; empty if a code was typed.
        ends_s: on the monotonic clock.
    """

    actor: Actor
    token: str
    ends_s: float


class SessionBook:
    """All sessions, in bounded memory, written down to survive a restart.

    Args:
        path: the file; what it holds for another key is forgotten.
        key: the key of the cookies.
        lasts_s: how long a login lasts.
        clock: the monotonic clock, seconds.
        wall: the wall clock, seconds; only for what is written down.
    """

    def __init__(
        self,
        path: Path,
        key: str,
        lasts_s: float,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._path = path
        self._key = key
        self._lasts_s = lasts_s
        self._clock = clock
        self._wall = wall
        self._lock = threading.Lock()
        self._sessions = self._read()

    def begin(self, actor: Actor, token: str = "") -> str:
        """Log somebody in; returns the new, secret name of the session."""
        name = secrets.token_urlsafe(24)
        with self._lock:
            now = self._clock()
            self._drop_ended(now)
            if len(self._sessions) >= MOST_SESSIONS:
                # viewers make room for a referee, never the other way round
                first = min(
                    self._sessions,
                    key=lambda key: (
                        self._sessions[key].actor.role.rank,
                        self._sessions[key].ends_s,
                    ),
                )
                del self._sessions[first]
            self._sessions[_hashed(name)] = Session(actor, token, now + self._lasts_s)
            self._write(now)
        return name

    def find(self, name: str) -> Session | None:
        """Look up a session that has not ended."""
        with self._lock:
            session = self._sessions.get(_hashed(name))
            if session is None or session.ends_s <= self._clock():
                return None
            return session

    def end(self, name: str) -> None:
        """Log out."""
        with self._lock:
            if self._sessions.pop(_hashed(name), None) is not None:
                self._write(self._clock())

    def end_all(self, key: str) -> None:
        """End every session: the cookies have another key now."""
        with self._lock:
            self._key = key
            self._sessions.clear()
            self._write(self._clock())

    def _drop_ended(self, now: float) -> None:
        for key in [k for k, s in self._sessions.items() if s.ends_s <= now]:
            del self._sessions[key]

    def _write(self, now: float) -> None:
        shift = self._wall() - now
        record = {
            "format": FORMAT,
            "key": _hashed(self._key),
            "sessions": {
                key: {**asdict(session), "ends_s": session.ends_s + shift}
                for key, session in self._sessions.items()
            },
        }
        try:
            write_private(self._path, json.dumps(record).encode())
        except OSError as error:  # full or read-only: the table plays on
            log.warning("logins will not survive a restart: %s", error)

    def _read(self) -> dict[str, Session]:
        if not self._path.exists():
            return {}
        try:
            record: Any = read_json(self._path)
            if record["format"] != FORMAT or record["key"] != _hashed(self._key):
                return {}
            shift = self._clock() - self._wall()
            longest = self._clock() + self._lasts_s
            return {
                str(key): Session(
                    Actor(
                        Role(kept["actor"]["role"]),
                        str(kept["actor"]["name"]),
                        str(kept["actor"]["seat"]),
                        str(kept["actor"]["game"]),
                    ),
                    str(kept["token"]),
                    min(longest, float(kept["ends_s"]) + shift),
                )
                for key, kept in record["sessions"].items()
            }
        except (JsonFileError, OSError, LookupError, TypeError, ValueError) as error:
            # everybody logs in once more
            log.warning("the file of sessions is not used: %s", error)
            return {}
        except AttributeError as error:
            log.warning("the file of sessions is not used: %s", error)
            return {}


def _hashed(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
