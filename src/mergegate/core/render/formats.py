"""What a format of ``--format`` is; what writes one is loaded when it is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

DEFAULT_LIMIT = 65_000
"""The longest Markdown, in characters: GitHub refuses a comment of more than 65,536 characters."""
SMALLEST_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Surface:
    """Where a report will be read."""

    width: int = 80
    colour: bool = False
    unicode: bool = True
    verbose: bool = False
    """Findings for information one by one."""
    quiet: bool = False
    """The verdict in one line, and nothing else."""


R = TypeVar("R")
"""The report of one kind of scan."""


@dataclass(frozen=True, slots=True)
class Format(Generic[R]):
    """One entry of ``--format``."""

    extension: str
    """Without its dot; empty where the format is a folder."""
    render: Callable[[R, Surface], str]
    """One text: what standard output gets."""
    parts: Mapping[str, Callable[[R], str]] = field(default_factory=dict)
    """The files, by name, of a format that is a folder."""


def anywhere(render: Callable[[R], str]) -> Callable[[R, Surface], str]:
    """``render`` as a format whose output does not depend on the surface."""
    return lambda report, _: render(report)


def late(module: str, name: str = "render") -> Callable[[Any], str]:
    """The function ``name`` of the module of that full name, imported when it is first called."""

    def render(report: Any) -> str:
        text: str = getattr(import_module(module), name)(report)
        return text

    return render
