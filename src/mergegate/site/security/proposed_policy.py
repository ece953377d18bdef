"""A strict content security policy for a page: what the page needs, and how that is written down.

Without a browser it is derived from the markup alone.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser

from mergegate.core.web_address import origin as origin_of
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document, Form
from mergegate.site.parsing import harmless
from mergegate.site.security.facts import NONCE, PolicyBreach, PolicyTrial

SELF = "'self'"
FETCHES = (
    *("script-src", "style-src", "img-src", "font-src", "connect-src", "media-src", "frame-src"),
    *("worker-src", "manifest-src", "object-src"),
)
"""Directives that list sources and fall back to default-src, in the order in which people write."""
_MOST_SOURCES = 30
"""The most sources of one directive."""
_SOURCE = re.compile(r"(?:[a-z]+://)?[A-Za-z0-9._:\[\]-]{1,200}|'[a-z-]{1,40}'")
"""What may stand in a policy: the page has a say in it, and must not add directives of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a page needs allowed beyond its own origin."""

    sources: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """Sources by directive, as they are written in a policy."""
    scripts: frozenset[str] = frozenset()
    """Hashes of inline scripts."""
    styles: frozenset[str] = frozenset()
    """Hashes of ``style`` elements."""
    nonces: bool = False
    """Whether inline scripts differ from load to load: then the server has to vouch for them."""
    inline_styles: bool = False
    """Whether ``style`` elements differ from load to load."""
    style_attributes: bool = False

    def of(self, directive: str) -> frozenset[str]:
        """Sources of a directive; none where the page's own origin is enough."""
        return self.sources.get(directive, frozenset())

    def and_from(self, directive: str, sources: Iterable[str]) -> "Needs":
        """These needs and more sources, as far as one directive may hold them."""
        known = self.of(directive)
        more = sorted({one for one in sources if _SOURCE.fullmatch(one)} - known)
        kept = known.union(more[: max(0, _MOST_SOURCES - len(known))])
        if kept == known:
            return self
        return replace(self, sources=MappingProxyType({**self.sources, directive: kept}))


def with_forms(needs: Needs, forms: Sequence[Form], page: str) -> Needs:
    """The needs extended by the forms' targets, which a load of the page does not show."""
    origins = {origin_of(form.action) for form in forms if form.action} - {"", origin_of(page)}
    return needs.and_from("form-action", (written(one, page) for one in origins))


def written(origin: str, page: str) -> str:
    """The origin as a source; on an https page https, as browsers upgrade or block http."""
    if not page.startswith("https:"):
        return origin
    scheme, sign, rest = origin.partition("://")
    return f"{scheme if scheme.endswith('s') else f'{scheme}s'}{sign}{rest}"


_HEADER = "content-security-policy"
_ANCESTORS = re.compile(r"(?:^|[;,])\s*frame-ancestors\s+([^;,]{1,500})", re.IGNORECASE)
_FRAMER = re.compile(
    r"'(?:self|none)'|(?:https?://)?(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]{0,200}(?::\d+)?"
)
"""A host, or those below one: neither everybody nor a whole scheme."""


def policy(needs: Needs, url: str, page: Fetched) -> str:
    """The header's value for the page at ``url``; who may frame it stays as it was sent."""
    return "; ".join(_directives(needs, url, _ancestors(page)))


def _ancestors(page: Fetched) -> str:
    """The sources that may frame the page today; ``'self'`` where the site names none."""
    said = _ANCESTORS.search(page.header(_HEADER))
    sources = said[1].split() if said else []
    if sources and all(_FRAMER.fullmatch(one) for one in sources):
        return " ".join(sources)
    is_denied = page.header("x-frame-options").strip().lower() == "deny"
    return "'none'" if is_denied else SELF


def _directives(needs: Needs, url: str, ancestors: str) -> Iterator[str]:
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
    if url.startswith("https:"):
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
MOST_HASHES = 30
"""Inline elements'; a longer header is one that servers refuse."""
_MOST_LETTERS = 5 * 1024 * 1024


def proposed(page: Fetched, document: Document) -> PolicyTrial:
    """The policy, never ``proved``, and what is known to break under it."""
    needs = _needs(page, document)
    source = document.url.partition("?")[0]
    handlers = [PolicyBreach(directive="script-src-attr", blocked="inline", source=source)]
    return PolicyTrial(
        policy=policy(needs, document.url, page),
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
    nonces = len(scripts) > MOST_HASHES or any(one.nonce for one in inline)
    crowded = len(styles) > MOST_HASHES
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
    scripts = (one for one in document.scripts if one.src and one.type in _JAVASCRIPT)
    yield from (("script-src", one.src) for one in scripts)
    yield from (("img-src", image.src) for image in document.images)
    yield from (("style-src", link.href) for link in document.linked("stylesheet"))
    yield from (("img-src", link.href) for link in document.linked("icon"))
    yield from (("manifest-src", link.href) for link in document.linked("manifest"))
    for one in document.resources:
        yield _BY_ELEMENT.get(one.kind, "default-src"), one.url
    if document.base != document.url:
        yield "base-uri", document.base


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
    """The hash that browsers take of the text as they parsed it, with line feeds alone."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
    return f"sha256-{base64.b64encode(hashlib.sha256(plain).digest()).decode('ascii')}"
