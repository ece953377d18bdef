"""Write a strict content security policy down: the page's own origin, and what it needs beyond."""

import re
from collections.abc import Iterator

from mergegate.sandbox.fetched import Fetched
from mergegate.site.security.facts import NONCE
from mergegate.site.security.policy_trial.needs import FETCHES, SELF, Needs

OBSERVING = (
    "default-src 'none'; script-src 'report-sample'; style-src 'report-sample'; "
    "object-src 'none'; base-uri 'none'"
)
"""Reports everything that a page does; a list without any source allows nothing."""
_HEADER = "content-security-policy"
_ANCESTORS = re.compile(r"(?:^|[;,])\s*frame-ancestors\s+([^;,]{1,500})", re.IGNORECASE)
_SOURCE = re.compile(
    r"'(?:self|none)'|(?:https?://)?(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]{0,200}(?::\d+)?"
)
"""A host, or those below one: neither everybody nor a whole scheme."""


def policy(needs: Needs, page: str, ancestors: str) -> str:
    """The header's value; ``ancestors`` are who may frame the page."""
    return "; ".join(_directives(needs, page, ancestors))


def ancestors_of(page: Fetched) -> str:
    """Who may frame the page today, where the site names them; itself where it does not."""
    said = _ANCESTORS.search(page.header(_HEADER))
    sources = said[1].split() if said else []
    if sources and all(_SOURCE.fullmatch(one) for one in sources):
        return " ".join(sources)
    is_denied = page.header("x-frame-options").strip().lower() == "deny"
    return "'none'" if is_denied else SELF


def _directives(needs: Needs, page: str, ancestors: str) -> Iterator[str]:
    yield f"default-src {SELF}"
    yield _list("script-src", [SELF, *_proofs(needs), *sorted(needs.of("script-src"))])
    yield from _styles(needs)
    for name in FETCHES[2:]:
        own = [] if name == "object-src" else [SELF]
        if sources := needs.of(name):
            yield _list(name, [*own, *sorted(sources)])
    if not needs.of("object-src"):
        yield "object-src 'none'"
    yield _list("base-uri", sorted(needs.of("base-uri")) or ["'none'"])
    yield _list("form-action", [SELF, *sorted(needs.of("form-action"))])
    yield f"frame-ancestors {ancestors}"
    if page.startswith("https:"):
        yield "upgrade-insecure-requests"


def _proofs(needs: Needs) -> list[str]:
    nonce = [f"'nonce-{NONCE}'"] if needs.nonces else []
    return [*nonce, *(f"'{one}'" for one in sorted(needs.scripts))]


def _styles(needs: Needs) -> Iterator[str]:
    """Styles cannot act; still only attributes are let in as a whole where that is enough."""
    hashes = (
        ["'unsafe-inline'"] if needs.inline_styles else [f"'{one}'" for one in sorted(needs.styles)]
    )
    yield _list("style-src", [SELF, *hashes, *sorted(needs.of("style-src"))])
    if needs.style_attributes and not needs.inline_styles:
        yield "style-src-attr 'unsafe-inline'"


def _list(name: str, sources: list[str]) -> str:
    return f"{name} {' '.join(sources)}"
