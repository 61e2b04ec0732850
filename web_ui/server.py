"""Serving the app with waitress, and ending it within two seconds."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import waitress  # type: ignore[import-untyped]  # ships no types
from waitress import wasyncore

from web_ui.access.guards import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from web_ui.settings import ServerSettings

SPARE_THREADS = 8
"""Threads for short answers beside those that streams may hold."""
POST_BYTES = 64 * 1024
"""Waitress refuses larger bodies before the app sees them."""
UNSENT_BYTES = 512 * 1024
"""A viewer that takes no more than this behind is waited for, not buffered for."""


class ListenError(OSError):
    """The address cannot be listened on; the message says which and why."""


def listen(host: str, port: int) -> socket.socket:
    """Take the address.

    Raises:
        ListenError: in use, not allowed or not an address of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
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


class Server:
    """Waitress over a socket that is already listening.

    Args:
        app: what is served.
        sock: listening; closed with the server.
        settings: bounds on streams and viewers.
    """

    def __init__(self, app: Flask, sock: socket.socket, settings: ServerSettings):
        streams = settings.streams + settings.viewers
        self._channels: dict[int, object] = {}
        self._stopping = threading.Event()
        self._server = waitress.create_server(
            app,
            map=self._channels,
            sockets=[sock],
            threads=streams + SPARE_THREADS,
            connection_limit=3 * streams + 100,
            max_request_body_size=POST_BYTES,
            outbuf_high_watermark=UNSENT_BYTES,
            asyncore_use_poll=True,
            ident="tableside",
            clear_untrusted_proxy_headers=True,
        )

    def serve(self, at_end: Callable[[], None]) -> None:
        """Serve until `stop` is called, then close every connection.

        Args:
            at_end: called when serving ends; must make every stream end.
        """
        while not self._stopping.is_set():
            wasyncore.loop(timeout=0.2, use_poll=True, map=self._channels, count=1)
        at_end()
        self._server.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._channels, ignore_all=True)

    def stop(self) -> None:
        """Ask `serve` to end; from any thread or signal handler."""
        self._stopping.set()
