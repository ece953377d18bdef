"""The rules behind a run's results, each described once."""

from collections.abc import Mapping, Sequence
from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.render import escape, wording
from mergegate.core.rule import Rule
from mergegate.core.severity import Kind, Severity

LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
# GitHub: over 9.0 critical, 7.0 to 8.9 high, 4.0 to 6.9 medium, 0.1 to 3.9 low.
_SECURITY = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "3.0",
    Severity.INFO: "0.0",
}
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}
_MOST_TAGS = 10
"""GitHub accepts 20 and keeps 10."""

Json = dict[str, Any]


class Rules:
    """The rules of ``findings``, sorted by id, so that each has an index."""

    def __init__(self, findings: Sequence[Finding], known: Mapping[str, Rule]) -> None:
        self._known = known
        self._first: dict[str, Finding] = {}
        self._cwe: dict[str, set[str]] = {}
        for finding in sorted(findings, key=lambda one: one.order):
            self._first.setdefault(finding.rule_id, finding)
            self._cwe.setdefault(finding.rule_id, set()).update(finding.cwe)
        self._ids = sorted(self._first)
        self._index = {id: number for number, id in enumerate(self._ids)}

    def index(self, rule_id: str) -> int:
        """Where the rule stands in the array."""
        return self._index[rule_id]

    def descriptors(self) -> list[Json]:
        """One reportingDescriptor a rule."""
        return [self._descriptor(id) for id in self._ids]

    def _descriptor(self, id: str) -> Json:
        rule, first = self._known.get(id), self._first[id]
        # A rule's worst finding comes first, and GitHub knows one severity a rule.
        title = escape.visible(rule.title if rule else first.title)
        message = escape.visible(rule.message if rule else first.message)
        links = wording.links(first) or wording.plain_links(rule.references if rule else ())
        descriptor = {
            "id": id,
            "name": "".join(part.capitalize() for part in id.replace("_", "-").split("-")),
            "shortDescription": {"text": _sentence(title)},
            "fullDescription": {"text": _sentence(message)},
            "help": {"text": _help(message, links), "markdown": _help_markdown(message, links)},
            "defaultConfiguration": {"level": LEVELS[first.severity]},
            "properties": self._properties(id, first),
        }
        return descriptor | ({"helpUri": links[0]} if links else {})

    def _properties(self, id: str, first: Finding) -> Json:
        security = first.kind is not Kind.QUALITY
        rule = self._known.get(id)
        weaknesses = self._cwe[id].union(rule.cwe if rule else ())
        cwe = [f"external/cwe/{one.lower()}" for one in sorted(weaknesses)]
        tags = list(
            dict.fromkeys(["security" if security else "maintainability", first.kind.value])
        )
        properties: Json = {
            "tags": (tags + cwe)[:_MOST_TAGS],
            "precision": first.confidence.label,
            "problem.severity": _PROBLEM[LEVELS[first.severity]],
        }
        if security:
            properties["security-severity"] = _SECURITY[first.severity]
        return properties


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _help(message: str, links: Sequence[str]) -> str:
    return "\n".join((_sentence(message), *links))


def _help_markdown(message: str, links: Sequence[str]) -> str:
    sources = [f"- <{link}>" for link in links]
    return "\n\n".join(
        (escape.markdown(_sentence(message)), *(["\n".join(sources)] if links else []))
    )
