"""What a scan saw of a site, made by hand: a page, its files, its certificate."""

from collections.abc import Iterable, Mapping
from typing import Any

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.facts.document import Document
from mergegate.site.security.facts import Certificate, SecurityFacts, TlsFacts
from mergegate.site.security.report import Flaw

NOW = "2026-11-22T12:00:00Z"
PAGE = "https://www.example.org/shop/"


def fetched(
    *way: str,
    status: int = 200,
    text: str = "",
    headers: Mapping[str, str] | None = None,
    failure: str = "",
) -> Fetched:
    """An answer at the end of ``way``; every address before it redirects."""
    stops = way or (PAGE,)
    hops = [Answer(url=url, status=301) for url in stops[:-1]]
    last = Answer(url=stops[-1], status=status, headers=tuple((headers or {}).items()))
    return Fetched(url=stops[0], answers=(*hops, last), text=text, failure=failure)


def facts(page: Fetched | None = None, **fields: Any) -> SecurityFacts:
    """A site; what is not given was not there."""
    own = page or fetched()
    fields.setdefault("document", Document(url=own.final_url))
    fields.setdefault("site", "example.org")
    return SecurityFacts(page=own, now=NOW, **fields)


def certificate(**fields: Any) -> Certificate:
    """A good one for www.example.org."""
    good: dict[str, Any] = {
        "subject": "CN=www.example.org",
        "issuer": "CN=Authority",
        "not_before": "2026-10-01T00:00:00Z",
        "not_after": "2027-01-01T00:00:00Z",
        "names": ("www.example.org",),
        "key": "EC secp256r1",
        "signature": "sha256",
    }
    return Certificate(**{**good, **fields})


def tls(*chain: Certificate, **fields: Any) -> TlsFacts:
    """A good server."""
    good: dict[str, Any] = {
        "host": "www.example.org",
        "port": 443,
        "protocol": "TLSv1.3",
        "chain": chain or (certificate(),),
        "trusted": True,
        "days_left": 39,
        "accepts": ("TLSv1.2", "TLSv1.3"),
    }
    return TlsFacts(**{**good, **fields})


def told(flaws: Iterable[Flaw]) -> list[tuple[str, str]]:
    """Rule and severity of each, in their order: exactly these."""
    return [(one.rule, one.severity.label) for one in flaws]
