"""What is the site's own, and how a text of it reads without host, numbers and hashes."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from mergegate.site.browser_test.facts import Journey

MOST_MESSAGE, MOST_EVIDENCE, MOST_URL = 300, 500, 2_000
"""Characters of a problem's texts."""
_LONGEST = 2_000
"""Characters of a text that are compared; texts that differ only after them count as the same."""
_ID_DIGITS = 24
_AFTER_HOST = r"(?![\w-]|[.:]\w)"
"""So that ``https://example.org`` is not found in ``https://example.org.evil.example``."""
_QUERY = re.compile(r"(?<=[^\s?])\?[^\s\"'<>()]+")
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
_BUILD_HASH = re.compile(
    # A build's hash has a digit or a capital after a small letter; ``-component.js`` has neither.
    r"(?<=[-._])(?=[\w-]{0,39}(?:\d|[a-z][A-Z]))[\w-]{6,40}"
    r"(?=\.(?:[a-z]{2,8}\.)?(?:m?js|css|jpe?g|png|webp|avif|gif|svg|woff2?|wasm|json)\b)"
)
_HEX = re.compile(r"\b(?=[a-f]{0,39}\d)[0-9a-f]{6,}\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Site:
    """The origins that are the site's own, each once."""

    origins: tuple[str, ...]

    def owns(self, url: str) -> bool:
        """Whether ``url`` is of the site."""
        return origin(url) in self.origins

    def relative(self, text: str) -> str:
        """``text`` with the site's own addresses as paths, and its bare host as ``site``."""
        for own in self.origins:
            text = re.sub(re.escape(own) + _AFTER_HOST, "", text)
            host = own.partition("://")[2]
            if "." in host or ":" in host:
                text = re.sub(rf"(?<![\w.@-]){re.escape(host)}{_AFTER_HOST}", "site", text)
        return text

    def path(self, url: str) -> str:
        """``url`` as a person of the site would write it: ``/pricing``; others in full."""
        return (self.relative(url) or "/") if self.owns(url) else url

    def steady(self, text: str) -> str:
        """``text`` without what differs from build to build; numbers stay."""
        text = _QUERY.sub("", self.relative(text[:_LONGEST]))
        for varying in (_UUID, _BUILD_HASH, _HEX):
            text = varying.sub("#", text)
        return " ".join(text.split())

    def plain(self, text: str) -> str:
        """:meth:`steady`, and without what differs from load to load or is only counted."""
        return _NUMBER.sub("#", self.steady(text))


def site_of(journey: Journey) -> Site:
    """The origin that was asked for, and the one that it led to."""
    first = journey.visits[:1]
    return Site(tuple(dict.fromkeys(_origins([journey.start, *(one.final_url for one in first)]))))


def _origins(urls: list[str]) -> Iterator[str]:
    return (found for url in urls if (found := origin(url)))


def origin(url: str) -> str:
    """Scheme, host and port; empty for what is no web address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    web = parts.scheme in {"http", "https"} and parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if web else ""


def identity(*parts: str) -> str:
    """Equal for equal parts, on every machine."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()[:_ID_DIGITS]
