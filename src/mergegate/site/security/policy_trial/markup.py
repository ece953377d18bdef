"""Derive a policy from markup alone, for a page that no browser has loaded."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from mergegate.core.web_address import origin as origin_of
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document, Script
from mergegate.site.parsing import harmless
from mergegate.site.security.facts import PolicyBreach, PolicyTrial
from mergegate.site.security.policy_trial.needs import Needs, with_forms, written
from mergegate.site.security.policy_trial.writing import ancestors_of, policy

NOT_TRIED = (
    "It was not tried: it is derived from the markup alone, and what scripts and style sheets load "
    "is not in it."
)
_JAVASCRIPT = frozenset(
    {
        *("", "module", "importmap", "speculationrules", "text/javascript"),
        *("application/javascript", "application/x-javascript", "text/ecmascript"),
    }
)
"""Inline scripts of other types are data, which no policy forbids."""
_BY_ELEMENT = {
    **dict.fromkeys(("img", "source-img", "css"), "img-src"),
    **dict.fromkeys(("audio", "video", "source", "track"), "media-src"),
    **dict.fromkeys(("object", "embed"), "object-src"),
    "iframe": "frame-src",
    "style": "style-src",
}
_MOST_HASHES = 30
_MOST_LETTERS = 5 * 1024 * 1024


def proposed(page: Fetched, document: Document) -> PolicyTrial:
    """The policy, never ``proved``, and what is known to break under it."""
    needs = _needs(page, document)
    source = document.url.partition("?")[0]
    handlers = [PolicyBreach(directive="script-src-attr", blocked="inline", source=source)]
    return PolicyTrial(
        policy=policy(needs, document.url, ancestors_of(page)),
        breaches=tuple(handlers if document.handlers else ()),
        nonces=needs.nonces,
        failure=NOT_TRIED,
    )


def _needs(page: Fetched, document: Document) -> Needs:
    needs = with_forms(Needs(), document.forms, document.url)
    for directive, url in _addresses(document):
        needs = _with(needs, directive, url, document.url)
    inline = [one for one in document.scripts if one.text and one.type in _JAVASCRIPT]
    scripts = frozenset(_hash(one.text) for one in inline)
    styles = frozenset(_hash(one) for one in _style_elements(page.text))
    nonces = len(scripts) > _MOST_HASHES or any(one.nonce for one in inline)
    crowded = len(styles) > _MOST_HASHES
    return replace(
        needs,
        scripts=frozenset() if nonces else scripts,
        styles=frozenset() if crowded else styles,
        nonces=nonces,
        inline_styles=crowded,
        style_attributes=document.inline_styles > 0,
    )


def _addresses(document: Document) -> Iterator[tuple[str, str]]:
    """Directive and address of all that the markup loads."""
    yield from (("script-src", one.src) for one in document.scripts if _loads(one))
    yield from (("img-src", image.src) for image in document.images)
    yield from (("style-src", link.href) for link in document.linked("stylesheet"))
    yield from (("img-src", link.href) for link in document.linked("icon"))
    yield from (("manifest-src", link.href) for link in document.linked("manifest"))
    for one in document.resources:
        yield _BY_ELEMENT.get(one.kind, "default-src"), one.url
    if document.base != document.url:
        yield "base-uri", document.base


def _loads(script: Script) -> bool:
    return bool(script.src) and script.type in _JAVASCRIPT


def _with(needs: Needs, directive: str, url: str, page: str) -> Needs:
    if url.startswith("data:"):
        return needs.and_from(directive, ["data:"]) if directive == "img-src" else needs
    origin = origin_of(url)
    if origin and origin == origin_of(page):
        own = directive in {"object-src", "base-uri"}
        return needs.and_from(directive, ["'self'"]) if own else needs
    return needs.and_from(directive, [written(origin, page)] if origin else [])


def _style_elements(html: str) -> list[str]:
    tree = LexborHTMLParser(harmless(html[:_MOST_LETTERS]))
    return [one.text() for one in tree.css("style")] if "<style" in html.lower() else []


def _hash(text: str) -> str:
    """As browsers take it: of the text as they parsed it, with line feeds alone."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
    return f"sha256-{base64.b64encode(hashlib.sha256(plain).digest()).decode('ascii')}"
