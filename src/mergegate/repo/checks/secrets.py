"""What a leaked secret means: how bad it is where it stands, and what to do, in which order."""

from collections.abc import Iterator, Mapping

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import OUTSIDE, Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check_of_many
from mergegate.secrets.detectors import DETECTORS, Detector, Family
from mergegate.secrets.found import SecretMatch, Secrets

_REFERENCES = (
    "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html",
)


_SEVERITY: Mapping[Family, Mapping[Confidence, Severity]] = {
    Family.TOKEN: {
        Confidence.HIGH: Severity.CRITICAL,
        Confidence.MEDIUM: Severity.HIGH,
        Confidence.LOW: Severity.LOW,
    },
    Family.PUBLIC: dict.fromkeys(Confidence, Severity.INFO),
    Family.KEY: dict.fromkeys(Confidence, Severity.CRITICAL),
    Family.LOCKED_KEY: dict.fromkeys(Confidence, Severity.MEDIUM),
    Family.PASSWORD: {
        Confidence.HIGH: Severity.HIGH,
        Confidence.MEDIUM: Severity.MEDIUM,
        Confidence.LOW: Severity.LOW,
    },
    Family.HASH: {
        Confidence.HIGH: Severity.MEDIUM,
        Confidence.MEDIUM: Severity.MEDIUM,
        Confidence.LOW: Severity.LOW,
    },
    Family.DEFAULT: {
        Confidence.HIGH: Severity.MEDIUM,
        Confidence.MEDIUM: Severity.LOW,
        Confidence.LOW: Severity.INFO,
    },
}
_CWE = {
    Family.TOKEN: ("CWE-798",),
    Family.PUBLIC: ("CWE-798",),
    Family.KEY: ("CWE-321", "CWE-798"),
    Family.LOCKED_KEY: ("CWE-312",),
    Family.PASSWORD: ("CWE-798",),
    Family.HASH: ("CWE-538",),
    Family.DEFAULT: ("CWE-1392",),
}
_DANGER = {
    Family.TOKEN: "whoever can read the repository or a clone of it can use it",
    Family.PUBLIC: "check that it opens nothing that matters",
    Family.KEY: "whoever can read the repository can sign in or decrypt with it",
    Family.LOCKED_KEY: "only its passphrase protects it now, and that can be tried offline",
    Family.PASSWORD: "whoever can read the repository or a clone of it can log in with it",
    Family.HASH: "it can be tried offline until the password is found",
    Family.DEFAULT: "it is among the first that an attacker tries",
}
_STORE = "an environment variable or a secret store"
_CLEAN = "remove it from the file and from the Git history"


def _rules() -> dict[str, Rule]:
    told = (one for one in DETECTORS.values() if one.in_trees)
    return {one.id: _rule(one) for one in sorted(told, key=lambda one: one.id)}


def _rule(detector: Detector) -> Rule:
    family = detector.family
    return Rule(
        id=f"secret-{detector.id}",
        title=detector.title,
        explanation=f"{detector.title} in the repository: {_DANGER[family]}.",
        remedy=_remedy(family, detector.issuer),
        severity=_SEVERITY[family][Confidence.HIGH],
        milder=_milder(family),
        category=Category.SECURITY,
        aspect=Aspect.SECRETS,
        kind=Kind.SECRET,
        cwe=_CWE[family],
        references=_REFERENCES,
        engine="detect-secrets",
    )


def _milder(family: Family) -> Mapping[Severity, str]:
    """What less certainty makes of it, and another place than production code."""
    conditions: dict[Severity, list[str]] = {}
    for confidence in (Confidence.MEDIUM, Confidence.LOW):
        severity = _SEVERITY[family][confidence]
        conditions.setdefault(severity, []).append(f"with {confidence.label} confidence")
    if family is Family.TOKEN:
        conditions.setdefault(Severity.MEDIUM, []).append(OUTSIDE)
        conditions[Severity.INFO] = ["outside production code, where it is less certain"]
    if family is Family.KEY:
        conditions[Severity.INFO] = [OUTSIDE]
    worst = _SEVERITY[family][Confidence.HIGH]
    return {one: " or ".join(when) for one, when in conditions.items() if one < worst}


def _remedy(family: Family, issuer: str) -> str:
    if family is Family.DEFAULT:
        return f"Set a password of its own for every deployment, from {_STORE}."
    if family is Family.PUBLIC:
        return (
            f"Restrict it where it was issued, and read it from {_STORE} if it must stay private."
        )
    if family is Family.HASH:
        return f"Change the password, then {_CLEAN}."
    place = f" at {issuer}" if issuer else ""
    return f"Revoke or change it{place} first, keep the new one in {_STORE}, then {_CLEAN}."


RULES = _rules()
"""Detector → its rule."""


@check_of_many("secrets", Aspect.SECRETS, RULES.values)
def secrets(found: Secrets) -> Iterator[Finding]:
    """A credential stands in a file: everyone who can read the repository holds it.

    Why: repositories are cloned, forked, cached and searched; a pushed secret is public to all of
    these for good. Tokens are recognised by their shape and checksum, keys by their body,
    passwords by the name and file they stand in. The value itself is masked when it is read and
    appears nowhere. Tests, examples, documentation and vendored code count little: a token whose
    shape is certain stays a finding there, test keys are for information, the rest is left out.
    """
    for file in found.files:
        for match in file.found.matches:
            yield from _finding(match, file.path, file.role)


@check_of_many("secrets-in-history", Aspect.SECRETS, RULES.values)
def secrets_in_history(found: Secrets) -> Iterator[Finding]:
    """A commit of this change added a credential that a later commit removed again.

    Why: removing it does not take it back. Once pushed, the commit can be fetched by its number,
    from forks and from caches, even after the branch is gone.
    Once it is revoked, rewrite the change without it (``git rebase``) and push.
    """
    standing = {(m.detector, m.identity) for file in found.files for m in file.found.matches}
    for past in found.history:
        if (past.match.detector, past.match.identity) not in standing:
            standing.add((past.match.detector, past.match.identity))
            yield from _finding(past.match, past.path, past.role, past.commit)


def _finding(match: SecretMatch, path: str, role: Role, commit: str = "") -> Iterator[Finding]:
    rule = RULES[match.detector]
    severity = _severity(match, role)
    if severity is None:
        return
    yield rule.finding(
        _message(rule, match, commit),
        Place(path) if commit else _place(match, path),
        severity=severity,
        evidence=f"history {match.identity}" if commit else match.identity,
        confidence=match.confidence,
    )


def _severity(match: SecretMatch, role: Role) -> Severity | None:
    """None: outside production code it would only be noise."""
    family = DETECTORS[match.detector].family
    if role is Role.SOURCE:
        return _SEVERITY[family][match.confidence]
    if family is Family.TOKEN:
        return Severity.MEDIUM if match.confidence is Confidence.HIGH else Severity.INFO
    return Severity.INFO if family is Family.KEY else None


def _message(rule: Rule, match: SecretMatch, commit: str) -> str:
    shown = f" ({match.masked})" if match.masked.strip("*") else ""
    start, rest = rule.message.split(" in the repository: ", 1)
    if commit:
        return (
            f"{start}{shown} was added at line {match.line} in commit {commit[:12]} and later"
            f" removed in this change, but the commit still holds it: {rest}"
        )
    return f"{start}{shown} in the repository: {rest}"


def _place(match: SecretMatch, path: str) -> Place:
    return Place(path, match.line, match.line, match.start_column, match.end_column)
