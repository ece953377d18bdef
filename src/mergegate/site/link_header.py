"""What a page's ``Link`` headers name: canonical address, language versions (RFC 8288, 3)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urljoin, urlsplit

from mergegate.sandbox.fetched import Fetched

_PARAMETER = (
    r';[ \t]*([^\s=;,"<>]{1,64})(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.){0,1024})"|([^\s";,]{0,1024})))?'
)
_LINK = re.compile(rf"<([^<>]{{1,2048}})>((?:[ \t]*{_PARAMETER}){{0,20}})")
_PARAMETERS = re.compile(_PARAMETER)
_ESCAPED = re.compile(r"\\(.)")
_LONGEST = 65_536
"""Letters of one header: a page may name some hundred languages."""
_MOST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderLink:
    """One link of a header, from the page that was answered to somewhere."""

    url: str
    """Absolute, resolved against the page; empty when it is no address of the web."""
    written: str
    """The address as written between the angle brackets."""
    rels: frozenset[str]
    """In small letters."""
    hreflang: tuple[str, ...] = ()


def header_links(fetched: Fetched | None) -> tuple[HeaderLink, ...]:
    """The links of the final answer in their order, at most 500; hostile text.

    Those that speak of another resource than the page (``anchor``) are left out.
    """
    return tuple(islice(_links(fetched), _MOST)) if fetched else ()


def _links(fetched: Fetched) -> Iterator[HeaderLink]:
    for value in fetched.final.all("link") if fetched.final else ():
        for found in _LINK.finditer(value[:_LONGEST]):
            link = _link(found[1].strip(), tuple(_parameters(found[2])), fetched.final_url)
            if link:
                yield link


def _link(written: str, given: tuple[tuple[str, str], ...], base: str) -> HeaderLink | None:
    """None for one without a relation, or of another resource; only the first ``rel`` counts."""
    rel = next((value for name, value in given if name == "rel"), "")
    if not rel or any(name == "anchor" for name, _ in given):
        return None
    return HeaderLink(
        url=_absolute(base, written),
        written=written,
        rels=frozenset(rel.lower().split()),
        hreflang=tuple(value.strip() for name, value in given if name == "hreflang"),
    )


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    for name, quoted, plain in _PARAMETERS.findall(text):
        yield name.lower(), _ESCAPED.sub(r"\1", quoted) or plain


def _absolute(base: str, written: str) -> str:
    try:
        url = urljoin(base, written)
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in {"http", "https"} and parts.netloc else ""
