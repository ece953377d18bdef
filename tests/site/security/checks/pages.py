"""Sites made by hand: a well-made page, and whatever a test changes about it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.facts.document import Document, Form, Input, Meta, Script
from mergegate.site.security.checks import (
    cookies,
    cors,
    csp,
    csrf,
    framing,
    headers,
    integrity,
    mixed,
)
from mergegate.site.security.facts import CorsAnswer, SecurityFacts, SentCookie
from mergegate.site.security.report import Flaw

PAGE = "https://www.example.org/shop/"
CSP = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
GOOD: Mapping[str, str] = MappingProxyType(
    {
        "content-type": "text/html; charset=utf-8",
        "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
        "content-security-policy": CSP,
        "x-content-type-options": "nosniff",
        "referrer-policy": "strict-origin-when-cross-origin",
        "permissions-policy": 'camera=(), geolocation=(self "https://maps.example.org")',
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }
)
HASH = "sha384-" + "A" * 64
Sent = str | tuple[str, ...] | None


def fetched(url: str, changed: Mapping[str, Sent]) -> Fetched:
    """The well-made answer; ``None`` leaves a header out, a tuple sends it several times."""
    wanted = {**GOOD, **{name.replace("_", "-"): value for name, value in changed.items()}}
    sent = [
        (name, one)
        for name, value in wanted.items()
        if value is not None
        for one in ((value,) if isinstance(value, str) else value)
    ]
    return Fetched(url=url, answers=(Answer(url=url, status=200, headers=tuple(sent)),))


def site(
    url: str = PAGE,
    *,
    document: Document | None = None,
    cookies: Iterable[SentCookie] = (),
    cors: Iterable[CorsAnswer] = (),
    sent: Mapping[str, Sent] = MappingProxyType({}),
    **changed: Sent,
) -> SecurityFacts:
    """A page, well made but for what is given; headers by name, ``_`` for ``-``."""
    return SecurityFacts(
        page=fetched(url, {**sent, **changed}),
        document=document or Document(url=url),
        site="example.org",
        cookies=tuple(cookies),
        cors=tuple(cors),
    )


def document(url: str = PAGE, **fields: Any) -> Document:
    """A page's markup."""
    return Document(url=url, **fields)


def policy_in_page(content: str, *, in_head: bool = True) -> Meta:
    """A policy in a ``meta`` element."""
    name = "content-security-policy"
    return Meta(kind="http-equiv", name=name, content=content, in_head=in_head)


def script(src: str, **fields: Any) -> Script:
    """A script file."""
    return Script(src=src, **fields)


def form(*names: str, action: str = PAGE, method: str = "post") -> Form:
    """A form: ``*name`` is a password, ``-name=value`` hidden, the rest is text."""
    return Form(action=action, method=method, inputs=tuple(_field(one) for one in names))


def _field(text: str) -> Input:
    name, _, value = text.lstrip("*-").partition("=")
    kind = {"*": "password", "-": "hidden"}.get(text[:1], "text")
    return Input(name=name, type=kind, value=value)


def every(facts: SecurityFacts) -> list[Flaw]:
    """What all checks of headers, cookies, forms and addresses find."""
    checks = (headers, csp, framing, cors, cookies, csrf, mixed, integrity)
    return [flaw for check in checks for flaw in check.flaws(facts)]


def rules(facts: SecurityFacts) -> list[str]:
    """Their rules, sorted: exactly these, whichever check they come from."""
    return sorted(flaw.rule for flaw in every(facts))


def severities(facts: SecurityFacts) -> dict[str, str]:
    """Rule → severity."""
    return {flaw.rule: flaw.severity.label for flaw in every(facts)}
