"""X-Content-Type-Options."""

from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

HEADER = "X-Content-Type-Options"


def _rule(id: str, title: str) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=Severity.LOW,
        title=title,
        remedy=f"Send {HEADER}: nosniff with every answer.",
        cwe="CWE-693",
        reference=f"https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/{HEADER}",
        header=HEADER,
        fix="nosniff",
    )


_MISSING = _rule("nosniff-missing", "Browsers may guess the type of files")
_INVALID = _rule("nosniff-invalid", "X-Content-Type-Options is not nosniff")
_CAN = "a file that visitors upload can then pass for a script"


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """The first value counts (Fetch, 3.6): ``nosniff, nosniff`` is as good as one."""
    url, value = facts.page.final_url, facts.page.header(HEADER.lower())
    if not value:
        yield flaw(_MISSING, f"Without nosniff browsers guess types: {_CAN}.", url)
    elif value.split(",")[0].strip().lower() != "nosniff":
        evidence = f"{HEADER}: {value}"
        yield flaw(_INVALID, f"Browsers know no value but nosniff: {_CAN}.", url, evidence=evidence)
