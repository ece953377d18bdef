"""What infrastructure files allow: how a finding is worded, weighed and placed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import OUTSIDE, Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.facts.documents import Node

_DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")
_MOVING = frozenset(
    {
        *("latest", "edge", "nightly", "rolling", "current", "canary", "unstable"),
        *("main", "master", "dev", "develop"),
    }
)
"""Tags that are moved with every release or change."""
_UNRESOLVED = re.compile(r"\$|\{\{|%\w|<\w+>|://")
"""A part that is put in later, or the whole: ``ko://`` stands for what is built from a package."""


class Placed(Protocol):
    """What stands in a file."""

    @property
    def path(self) -> str:
        """The file's path."""
        ...

    @property
    def role(self) -> Role:
        """What the file is for."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRule(Rule):
    """A rule about a file of infrastructure; for information outside production code."""

    outside: ClassVar[str] = OUTSIDE
    """Where a finding is for information, whatever its rule says."""
    production_only: bool = False
    """Whether it is told of production code alone: small matters elsewhere are noise."""
    category: Category = Category.IAC
    aspect: Aspect = Aspect.IAC
    kind: Kind = Kind.IAC

    def __post_init__(self) -> None:
        """State the condition that all rules of the family share."""
        if not self.production_only:
            object.__setattr__(self, "milder", {Severity.INFO: self.outside, **self.milder})
        Rule.__post_init__(self)

    def concerns(self, file: Placed) -> bool:
        """Whether to tell it of this file."""
        return file.role is Role.SOURCE or not self.production_only

    def broken(
        self,
        file: Placed,
        line: int,
        wrong: str,
        severity: Severity | None = None,
        end_line: int = 0,
    ) -> Finding:
        """A finding at ``line``; ``wrong`` is one sentence without its full stop."""
        weight = self.severity if severity is None else severity
        return self.finding(
            f"{wrong}. {self.remedy}",
            Place(file.path, line, end_line or line),
            severity=weight if file.role is Role.SOURCE else Severity.INFO,
        )


def is_floating_image(image: str) -> bool:
    """Whether an image reference has no tag, or ``latest``; unresolved ones are not known."""
    if not image or _UNRESOLVED.search(image) or _DIGEST.search(image) or image == "scratch":
        return False
    name = image.rpartition("/")[2]
    _, colon, tag = name.partition(":")
    return not colon or tag in _MOVING


def floating_images(images: Iterable[Node]) -> tuple[str, int]:
    """Names of the images without a fixed version, and the first one's line; ``""`` without any."""
    floating = [image for image in images if is_floating_image(image.text)]
    names = listed(sorted({image.text for image in floating}))
    return names, floating[0].line if floating else 0


def listed(names: list[str], most: int = 6) -> str:
    """``a, b, c``, shortened beyond ``most``."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
