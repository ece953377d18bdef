"""Fetch what a page names or what stands beside it, each thing once, and its site's sitemaps.

Sitemaps that may list the page come first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain, islice
from urllib.parse import unquote, urlsplit

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.document import read
from mergegate.site.facts.document import Document
from mergegate.site.link_header import header_links
from mergegate.site.seo.facts import Robots, SearchFacts, Sitemap
from mergegate.site.seo.gather.asking import Asking, Bounds
from mergegate.site.seo.gather.place import at_root, nonsense, same_as, variants
from mergegate.site.seo.gather.sitemap_file import Sought, read_sitemap

_WEB = ("http://", "https://")
_VARIANT_BYTES = 64 * 1024
"""Bytes read of another address of the page: only where it leads counts."""
_WHAT = "what the page names and what stands beside it"


def canonical_url(page: Fetched, document: Document) -> str:
    """What the page calls its own address, in its markup or else in a header; empty for nothing."""
    for link in document.linked("canonical"):
        if link.href.startswith(_WEB):
            return link.href
    named = (link.url for link in header_links(page) if "canonical" in link.rels)
    return next(filter(None, named), "")


def with_neighbours(facts: SearchFacts, asking: Asking, bounds: Bounds) -> SearchFacts:
    """The facts with what became of it; nothing but public sites has variants."""
    asked = _Asked(facts, bounds)
    requests = asked.requests
    answers = dict(zip(requests, asking.many([*requests.values()], _WHAT), strict=True))
    canonical = answers.get("canonical")
    return replace(
        facts,
        llms=answers["llms"],
        nonsense=answers["nonsense"],
        canonical=canonical,
        canonical_document=_document(canonical),
        alternates=tuple(asked.alternates(answers)),
        social_image=_without_text(answers.get("image")),
        icon=_without_text(answers.get("icon")),
        variants=tuple(asked.variants(answers)),
    )


class _Asked:
    """What to ask for, and where in the answers it stands."""

    def __init__(self, facts: SearchFacts, bounds: Bounds) -> None:
        page, best = facts.page, facts.best
        self._url = url = page.final_url
        self._bounds = bounds
        named = chain(_of_markup(best), _of_headers(page))
        self._languages = other_languages(named, url, bounds.alternates)
        self._variants = [*variants(url)][: bounds.variants] if not facts.local else []
        self._named = {
            "canonical": (_other(canonical_url(page, best), url), bounds.page_bytes),
            "image": (_image(best), bounds.image_bytes),
            "icon": (_icon(best, url), bounds.icon_bytes),
        }

    @property
    def requests(self) -> dict[str, Request]:
        """The requests by what they are for."""
        return {key: Request(url, most_bytes=most) for key, (url, most) in self._all() if url}

    def _all(self) -> Iterator[tuple[str, tuple[str, int]]]:
        yield "llms", (at_root(self._url, "/llms.txt"), self._bounds.llms_bytes)
        yield "nonsense", (nonsense(self._url), self._bounds.page_bytes)
        yield from self._named.items()
        for language, address in self._languages.items():
            yield f"language {language}", (address, self._bounds.page_bytes)
        for address in self._variants:
            yield f"variant {address}", (address, _VARIANT_BYTES)

    def alternates(
        self, answers: Mapping[str, Fetched | None]
    ) -> Iterator[tuple[str, Fetched, Document | None]]:
        """The language, the answer, the page."""
        for language in self._languages:
            fetched = answers[f"language {language}"]
            if fetched is not None:
                yield answered(language, fetched)

    def variants(self, answers: Mapping[str, Fetched | None]) -> Iterator[Fetched]:
        """The variants' answers, without bodies."""
        for address in self._variants:
            fetched = answers[f"variant {address}"]
            if fetched is not None:
                yield replace(fetched, body=b"", text="")


def other_languages(named: Iterable[tuple[str, str]], url: str, most: int) -> dict[str, str]:
    """Other addresses than the page's own by their languages, the first of each language."""
    known: dict[str, str] = {}
    for tag, address in named:
        language = tag.strip().lower()[:40]
        if language and address.startswith(_WEB) and same_as(address) != same_as(url):
            known.setdefault(language, address)
    return dict(islice(known.items(), most))


def answered(language: str, fetched: Fetched) -> tuple[str, Fetched, Document | None]:
    """A language version as the facts have it."""
    return language, fetched, _document(fetched)


def _of_markup(document: Document) -> Iterator[tuple[str, str]]:
    return ((link.hreflang, link.href) for link in document.linked("alternate"))


def _of_headers(page: Fetched) -> Iterator[tuple[str, str]]:
    for link in header_links(page):
        if "alternate" in link.rels:
            yield from ((tag, link.url) for tag in link.hreflang)


def _other(address: str, url: str) -> str:
    """``address``, unless it is the page's own."""
    return "" if same_as(address) == same_as(url) else address.partition("#")[0]


