"""Values of a hostile page, made safe for the code that we write around them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote, urlsplit

_LONGEST = 500
_CUT = "…"
"""How Lighthouse and we end what was too long."""
_LONGEST_SNIPPET = 2000
# What quote() leaves alone: no quotation mark, bracket, brace, back-slash or blank.
_IN_ADDRESS = "-._~:/?#@!$&*+,;=%"
_TAG = re.compile(r"[a-z][a-z0-9-]{0,30}")
_SELECTOR = re.compile(r"[A-Za-z0-9_#.\-: >()]{1,200}")
_HIDDEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+"
)
# No scheme, no other host, nothing that browsers take out before they look.
_RELATIVE = re.compile(r"(?!//)[^:\\\x00-\x1f?#]*(?:[?#][^\\\x00-\x1f]*)?")
_TEMPLATE_MARKS = {ord("{"): "&#123;", ord("}"): "&#125;", ord("`"): "&#96;", ord("@"): "&#64;"}
_ADDRESSES = frozenset({"src", "href"})
_KEPT = (
    *("id", "class", "name", "type", "src", "href", "alt", "width", "height", "for", "role"),
    *("aria-label", "placeholder", "title", "autocomplete"),
)
"""Attributes that tell which element is meant; handlers and styles are left out."""


def attribute(text: str) -> str:
    """``text``, at most 500 characters, for double quotes in HTML, JSX and template languages.

    Braces become entities, which no template engine takes for its own marks.
    """
    plain = _HIDDEN.sub(" ", text[:_LONGEST])
    return escape(plain).translate(_TEMPLATE_MARKS)


def address(url: str, page: str) -> str | None:
    """``url`` as the page itself would write it: a path on its own origin, absolute elsewhere.

    Printable ASCII without quotes, brackets and blanks. None unless it is http or https, has a
    host and no user, is not cut short, and is at most 500 characters long.
    """
    try:
        there, here = urlsplit(url), urlsplit(page)
    except ValueError:
        return None
    odd = there.scheme not in {"http", "https"} or not there.netloc or "@" in there.netloc
    if odd or url.endswith(_CUT):
        return None
    # A path of two slashes would be another host.
    own = (there.scheme, there.netloc) == (here.scheme, here.netloc)
    near = own and there.path.startswith("/") and not there.path.startswith(("//", "/\\"))
    absolute = there._replace(fragment="")
    text = (absolute._replace(scheme="", netloc="") if near else absolute).geturl()
    quoted = quote(text, safe=_IN_ADDRESS, errors="replace")
    return quoted if len(quoted) <= _LONGEST else None


def origin(url: str) -> str | None:
    """Scheme and host of ``url``, as :func:`address` would write them."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return address(f"{parts.scheme}://{parts.netloc}", "")


def literal(url: str) -> str:
    """An :func:`address` as a string in JavaScript, Python, JSON or YAML, quotes included."""
    escaped = re.sub(r"[&#$%@]", lambda match: f"\\u{ord(match[0]):04x}", url)
    return f'"{escaped}"'


def selector(text: str) -> str | None:
    """A CSS selector of names, classes, ids and positions; None for any other."""
    return text if _SELECTOR.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Tag:
    """An opening tag of the page: its name and the attributes that tell which one it is."""

    name: str
    attributes: Mapping[str, str]

    def write(self, page: str, /, **changes: str | None) -> str:
        """The tag as HTML, ``changes`` in place of its own; None takes an attribute away.

        Underscores in the names of ``changes`` are hyphens; a value must be ready for HTML.
        """
        known = {name: _quoted(name, value, page) for name, value in self.attributes.items()}
        told = {name.rstrip("_").replace("_", "-"): value for name, value in changes.items()}
        pairs = {**known, **told}.items()
        written = [f' {name}="{value}"' for name, value in pairs if value is not None]
        return f"<{self.name}{''.join(written)}>"


def tag(snippet: str) -> Tag | None:
    """The first opening tag of ``snippet``; None when there is no whole one."""
    reader = _Reader()
    reader.feed(snippet[:_LONGEST_SNIPPET])
    return reader.found


class _Reader(HTMLParser):
    found: Tag | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.found is None and _TAG.fullmatch(tag):
            known = dict(reversed(attrs))
            kept = {name: known[name] or "" for name in _KEPT if name in known}
            self.found = Tag(tag, kept)


def _quoted(name: str, value: str, page: str) -> str | None:
    """None for what is cut short, and for an address that is not plainly one: left out."""
    if value.endswith(_CUT):
        return None
    if name not in _ADDRESSES:
        return attribute(value)
    told = value.strip()
    relative = _RELATIVE.fullmatch(told)
    known = quote(told, safe=_IN_ADDRESS, errors="replace") if relative else address(told, page)
    # Half an address is another address.
    return attribute(known) if known is not None and len(known) <= _LONGEST else None
