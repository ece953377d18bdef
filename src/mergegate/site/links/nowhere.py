"""Tell a page from what a site answers to any address: soft 404s, known by asking for nonsense."""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import lru_cache
from urllib.parse import unquote

import httpx

from mergegate.site.links.address import Origin, origin
from mergegate.site.links.answer import Reply
from mergegate.site.links.page import Page, read_page

Fetch = Callable[[httpx.URL], Awaitable[Reply | None]]
"""The answer to an address, redirects followed; None when there is none."""

_SHORT = 600
"""Letters of a page that says little more than that there is nothing."""
_SHELL = 1_500
"""Letters that a page of scripts may hold before they have run."""
_ALIKE = 0.97
"""Share of common words above which two pages are one: navigation alone makes for a large one."""
_WORD = re.compile(r"[^\W\d_]+")


class Nowhere:
    """What the visited site answers to addresses that we made up."""

    def __init__(self, start: str, fetch: Fetch, probes: int) -> None:
        self._start = httpx.URL(start)
        self._fetch = fetch
        self._probes = probes
        self._asked: dict[str, asyncio.Task[Page | None]] = {}

    def expect(self, url: httpx.URL) -> None:
        """``url`` is about to be asked for: ask for nonsense beside it meanwhile."""
        self._begin(_nonsense(url))

    async def objection(self, page: Page, url: httpx.URL) -> str:
        """Why ``page``, a good answer of the site to ``url``, is none; empty when it is one."""
        if page.says_nothing_is_there and len(page.text) < _SHORT:
            return "it says that there is no such page"
        if not page.text or (page.scripted and len(page.text) < _SHELL):
            return ""
        nonsense = _nonsense(url)
        nothing = await self._answer(nonsense)
        if nothing is None or not _alike(page, url, nothing, nonsense):
            return ""
        if await self._is_fallback(nothing, nonsense):
            return ""
        return "it answers as it answers to any address"

    async def _is_fallback(self, nothing: Page, nonsense: httpx.URL) -> bool:
        """Applications of one page answer with it to everything; their scripts do the rest."""
        for place in (self._start, self._start.copy_with(raw_path=b"/")):
            page = await self._answer(place)
            if page is not None and _alike(page, place, nothing, nonsense):
                return True
        return False

    async def _answer(self, url: httpx.URL) -> Page | None:
        task = self._begin(url)
        return await asyncio.shield(task) if task else None

    def _begin(self, url: httpx.URL) -> asyncio.Task[Page | None] | None:
        """Each address once; None beyond the probes."""
        key = str(url)
        if key not in self._asked and len(self._asked) < self._probes:
            self._asked[key] = asyncio.create_task(self._page(url))
        return self._asked.get(key)

    async def _page(self, url: httpx.URL) -> Page | None:
        reply = await self._fetch(url)
        return read_page(reply.html) if reply and reply.status == 200 and reply.html else None


def _nonsense(url: httpx.URL) -> httpx.URL:
    """A neighbour of ``url`` that nobody made, the same one in each scan."""
    return _beside(origin(url), url.raw_path.partition(b"?")[0].rpartition(b"/")[0])


@lru_cache(maxsize=256)
def _beside(there: Origin, folder: bytes) -> httpx.URL:
    scheme, host, port = there
    mark = hashlib.sha256(folder).hexdigest()[:12]
    path = folder + b"/no-such-page-" + mark.encode("ascii")
    return httpx.URL(scheme=scheme, host=host, port=port, raw_path=path)


def _alike(one: Page, its_url: httpx.URL, other: Page, other_url: httpx.URL) -> bool:
    """Whether two pages say the same, numbers and their own addresses aside."""
    first, second = _words(one.text, its_url), _words(other.text, other_url)
    if not first or not second or _words(one.title, its_url) != _words(other.title, other_url):
        return False
    return len(first & second) >= _ALIKE * len(first | second)


def _words(text: str, url: httpx.URL) -> frozenset[str]:
    own = _WORD.findall(unquote(str(url)).lower())
    return _words_of(text).difference(own)


@lru_cache(maxsize=64)
def _words_of(text: str) -> frozenset[str]:
    """What the site answers to nonsense is held against each of its pages."""
    return frozenset(_WORD.findall(text.lower()))
