"""How far a scan is, told while it runs."""

from collections.abc import Callable

Progress = Callable[[str, str], None]
"""Told ``(engine, "started" or how it ended)``; called from the engines' threads."""


def silent(engine: str, status: str) -> None:
    """The progress that is shown nowhere."""


def unheard(_: str) -> None:
    """Nobody listens."""
