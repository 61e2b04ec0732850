"""The HTTP interface under `/api/v1`; described by `openapi.json`."""

from __future__ import annotations

import time
from importlib import resources
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, request

from scoring.refusals import RuleError
from web_ui.access.present import current_actor, need
from web_ui.access.roles import LOCAL, Role
from web_ui.answers import jpeg, json_text, problem
from web_ui.history.refusals import told
from web_ui.live_picture import BOUNDARY
from web_ui.seats import NoSeatError, Seats
from web_ui.sse import sse_event, sse_retry
from web_ui.table.commands import PLAYERS, REFEREES, CommandError, parse_order
from web_ui.table.records import dice_sets_record, games_record
from web_ui.table_door import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask.typing import ResponseReturnValue

    from web_ui.feed import Feed
    from web_ui.history.library import Library
    from web_ui.settings import Settings
    from web_ui.table.commands import Order
    from web_ui.table_door import Parts

API = "/api/v1"
"""Where everything for machines lies."""

RETRY_MS = 1000
"""How long a browser waits before it opens a broken stream again."""


def make_api(settings: Settings, parts: Parts, library: Library) -> Blueprint:
    """Make the routes.

    Args:
        settings: bounds on streams and viewers, heartbeat.
        parts: the running table.
        library: readings that this run of the program has forgotten, or never saw.
    """
    api = Blueprint("api", __name__, url_prefix=API)
    streams = Seats(
        "event streams", settings.server.streams, parts.metrics.viewer_dropped
    )
    viewers = Seats(
        "live pictures", settings.server.viewers, parts.metrics.viewer_dropped
    )
    parts.metrics.watch("stream_viewers", "Open streams.", lambda: streams.taken)
    parts.metrics.watch("video_viewers", "Open pictures.", lambda: viewers.taken)
    _add_state(api, parts)
    _add_readings(api, parts, library)

    @api.get("/stream")
    def stream() -> ResponseReturnValue:
        """Every change of the table as a server-sent event."""
        seen = parts.feed.number_of(request.headers.get("Last-Event-ID", ""))
        items = events(parts.feed, seen, settings.server.heartbeat_s)
        return _endless(streams, items, "text/event-stream")

    @api.get("/video")
    def video() -> ResponseReturnValue:
        """The live picture as motion JPEG."""
        kind = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        return _endless(viewers, parts.live.parts(), kind)

    @api.post("/commands")
    def commands() -> ResponseReturnValue:
        """Have the table do something."""
        return answer_order(parts, request.get_json)

    return api


def _order_of(data: object) -> Order:
    """Read a command and who may send it; aborts with 403 if the sender may not."""
    actor = current_actor() or LOCAL
    order = parse_order(
        data,
        actor.by,
        referee=actor.role.reaches(Role.REFEREE),
        seat=actor.seat or None,
        game=actor.game or None,
    )
    if order.do in REFEREES:
        need(Role.REFEREE)
    elif order.do not in PLAYERS:
        need(Role.OPERATOR)
    return order


def answer_order(parts: Parts, order: Callable[[], object]) -> ResponseReturnValue:
    """Have the table carry out an order that was posted, and answer.

    Args:
        parts: the running table.
        order: gives the order as JSON; may refuse it with an answer of its own.
    """
    try:
        return json_text(parts.table.obey(_order_of(order())))
    except CommandError as error:
        return problem(400, str(error))
    except RecursionError:  # what the JSON parser says to ten thousand brackets
        return problem(400, "the command is nested too deeply")
    except RuleError as error:
        return problem(409, error.sentence, error.rule)
    except BusyError as error:
        return problem(503, str(error))


def _add_state(api: Blueprint, parts: Parts) -> None:
    @api.get("/state")
    def state() -> ResponseReturnValue:
        """The table now."""
        latest = parts.feed.latest()
        if latest is None:
            return problem(503, "the table is not set yet")
        return json_text(latest.body)

    @api.get("/games/kinds")
    def kinds() -> ResponseReturnValue:
        """The games that can be played, with their options."""
        return jsonify({"games": games_record(), "dice_sets": dice_sets_record()})

    @api.get("/health")
    def health() -> ResponseReturnValue:
        """Whether the program runs."""
        return jsonify({"status": "ok"})

    @api.get("/ready")
    def ready() -> ResponseReturnValue:
        """Whether a roll thrown now would be read and scored."""
        reasons = parts.table.unready()
        status = {"status": "not ready" if reasons else "ready", "reasons": reasons}
        return jsonify(status), 503 if reasons else 200

    @api.get("/openapi.json")
    def openapi() -> ResponseReturnValue:
        """The description of this interface."""
        text = resources.files("web_ui").joinpath("openapi.json").read_text("utf-8")
        return json_text(text)


def _add_readings(api: Blueprint, parts: Parts, library: Library) -> None:
    @api.get("/readings/<int:reading_id>")
    def reading(reading_id: int) -> ResponseReturnValue:
        """A reading with all its alternatives."""
        evidence = parts.shelf.get(reading_id)
        if evidence is not None and evidence.body:
            return json_text(evidence.body)
        with told():
            return json_text(library.reading(reading_id))

    @api.get("/readings/<int:reading_id>/picture.jpg")
    def picture(reading_id: int) -> ResponseReturnValue:
        """The picture that a reading was read from."""
        evidence = parts.shelf.get(reading_id)
        if evidence is not None and evidence.picture:
            return jpeg(evidence.picture, evidence.etag)
        with told():
            name, data = library.picture(reading_id)
            return jpeg(data, name[:32])


def events(feed: Feed, seen: int, heartbeat_s: float) -> Iterator[bytes]:
    """Yield the feed as server-sent events until it is closed.

    Args:
        feed: where snapshots come from.
        seen: number of the last snapshot the reader has, 0 if none.
        heartbeat_s: a comment is sent after so much silence.
    """
    yield sse_retry(RETRY_MS)
    yield sse_event(clock_ms(), event="clock")
    while not feed.closed:
        news = feed.after(seen, heartbeat_s)
        for snapshot in news:
            yield snapshot.framed
            seen = snapshot.number
        if not news:
            yield sse_event(clock_ms(), event="clock")


def clock_ms() -> str:
    """The clock that timers run on, so that pages can count down to it."""
    return str(round(time.monotonic() * 1000))


def _endless(seats: Seats, items: Iterator[bytes], kind: str) -> ResponseReturnValue:
    try:
        taken = seats.occupy(items)
    except NoSeatError as error:
        answer, status = problem(503, str(error))
        answer.headers["Retry-After"] = "5"
        return answer, status
    if request.method == "HEAD":
        taken.close()
        return Response(mimetype=kind)
    return Response(taken, content_type=kind)
