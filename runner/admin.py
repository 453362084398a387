"""A port for the organiser: is the runner alive, is it ready, and Prometheus metrics.

It listens on the loopback address only and is served by threads of its own, so that whoever asks
cannot keep a match waiting, and gets an answer while the event loop stands still.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

from msgspec import Struct
from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from runner.meters import BOUNDS, Histogram, Meters

LOOPBACK = "127.0.0.1"


class Health(Struct, frozen=True):
    """What the gauges say at one moment. lag_seconds: how late the loop's last beat was."""

    ready: bool
    matches_in_play: int
    connected_bots: int
    lag_seconds: float
    stalls: int


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: what is asked here is of no interest later."""


class AdminServer:
    """Serves `/healthz`, `/readyz` and `/metrics` until `close`."""

    def __init__(self, port: int, meters: Meters, health: Callable[[], Health]) -> None:
        """Listen on `port` of the loopback address, 0 for any. Raises OSError."""
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Collector(meters, health))
        self._metrics = make_wsgi_app(registry)
        self._health = health
        self._server = make_server(LOOPBACK, port, self._serve, _Server, _Quiet)
        self._thread = threading.Thread(
            target=self._server.serve_forever, name="admin", daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_port)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == "/metrics":
            metrics: Iterable[bytes] = self._metrics(environ, start_response)
            return metrics
        if path == "/healthz":
            return _answer(start_response, "200 OK", "alive")
        if path == "/readyz":
            if self._health().ready:
                return _answer(start_response, "200 OK", "ready")
            return _answer(start_response, "503 Service Unavailable", "not ready")
        return _answer(start_response, "404 Not Found", "there are /healthz, /readyz and /metrics")


def _answer(start_response: StartResponse, status: str, text: str) -> Iterable[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{text}\n".encode()]


class _Collector:
    """The meters as Prometheus metrics, made anew for each scrape."""

    def __init__(self, meters: Meters, health: Callable[[], Health]) -> None:
        self._meters = meters
        self._health = health

    def collect(self) -> Iterable[Metric]:
        """All metrics, as `CollectorRegistry` wants them."""
        meters, health = self._meters, self._health()
        decisions = CounterMetricFamily(
            "pioneers_decisions", "Settled decisions by what settled them.", labels=["by"]
        )
        for by, count in sorted(meters.decisions.copy().items()):
            decisions.add_metric([by], count)
        yield decisions
        refusals = CounterMetricFamily(
            "pioneers_refusals", "Connections closed on the bot's account.", labels=["code"]
        )
        for code, count in sorted(meters.refusals.copy().items()):
            refusals.add_metric([str(code)], count)
        yield refusals
        yield CounterMetricFamily(
            "pioneers_connections", "Connections opened.", value=meters.connections
        )
        yield CounterMetricFamily("pioneers_matches", "Matches over.", value=meters.matches)
        yield CounterMetricFamily(
            "pioneers_loop_stalls", "Times the event loop stood still.", value=health.stalls
        )
        yield GaugeMetricFamily(
            "pioneers_loop_lag_seconds",
            "How late the event loop's last beat was.",
            value=health.lag_seconds,
        )
        yield GaugeMetricFamily(
            "pioneers_matches_in_play", "Matches in play.", value=health.matches_in_play
        )
        yield GaugeMetricFamily(
            "pioneers_connected_bots", "Bots that are connected.", value=health.connected_bots
        )
        yield _histogram(
            "pioneers_answer_seconds", "From asking a bot to its answer.", meters.answer_time
        )
        yield _histogram(
            "pioneers_delay_seconds",
            "What the runner adds: from an answer's arrival until it is dealt with.",
            meters.delay,
        )
        yield _histogram("pioneers_ledger_commit_seconds", "Writing a result.", meters.commit_time)


def _histogram(name: str, text: str, histogram: Histogram) -> HistogramMetricFamily:
    seen = 0
    buckets: list[tuple[str, float]] = []
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), histogram.counts, strict=True):
        seen += count
        buckets.append((bound, float(seen)))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.total)
