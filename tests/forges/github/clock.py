"""A clock that only sleeping moves: what takes minutes at GitHub's pace takes none here."""

import sys
from datetime import UTC, datetime, tzinfo
from types import SimpleNamespace

import pytest


class Clock:
    """Seconds since 1970, beginning somewhere."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.seconds += seconds
        self.slept.append(seconds)

    def rule(self, patch: pytest.MonkeyPatch) -> None:
        """PyGithub paces its writes by this clock too."""
        clock = self

        class Datetime(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> "Datetime":
                return cls.fromtimestamp(clock.seconds, tz or UTC)

        requester = sys.modules["github.Requester"]
        patch.setattr(requester, "datetime", Datetime)
        patch.setattr(requester, "time", SimpleNamespace(sleep=self.sleep))
