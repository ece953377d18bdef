"""What a page asks for, or sends, in the clear: scripts, styles, frames, images and forms."""

from collections.abc import Iterator, Sequence
from itertools import islice

from mergegate.site.facts.document import Document, Form
from mergegate.site.security.checks.content_policy import enforced, upgrades
from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import is_loopback, origin, path, scheme
from mergegate.site.security.report import Flaw
from mergegate.site.words import counted

_SCRIPTS = frozenset({"script"})
_PASSIVE = frozenset({"img", "image", "imageset", "audio", "video", "media", "source", "track"})
_PASSIVE_LINKS = frozenset({"icon", "apple-touch-icon"})
_ACTIVE_LINKS = frozenset({"stylesheet", "modulepreload", "manifest"})
_MOST = 20
"""Flaws of one rule: more of them say nothing new."""
_SHOWN = 3


_SCRIPT = RULES["script-over-http"]
_ACTIVE = RULES["mixed-active-content"]
_IMAGES = RULES["mixed-passive-content"]
_FORM = RULES["form-over-http"]
_PASSWORD = RULES["password-over-http"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Flaws of mixed content; none where upgrade-insecure-requests mends it, or on this machine."""
    url = facts.page.final_url
    secure = scheme(url) == "https"
    if secure and upgrades(enforced(facts)):
        return
    asked = _asked(facts)
    yield from _scripts(asked, facts, secure)
    if secure:
        yield from _others(asked, url)
    yield from _forms(_seen(facts), facts, secure)


def _seen(facts: SecurityFacts) -> Document:
    rendered = facts.rendered
    return rendered.document if rendered and not rendered.failure else facts.document


def _asked(facts: SecurityFacts) -> list[tuple[str, str]]:
    """Address and kind of all that goes over http to another machine, each address once."""
    document = _seen(facts)
    found = [
        *((one.src, "script") for one in document.scripts),
        *((one.href, "style") for one in document.links if one.rels & _ACTIVE_LINKS),
        *((one.href, "image") for one in document.links if one.rels & _PASSIVE_LINKS),
        *((one.src, "image") for one in document.images),
        *((one.url, _kind(one.kind)) for one in document.resources),
        *(facts.rendered.mixed if facts.rendered else ()),
    ]
    in_clear: dict[str, str] = {}
    for url, kind in found:
        if _is_in_clear(url):
            in_clear.setdefault(url, kind)
    return list(in_clear.items())


def _kind(element: str) -> str:
    """An address in a style sheet is nearly always that of an image."""
    return "image" if element == "css" else element


def _is_in_clear(url: str) -> bool:
    """Browsers trust their own machine without TLS (Mixed Content, 3.1)."""
    return scheme(url) in {"http", "ws"} and not is_loopback(url)


def _scripts(
    asked: Sequence[tuple[str, str]], facts: SecurityFacts, secure: bool
) -> Iterator[Flaw]:
    """Flaws of scripts over http; on an http page only scripts of other origins count."""
    page = facts.page.final_url
    found = [url for url, kind in asked if kind in _SCRIPTS]
    foreign = [url for url in found if secure or origin(url) != origin(page)]
    for url in islice(foreign, _MOST):
        message = (
            "Today's browsers block it, and what it does is lost; one that does not runs what was "
            "put in its place on the way."
            if secure
            else "Whoever is on the way can replace it, and so act as the visitor."
        )
        yield flaw(_SCRIPT, page, message, key=_plain(url), evidence=_plain(url))


def _others(asked: Sequence[tuple[str, str]], page: str) -> Iterator[Flaw]:
    rest = [(url, kind) for url, kind in asked if kind not in _SCRIPTS]
    for url, kind in islice((one for one in rest if one[1] not in _PASSIVE), _MOST):
        message = _ACTIVE.said(kind=kind)
        yield flaw(_ACTIVE, page, message, key=_plain(url), evidence=_plain(url))
    images = [url for url, kind in rest if kind in _PASSIVE]
    if images:
        yield flaw(
            _IMAGES,
            page,
            _IMAGES.said(files=counted(len(images), "file")),
            evidence=" ".join(_plain(url) for url in images[:_SHOWN]),
            count=len(images),
        )


def _forms(document: Document, facts: SecurityFacts, secure: bool) -> Iterator[Flaw]:
    page = facts.page.final_url
    found = (_form(form, page, facts.local, secure) for form in document.forms)
    yield from islice((one for one in found if one), _MOST)


def _form(form: Form, page: str, local: bool, secure: bool) -> Flaw | None:
    """A form without an address goes where the page came from."""
    there = form.action or page
    password = any(one.type == "password" for one in form.inputs)
    if not _is_in_clear(there) or (local and origin(there) == origin(page)):
        return None
    if not password and not secure:
        return None
    rule = _PASSWORD if password else _FORM
    return flaw(rule, page, selector=form.selector, evidence=_plain(there))


def _plain(url: str) -> str:
    """The address without its query, which may hold what was typed."""
    return f"{origin(url)}{path(url)}"
