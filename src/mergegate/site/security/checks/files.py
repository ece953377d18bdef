"""Files of the server: those that were never meant to be served, and security.txt (RFC 9116)."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator

from mergegate.sandbox.fetched import Fetched
from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import ProbedFile, SecurityFacts
from mergegate.site.security.report import Flaw


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """What is served and should not be, then what is wrong with security.txt."""
    yield from _exposed(facts)
    yield from _security_txt(facts)


_RULES = {
    id.removeprefix("exposed-"): rule for id, rule in RULES.items() if id.startswith("exposed-")
}
"""Rules by the name of a kind of file in the list of paths."""


def _exposed(facts: SecurityFacts) -> Iterator[Flaw]:
    """One a kind, worst first; a path that merely answers with a good status is none."""
    found: defaultdict[str, list[ProbedFile]] = defaultdict(list)
    for one in facts.files:
        if one.proved and one.what in _RULES:
            found[one.what].append(one)
    for what, files in sorted(found.items(), key=lambda item: -_RULES[item[0]].severity):
        rule, paths = _RULES[what], ", ".join(one.path for one in files)
        url = files[0].fetched.final_url
        yield flaw(rule, url, rule.said(paths=paths), evidence=paths, count=len(files))


_PLACE = "/.well-known/security.txt"
_MOST_LINES = 500


_MISSING = RULES["security-txt-missing"]
_EXPIRED = RULES["security-txt-expired"]
_NO_CONTACT = RULES["security-txt-without-contact"]
_NO_EXPIRES = RULES["security-txt-without-expires"]
_TYPE = RULES["security-txt-content-type"]
_MISPLACED = RULES["security-txt-misplaced"]


def _security_txt(facts: SecurityFacts) -> Iterator[Flaw]:
    """What is wrong with it; none of it is asked of a preview on this machine."""
    fetched = facts.security_txt
    if fetched is None or facts.local:
        return
    if not _is_one(fetched):
        if fetched.status in {404, 410} or fetched.ok:
            yield flaw(_MISSING, fetched.url, key=_PLACE)
        return
    yield from _content(_fields(fetched.text), fetched.final_url, facts.now)
    yield from _serving(fetched)


def _is_one(fetched: Fetched) -> bool:
    """Whether it is one at all: many sites answer every path with a page."""
    start = fetched.text[:500].lstrip("\ufeff \r\n\t").lower()
    fields = _fields(fetched.text)
    return fetched.ok and not start.startswith("<") and ("contact" in fields or "expires" in fields)


def _fields(text: str) -> dict[str, list[str]]:
    """The fields by name in small letters; comments and a surrounding signature are skipped."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines()[:_MOST_LINES]:
        name, colon, value = line.partition(":")
        if colon and not line.startswith("#"):
            found.setdefault(name.strip().lower(), []).append(value.strip())
    return found


def _content(fields: dict[str, list[str]], url: str, now: str) -> Iterator[Flaw]:
    if not any(fields.get("contact", ())):
        yield flaw(_NO_CONTACT, url)
    expires = fields.get("expires", [])
    until = _moment(expires[0]) if len(expires) == 1 else None
    if until is None:
        why = "stands there more than once" if len(expires) > 1 else "is missing or no date"
        yield flaw(_NO_EXPIRES, url, _NO_EXPIRES.said(why=why))
    elif until < dt.datetime.fromisoformat(now):
        yield flaw(_EXPIRED, url, evidence=f"Expires: {expires[0]}")


def _serving(fetched: Fetched) -> Iterator[Flaw]:
    kind = fetched.header("content-type")
    if kind.partition(";")[0].strip().lower() != "text/plain":
        yield flaw(_TYPE, fetched.final_url, evidence=f"Content-Type: {kind or '(none)'}")
    if not fetched.url.endswith(_PLACE):
        yield flaw(_MISPLACED, fetched.final_url)


def _moment(text: str) -> dt.datetime | None:
    """An internet date (RFC 3339); None for anything else."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
