"""One line for each security header: what was sent, and what it is worth."""

from collections.abc import Iterator, Sequence

from mergegate.core.severity import Severity
from mergegate.site.security.checks import csp, framing
from mergegate.site.security.checks.flaw import shown
from mergegate.site.security.checks.framing import HEADER as FRAME_OPTIONS
from mergegate.site.security.checks.headers import hsts, isolation, permissions, referrer, sniffing
from mergegate.site.security.checks.origins import is_trustworthy
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Flaw, HeaderJudgement
from mergegate.site.words import cut

_VALUE = 300
_GOOD, _WEAK, _MISSING, _NOT_NEEDED = "good", "weak", "missing", "not needed"


def judgements(facts: SecurityFacts) -> tuple[HeaderJudgement, ...]:
    """In a fixed order, each header once, whether it was sent or not."""
    return tuple(_judge(name, found, facts) for name, found in _table(facts))


def _table(facts: SecurityFacts) -> Iterator[tuple[str, list[Flaw]]]:
    yield hsts.HEADER, list(hsts.flaws(facts))
    yield csp.HEADER, list(csp.flaws(facts))
    yield FRAME_OPTIONS, list(framing.flaws(facts))
    yield sniffing.HEADER, list(sniffing.flaws(facts))
    yield referrer.HEADER, list(referrer.flaws(facts))
    yield permissions.HEADER, list(permissions.flaws(facts))
    isolated = list(isolation.flaws(facts))
    for name, start in ((isolation.OPENER, "coop"), (isolation.EMBEDDER, "coep")):
        yield name, [one for one in isolated if one.rule.startswith(start)]
    yield isolation.RESOURCE, [one for one in isolated if one.rule.startswith("corp")]


def _judge(name: str, found: Sequence[Flaw], facts: SecurityFacts) -> HeaderJudgement:
    value, worst = _value(name, facts), max((one.severity for one in found), default=Severity.INFO)
    if found and not value:
        verdict = _MISSING
    elif worst > Severity.INFO:
        verdict = _WEAK
    else:
        verdict = _GOOD if value else _NOT_NEEDED
    note = found[0].message if found else _note(name, value, facts)
    return HeaderJudgement(name=name, value=cut(shown(value), _VALUE), verdict=verdict, note=note)


def _value(name: str, facts: SecurityFacts) -> str:
    """As sent; of a policy in the page its text, for it is enforced all the same."""
    answer = facts.page.final
    sent = ", ".join(answer.all(name.lower())) if answer else ""
    if sent or name != csp.HEADER:
        return sent
    return ", ".join(policy.text for policy in csp.enforced(facts))


def _note(name: str, value: str, facts: SecurityFacts) -> str:
    """Why a header that was not sent is none the less not missing."""
    if value:
        return ""
    if name == hsts.HEADER:
        return "Browsers heed it over https, for a name that is not of this machine."
    if name == FRAME_OPTIONS:
        return "frame-ancestors of the Content Security Policy takes its place."
    if name == isolation.EMBEDDER:
        return "It is for pages that ask to be isolated."
    if name == referrer.HEADER:
        return "The page sets it in a meta element."
    return "" if is_trustworthy(facts.page.final_url) else "It does nothing for a page over http."
