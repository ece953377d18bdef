"""Keys and passwords that every visitor gets; those that are meant for browsers told apart."""

from collections.abc import Iterator

from mergegate.core.severity import Confidence, Severity
from mergegate.secrets.detectors import DETECTORS, Detector, Family, Public
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import ExposedSecret, SecurityFacts
from mergegate.site.security.report import Area, Flaw

_REFERENCE = "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html"
_REVOKE = (
    "Revoke it where it was issued, keep the new one on the server, and let the page ask the "
    "server for what it needs."
)
_CHECK = "Make sure that it is meant to be public; move what is not behind your server."
_INFO, _LOW, _MEDIUM = Severity.INFO, Severity.LOW, Severity.MEDIUM
_HIGH, _CRITICAL = Severity.HIGH, Severity.CRITICAL


_PASSWORD = {
    False: {Confidence.HIGH: _HIGH, Confidence.MEDIUM: _MEDIUM},
    True: {Confidence.HIGH: _MEDIUM, Confidence.MEDIUM: _LOW},
}
"""Severities by confidence; the key is whether a page, which may only show an example, holds it."""


_CLAIMS = {
    "anon": (_INFO, "Supabase anon key", "Let row level security decide who may read and write."),
    "service_role": (_CRITICAL, "Supabase service_role key", _REVOKE),
    "expiring": (_INFO, "Signed token (JWT) of a visitor", _CHECK),
    "lasting": (_LOW, "Signed token (JWT) that does not soon expire", _CHECK),
}
"""What a signed token says of itself → how bad, what it is, what to do; expired is nothing."""


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """One a value, whatever number of places it stands in."""
    for found in facts.secrets:
        yield from _judged(found)


def rules() -> Iterator[Rule]:
    """What can be found, each as bad as it can be."""
    for detector in DETECTORS.values():
        title = f"{detector.title} in what visitors get"
        if public := detector.public:
            reference = public.reference
            yield _rule(f"public-{detector.id}", _INFO, title, public.restrict, reference)
        else:
            worst = _HIGH if detector.family is Family.PASSWORD else _CRITICAL
            milder = _LOW if detector.lookalike else _MEDIUM
            certain = not detector.lookalike and detector.family is not Family.LOCKED_KEY
            yield _rule(f"secret-{detector.id}", worst if certain else milder, title, _REVOKE)
    for claim, (severity, title, remedy) in _CLAIMS.items():
        if severity is not _CRITICAL:
            yield _rule(f"token-{claim}", severity, f"{title} in what visitors get", remedy)


def _judged(found: ExposedSecret) -> Iterator[Flaw]:
    detector = DETECTORS[found.detector]
    if detector.public:
        yield _meant(found, detector.title, detector.public)
    elif found.detector == "jwt":
        yield from _token(found)
    elif (severity := _severity(found, detector)) is not None:
        yield _leak(found, severity, detector.title)


def _severity(found: ExposedSecret, detector: Detector) -> Severity | None:
    """The severity; None where the find is more likely an example in a page than a secret."""
    certain = found.confidence is Confidence.HIGH
    if detector.lookalike:
        return _LOW
    if detector.family is Family.PASSWORD:
        return _PASSWORD[found.kind == "html"].get(found.confidence)
    if detector.family is Family.LOCKED_KEY:
        return _MEDIUM
    if found.confidence is Confidence.LOW:
        return _LOW
    return _CRITICAL if certain else _HIGH


def _leak(found: ExposedSecret, severity: Severity, title: str, remedy: str = _REVOKE) -> Flaw:
    rule = _rule(f"secret-{found.detector}", severity, f"{title} in {_where(found)}", remedy)
    message = (
        f"{title} stands in {_where(found)}: every visitor, and every robot that looks for such "
        "keys, has it."
    )
    return _flaw(rule, message, found, found.confidence)


def _meant(found: ExposedSecret, name: str, public: Public) -> Flaw:
    title = f"{name} in {_where(found)}"
    rule = _rule(f"public-{found.detector}", _INFO, title, public.restrict, public.reference)
    message = f"{name}: it is made to be seen, as long as it can do no more than it should."
    if found.detector == "browser-key":
        message = "A key stands in what visitors get; many such keys are made for that, not all."
    return _flaw(rule, message, found, found.confidence)


def _token(found: ExposedSecret) -> Iterator[Flaw]:
    if found.claim not in _CLAIMS:
        return
    severity, title, remedy = _CLAIMS[found.claim]
    if severity is _CRITICAL:
        yield _leak(found, severity, title, remedy)
        return
    rule = _rule(f"token-{found.claim}", severity, f"{title} in {_where(found)}", remedy)
    message = f"{title} stands in {_where(found)}: whoever gets the page can use it, too."
    yield _flaw(rule, message, found, Confidence.MEDIUM)


def _rule(
    id: str, severity: Severity, title: str, remedy: str, reference: str = _REFERENCE
) -> Rule:
    return Rule(
        id=id.replace("_", "-"),
        area=Area.SECRETS,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-798",
        reference=reference,
    )


def _flaw(rule: Rule, message: str, found: ExposedSecret, confidence: Confidence) -> Flaw:
    return flaw(
        rule,
        found.url,
        message,
        key=found.identity,
        evidence=_evidence(found),
        confidence=confidence,
        line=0 if found.name else found.line,
        count=found.count,
    )


def _evidence(found: ExposedSecret) -> str:
    """Name and mask; for a file of a source map that file and the line in it."""
    named = f"{found.label}: {found.masked}" if found.label else found.masked
    of_map = found.kind == "source-map" and found.name
    return f"{found.name}:{found.line}: {named}" if of_map else named


def _where(found: ExposedSecret) -> str:
    match found.kind:
        case "script":
            return "a script"
        case "source-map":
            return "a source map"
    return "the page"
