"""What Prometheus is told of a host beside its requests."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from mergegate.host.renewing import Renewal


class AdvisoryFigures:
    """How old the advisories are, and whether they can be renewed (a ``Collector``)."""

    def __init__(self, renewal: Renewal) -> None:
        self._renewal = renewal

    def collect(self) -> Iterator[Metric]:
        """No age where there is no store."""
        yield GaugeMetricFamily(
            "mergegate_advisories_renewal_failures",
            "Times in a row that advisories could not be renewed.",
            self._renewal.failures,
        )
        age = self._renewal.age()
        if age is not None:
            yield GaugeMetricFamily(
                "mergegate_advisories_age_seconds",
                "Since the ecosystem was imported that has not been for longest.",
                age.total_seconds(),
            )
