"""One thing that the doctor looked at."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that was looked at."""

    name: str
    state: str
    remedy: str = ""
    essential: bool = True
    """Whether a scan is incomplete without it."""

    @property
    def healthy(self) -> bool:
        """Nothing to be done."""
        return not self.remedy

    @property
    def alarming(self) -> bool:
        """A scan will be incomplete."""
        return self.essential and not self.healthy

    def plain(self) -> Mapping[str, object]:
        """For machines."""
        return {**asdict(self), "healthy": self.healthy}