def _image(document: Document) -> str:
    for name in ("og:image", "og:image:url", "og:image:secure_url", "twitter:image"):
        address = document.meta(name).strip()
        if address.startswith(_WEB):
            return address
    return ""


def _icon(document: Document, url: str) -> str:
    """What the page names, else where browsers look; empty for one that stands in the markup."""
    named = [link.href for link in document.linked("icon") if link.href]
    if not named:
        return at_root(url, "/favicon.ico")
    return next((href for href in named if href.startswith(_WEB)), "")


def _document(fetched: Fetched | None) -> Document | None:
    """The page, where one was answered."""
    if fetched is None or not fetched.ok or "html" not in fetched.header("content-type").lower():
        return None
    return read(fetched.text, fetched.final_url)


def _without_text(fetched: Fetched | None) -> Fetched | None:
    """Pictures have none."""
    return replace(fetched, text="") if fetched else None


_USUAL = ("/sitemap.xml", "/sitemap_index.xml")
"""Usual paths of sitemaps, tried in order where robots.txt names none."""
_AT_ONCE = 4
"""Sitemaps held in memory side by side."""
_SITEMAPS = "sitemaps"
_WORD = re.compile(r"[^\W\d_]{3,}")


def sitemaps(
    url: str, robots: Robots | None, sought: Sought, asking: Asking, bounds: Bounds
) -> tuple[Sitemap, ...]:
    """Sitemaps that robots.txt names, or those at the usual addresses, then those that they name.

    The children of an index are fetched until one lists the page; bodies are not kept.
    """
    named = robots.sitemaps[: bounds.sitemaps] if robots else ()
    reader = _Reader(sought, asking, bounds)
    found = reader.all([(address, "robots.txt") for address in named])
    if not named:
        found = reader.usual(url)
    return (*found, *_children(found, url, reader, bounds))


class _Reader:
    """Fetches sitemaps and reads each at once, so that few are held."""

    def __init__(self, sought: Sought, asking: Asking, bounds: Bounds) -> None:
        self._sought = sought
        self._asking = asking
        self._bounds = bounds

    def all(self, wanted: Sequence[tuple[str, str]]) -> tuple[Sitemap, ...]:
        """One for each address and its source, until the time is over."""
        requests = [
            Request(address, most_bytes=self._bounds.sitemap_bytes) for address, _ in wanted
        ]
        answers = self._asking.many(requests, _SITEMAPS, at_once=_AT_ONCE)
        return tuple(
            self._read(fetched, source)
            for fetched, (_, source) in zip(answers, wanted, strict=True)
            if fetched is not None
        )

    def usual(self, url: str) -> tuple[Sitemap, ...]:
        """The answers of the usual addresses, up to the first one that is a sitemap."""
        found: tuple[Sitemap, ...] = ()
        for path in _USUAL:
            found = (*found, *self.all([(at_root(url, path), path)]))
            if any(sitemap.kind for sitemap in found):
                break
        return found

    def _read(self, fetched: Fetched, source: str) -> Sitemap:
        kept = replace(fetched, body=b"", text="")
        if not fetched.ok:
            return Sitemap(fetched=kept, source=source)
        most = self._bounds.sitemap_unpacked_bytes
        file = read_sitemap(fetched.body, most, self._sought, whole=fetched.whole)
        return Sitemap(fetched=kept, source=source, **asdict(file))


def _children(
    found: Sequence[Sitemap], url: str, reader: _Reader, bounds: Bounds
) -> Iterator[Sitemap]:
    """The sitemaps that indexes name, most likely first, up to one that lists the page."""
    listed = any(sitemap.lists_page for sitemap in found)
    wanted = _wanted(found, url)[: bounds.children]
    for start in range(0, len(wanted), _AT_ONCE):
        if listed:
            return
        wave = reader.all(wanted[start : start + _AT_ONCE])
        listed = any(sitemap.lists_page for sitemap in wave)
        yield from wave


def _wanted(found: Sequence[Sitemap], url: str) -> list[tuple[str, str]]:
    """Children and the index that names them, each once, none that was fetched already."""
    known = {same_as(sitemap.fetched.url) for sitemap in found}
    wanted: dict[str, tuple[str, str]] = {}
    for index in found:
        for child in index.children:
            key = same_as(child)
            if key not in known:
                wanted.setdefault(key, (child, index.fetched.url))
    return sorted(wanted.values(), key=lambda one: -_kinship(one[0], url))


def _kinship(child: str, url: str) -> int:
    """How many words of the page's path the sitemap's own has; sorting keeps the order else."""
    return len(_words(child) & _words(url))


def _words(url: str) -> frozenset[str]:
    """The path's words in small letters, without a plural ``s``: ``/posts/`` has ``post``."""
    path = unquote(urlsplit(url).path).lower()
    return frozenset(word.removesuffix("s") for word in _WORD.findall(path)) - _EVERYWHERE


_EVERYWHERE = frozenset({"sitemap", "xml", "html", "index", "htm", "php", "gz"})
