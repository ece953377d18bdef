"""Read a page as it came from the server: its anchors, and what it says to a visitor."""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

import httpx
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mergegate.core.data_table import read_table
from mergegate.sandbox.web.address import Origin, origin
from mergegate.site.links.asker import Reply
from mergegate.site.parsing import harmless

_ERROR = (
    "error|erreur|fehler|fout|erro|errore|fel|fejl|feil|virhe|błąd|chyba|hiba|hata|ошибка|помилка"
)
_NUMBER = re.compile(
    rf"(?:(?:http |{_ERROR})\s*[:#-]?\s*)?404(?:\s*[:–—-]?\s*(?:{_ERROR}|errors)\b)?"
)


@dataclass(frozen=True, slots=True)
class _Languages:
    """An entry of ``not_found.toml``."""

    id: str
    sentences: tuple[str, ...]


_NOT_FOUND = read_table(Path(__file__).with_name("not_found.toml"), _Languages)
_SENTENCE = re.compile(
    "|".join(sentence for one in _NOT_FOUND.values() for sentence in one.sentences)
)
_SEPARATOR = re.compile(r"\s+[:«»-]\s+|\s*[|–—·•]\s*|:\s+")
_EDGES = " \t\n.!?…:;,'\"“”«»¡¿-–—()[]。！"
_LONGEST_HEADLINE = 300


def says_nothing(headline: str) -> bool:
    """Whether a part of ``headline`` is a way of saying "not found".

    "404 Not Found | Shop" says so; "How to fix 404 Not Found errors" speaks about it.
    """
    parts = _SEPARATOR.split(headline[:_LONGEST_HEADLINE].lower())
    return any(_is_nothing(part.strip(_EDGES)) for part in parts)


def _is_nothing(part: str) -> bool:
    number = _NUMBER.match(part)
    words = part[number.end() :].strip(_EDGES) if number else part
    return bool(_SENTENCE.fullmatch(words)) if words else number is not None


_MOST_ANCHORS = 20_000
_MOST_LETTERS = 20_000
_DATA_SCRIPTS = ("json", "text/template", "text/x-", "importmap", "speculationrules")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds."""

    title: str
    heading: str
    """Its first main heading."""
    text: str
    """What a visitor may read, in lower case, shortened."""
    anchors: frozenset[str]
    scripted: bool
    """Whether scripts may add to it."""
    whole: bool = True
    """Whether all of it was read; of a huge page or an odd one it is the beginning."""

    @property
    def says_nothing_is_there(self) -> bool:
        """Whether title or heading say, and say only, that there is no such page."""
        return says_nothing(self.title) or says_nothing(self.heading)


def read_page(html: str) -> Page:
    """The page in ``html``; whatever the text, it has some reading."""
    beginning = harmless(html)
    tree = LexborHTMLParser(beginning)
    scripted = any(_runs(script) for script in tree.css("script"))
    anchors = _anchors(tree)
    title = _text(tree.css_first("head > title"))
    heading = _text(tree.css_first("h1"))
    tree.strip_tags(["script", "style", "template", "noscript", "svg"])
    body = tree.body.text(separator=" ") if tree.body else ""
    words = " ".join(body.lower().split())[:_MOST_LETTERS]
    whole = len(beginning) == len(html) and len(anchors) <= _MOST_ANCHORS
    return Page(title, heading, words, anchors, scripted, whole)


def _anchors(tree: LexborHTMLParser) -> frozenset[str]:
    found = set()
    for node in tree.css("[id], a[name]"):
        attributes = node.attributes
        found |= {attributes.get("id"), attributes.get("name") if node.tag == "a" else None}
        if len(found) > _MOST_ANCHORS:
            break
    return frozenset(name for name in found if name)


def _runs(script: LexborNode) -> bool:
    kind = (script.attributes.get("type") or "").lower()
    return not any(data in kind for data in _DATA_SCRIPTS)


def _text(node: LexborNode | None) -> str:
    return " ".join(node.text().split())[:300] if node else ""


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
        """The task that reads ``url``, one for each address; None beyond the probes."""
        key = str(url)
        if key not in self._asked and len(self._asked) < self._probes:
            self._asked[key] = asyncio.create_task(self._page(url))
        return self._asked.get(key)

    async def _page(self, url: httpx.URL) -> Page | None:
        reply = await self._fetch(url)
        return read_page(reply.html) if reply and reply.status == 200 and reply.html else None


def _nonsense(url: httpx.URL) -> httpx.URL:
    """An address beside ``url`` that does not exist, the same one in each scan."""
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
