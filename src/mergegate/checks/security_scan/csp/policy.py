"""Content security policies, read as browsers read them (CSP Level 3, 2.2 and 6)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.model.facts.web_security import SecurityFacts

HEADER = "Content-Security-Policy"
SCRIPT = ("script-src-elem", "script-src", "default-src")
"""What governs ``script`` elements: the first of these that is there."""
HANDLER = ("script-src-attr", "script-src", "default-src")
"""What governs inline event handlers."""
EVAL = ("script-src", "default-src")
STYLE = ("style-src-elem", "style-src", "default-src")
OBJECT = ("object-src", "default-src")
_MOST_BYTES = 64 * 1024
_NOT_IN_META = frozenset({"frame-ancestors", "report-uri", "sandbox"})
"""HTML, 4.2.5.3: a policy in a ``meta`` element loses these."""
_HASHES = ("'sha256-", "'sha384-", "'sha512-")
_NONCE = "'nonce-"
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

    def sources(self, *names: str) -> tuple[str, ...] | None:
        """The list of the first of ``names`` that is there; None when nothing restricts them."""
        return next((self.directives[name] for name in names if name in self.directives), None)


def parse(values: Sequence[str], *, in_meta: bool = False) -> tuple[ContentPolicy, ...]:
    """Every policy of ``meta`` contents, or of header values, which hold several between commas."""
    texts = [text[:_MOST_BYTES] for text in values]
    every = texts if in_meta else [one for text in texts for one in text.split(",")]
    found = (_policy(text, in_meta) for text in every)
    return tuple(policy for policy in found if policy.directives or policy.unheard)


def _policy(text: str, in_meta: bool) -> ContentPolicy:
    directives: dict[str, tuple[str, ...]] = {}
    repeated: list[str] = []
    for name, *sources in filter(None, (part.split() for part in text.split(";"))):
        known = name.lower() in directives
        repeated += [name.lower()] if known else []
        directives.setdefault(name.lower(), tuple(sources))
    unheard = tuple(name for name in directives if in_meta and name in _NOT_IN_META)
    heard = {name: held for name, held in directives.items() if name not in unheard}
    return ContentPolicy(
        text=text.strip(),
        directives=MappingProxyType(heard),
        repeated=tuple(dict.fromkeys(repeated)),
        in_meta=in_meta,
        unheard=unheard,
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
    """``'unsafe-inline'`` where it counts: not beside a nonce, a hash or ``'strict-dynamic'``."""
    words = [source.lower() for source in sources]
    heard = not proofs(words) and _STRICT not in words
    return ["'unsafe-inline'"] if "'unsafe-inline'" in words and heard else []


def proofs(sources: Sequence[str]) -> list[str]:
    """The nonces and hashes among ``sources``."""
    return [one for one in sources if one.lower().startswith((_NONCE, *_HASHES))]


def nonces(sources: Sequence[str]) -> list[str]:
    """What a script has to say, without the quotes."""
    found = [one for one in sources if one.lower().startswith(_NONCE)]
    return [one[len(_NONCE) :].rstrip("'") for one in found]


def wide(sources: Sequence[str]) -> list[str]:
    """What lets in any host; nothing beside ``'strict-dynamic'``, which ignores hosts."""
    words = [source.lower() for source in sources]
    return [] if _STRICT in words else [one for one in words if _is_wide(one)]


def _is_wide(source: str) -> bool:
    return source in _WHOLE_SCHEMES or _ANY_HOST.match(source) is not None


def trusts_loaded(sources: Sequence[str]) -> bool:
    """Whether what a trusted script loads is trusted too."""
    return any(source.lower() == _STRICT for source in sources)
