"""What a page needs a content security policy to allow, and what no safe policy may allow it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from mergegate.core.web_address import origin as origin_of
from mergegate.site.facts.document import Form
from mergegate.site.rendering import Load
from mergegate.site.security.facts import PolicyBreach

INLINE, SELF = "inline", "'self'"
_GOVERNED_BY = {"script-src-elem": "script-src", "style-src-elem": "style-src"}
FETCHES = (
    *("script-src", "style-src", "img-src", "font-src", "connect-src", "media-src", "frame-src"),
    *("worker-src", "manifest-src", "object-src"),
)
"""Directives that list sources and fall back to default-src, in the order in which people write."""
_OWN_TOO = frozenset({"object-src", "base-uri"})
"""Those that do not allow the page's own origin unless it is needed."""
_SCHEMES = {
    "data": ("data:", frozenset({"img-src", "font-src", "media-src", "connect-src"})),
    "blob": ("blob:", frozenset({"img-src", "media-src", "connect-src", "worker-src"})),
}
"""What may be allowed as a whole where it cannot bring a script."""
_MOST_SOURCES = 30
"""Of one directive."""
_SOURCE = re.compile(r"(?:[a-z]+://)?[A-Za-z0-9._:\[\]-]{1,200}|'[a-z-]{1,40}'")
"""What may stand in a policy: the page has a say in it, and must not add directives of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Beyond the page's own origin."""

    sources: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """By directive, as they are written in a policy."""
    scripts: frozenset[str] = frozenset()
    """Hashes of inline scripts."""
    styles: frozenset[str] = frozenset()
    """Hashes of ``style`` elements."""
    nonces: bool = False
    """Whether inline scripts differ from load to load: then the server has to vouch for them."""
    inline_styles: bool = False
    """Whether ``style`` elements do."""
    style_attributes: bool = False

    def of(self, directive: str) -> frozenset[str]:
        """Sources of a directive; none where the page's own origin is enough."""
        return self.sources.get(directive, frozenset())

    def and_from(self, directive: str, sources: Iterable[str]) -> "Needs":
        """With these sources too, as far as one directive may hold them."""
        known = self.of(directive)
        more = sorted({one for one in sources if _SOURCE.fullmatch(one)} - known)
        kept = known.union(more[: max(0, _MOST_SOURCES - len(known))])
        if kept == known:
            return self
        return replace(self, sources=MappingProxyType({**self.sources, directive: kept}))


def observed(load: Load) -> Needs:
    """What a page that was loaded under a policy that only reports did."""
    needs = with_forms(Needs(), load.page.document.forms, load.page.document.url)
    for breach in load.reported:
        needs = allowing(needs, breach, load)
    hashes = {kind: {one for of, one in load.hashes if of == kind} for kind in ("script", "style")}
    return replace(needs, scripts=frozenset(hashes["script"]), styles=frozenset(hashes["style"]))


def with_forms(needs: Needs, forms: Sequence[Form], page: str) -> Needs:
    """With where its forms are sent; nothing but sending one would show that."""
    origins = {origin_of(form.action) for form in forms if form.action} - {"", origin_of(page)}
    return needs.and_from("form-action", (written(one, page) for one in origins))


def allowing(needs: Needs, breach: PolicyBreach, load: Load) -> Needs:
    """With what ``breach`` asks for, where it can be had safely; else as they were."""
    page = load.page.document.url
    directive = _GOVERNED_BY.get(breach.directive, breach.directive)
    if directive == "style-src-attr":
        return replace(needs, style_attributes=True)
    if breach.blocked == "wasm-eval":
        return needs.and_from("script-src", ["'wasm-unsafe-eval'"])
    if breach.blocked in _SCHEMES:
        scheme, allowed = _SCHEMES[breach.blocked]
        return needs.and_from(directive, [scheme]) if directive in allowed else needs
    if directive not in {*FETCHES, "base-uri"}:
        return needs
    return needs.and_from(directive, _origins(breach.blocked, directive, page, load.led))


def _origins(url: str, directive: str, page: str, led: Sequence[tuple[str, str]]) -> list[str]:
    """Sources for the address, and for all that it leads to; of a frame only its origin is told."""
    reached = {url: None}
    for start, end in led:  # in the order in which they were followed
        if start in reached or (directive == "frame-src" and origin_of(start) == url):
            reached[end] = None
    origins = dict.fromkeys(map(_origin, reached))
    foreign = [written(one, page) for one in origins if one not in {"", origin_of(page)}]
    own = [SELF] if directive in _OWN_TOO and origin_of(page) in origins else []
    return [*own, *foreign]


def _origin(url: str) -> str:
    """Also of a WebSocket."""
    if url.startswith(("ws://", "wss://")):
        return origin_of(f"http{url.removeprefix('ws')}").replace("http", "ws", 1)
    return origin_of(url)


def written(origin: str, page: str) -> str:
    """As a source: on an https page http is upgraded, or blocked whatever the policy says."""
    if not page.startswith("https:"):
        return origin
    scheme, sign, rest = origin.partition("://")
    return f"{scheme if scheme.endswith('s') else f'{scheme}s'}{sign}{rest}"
