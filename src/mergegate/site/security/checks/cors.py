"""Which other origins may read what the page answers, as it told those that asked."""

from collections.abc import Iterator

from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import CorsAnswer, SecurityFacts
from mergegate.site.security.report import Flaw

_HEADER = "Access-Control-Allow-Origin"
_ANYONE = RULES["cors-any-origin-with-credentials"]
_NULL = RULES["cors-null-with-credentials"]
_LOOK_ALIKE = RULES["cors-look-alike-with-credentials"]
_LOOSE = RULES["cors-look-alike-origin"]
_ECHO = RULES["cors-echo-without-vary"]
_REJECTED = RULES["cors-wildcard-with-credentials"]
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
        yield flaw(_REJECTED, answer.url or facts.page.final_url, evidence=_evidence(answer))


_WITH_CREDENTIALS = {
    "stranger": _ANYONE,
    "null": _NULL,
    "suffix": _LOOK_ALIKE,
    "prefix": _LOOK_ALIKE,
}


def _echo(answer: CorsAnswer, facts: SecurityFacts) -> Iterator[Flaw]:
    url, evidence = answer.url or facts.page.final_url, _evidence(answer)
    if answer.allow_credentials:
        rule = _WITH_CREDENTIALS[answer.kind]
        yield flaw(rule, url, rule.said(origin=answer.origin), evidence=evidence)
    elif answer.kind in {"suffix", "prefix"}:
        yield flaw(_LOOSE, url, _LOOSE.said(origin=answer.origin), evidence=evidence)
    elif answer.kind == "stranger" and not answer.vary_origin:
        yield flaw(_ECHO, url, evidence=evidence)


def _evidence(answer: CorsAnswer) -> str:
    also = "; Access-Control-Allow-Credentials: true" if answer.allow_credentials else ""
    return f"Origin: {answer.origin} → {_HEADER}: {answer.allow_origin.strip()}{also}"
