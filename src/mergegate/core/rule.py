"""What a scan looks for: a rule is declared once, and all its findings are stamped from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from mergegate.core.finding import Advisory, Edit, Finding, Place
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity

OUTSIDE = "outside production code"
"""The words for tests, examples, docs and vendored code, where most findings weigh less."""
WORST_IF_UNSURE = Severity.MEDIUM
"""What stops a merge is known with medium confidence at least."""
_REPOSITORY = Place()
_WORDS = {
    "program": "in an image that serves nothing",
    "workplace": "in an image to build or test in, which starts a mere shell, a task or nothing",
    "agent": "in a service whose image is there to watch its host",
    "backing": "in a Compose file of databases and the like alone, as programs are developed with",
}
"""What an image is for, as :mod:`mergegate.repo.checks.infrastructure.purposes` knows it."""


def milder_by(
    by_purpose: Mapping[str, Severity], milder: Mapping[Severity, str]
) -> Mapping[Severity, str]:
    """The conditions of ``milder``, and those of images that are for something else."""
    found = dict(milder)
    for purpose, severity in by_purpose.items():
        found[severity] = ", and ".join(filter(None, (found.get(severity), _WORDS[purpose])))
    return found


class Details(TypedDict, total=False):
    """What a single finding may know better than its rule."""

    title: str
    severity: Severity
    confidence: Confidence
    evidence: str
    anywhere: bool
    cwe: tuple[str, ...]
    references: tuple[str, ...]
    engine: str
    repair: Edit | None
    trial: Edit | None
    advisory: Advisory | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that a scan can find, as ``rules`` lists it and ``explain`` tells it."""

    id: str
    """Kebab-case and permanent."""
    title: str
    """A few words: what is wrong."""
    explanation: str = ""
    """What is looked for and why it matters; a check's docstring."""
    remedy: str
    """What to do, in whole sentences."""
    severity: Severity
    """The worst that a finding can have."""
    milder: Mapping[Severity, str] = field(default_factory=dict)
    """The severities below it that a finding can have, worst first, each with its condition."""
    confidence: Confidence = Confidence.HIGH
    category: Category
    aspect: Aspect
    kind: Kind
    cwe: tuple[str, ...] = ()
    without_cwe: str = ""
    """Why no weakness is named, in a sentence; empty where one is."""
    references: tuple[str, ...]
    """Addresses, the most telling first."""
    languages: tuple[str, ...] = ()
    engine: str = "mergegate"
    covered_by: tuple[str, ...] = ()
    """Rules that say the same with more certainty where both match."""
    only_with: str = ""
    """The list of ``libraries.toml`` that it is true of; without one a finding is unsure."""
    by_purpose: Mapping[str, Severity] = field(default_factory=dict)
    """The severity in a Dockerfile whose image is for something else than to serve."""

    def __post_init__(self) -> None:
        """Keep of ``milder`` what is so: a rule for information has nothing below."""
        below = sorted((one for one in self.milder if one < self.severity), reverse=True)
        object.__setattr__(self, "milder", {one: self.milder[one] for one in below})

    @property
    def message(self) -> str:
        """What is wrong and what to do."""
        return f"{self.explanation} {self.remedy}".strip()

    def finding(
        self, message: str, place: Place = _REPOSITORY, **details: Unpack[Details]
    ) -> Finding:
        """A finding of this rule; what is not given is as the rule has it."""
        stamped = Finding(
            rule_id=self.id,
            title=self.title,
            message=message,
            severity=self.severity,
            category=self.category,
            kind=self.kind,
            place=place,
            confidence=self.confidence,
            cwe=self.cwe,
            references=self.references,
            engine=self.engine,
        )
        told = replace(stamped, **details)
        if told.confidence is Confidence.LOW and told.severity > WORST_IF_UNSURE:
            return replace(told, severity=WORST_IF_UNSURE)
        return told
