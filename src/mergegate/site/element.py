"""A piece of a page that a finding points at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a rendered page; all of it is hostile text."""

    selector: str
    """A CSS selector that finds it again; empty when none is known."""
    snippet: str = ""
    """Its opening tag, shortened."""
    label: str = ""
    """What a person would call it: its text or name."""
