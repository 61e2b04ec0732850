"""Serving the app with cheroot, and ending it within two seconds."""

from __future__ import annotations

import logging
import socket
import threading
from typing import TYPE_CHECKING

from cheroot import wsgi

from web_ui.access.guards import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from web_ui.settings import ServerSettings

log = logging.getLogger(__name__)

SPARE_THREADS = 8
"""Threads for short answers beside those that streams may hold."""
POST_BYTES = 64 * 1024
"""Larger bodies are refused before the app sees them."""
HEAD_BYTES = 32 * 1024
"""So are longer heads of requests."""
UNSENT_BYTES = 64 * 1024
"""What the system may hold for a viewer that does not take it; Linux doubles it."""
STALLED_S = 10
"""A client that neither takes nor sends anything for so long is hung up on."""
BACKLOG = 128
"""Connections that may wait to be accepted."""
END_S = 1.0
"""How long the end waits for the thread that accepts."""


class ListenError(OSError):
    """The address cannot be listened on; the message says which and why."""


def listen(host: str, port: int) -> socket.socket:
    """Take the address.

    Raises:
        ListenError: in use, not allowed or not an address of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        # Python adds the address once more, in brackets
        reason = (error.strerror or str(error)).partition(" (")[0]
        raise ListenError(f"cannot listen on {host}:{port}: {reason}") from error


def address_of(sock: socket.socket) -> str:
    """Write the address of a listening socket as people open it."""
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serves_others(sock: socket.socket) -> bool:
    """Whether other machines can reach the socket."""
    return not is_loopback(str(sock.getsockname()[0]))


class _OnSocket(wsgi.Server):
    """Cheroot's server over a socket that is listening already."""

    def __init__(self, app: Flask, sock: socket.socket, threads: int) -> None:
        super().__init__(
            sock.getsockname()[:2],
            app,
            numthreads=threads,
            max=threads,
            request_queue_size=BACKLOG,
            timeout=STALLED_S,
            shutdown_timeout=1,
            server_name="tableside",
        )
        self._listening = sock
        self.max_request_body_size = POST_BYTES
        self.max_request_header_size = HEAD_BYTES

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:  # noqa: A002  # cheroot's name
        """Take the socket that is there instead of a new one."""
        self.socket = self._listening
        return self._listening

    def error_log(
        self, msg: str = "", level: int = 20, traceback: bool = False
    ) -> None:
        """Write to the log of the program."""
        log.log(level, "%s", msg, exc_info=traceback)


class Server:
    """Cheroot over a socket that is already listening: one thread a viewer.

    A client that takes nothing for `STALLED_S` is hung up on: the system keeps at most
    `UNSENT_BYTES` for it, the program nothing.

    Args:
        app: what is served.
        sock: listening; closed with the server.
        settings: bounds on streams and viewers.
    """

    def __init__(self, app: Flask, sock: socket.socket, settings: ServerSettings):
        threads = settings.streams + settings.viewers + SPARE_THREADS
        # accepted connections inherit it
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
        self._server = _OnSocket(app, sock, threads)
        self._stopping = threading.Event()

    def serve(self, at_end: Callable[[], None]) -> None:
        """Serve until `stop` is called, then close every connection.

        Args:
            at_end: called when serving ends; must make every stream end.
        """
        self._server.prepare()
        serving = threading.Thread(target=self._server.serve, name="serving")
        serving.start()
        self._stopping.wait()
        at_end()
        self._server.stop()
        serving.join(END_S)

    def stop(self) -> None:
        """Ask `serve` to end; from any thread or signal handler."""
        self._stopping.set()
