"""What is run inside the loaded page to collect its traces.

The page is hostile and may have replaced any built-in function: the answer need not be right then,
only safe. Nothing else of the page is called but getters, which cannot be told from values; one
that never returns is ended by the caller's time limit.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from mergegate.site.facts.stack import Traces
from mergegate.site.stack.rule import rules

HTML_CHARS = 500_000
"""Characters of the rendered page; of a longer one the beginning and the end are kept."""
TEXT_CHARS = 200
"""Characters of a value or of a meta element."""
ADDRESS_CHARS = 500
ADDRESSES = 300
"""The most addresses of a kind."""
METAS = 100
COOKIES = 100
ELEMENTS = 300
"""Matches of a selector that are looked at for a reading."""
BUDGET_MS = 2500
"""After it nothing more is looked at; what was found until then is told."""


def argument() -> Mapping[str, object]:
    """What the probe is asked for: plain JSON, the same on every call.

    Lists of paths, selectors and readings; the answer is in their order.
    """
    return {
        "globals": list(global_paths()),
        "selectors": list(selectors()),
        "readings": [[one, attribute, path] for one, attribute, path in readings().values()],
        "limits": {
            "html": HTML_CHARS,
            "text": TEXT_CHARS,
            "address": ADDRESS_CHARS,
            "addresses": ADDRESSES,
            "metas": METAS,
            "cookies": COOKIES,
            "elements": ELEMENTS,
            "ms": BUDGET_MS,
        },
    }


def global_paths() -> tuple[str, ...]:
    """The JavaScript paths that rules ask for, sorted."""
    return tuple(sorted({path for rule in rules().values() for path in rule.told}))


def selectors() -> tuple[str, ...]:
    """The CSS selectors that rules ask for, sorted."""
    return tuple(sorted({one.text for rule in rules().values() for one in rule.selectors}))


def readings() -> Mapping[str, tuple[str, str, str]]:
    """Selector, attribute and property of what rules read of elements, by key, sorted."""
    asked = {one.key: one for rule in rules().values() for one in rule.elements}
    return {key: (one.selector, one.attribute, one.path) for key, one in sorted(asked.items())}


SOURCE = Path(__file__).with_suffix(".js").read_text("utf-8").rstrip("\n")
"""A JavaScript function expression: called in the page with :func:`argument`, it answers plain JSON
or null, and throws nothing."""


_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})
_HEADERS = 100
_HEADER_CHARS = 500
_VALUES = 20
"""The most values of one header or one meta name."""
_REQUESTS = 1000


def traces(
    url: str, probed: object, headers: Mapping[str, Sequence[str]], requests: Iterable[str]
) -> Traces:
    """The traces of the page at ``url``, cut to size; what is not as asked for is left out.

    ``probed`` is the probe's answer, None when there was none. ``headers`` are the main document's,
    ``requests`` the addresses of all that was loaded.
    """
    page = probed if isinstance(probed, dict) else {}
    return Traces(
        url=url[:ADDRESS_CHARS],
        html=_text(page.get("html"), HTML_CHARS + 1),
        headers=_headers(headers),
        cookies=_cookies(page.get("cookies"), headers),
        metas=_metas(page.get("metas")),
        scripts=_texts(page.get("scripts"), ADDRESSES, ADDRESS_CHARS),
        styles=_texts(page.get("styles"), ADDRESSES, ADDRESS_CHARS),
        requests=_texts(list(islice(requests, _REQUESTS)), _REQUESTS, ADDRESS_CHARS),
        globals=_answers(global_paths(), page.get("globals")),
        selectors=_matched(page.get("selectors")),
        readings=_answers(tuple(readings()), page.get("readings")),
    )


def _text(value: object, most: int) -> str:
    """``value`` when it is text; lone surrogates, which JSON can carry, become question marks."""
    if not isinstance(value, str):
        return ""
    return value[:most].encode("utf-8", "replace").decode("utf-8")


def _list(value: object, most: int) -> list[object]:
    return value[:most] if isinstance(value, list) else []


def _texts(value: object, count: int, most: int) -> tuple[str, ...]:
    texts = (_text(one, most) for one in _list(value, count))
    return tuple(dict.fromkeys(one for one in texts if one))


def _headers(headers: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    kept: dict[str, tuple[str, ...]] = {}
    for name, values in islice(headers.items(), _HEADERS):
        small = name.lower()[:TEXT_CHARS]
        if small == "set-cookie":
            kept[small] = tuple(map(_cookie_name, values[:_VALUES]))
        elif small not in _SECRET:
            kept[small] = tuple(_text(value, _HEADER_CHARS) for value in values[:_VALUES])
    return kept


def _cookie_name(written: str) -> str:
    return _text(written.partition(";")[0].partition("=")[0].strip(), TEXT_CHARS)


def _cookies(probed: object, headers: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Names of the cookies that scripts see, and of those the main document set."""
    sent = [
        _cookie_name(line)
        for name, lines in headers.items()
        if name.lower() == "set-cookie"
        for line in lines[:COOKIES]
    ]
    seen = _texts(probed, COOKIES, TEXT_CHARS)
    return tuple(dict.fromkeys(one for one in (*seen, *sent[:COOKIES]) if one))


def _metas(probed: object) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pair in _list(probed, METAS):
        match pair:
            case [str(name), str(content)] if name:
                key = _text(name.lower(), TEXT_CHARS)
                values = (*found.get(key, ()), _text(content, TEXT_CHARS))
                found[key] = values[:_VALUES]
    return found


def _answers(asked: Sequence[str], probed: object) -> Mapping[str, str]:
    """What was found of ``asked``: the answers stand in the same order, null for nothing."""
    answers = _list(probed, len(asked))
    return {
        name: _text(answer, TEXT_CHARS)
        for name, answer in zip(asked, answers, strict=False)
        if isinstance(answer, str)
    }


def _matched(probed: object) -> frozenset[str]:
    answers = _list(probed, len(selectors()))
    pairs = zip(selectors(), answers, strict=False)
    return frozenset(selector for selector, answer in pairs if answer is True)
