"""Renderers that are loaded when they are used: most runs need one format or two."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def late(module: str) -> Callable[[Any], str]:
    """The ``render`` of a module of this room; ``gitlab.sast`` is a module of a folder here."""

    def render(report: Any) -> str:
        text: str = import_module(f"{__package__}.{module}").render(report)
        return text

    return render
