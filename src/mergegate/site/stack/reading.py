"""Read what the probe brought back; the page may have written any of it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from mergegate.site.stack import probe
from mergegate.site.stack.facts import Traces

_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})
_HEADERS = 100
_HEADER_CHARS = 500
_VALUES = 20
"""Of one header, of one meta name."""
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
        url=url[: probe.ADDRESS_CHARS],
        html=_text(page.get("html"), probe.HTML_CHARS + 1),
        headers=_headers(headers),
        cookies=_cookies(page.get("cookies"), headers),
        metas=_metas(page.get("metas")),
        scripts=_texts(page.get("scripts"), probe.ADDRESSES, probe.ADDRESS_CHARS),
        styles=_texts(page.get("styles"), probe.ADDRESSES, probe.ADDRESS_CHARS),
        requests=_texts(list(islice(requests, _REQUESTS)), _REQUESTS, probe.ADDRESS_CHARS),
        globals=_answers(probe.global_paths(), page.get("globals")),
        selectors=_matched(page.get("selectors")),
        readings=_answers(tuple(probe.readings()), page.get("readings")),
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
        small = name.lower()[: probe.TEXT_CHARS]
        if small == "set-cookie":
            kept[small] = tuple(map(_cookie_name, values[:_VALUES]))
        elif small not in _SECRET:
            kept[small] = tuple(_text(value, _HEADER_CHARS) for value in values[:_VALUES])
    return kept


def _cookie_name(written: str) -> str:
    return _text(written.partition(";")[0].partition("=")[0].strip(), probe.TEXT_CHARS)


def _cookies(probed: object, headers: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Names of the cookies that scripts see, and of those the main document set."""
    sent = [
        _cookie_name(line)
        for name, lines in headers.items()
        if name.lower() == "set-cookie"
        for line in lines[: probe.COOKIES]
    ]
    seen = _texts(probed, probe.COOKIES, probe.TEXT_CHARS)
    return tuple(dict.fromkeys(one for one in (*seen, *sent[: probe.COOKIES]) if one))


def _metas(probed: object) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pair in _list(probed, probe.METAS):
        match pair:
            case [str(name), str(content)] if name:
                key = _text(name.lower(), probe.TEXT_CHARS)
                values = (*found.get(key, ()), _text(content, probe.TEXT_CHARS))
                found[key] = values[:_VALUES]
    return found


def _answers(asked: Sequence[str], probed: object) -> Mapping[str, str]:
    """What was found of ``asked``: the answers stand in the same order, null for nothing."""
    answers = _list(probed, len(asked))
    return {
        name: _text(answer, probe.TEXT_CHARS)
        for name, answer in zip(asked, answers, strict=False)
        if isinstance(answer, str)
    }


def _matched(probed: object) -> frozenset[str]:
    answers = _list(probed, len(probe.selectors()))
    pairs = zip(probe.selectors(), answers, strict=False)
    return frozenset(selector for selector, answer in pairs if answer is True)
