"""The API's website audit result → what is known of it, in either shape; all text is hostile.

Other releases send fields that this one does not know, and the specification leaves the elements
of its lists open: what cannot be understood is left out, what decides is read strictly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mergegate.core.errors import UsageError
from mergegate.core.strict_json import foreign_json
from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import (
    Budget,
    Violation,
)
from mergegate.site.audit.facts import Scores, scores
from mergegate.site.audit.wire import budget

MOST_ELEMENTS = 10_000
"""The most entries of each list."""
_WRONG = "this is no result of a website audit"
_HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """An element of ``issues``, ``recommendations`` or ``fixes``; empty where it does not say."""

    id: str = ""
    title: str = ""
    message: str = ""
    """Also called ``explanation``."""
    severity: str = ""
    category: str = ""
    code: str = ""
    """The code of a fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditAnswer:
    """What a host said of an audit."""

    id: str
    scores: Scores
    summary: str
    issues: tuple[Entry, ...]
    fixes: tuple[Entry, ...]
    recommendations: tuple[Entry, ...] = ()
    technologies: tuple[str, ...] = ()
    """Names."""
    url: str | None = None
    """None in the nested shape, as is ``budget``."""
    budget: Budget | None = None
    violations: tuple[Violation, ...] | None = None
    """None when no budget was sent, or in the nested shape; never certain."""
    device: Device | None = None


def read_audit(content: bytes) -> AuditAnswer:
    """What ``content`` says, flat or nested; raises UsageError that names the field at fault."""
    try:
        document = foreign_json(content)
    except ValueError as error:
        raise UsageError(f"{_WRONG}: {error}") from error
    if not isinstance(document, dict):
        raise UsageError(f"{_WRONG}: it is no object")
    return _answer(document)


def _answer(document: Mapping[str, object]) -> AuditAnswer:
    limits = document.get("perfBudget")
    found = budget.parse(limits) if limits is not None else None
    return AuditAnswer(
        id=_required(document, "reportId"),
        scores=_scores(document),
        summary=_required(document, "aiSummary"),
        issues=tuple(_entries(document, "issues")),
        fixes=tuple(_entries(document, "fixes")),
        recommendations=tuple(_entries(document, "recommendations")),
        technologies=tuple(filter(None, map(_name, _list(document, "techStack")))),
        url=_text(document, "url") or None,
        budget=found,
        violations=_violations(document),
        device=found.device if found else None,
    )


def _required(document: Mapping[str, object], name: str) -> str:
    found = document.get(name)
    if not isinstance(found, str):
        raise UsageError(f"{_WRONG}: {name} is no text")
    return found


def _scores(document: Mapping[str, object]) -> Scores:
    inner = document.get("scores")
    holder, ending = (inner, "") if isinstance(inner, dict) else (document, "Score")
    return scores(lambda area: _score(holder, f"{area.label}{ending}"))


def _score(holder: Mapping[str, object], name: str) -> int | None:
    found = holder.get(name, "")
    if found is None:
        return None
    if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= _HUNDRED:
        raise UsageError(f"{_WRONG}: {name} is no number from 0 to 100")
    return round(found)


def _list(document: Mapping[str, object], name: str) -> list[object]:
    found = document.get(name, [])
    if not isinstance(found, list) or len(found) > MOST_ELEMENTS:
        raise UsageError(f"{_WRONG}: {name} is no list of at most {MOST_ELEMENTS:,} elements")
    return found


def _entries(document: Mapping[str, object], name: str) -> Iterator[Entry]:
    for one in _list(document, name):
        if isinstance(one, str):
            yield Entry(title=one)
        elif isinstance(one, dict):
            yield Entry(
                id=_text(one, "id"),
                title=_text(one, "title"),
                message=_text(one, "message") or _text(one, "explanation"),
                severity=_text(one, "severity"),
                category=_text(one, "category"),
                code=_text(one, "code"),
            )


def _name(element: object) -> str:
    if isinstance(element, dict):
        return _text(element, "name")
    return element if isinstance(element, str) else ""


def _text(holder: Mapping[str, object], name: str) -> str:
    found = holder.get(name)
    return found if isinstance(found, str) else ""


def _violations(document: Mapping[str, object]) -> tuple[Violation, ...] | None:
    if document.get("budgetViolations") is None:
        return None
    return tuple(map(_violation, _list(document, "budgetViolations")))


def _violation(element: object) -> Violation:
    if not isinstance(element, dict) or not isinstance(element.get("key"), str):
        raise UsageError(f"{_WRONG}: an element of budgetViolations has no key")
    return Violation(
        key=element["key"],
        limit=_number_or_text(element, "limit"),
        actual=_number_or_text(element, "actual"),
    )


def _number_or_text(holder: Mapping[str, object], name: str) -> float | str:
    found = holder.get(name)
    if isinstance(found, str):
        return found
    if isinstance(found, bool) or not isinstance(found, int | float) or found < 0:
        raise UsageError(f"{_WRONG}: {name} of a violation is neither number nor text")
    return found
