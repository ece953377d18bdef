"""What a leaked secret means: how bad it is where it stands, and what to do, in which order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.finding import Finding, Place
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.core.tree import Role, Tree
from mergegate.repo.checks import check_of_many
from mergegate.secrets.detectors import DETECTORS, Detector, Family
from mergegate.secrets.found import PastSecret, SecretMatch, Secrets
from mergegate.secrets.native import CLIENT_SECRETS

_REFERENCES = (
    "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html",
)
_OF_NATIVE_PROGRAM = "https://www.rfc-editor.org/rfc/rfc8252#section-8.5"
_NATIVE_AT_MOST = Severity.MEDIUM
"""Less would hide a server's secret that is handed to such a library by mistake."""
_NATIVE = (
    "it signs in the user of a native program, so everyone who has the program has it (RFC 8252,"
    " section 8.5). Make sure that no server takes it for a proof of who asks and that the sign-in"
    " uses PKCE; one that a server uses as well belongs in a secret store, and is to be changed."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meaning:
    """What a secret of one family means, as ``secrets.toml`` tells it."""

    id: Family
    severity: Mapping[Confidence, Severity]
    """The severity in production code, by the detector's confidence."""
    outside: Mapping[Confidence, Severity] = field(default_factory=dict)
    """The severity elsewhere; a confidence without an entry is not reported there."""
    documentation: Mapping[Confidence, Severity] = field(default_factory=dict)
    """The severity in documentation of what is told there although it is not told elsewhere."""
    milder: Mapping[Severity, str] = field(default_factory=dict)
    cwe: tuple[str, ...]
    danger: str
    remedy: str


_MEANINGS = {
    one.id: one for one in read_table(Path(__file__).with_name("secrets.toml"), _Meaning).values()
}


def _rule(detector: Detector) -> Rule:
    meaning = _MEANINGS[detector.family]
    at = f" at {detector.issuer}" if detector.issuer else ""
    milder = dict(meaning.milder)
    if detector.id in CLIENT_SECRETS:
        milder[_NATIVE_AT_MOST] += ", or handed to the sign-in of a native program"
    if detector.in_documentation:
        for severity in meaning.documentation.values():
            milder[severity] += ", or in documentation"
    return Rule(
        id=f"secret-{detector.id}",
        title=detector.title,
        explanation=f"{detector.title}: {meaning.danger}.",
        remedy=meaning.remedy.format(at=at),
        severity=meaning.severity[Confidence.HIGH],
        milder=milder,
        category=Category.SECURITY,
        aspect=Aspect.SECRETS,
        kind=Kind.SECRET,
        cwe=meaning.cwe,
        references=_REFERENCES,
        engine="detect-secrets",
    )


RULES = {id: _rule(DETECTORS[id]) for id in sorted(DETECTORS) if DETECTORS[id].in_trees}
"""Detector → its rule."""


@check_of_many("secrets", Aspect.SECRETS, RULES.values)
def secrets(found: Secrets) -> Iterator[Finding]:
    """A credential stands in a file: everyone who can read the repository holds it.

    Why: repositories are cloned, forked, cached and searched; a pushed secret is public to all of
    these for good. Tokens are recognised by their shape and checksum, keys by their body,
    passwords by the name and file they stand in. The value itself is masked when it is read and
    appears nowhere. Tests, examples, documentation and vendored code count little: a token whose
    shape is certain stays a finding there, test keys are for information, the rest is left out,
    but for an address or connection string with a password in documentation, which is medium.
    The client secret of a native program, which everyone has who has the program, is medium.
    """
    for file in found.files:
        for match in file.found.matches:
            yield from _finding(match, file.path, file.role)


@check_of_many("secrets-in-history", Aspect.SECRETS, RULES.values)
def secrets_in_history(found: Secrets, tree: Tree) -> Iterator[Finding]:
    """A commit of this change holds a credential that no file has now, or has it in its message.

    Why: removing it does not take it back. Once pushed, the commit can be fetched by its number,
    from forks and from caches, even after the branch is gone.
    Once it is revoked, rewrite the change without it (``git rebase``) and push. Each version of a
    file that a commit left is searched, of merges those that no parent has.
    """
    standing = {(m.detector, m.identity) for file in found.files for m in file.found.matches}
    unseen = {one.path for one in tree.skipped}
    for past in found.history:
        if (past.match.detector, past.match.identity) not in standing:
            standing.add((past.match.detector, past.match.identity))
            message = _past_message(past, is_unseen=past.path in unseen)
            yield from _finding(past.match, past.path, past.role, message)


def _finding(match: SecretMatch, path: str, role: Role, past: str = "") -> Iterator[Finding]:
    """``past``: what is said of one that a commit holds."""
    rule = RULES[match.detector]
    detector = DETECTORS[match.detector]
    weights = _weights(detector, role, is_outside=match.outside)
    if match.confidence not in weights:
        return
    severity, references = weights[match.confidence], rule.references
    if match.native:
        severity = min(severity, _NATIVE_AT_MOST)
        references = (_OF_NATIVE_PROGRAM, *references)
    yield rule.finding(
        past or _message(rule, match),
        Place(path) if past else _place(match, path),
        severity=severity,
        evidence=match.identity,
        anywhere=True,
        confidence=match.confidence,
        references=references,
    )


def _weights(detector: Detector, role: Role, *, is_outside: bool) -> Mapping[Confidence, Severity]:
    """How much it weighs, by how sure the detector is."""
    meaning = _MEANINGS[detector.family]
    if _counts_in_full(detector, role) and not is_outside:
        return meaning.severity
    if role is Role.DOCS and detector.in_documentation:
        return meaning.documentation
    return meaning.outside


def _counts_in_full(detector: Detector, role: Role) -> bool:
    """What a tool wrote is shipped; but its names and texts are no evidence of a password."""
    return role is Role.SOURCE or (role is Role.GENERATED and not detector.by_context)


def _message(rule: Rule, match: SecretMatch) -> str:
    more = f", and at {match.more} more places of this file" if match.more else ""
    start, rest = _told(rule, match)
    return f"{start}{more}: {rest}"


def _past_message(past: PastSecret, *, is_unseen: bool) -> str:
    start, rest = _told(RULES[past.match.detector], past.match)
    commit = past.commit[:12]
    if not past.path:
        return f"{start} in the message of commit {commit}: {rest}"
    now = (
        "the file as it is now was not searched, and the commit holds it"
        if is_unseen
        else "it was later removed in this change, but the commit still holds it"
    )
    return f"{start} was added at line {past.match.line} in commit {commit}; {now}: {rest}"


def _told(rule: Rule, match: SecretMatch) -> tuple[str, str]:
    """What it is, and what it means."""
    shown = f" ({match.masked})" if match.masked.strip("*") else ""
    start, rest = rule.message.split(": ", 1)
    return f"{start}{shown}", _NATIVE if match.native else rest


def _place(match: SecretMatch, path: str) -> Place:
    return Place(path, match.line, match.line, match.start_column, match.end_column)
