"""How an infrastructure finding is worded, weighed and placed."""

import re
from dataclasses import dataclass

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.facts.documents import DocumentFile

_DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")
_UNRESOLVED = re.compile(r"\$|\{\{|%\w|<\w+>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What all findings of one check share."""

    id: str
    title: str
    severity: Severity
    remedy: str
    """One sentence with its full stop: what to do, concretely."""
    cwe: str
    reference: str
    confidence: Confidence = Confidence.HIGH

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
        return Finding(
            rule_id=self.id,
            title=self.title,
            message=f"{wrong}. {self.remedy}",
            severity=weight if file.role is Role.SOURCE else Severity.INFO,
            category=Category.IAC,
            kind=Kind.IAC,
            place=Place(file.path, line, end_line or line),
            confidence=self.confidence,
            cwe=(self.cwe,),
            references=(self.reference,),
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
