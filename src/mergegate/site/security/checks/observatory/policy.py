"""The Observatory's test of the content security policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.site.security.checks.content_policy import HEADER, NOT_IN_META
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import scheme

_SHORTEST = 6
_MAY_REPEAT = frozenset({"report-uri", "report-to"})
_BROAD = frozenset(
    {
        *("ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"),
    }
)
_INLINE = frozenset({"'unsafe-inline'", "data:"})
_PROOFS = ("'sha256-", "'sha384-", "'sha512-", "'nonce-")
_STRICT = "'strict-dynamic'"
_IN_CLEAR = ("http:", "ftp:")
_PASSIVE = ("img-src", "media-src")
_SELF = frozenset({"'self'", "'unsafe-inline'"})
_ANYTHING = frozenset({"*"})
_NOTHING = frozenset({"'none'"})

Lists = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Policies:
    """The policies combined: a source counts when the first two have it, as in the Observatory."""

    lists: Lists = field(default_factory=lambda: MappingProxyType({}))
    repeated: bool = False
    valid: bool = True


def policy_result(facts: SecurityFacts) -> str:
    """Such as ``csp-implemented-with-no-unsafe``."""
    sent, written = _texts(facts)
    together = _combine([*sent, *written])
    if not together.valid:
        return "csp-header-invalid"
    heard = [name for name in _combine(written).lists if name not in NOT_IN_META]
    if not _combine(sent).lists and not heard:
        answer = facts.page.final
        watching = answer is not None and answer.first(f"{HEADER}-report-only".lower())
        return "csp-not-implemented" + ("-but-reporting-enabled" if watching else "")
    found = _judge(together.lists, scheme(facts.page.final_url) == "https")
    if together.repeated and found in _WITH_A_WORD_ON_REPEATS:
        return "csp-implemented-but-duplicate-directives"
    return found


def frames_limited(facts: SecurityFacts) -> bool:
    """Whether a policy limits who may frame the page.

    Only headers count: the Observatory believes frame-ancestors in a ``meta`` element too, where
    browsers ignore it (HTML, 4.2.5.3).
    """
    sent, written = _texts(facts)
    return _combine([*sent, *written]).valid and "frame-ancestors" in _combine(sent).lists


def _texts(facts: SecurityFacts) -> tuple[list[str], list[str]]:
    """The policies of headers and of ``meta``; commas split headers, as in the Observatory."""
    answer = facts.page.final
    values = answer.all(HEADER.lower()) if answer else ()
    sent = [text for value in values for text in value.split(",") if text.strip()]
    metas = [one for one in facts.document.metas if one.kind == "http-equiv"]
    return sent, [one.content for one in metas if one.name == HEADER.lower() and one.content]


def _combine(texts: Sequence[str]) -> _Policies:
    lists: dict[str, frozenset[str]] = {}
    repeated, valid = False, all(len(text.strip()) >= _SHORTEST for text in texts)
    for number, text in enumerate(texts):
        seen, twice = _read(text)
        repeated |= bool(twice)
        valid &= twice <= _MAY_REPEAT
        for name, sources in seen.items():
            lists[name] = sources if number == 0 else _shared(lists.get(name), sources)
    return _Policies(MappingProxyType(lists), repeated, valid)


def _shared(earlier: frozenset[str] | None, sources: frozenset[str]) -> frozenset[str]:
    return (earlier & sources if earlier else frozenset()) or _NOTHING


def _read(text: str) -> tuple[dict[str, frozenset[str]], set[str]]:
    """Lists by directive, the first of each, and the names that are repeated."""
    lists: dict[str, frozenset[str]] = {}
    twice: set[str] = set()
    for name, *sources in filter(None, (part.lower().split() for part in text.split(";"))):
        twice |= {name} & lists.keys()
        lists.setdefault(name, frozenset(sources) or _NOTHING)
    return lists, twice


def _judge(lists: Lists, secure: bool) -> str:
    scripts = _without_inline(_list(lists, "script-src"))
    strict = _STRICT in scripts
    if strict and not _proved(scripts):
        return "csp-header-invalid"
    scripts = frozenset(one for one in scripts if not _overruled(one)) if strict else scripts
    styles = _without_inline(_list(lists, "style-src"))
    if scripts & (_BROAD | _INLINE) or _list(lists, "object-src") & _BROAD:
        return "csp-implemented-with-unsafe-inline"
    if secure and _in_clear(_active(lists, scripts)):
        return "csp-implemented-with-insecure-scheme"
    if "'unsafe-eval'" in scripts | styles:
        return "csp-implemented-with-unsafe-eval"
    return _judge_rest(lists, styles, secure)


def _judge_rest(lists: Lists, styles: frozenset[str], secure: bool) -> str:
    passive = frozenset[str]().union(*(_list(lists, name, frozenset()) for name in _PASSIVE))
    if secure and _in_clear(passive):
        return "csp-implemented-with-insecure-scheme-in-passive-content-only"
    if styles & (_BROAD | _INLINE):
        return "csp-implemented-with-unsafe-inline-in-style-src-only"
    if lists.get("default-src") == _NOTHING:
        return "csp-implemented-with-no-unsafe-default-src-none"
    return "csp-implemented-with-no-unsafe"


def _list(lists: Lists, name: str, without: frozenset[str] = _ANYTHING) -> frozenset[str]:
    return lists.get(name) or lists.get("default-src") or without


def _active(lists: Lists, scripts: frozenset[str]) -> frozenset[str]:
    others = (lists[name] for name in lists if name not in {*_PASSIVE, "script-src"})
    return scripts.union(*others)


def _in_clear(sources: frozenset[str]) -> bool:
    return any(one.startswith(_IN_CLEAR) for one in sources)


def _proved(sources: frozenset[str]) -> bool:
    return any(one.startswith(_PROOFS) for one in sources)


def _without_inline(sources: frozenset[str]) -> frozenset[str]:
    return sources - {"'unsafe-inline'"} if _proved(sources) else sources


def _overruled(source: str) -> bool:
    """What browsers that know ``'strict-dynamic'`` do not look at."""
    return source in _SELF or source.startswith(tuple(_BROAD))


_WITH_A_WORD_ON_REPEATS = frozenset(
    {
        "csp-implemented-with-no-unsafe",
        "csp-implemented-with-no-unsafe-default-src-none",
        "csp-implemented-with-unsafe-inline-in-style-src-only",
        "csp-implemented-with-insecure-scheme-in-passive-content-only",
    }
)
