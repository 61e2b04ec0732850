"""The keeper of the door: judges codes, tokens, cookies and seats' links."""

from __future__ import annotations

import hashlib
import hmac
import logging
import threading
from typing import TYPE_CHECKING

from itsdangerous import BadData, Signer, URLSafeSerializer

from web_ui.access.access_file import (
    NAME,
    AccessFileError,
    load_access,
    open_access,
)
from web_ui.access.codes import code_fits, hash_token, same_hash
from web_ui.access.roles import Actor, Role
from web_ui.access.sessions import SessionBook

if TYPE_CHECKING:
    from pathlib import Path

    from web_ui.access.access_file import Access, Token
    from web_ui.access.sessions import Session

log = logging.getLogger(__name__)

LONGEST_COOKIE = 512
LONGEST_SEAT_CODE = 1024


class Keeper:
    """Who is let in, by a file that `tableside access` may change meanwhile.

    Args:
        folder: where the file of logins lies.
        access: what it holds.
        session_hours: how long a login lasts.
    """

    def __init__(self, folder: Path, access: Access, session_hours: float) -> None:
        self._path = folder / NAME
        self._lock = threading.Lock()
        self._access = access
        self._stamp = self._stamp_now()
        self._sessions = SessionBook(
            folder / "sessions.json", access.key, session_hours * 3600
        )

    @classmethod
    def open(cls, folder: Path, session_hours: float) -> tuple[Keeper, dict[Role, str]]:
        """Open the file of logins, or make it.

        Returns:
            The keeper, and the codes if they were made now: they are kept nowhere.

        Raises:
            AccessFileError: unreadable, damaged or not to be written.
        """
        access, codes = open_access(folder / NAME)
        return cls(folder, access, session_hours), codes

    def role_of_code(self, code: str) -> Role | None:
        """Which role a code belongs to. Slow on purpose; every hash is compared."""
        found = [role for role, kept in self._now().codes if code_fits(kept, code)]
        return found[-1] if found else None

    def token_of(self, text: str) -> Token | None:
        """Which token a text is."""
        asked = hash_token(text)
        found = [t for t in self._now().tokens if same_hash(t.hash, asked)]
        return found[0] if found else None

    def seat_code(self, seat: str, game: str) -> str:
        """Make the code that lets a phone be a seat of a game, for `/join?code=`."""
        return str(self._seats(self._now()).dumps([seat, game]))

    def actor_of_seat_code(self, code: str) -> Actor | None:
        """Who a seat's code makes its bearer; None if it is none of this table's."""
        if len(code) > LONGEST_SEAT_CODE:
            return None
        try:
            seat, game = self._seats(self._now()).loads(code)
        except (BadData, ValueError):
            return None
        return Actor(Role.PLAYER, seat, seat, game)

    def begin(self, actor: Actor, token: str = "") -> str:
        """Log somebody in; returns the cookie.

        Args:
            actor: who.
            token: hash of the token it was exchanged for.
        """
        access = self._now()
        return self._cookies(access).sign(self._sessions.begin(actor, token)).decode()

    def session_of(self, cookie: str) -> Session | None:
        """Whose cookie it is; None if it is forged, ended or of a removed token."""
        name = self._name_in(cookie)
        session = self._sessions.find(name) if name else None
        if session is None or not session.token:
            return session
        known = [token.hash for token in self._now().tokens]
        return session if session.token in known else None

    def end(self, cookie: str) -> None:
        """Log out."""
        name = self._name_in(cookie)
        if name:
            self._sessions.end(name)

    def csrf_of(self, cookie: str) -> str:
        """What a page must send with each change, besides its cookie."""
        key = self._now().key.encode()
        told = b"csrf:" + cookie.encode("utf-8", "surrogatepass")
        return hmac.new(key, told, hashlib.sha256).hexdigest()

    @property
    def cookie_name(self) -> str:
        """Differs between tables of one machine, which share cookies over ports."""
        tag = hashlib.sha256(str(self._path.absolute()).encode()).hexdigest()[:8]
        return f"tableside-{tag}"

    def _name_in(self, cookie: str) -> str:
        if not cookie or len(cookie) > LONGEST_COOKIE:
            return ""
        try:
            data = cookie.encode("ascii")
            return self._cookies(self._now()).unsign(data).decode("ascii")
        except (BadData, UnicodeError):
            return ""

    @staticmethod
    def _cookies(access: Access) -> Signer:
        return Signer(access.key, salt="cookie", digest_method=hashlib.sha256)

    @staticmethod
    def _seats(access: Access) -> URLSafeSerializer:
        how = {"digest_method": hashlib.sha256}
        return URLSafeSerializer(access.key, salt="seat", signer_kwargs=how)

    def _stamp_now(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _now(self) -> Access:
        stamp = self._stamp_now()
        with self._lock:
            if stamp is None or stamp == self._stamp:
                return self._access
            self._stamp = stamp
            try:
                changed = load_access(self._path)
            except AccessFileError as error:
                # nobody new is let in by a damaged file, and nobody is thrown out
                log.error("logins stay as they were: %s", error)
                return self._access
            if changed is not None:
                ended = changed.key != self._access.key
                self._access = changed
                if ended:
                    self._sessions.end_all(changed.key)
            return self._access
