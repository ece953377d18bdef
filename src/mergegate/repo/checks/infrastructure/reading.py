"""How an infrastructure finding is worded, weighed and placed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import OUTSIDE, Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.facts.documents import DocumentFile

_DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")
_UNRESOLVED = re.compile(r"\$|\{\{|%\w|<\w+>")


ELSEWHERE: Mapping[Severity, str] = {Severity.INFO: OUTSIDE}
"""What weighs less as soon as the file serves tests, examples or documentation."""
NEVER: Mapping[Severity, str] = {}
"""Of rules that are told of production code alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRule(Rule):
    """A rule about a file of infrastructure."""

    milder: Mapping[Severity, str] = field(default_factory=lambda: ELSEWHERE)
    category: Category = Category.IAC
    aspect: Aspect = Aspect.IAC
    kind: Kind = Kind.IAC

    def concerns(self, file: DocumentFile) -> bool:
        """Whether to tell it of this file: small matters outside production are noise."""
        return file.role is Role.SOURCE or self.severity > Severity.LOW

    def broken(
        self,
        file: DocumentFile,
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
    return not colon or tag == "latest"


def listed(names: list[str], most: int = 6) -> str:
    """``a, b, c``, shortened beyond ``most``."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
