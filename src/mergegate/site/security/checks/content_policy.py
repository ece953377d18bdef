"""Content security policies, read as browsers read them (CSP Level 3, 2.2 and 6)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.site.security.facts import SecurityFacts

HEADER = "Content-Security-Policy"
SCRIPT = ("script-src-elem", "script-src", "default-src")
"""What governs ``script`` elements: the first of these that is there."""
HANDLER = ("script-src-attr", "script-src", "default-src")
"""What governs inline event handlers."""
EVAL = ("script-src", "default-src")
STYLE = ("style-src-elem", "style-src", "default-src")
OBJECT = ("object-src", "default-src")
_MOST_BYTES = 64 * 1024
NOT_IN_META = frozenset({"frame-ancestors", "report-uri", "sandbox"})
"""HTML, 4.2.5.3: a policy in a ``meta`` element loses these."""
_PROOF = re.compile(
    r"'(?P<kind>nonce|sha256|sha384|sha512)-(?P<value>[a-z0-9+/_-]+={0,2})'\Z", re.IGNORECASE
)
"""Anything else, such as a nonce that a template left unfilled, proves nothing (2.3.1)."""
_STRICT = "'strict-dynamic'"
_WHOLE_SCHEMES = frozenset({"https:", "http:", "data:", "ftp:"})
_ANY_HOST = re.compile(r"(?:[a-z]+:)?(?://)?\*(?:\.\*)?(?:[:/].*)?\Z")
"""``*``, ``https://*``, ``*:443``… but not ``*.example.org``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPolicy:
    """One policy; several of them all have to allow what is to happen."""

    text: str
    directives: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Values by name in small letters, the first where a name is repeated."""
    repeated: tuple[str, ...] = ()
    """Directives that browsers drop because they were there before."""
    in_meta: bool = False
    unheard: tuple[str, ...] = ()
    """Directives that do nothing because they stand in a ``meta`` element."""
    foreign: tuple[str, ...] = ()
    """Directives that browsers skip for a letter that is not ASCII, such as a curly quote."""

    def sources(self, *names: str) -> tuple[str, ...] | None:
        """The list of the first of ``names`` that is there; None when nothing restricts them."""
        return next((self.directives[name] for name in names if name in self.directives), None)


def parse(values: Sequence[str], *, in_meta: bool = False) -> tuple[ContentPolicy, ...]:
    """Every policy of ``meta`` contents, or of header values, which hold several between commas."""
    texts = [text[:_MOST_BYTES] for text in values]
    every = texts if in_meta else [one for text in texts for one in text.split(",")]
    found = (_policy(text, in_meta) for text in every)
    return tuple(one for one in found if one.directives or one.unheard or one.foreign)


def _policy(text: str, in_meta: bool) -> ContentPolicy:
    directives: dict[str, tuple[str, ...]] = {}
    repeated: list[str] = []
    parts = [part.strip() for part in text.split(";")]
    for name, *sources in (part.split() for part in parts if part and part.isascii()):
        known = name.lower() in directives
        repeated += [name.lower()] if known else []
        directives.setdefault(name.lower(), tuple(sources))
    unheard = tuple(name for name in directives if in_meta and name in NOT_IN_META)
    heard = {name: held for name, held in directives.items() if name not in unheard}
    return ContentPolicy(
        text=text.strip(),
        directives=MappingProxyType(heard),
        repeated=tuple(dict.fromkeys(repeated)),
        in_meta=in_meta,
        unheard=unheard,
        foreign=tuple(part for part in parts if not part.isascii()),
    )


def enforced(facts: SecurityFacts) -> tuple[ContentPolicy, ...]:
    """Every policy that browsers hold the page to: of its headers, then of its head."""
    answer = facts.page.final
    sent = answer.all(HEADER.lower()) if answer else ()
    written = [
        meta.content
        for meta in facts.document.metas
        if meta.kind == "http-equiv" and meta.name == HEADER.lower() and meta.in_head
    ]
    return parse(sent) + parse(written, in_meta=True)


def watched(facts: SecurityFacts) -> tuple[ContentPolicy, ...]:
    """Policies that only report; a ``meta`` element cannot hold one."""
    answer = facts.page.final
    return parse(answer.all(f"{HEADER}-Report-Only".lower()) if answer else ())


def upgrades(policies: Sequence[ContentPolicy]) -> bool:
    """Whether the page's http addresses are fetched over https all the same."""
    return any("upgrade-insecure-requests" in policy.directives for policy in policies)


def everywhere(
    policies: Sequence[ContentPolicy],
    names: Sequence[str],
    holes: Callable[[Sequence[str]], list[str]],
) -> list[str]:
    """The holes of the first list of ``names``, if no policy's list is without any.

    A policy that says nothing of ``names`` neither closes a hole nor has one.
    """
    lists = [policy.sources(*names) for policy in policies]
    found = [holes(sources) for sources in lists if sources is not None]
    return found[0] if found and all(found) else []


def inline(sources: Sequence[str]) -> list[str]:
    """``'unsafe-inline'`` where it counts: not beside a nonce or a hash."""
    there = any(source.lower() == "'unsafe-inline'" for source in sources)
    return ["'unsafe-inline'"] if there and not any(map(is_proof, sources)) else []


def inline_scripts(sources: Sequence[str]) -> list[str]:
    """The same for scripts, where it does not count beside ``'strict-dynamic'`` either."""
    return [] if trusts_loaded(sources) else inline(sources)


def is_proof(source: str) -> bool:
    """Whether it is a nonce or a hash as browsers read them."""
    return _PROOF.match(source) is not None


def nonces(sources: Sequence[str]) -> list[str]:
    """What a script has to say, without the quotes."""
    found = filter(None, map(_PROOF.match, sources))
    return [one["value"] for one in found if one["kind"].lower() == "nonce"]


def wide(sources: Sequence[str]) -> list[str]:
    """What lets in any host."""
    return [one for one in (source.lower() for source in sources) if _is_wide(one)]


def wide_scripts(sources: Sequence[str]) -> list[str]:
    """The same for scripts: beside ``'strict-dynamic'`` hosts and schemes are ignored."""
    return [] if trusts_loaded(sources) else wide(sources)


def runs_scripts(policy: ContentPolicy) -> bool:
    """Whether it lets any script run: a sandbox without ``allow-scripts`` lets none."""
    sandbox = policy.sources("sandbox")
    return sandbox is None or any(one.lower() == "allow-scripts" for one in sandbox)


def _is_wide(source: str) -> bool:
    return source in _WHOLE_SCHEMES or _ANY_HOST.match(source) is not None


def trusts_loaded(sources: Sequence[str]) -> bool:
    """Whether what a trusted script loads is trusted too."""
    return any(source.lower() == _STRICT for source in sources)
