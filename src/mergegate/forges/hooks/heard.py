"""What a delivery comes down to."""

from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.change import Change
from mergegate.forges.orders.parse import Asked


@dataclass(frozen=True, slots=True)
class Delivery:
    """One request, as it came; everything in it is hostile, until it is known to be genuine."""

    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    def header(self, name: str) -> str:
        """Empty where there is none."""
        return self.headers.get(name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Something to do."""

    change: Change
    installation: int | None = None
    """Of a GitHub App: whose token may answer."""
    asked: Asked | None = None
    """The comment, when it was one: an order, or talk."""
    again: bool = False
    """Whether a person asked once more for what was answered before."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do; ``reason`` is for log and answer, and holds nothing of the delivery."""

    reason: str
