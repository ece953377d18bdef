"""What the host counts for Prometheus; every label has a small, closed set of values."""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.registry import Collector

from mergegate.core.plans import Lane, Tool

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The counters of one process; nothing in them names an account, a key or a target."""

    def __init__(self, *others: Collector) -> None:
        self._registry = registry = CollectorRegistry()
        for one in others:
            registry.register(one)
        self._requests = Counter(
            "mergegate_http_requests",
            "Requests that were answered.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "mergegate_http_request_seconds",
            "From the head of a request to the end of its answer.",
            ["route"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._accepted = Counter(
            "mergegate_scans_accepted", "Scans that were queued.", ["tool"], registry=registry
        )
        self._refused = Counter(
            "mergegate_requests_refused", "Errors by code.", ["code"], registry=registry
        )
        self._backlog = Gauge(
            "mergegate_scans_waiting",
            "Scans that no worker has taken up.",
            ["lane"],
            registry=registry,
        )
        self._callers = Gauge(
            "mergegate_callers_waiting",
            "Callers of synchronous tools that hold the line.",
            registry=registry,
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request; ``route`` is the template of a route, or ``other``."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def accepted(self, tool: Tool) -> None:
        """Count one scan."""
        self._accepted.labels(tool.value).inc()

    def refused(self, code: str) -> None:
        """Count one error; ``code`` is one of ours."""
        self._refused.labels(code).inc()

    def page(self, backlog: Mapping[Lane, int], callers: int) -> bytes:
        """Everything in Prometheus' text format."""
        for lane in Lane:
            self._backlog.labels(lane.value).set(backlog.get(lane, 0))
        self._callers.set(callers)
        return generate_latest(self._registry)
