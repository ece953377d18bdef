"""Which other origins may read what the page answers, as it told those that asked."""

from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import CorsAnswer, SecurityFacts
from mergegate.site.security.report import Area, Flaw

_HEADER = "Access-Control-Allow-Origin"
_SHEET = (
    "https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html"
    "#cross-origin-resource-sharing"
)
_MDN = "https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS"
_REMEDY = "Answer with the origin only when it equals one on a list of your own."


def _rule(
    id: str, severity: Severity, title: str, reference: str = _SHEET, remedy: str = _REMEDY
) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-942",
        reference=reference,
        header=_HEADER,
    )


_ANYONE = _rule(
    "cors-any-origin-with-credentials",
    Severity.CRITICAL,
    "Any site may read what a signed-in visitor gets",
)
_NULL = _rule(
    "cors-null-with-credentials",
    Severity.CRITICAL,
    "The origin null may read what a signed-in visitor gets",
)
_LOOK_ALIKE = _rule(
    "cors-look-alike-with-credentials",
    Severity.HIGH,
    "A look-alike host may read what a signed-in visitor gets",
)
_LOOSE = _rule(
    "cors-look-alike-origin", Severity.LOW, "The list of trusted origins takes in a look-alike"
)
_ECHO = _rule(
    "cors-echo-without-vary",
    Severity.LOW,
    "The origin is repeated without Vary: Origin",
    f"{_MDN}#access-control-allow-origin",
    "Send *, which means the same, or add Vary: Origin.",
)
_REJECTED = _rule(
    "cors-wildcard-with-credentials",
    Severity.LOW,
    "The wildcard stands beside credentials",
    f"{_MDN}#credentialed_requests_and_wildcards",
    "Drop Access-Control-Allow-Credentials, or answer with one origin of a list of your own.",
)
_ORDER = ("stranger", "null", "suffix", "prefix")
"""Kinds of origins, the easiest to come by first."""


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """The worst alone of the origins that were let in: they show one and the same mistake."""
    echoed = {one.kind: one for one in facts.cors if one.allow_origin.strip() == one.origin}
    worst = next((echoed[kind] for kind in _ORDER if kind in echoed), None)
    if worst is not None:
        yield from _echo(worst, facts)
    rejected = [one for one in facts.cors if one.allow_origin.strip() == "*"]
    for answer in [one for one in rejected if one.allow_credentials][:1]:
        message = (
            "Browsers refuse this pair, so nobody is let in; who makes it work by repeating the "
            "origin opens the site to all."
        )
        yield flaw(_REJECTED, message, _where(answer, facts), evidence=_evidence(answer))


def _echo(answer: CorsAnswer, facts: SecurityFacts) -> Iterator[Flaw]:
    url, evidence = _where(answer, facts), _evidence(answer)
    if answer.allow_credentials:
        rule, message = _with_credentials(answer)
        yield flaw(rule, message, url, evidence=evidence)
    elif answer.kind in {"suffix", "prefix"}:
        message = f"{answer.origin} is not yours, and is trusted: only a part of it is compared."
        yield flaw(_LOOSE, message, url, evidence=evidence)
    elif answer.kind == "stranger" and not answer.vary_origin:
        message = "A cache may hand one site the answer that names another, which then fails."
        yield flaw(_ECHO, message, url, evidence=evidence)


def _with_credentials(answer: CorsAnswer) -> tuple[Rule, str]:
    if answer.kind == "stranger":
        return _ANYONE, (
            "Whatever origin asks is repeated, with credentials: any page can read the site as "
            "the visitor, tokens against request forgery among it."
        )
    if answer.kind == "null":
        return _NULL, (
            "Any page can ask with the origin null, from a sandboxed frame, and read the site as "
            "the visitor."
        )
    return _LOOK_ALIKE, (
        f"{answer.origin} is trusted, with credentials: only a part of the origin is compared, "
        "and the rest is free to register."
    )


def _where(answer: CorsAnswer, facts: SecurityFacts) -> str:
    return answer.url or facts.page.final_url


def _evidence(answer: CorsAnswer) -> str:
    also = "; Access-Control-Allow-Credentials: true" if answer.allow_credentials else ""
    return f"Origin: {answer.origin} → {_HEADER}: {answer.allow_origin.strip()}{also}"
