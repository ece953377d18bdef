"""What the host counts for Prometheus; every label has a small, closed set of values."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, product

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from mergegate.core.plans import Lane, Tool
from mergegate.host.store.endings import CODES, SECONDS, Outcomes

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
        self._endings = _Endings()
        registry.register(self._endings)
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

    def page(
        self, backlog: Mapping[Lane, int], callers: int, ended: Sequence[Outcomes] = ()
    ) -> bytes:
        """Everything in Prometheus' text format."""
        for lane in Lane:
            self._backlog.labels(lane.value).set(backlog.get(lane, 0))
        self._callers.set(callers)
        self._endings.known = ended
        return generate_latest(self._registry)


class _Endings(Collector):
    """How scans ended, in all processes of a host, as its database has counted it."""

    def __init__(self) -> None:
        self.known: Sequence[Outcomes] = ()

    def collect(self) -> Iterator[Metric]:
        """Whatever may be counted is there from the start: the first failure is an increase."""
        counts = {(one.tool, one.code, one.scheduled): one.count for one in self.known}
        ended = CounterMetricFamily(
            "mergegate_scans_ended",
            "Scans that ended, in all processes.",
            labels=["tool", "code", "scheduled"],
        )
        for tool, code, scheduled in product(Tool, CODES, (False, True)):
            labels = (tool.value, code, "yes" if scheduled else "no")
            ended.add_metric(labels, counts.get((tool, code, scheduled), 0))
        yield ended
        yield self._seconds()

    def _seconds(self) -> HistogramMetricFamily:
        found = HistogramMetricFamily(
            "mergegate_scan_seconds",
            "From when a worker took a scan up to its end, in all processes.",
            labels=["tool", "code"],
        )
        alike: defaultdict[tuple[str, str], list[Outcomes]] = defaultdict(list)
        for one in self.known:
            alike[one.tool.value, one.code].append(one)
        for labels, several in alike.items():
            each = (sum(one.within.get(most, 0) for one in several) for most in SECONDS)
            up_to = dict(zip(map(str, map(float, SECONDS)), accumulate(each), strict=True))
            up_to["+Inf"] = sum(one.count for one in several)
            buckets = [(most, float(count)) for most, count in up_to.items()]
            found.add_metric(labels, buckets, sum(one.seconds for one in several))
        return found
