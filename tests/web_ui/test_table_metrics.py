"""Metrics: what is counted, and that no client can invent a label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_ui.serving.metrics import Metrics

if TYPE_CHECKING:
    from open_tables import OpenTable

METRICS = "/api/v1/metrics"


def test_metrics_are_prometheus_text_from_the_first_moment(table: OpenTable) -> None:
    answer = table.client.get(METRICS)
    assert answer.status_code == 200
    assert answer.mimetype == "text/plain"
    for name in ("frame_read_seconds_count", "events_written_total", "stream_viewers"):
        assert f"\ntableside_{name} " in answer.text


def test_commands_are_counted_by_what_became_of_them(table: OpenTable) -> None:
    commands = "/api/v1/commands"
    table.client.post(commands, json={"do": "advice", "on": True})
    table.client.post(commands, json={"do": "dance"})
    table.client.post(
        commands, json={"do": "draw"}, headers={"Origin": "http://evil.example"}
    )
    text = table.client.get(METRICS).text
    for result in ("done", "malformed", "forbidden"):
        assert f'tableside_commands_total{{result="{result}"}} 1.0' in text


def test_paths_that_clients_make_up_share_one_class(table: OpenTable) -> None:
    for number in range(5):
        table.client.get(f"/nothing/{number}")
    text = table.client.get(METRICS).text
    assert 'http_requests_total{route="none",status="404"} 5.0' in text
    assert "/nothing/" not in text


def test_times_fall_into_their_classes() -> None:
    metrics = Metrics()
    metrics.frame_read(0.05)
    metrics.reading_published(0.03)
    text = metrics.text().decode()
    assert 'tableside_frame_read_seconds_bucket{le="0.04"} 0.0' in text
    assert 'tableside_frame_read_seconds_bucket{le="0.06"} 1.0' in text
    assert "tableside_reading_published_seconds_count 1.0" in text


def test_figure_is_asked_for_anew_each_time() -> None:
    metrics, waiting = Metrics(), [3.0]
    metrics.watch("waiting", "Waiting.", lambda: waiting[0])
    assert b"tableside_waiting 3.0" in metrics.text()
    waiting[0] = 4.0
    assert b"tableside_waiting 4.0" in metrics.text()
    with pytest.raises(ValueError, match="Duplicated"):
        metrics.watch("waiting", "Again.", lambda: 0.0)
