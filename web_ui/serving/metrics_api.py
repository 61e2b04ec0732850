"""The route that Prometheus asks, and the counting of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from web_ui.serving.metrics import METRICS_TYPE

if TYPE_CHECKING:
    from web_ui.serving.metrics import Metrics

LOST = "none"
"""The class of requests that no route answers."""

RESULTS = {
    200: "done",
    400: "malformed",
    403: "forbidden",
    409: "refused",
    413: "malformed",
    415: "malformed",
    503: "busy",
}
"""What became of a command, by the status of its answer."""


def make_metrics_api(metrics: Metrics, prefix: str) -> Blueprint:
    """Make the route and count every request of the app.

    Args:
        metrics: what is shown and where is counted.
        prefix: where the routes for machines lie.
    """
    api = Blueprint("metrics", __name__, url_prefix=prefix)

    @api.get("/metrics")
    def show() -> Response:
        """Counts and times of the running table."""
        return Response(metrics.text(), content_type=METRICS_TYPE)

    @api.after_app_request
    def count(response: Response) -> Response:
        # the rule, not the path: a client can make up any number of paths
        rule = request.url_rule
        route, status = LOST if rule is None else rule.rule, response.status_code
        metrics.request_done(route, status)
        if route == f"{prefix}/commands":
            metrics.command_done(RESULTS.get(status, "failed"))
        if status == 503 and route in (f"{prefix}/stream", f"{prefix}/video"):
            metrics.viewer_refused(route.rpartition("/")[2])
        return response

    return api
