"""Forms that another site can send in the visitor's name, or that send what they should not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qsl

from mergegate.core.severity import Confidence, Severity
from mergegate.site.facts.document import Document, Form, Input
from mergegate.site.security.checks.cookies import Use, use
from mergegate.site.security.checks.flaw import RULES, flaw, pattern
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import host, origin, parts, path, same_site
from mergegate.site.security.report import Flaw

_NAMES = pattern("token-fields")
_ACTION = "$ACTION_"
"""Next.js: its server compares Origin and Host for these."""
_RANDOM = re.compile(r"[A-Za-z0-9+_.-][A-Za-z0-9+/=_.-]{19,}\Z")
"""No address, nor a path: those are where a form leads back to."""
_METAS = re.compile(r"csrf|xsrf", re.IGNORECASE)
_TOKENS_MOST = 200


def carries_token(form: Form) -> bool:
    """Whether a field or the address holds something that only the site's own page knows."""
    return any(_is_token(one) for one in form.inputs) or _in_address(form.action)


def _is_token(field: Input) -> bool:
    if field.name.startswith(_ACTION):
        return True
    return names_token(field) or (field.type == "hidden" and _is_random(field.value))


def names_token(field: Input) -> bool:
    """Whether a hidden field has the name that a framework gives its token."""
    return field.type == "hidden" and bool(_NAMES.search(field.name[:_TOKENS_MOST].rstrip("]")))


def _is_random(value: str) -> bool:
    """Whether it looks made by chance: a token of an unknown name raises no alarm."""
    letters = any(one.isalpha() for one in value)
    digits = sum(one.isdigit() for one in value)
    return bool(_RANDOM.match(value[:_TOKENS_MOST])) and letters and digits >= 3


def _in_address(action: str) -> bool:
    """SvelteKit's named actions, ``?/name``, count: its server compares origins by itself."""
    query = parts(action).query[:2000]
    return query.startswith("/") or any(
        _NAMES.search(name[:_TOKENS_MOST]) for name, _ in _pairs(query)
    )


def _pairs(query: str) -> Sequence[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=50)
    except ValueError:
        return ()


def offers_token(document: Document) -> bool:
    """Whether the page hands its scripts a token, as Rails and Laravel do in a ``meta``."""
    return any(_METAS.search(meta.name[:_TOKENS_MOST]) for meta in document.metas)


_SEARCH = frozenset({"q", "query", "s", "search", "keyword", "keywords", "term"})
_TYPED = frozenset({"text", "search", "email", "tel", "url", "number", "password", "textarea"})
_SAFE = frozenset({"lax", "strict"})
_MOST = 20
"""Flaws: more forms of one page say nothing new."""


_NO_TOKEN = RULES["csrf-token-missing"]
_LOGIN = RULES["csrf-login-form"]
_LEAVES = RULES["csrf-token-leaves"]
_PASSWORD_LEAVES = RULES["password-sent-to-other-site"]
_IN_ADDRESS = RULES["password-in-address"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Judges the forms that a visitor sees: scripts may have put tokens into them."""
    rendered = facts.rendered
    document = rendered.document if rendered and not rendered.failure else facts.document
    guard = _guard(document, facts)
    found = _findings(document.forms, facts.page.final_url, facts.site, guard)
    yield from islice(found, _MOST)


@dataclass(frozen=True, slots=True)
class _Guard:
    """What protects every form of the page alike."""

    token: bool
    """Whether scripts are handed one, or a cookie holds one."""
    exposed: tuple[str, ...]
    """Session cookies that go with requests of other sites."""
    sessions: bool
    """Whether a session cookie was seen at all."""

    @property
    def holds(self) -> bool:
        return self.token or (self.sessions and not self.exposed)


def _guard(document: Document, facts: SecurityFacts) -> _Guard:
    uses = [(use(one), one) for one in facts.cookies]
    sessions = [one for what, one in uses if what is Use.SESSION]
    exposed = tuple(one.name for one in sessions if one.same_site.lower() not in _SAFE)
    by_cookie = any(what is Use.CSRF for what, _ in uses)
    return _Guard(by_cookie or offers_token(document), exposed, bool(sessions))


def _findings(forms: Sequence[Form], url: str, site: str, guard: _Guard) -> Iterator[Flaw]:
    for form in forms:
        if form.method == "get":
            yield from _get(form, url)
        elif form.method == "post" and _goes_out(form, url, site):
            yield from _outwards(form, url)
        elif form.method == "post" and not is_search(form) and not guard.holds:
            yield from _forgeable(form, url, guard)


def _goes_out(form: Form, url: str, site: str) -> bool:
    return bool(origin(form.action)) and not same_site(host(form.action), host(url), site)


def _get(form: Form, url: str) -> Iterator[Flaw]:
    """A form that names no address is as a rule sent by a script: then it is a hint."""
    if not _has_password(form):
        return
    named = bool(form.action) and (path(form.action), origin(form.action)) != (
        path(url),
        origin(url),
    )
    yield flaw(
        _IN_ADDRESS,
        url,
        selector=form.selector,
        severity=None if named else Severity.LOW,
        confidence=Confidence.MEDIUM if named else Confidence.LOW,
        evidence=_evidence(form),
    )


def _outwards(form: Form, url: str) -> Iterator[Flaw]:
    there = host(form.action)
    broken = {
        _LEAVES: any(names_token(one) for one in form.inputs),
        _PASSWORD_LEAVES: _has_password(form),
    }
    for rule in (rule for rule, holds in broken.items() if holds):
        message = rule.said(host=there)
        yield flaw(rule, url, message, selector=form.selector, evidence=_evidence(form))


def _forgeable(form: Form, url: str, guard: _Guard) -> Iterator[Flaw]:
    if carries_token(form):
        return
    selector, evidence = form.selector, _evidence(form)
    if _has_password(form):
        yield flaw(_LOGIN, url, selector=selector, evidence=evidence)
    elif guard.exposed:
        message = (
            f"It has no token, and the cookie {guard.exposed[0]} has no SameSite=Lax or Strict: "
            "another page can send it as the visitor."
        )
        sure = Confidence.MEDIUM
        yield flaw(_NO_TOKEN, url, message, selector=selector, evidence=evidence, confidence=sure)
    else:
        yield _hint(url, selector, evidence)


def _hint(url: str, selector: str, evidence: str) -> Flaw:
    """The scan signs in nowhere: that there is a session to abuse is a guess."""
    return flaw(
        _NO_TOKEN,
        url,
        "It has no token. No session cookie was seen; once there is one without SameSite, another "
        "page can send the form as the visitor.",
        selector=selector,
        evidence=evidence,
        severity=Severity.LOW,
        confidence=Confidence.LOW,
    )


def _has_password(form: Form) -> bool:
    return any(one.type == "password" for one in form.inputs)


def is_search(form: Form) -> bool:
    """Whether the form has one field to type into, and the field or the form is called a search."""
    typed = [one for one in form.inputs if one.type in _TYPED]
    if len(typed) != 1:
        return False
    (field,) = typed
    called = "search" in form.selector.rpartition(">")[2].lower()
    by_name = field.name.lower() in _SEARCH or (called and field.type == "text")
    return field.type == "search" or by_name


def _evidence(form: Form) -> str:
    """The form's tag and the names of its fields: never a value, nor the address's query."""
    names = ", ".join(one.name for one in form.inputs if one.name)
    where = f"{origin(form.action)}{path(form.action)}"
    return f'<form method="{form.method}" action="{where}"> {names}'
