"""How an answer is to be said on a forge: its Markdown, its limits, and what the check shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from mergegate.core.change import Provider
from mergegate.core.report import Gate
from mergegate.forges.marker import Hiding


class Suggesting(StrEnum):
    """Which lines a forge replaces when a suggestion is accepted."""

    RANGE = "range"
    """All lines that the comment stands on: GitHub."""
    LINE = "line"
    """The one line that the comment stands on: Bitbucket."""
    OFFSETS = "offsets"
    """As many as the block's heading counts up and down from the comment's last line: GitLab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a forge makes of Markdown."""

    hiding: Hiding
    html: bool
    """Whether ``details`` and ``summary`` fold text; where not, HTML is shown as text."""
    limit: int
    """The most characters of a comment, with some air below what the forge refuses."""
    suggesting: Suggesting = Suggesting.RANGE


GITHUB = Dialect(hiding=Hiding.HTML, html=True, limit=65_000)
GITLAB = Dialect(hiding=Hiding.HTML, html=True, limit=200_000, suggesting=Suggesting.OFFSETS)
BITBUCKET = Dialect(hiding=Hiding.REFERENCE, html=False, limit=30_000, suggesting=Suggesting.LINE)
DIALECTS: Mapping[Provider, Dialect] = MappingProxyType(
    {
        Provider.GITHUB: GITHUB,
        Provider.GITLAB: GITLAB,
        Provider.BITBUCKET: BITBUCKET,
    }
)
"""By who hosts the repository."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framing:
    """What a report does not know about the answer that is made of it."""

    gate: Gate
    """What the check shows, decided by ``fail_on``."""
    fail_on: str
    """``gate``: the whole repository is judged; ``new``: what the change brings;
    ``never``: nothing blocks."""
    dialect: Dialect
    head: str
    """The commit that is answered."""
    sequence: int
    """As in :attr:`mergegate.core.change.Change.sequence`."""
    at: str
    """When, ISO 8601, UTC."""
    run_url: str = ""
    """The job's log and artifacts; anything but a plain https address is left out."""
    commands: bool = False
    """Whether anybody listens to ``/mergegate …`` comments."""
    most_remarks: int = 10
    """How many review comments a change may get."""
