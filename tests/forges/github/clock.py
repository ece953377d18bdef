"""A clock that only sleeping moves: what takes minutes at GitHub's pace takes none here."""


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
