"""security.txt: where somebody who finds a hole can say so (RFC 9116)."""

import datetime as dt
from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

_REFERENCE = "https://www.rfc-editor.org/rfc/rfc9116"
_PLACE = "/.well-known/security.txt"
_MOST_LINES = 500


def _rule(id: str, severity: Severity, title: str, remedy: str, section: str = "") -> Rule:
    return Rule(
        id=f"security-txt-{id}",
        area=Area.CONTENT,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-16",
        reference=f"{_REFERENCE}{section}",
    )


_MISSING = _rule(
    "missing",
    Severity.INFO,
    "No security.txt",
    f"Publish {_PLACE} with Contact and Expires, so that whoever finds a hole can tell you.",
)
_EXPIRED = _rule(
    "expired",
    Severity.LOW,
    "security.txt has expired",
    "Check that it is still true, and set Expires to a date within a year.",
    "#section-2.5.5",
)
_NO_CONTACT = _rule(
    "without-contact",
    Severity.LOW,
    "security.txt names no contact",
    "Add a line such as Contact: mailto:security@example.org.",
    "#section-2.5.3",
)
_NO_EXPIRES = _rule(
    "without-expires",
    Severity.LOW,
    "security.txt does not say until when it holds",
    "Add one line such as Expires: 2030-01-01T00:00:00Z, with a date within a year.",
    "#section-2.5.5",
)
_TYPE = _rule(
    "content-type",
    Severity.LOW,
    "security.txt is not served as plain text",
    "Serve it as Content-Type: text/plain; charset=utf-8.",
    "#section-3",
)
_MISPLACED = _rule(
    "misplaced",
    Severity.INFO,
    "security.txt stands where it used to",
    f"Serve it at {_PLACE}.",
    "#section-3",
)


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """What is wrong with it; none of it is asked of a preview on this machine."""
    fetched = facts.security_txt
    if fetched is None or facts.local:
        return
    if not _is_one(fetched):
        if fetched.status in {404, 410} or fetched.ok:
            yield flaw(_MISSING, f"There is no {_PLACE}.", fetched.url, key=_PLACE)
        return
    yield from _content(_fields(fetched.text), fetched.final_url, facts.now)
    yield from _serving(fetched)


def _is_one(fetched: Fetched) -> bool:
    """Whether it is one at all: many sites answer every path with a page."""
    start = fetched.text[:500].lstrip("\ufeff \r\n\t").lower()
    fields = _fields(fetched.text)
    return fetched.ok and not start.startswith("<") and ("contact" in fields or "expires" in fields)


def _fields(text: str) -> dict[str, list[str]]:
    """By name in small letters; comments and a signature around it are passed over."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines()[:_MOST_LINES]:
        name, colon, value = line.partition(":")
        if colon and not line.startswith("#"):
            found.setdefault(name.strip().lower(), []).append(value.strip())
    return found


def _content(fields: dict[str, list[str]], url: str, now: str) -> Iterator[Flaw]:
    if not any(fields.get("contact", ())):
        yield flaw(_NO_CONTACT, "Contact is required: nobody can tell you of a hole.", url)
    expires = fields.get("expires", [])
    until = _moment(expires[0]) if len(expires) == 1 else None
    if until is None:
        why = "stands there more than once" if len(expires) > 1 else "is missing or no date"
        yield flaw(_NO_EXPIRES, f"Expires {why}; it has to stand there once.", url)
    elif until < dt.datetime.fromisoformat(now):
        message = "What it says should no longer be used: whoever reads it looks elsewhere."
        yield flaw(_EXPIRED, message, url, evidence=f"Expires: {expires[0]}")


def _serving(fetched: Fetched) -> Iterator[Flaw]:
    kind = fetched.header("content-type")
    if kind.partition(";")[0].strip().lower() != "text/plain":
        message = "It has to be served as text/plain."
        evidence = f"Content-Type: {kind or '(none)'}"
        yield flaw(_TYPE, message, fetched.final_url, evidence=evidence)
    if not fetched.url.endswith(_PLACE):
        yield flaw(_MISPLACED, f"It belongs to {_PLACE}.", fetched.final_url)


def _moment(text: str) -> dt.datetime | None:
    """An internet date (RFC 3339); None for anything else."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
