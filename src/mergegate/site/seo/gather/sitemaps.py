"""Fetch the sitemaps of a page's site, those first that may list the page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from urllib.parse import unquote, urlsplit

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.seo.facts import Robots, Sitemap
from mergegate.site.seo.gather.asking import Asking, Bounds
from mergegate.site.seo.gather.place import at_root, same_as
from mergegate.site.seo.gather.sitemap_file import Sought, read_sitemap

_USUAL = ("/sitemap.xml", "/sitemap_index.xml")
"""Usual paths of sitemaps, tried in order where robots.txt names none."""
_AT_ONCE = 4
"""Sitemaps held in memory side by side."""
_WHAT = "sitemaps"
_WORD = re.compile(r"[^\W\d_]{3,}")


def sitemaps(
    url: str, robots: Robots | None, sought: Sought, asking: Asking, bounds: Bounds
) -> tuple[Sitemap, ...]:
    """Those that robots.txt names, or that stand where they usually do, then those they name.

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
        answers = self._asking.many(requests, _WHAT, at_once=_AT_ONCE)
        return tuple(
            self._read(fetched, source)
            for fetched, (_, source) in zip(answers, wanted, strict=True)
            if fetched is not None
        )

    def usual(self, url: str) -> tuple[Sitemap, ...]:
        """What stands at the usual addresses; the first alone when that is one."""
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
    """Those that the indexes name, most likely first, until the page is found or enough is."""
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
