"""What the settings of resources open, leave unencrypted or leave out, as entries tell it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from mergegate.core.finding import Finding
from mergegate.core.rule import OUTSIDE, milder_by
from mergegate.core.severity import Aspect, Severity
from mergegate.core.tree import Reason, Skipped
from mergegate.repo.checks import check_of_many
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.checks.infrastructure.dialects import described, lengths
from mergegate.repo.checks.infrastructure.dialects.compose import inline_builds
from mergegate.repo.checks.infrastructure.dialects.kubernetes import MACHINERY, OF_PODS
from mergegate.repo.checks.infrastructure.dialects.statements import statements
from mergegate.repo.checks.infrastructure.judgement import Beside, unsafe
from mergegate.repo.facts.documents import Documents
from mergegate.repo.facts.resources import Resource, Resources
from mergegate.repo.infrastructure import Entry, Subject, by_rule, subjects

_MOST_HELD = 300_000
"""How often settings of one file are held to what is known of them: of honest ones some thousand
times."""
_TOO_LONG = "a text in it is longer than what is judged"
_TOO_MANY = "it describes more resources than are judged in one file"
_INLINE = "the Dockerfile that is written in it (`dockerfile_inline`) is not read"
_TOO_MANY_STEPS = "what its values are takes too many steps to tell"


@cache
def _rules() -> Mapping[str, DocumentRule]:
    """The rules of all entries, by id."""
    return {id: _rule(id, entry) for id, entry in by_rule().items()}


def _rule(id: str, entry: Entry) -> DocumentRule:
    return DocumentRule(
        id=id,
        title=entry.title,
        explanation=f"{entry.wrong}.",
        remedy=entry.remedy,
        severity=entry.severity,
        milder=milder_by(entry.by_purpose, _milder(entry)),
        production_only=entry.severity <= Severity.LOW,
        confidence=entry.confidence,
        cwe=(entry.cwe,),
        references=entry.references,
    )


def _milder(entry: Entry) -> Mapping[Severity, str]:
    kinds = {kind for subject in entry.subjects for kind in subject.kinds}
    if entry.severity is Severity.INFO or not kinds & OF_PODS:
        return entry.milder
    return {Severity.INFO: f"{OUTSIDE} and {MACHINERY}", **entry.milder}


@check_of_many("settings", Aspect.IAC, lambda: _rules().values())
def settings(resources: Resources, documents: Documents) -> Iterator[Finding | Skipped]:
    """Every setting of which something is known, one finding an entry and line."""
    written = (*resources.found, *described(documents))
    found = (*written, *statements(written))
    beside = Beside(found)
    told: set[tuple[str, str, int]] = set()
    held = Counter[str]()
    for resource in found:
        known = subjects().get(resource.kind, ())
        held[resource.path] += len(known)
        for entry, subject in known if held[resource.path] <= _MOST_HELD else ():
            rule = _rules()[entry.rule_id(resource.dialect)]
            if not rule.concerns(resource):
                continue
            for place in unsafe(subject, resource, beside):
                key = (rule.id, resource.path, 0 if subject.once else place.line)
                if key not in told:
                    told.add(key)
                    wrong = f"{entry.wrong} ({resource.address})"
                    severity = _severity(entry, subject, resource)
                    yield rule.broken(resource, place.line, wrong, severity)
    limits = dict.fromkeys(lengths.cut(documents), _TOO_LONG)
    limits |= {one.path: _TOO_MANY_STEPS for one in found if one.is_cut}
    limits |= {path: _TOO_MANY for path, most in held.items() if most > _MOST_HELD}
    yield from (Skipped(path, why) for path, why in sorted(limits.items()))
    for path in sorted({*inline_builds(documents)} - limits.keys()):
        yield Skipped(path, _INLINE, cause=Reason.LANGUAGE)


def _severity(entry: Entry, subject: Subject, resource: Resource) -> Severity | None:
    """What these settings weigh here; None where that is what the entry says."""
    if resource.is_machinery:
        return Severity.INFO
    return entry.by_purpose.get(resource.purpose, subject.severity)
