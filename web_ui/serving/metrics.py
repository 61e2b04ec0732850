"""What a running table counts and times, as Prometheus asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

if TYPE_CHECKING:
    from collections.abc import Callable

METRICS_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""Content type of the text."""

READ_S = (0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes that the time for a frame is sorted into."""
SHOWN_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""The same for the time from a settled roll to its snapshot."""


class Metrics:
    """Counts of one table; every method may be called from any thread.

    A table has a registry of its own, so that two in one process do not mix.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._frames = self._timed(
            "frame_read_seconds", "Time the watcher took for a frame.", READ_S
        )
        self._shown = self._timed(
            "reading_published_seconds",
            "Time from a settled roll to the snapshot that shows it.",
            SHOWN_S,
        )
        self._events = self._counter("events_written", "Events given to the journal.")
        self._commands = self._counter(
            "commands", "Commands, by what became of them.", "result"
        )
        self._requests = self._counter(
            "http_requests", "HTTP requests answered.", "route", "status"
        )
        self._dropped = self._counter(
            "viewers_dropped", "Viewers hung up on because they took nothing.", "what"
        )
        self._refused = self._counter(
            "viewers_refused", "Viewers refused because all places were taken.", "what"
        )

    def _timed(self, name: str, words: str, bounds: tuple[float, ...]) -> Histogram:
        return Histogram(
            f"tableside_{name}", words, buckets=bounds, registry=self._registry
        )

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"tableside_{name}", words, labels, registry=self._registry)

    def frame_read(self, took_s: float) -> None:
        """The watcher has looked at a frame."""
        self._frames.observe(took_s)

    def reading_published(self, waited_s: float) -> None:
        """A snapshot shows the reading of a roll that settled so long ago."""
        self._shown.observe(waited_s)

    def events_written(self, count: int) -> None:
        """So many events were given to the journal."""
        self._events.inc(count)

    def command_done(self, result: str) -> None:
        """A command was answered.

        Args:
            result: one of a few words, such as `done`, `refused` or `busy`.
        """
        self._commands.labels(result).inc()

    def request_done(self, route: str, status: int) -> None:
        """A request was answered.

        Args:
            route: the class of the route, never what a client made up.
            status: HTTP status.
        """
        self._requests.labels(route, str(status)).inc()

    def viewer_dropped(self, what: str) -> None:
        """A viewer was hung up on; `what` as for `watch`."""
        self._dropped.labels(what).inc()

    def viewer_refused(self, what: str) -> None:
        """A viewer found no place; `what` names the kind of places."""
        self._refused.labels(what).inc()

    def watch(self, name: str, words: str, ask: Callable[[], float]) -> None:
        """Add a figure that is asked for whenever the metrics are.

        Args:
            name: without `tableside_`; unit last.
            words: what it is.
            ask: gives it; from any thread, quickly.

        Raises:
            ValueError: there is one of that name, or it is no name.
        """
        gauge = Gauge(f"tableside_{name}", words, registry=self._registry)
        gauge.set_function(ask)

    def text(self) -> bytes:
        """Write everything in Prometheus' text format."""
        return generate_latest(self._registry)
