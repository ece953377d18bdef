"""Look at a page as search engines and assistants meet it: each thing once and within bounds."""

import datetime as dt
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from mergegate.core.errors import EngineError, EngineFailed
from mergegate.core.progress import Progress
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import run
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import Client, Request
from mergegate.site.address import is_local
from mergegate.site.document import read
from mergegate.site.facts.document import Document
from mergegate.site.seo.crawlers import PROBED, crawler
from mergegate.site.seo.facts import (
    CrawlerAnswer,
    Reading,
    Rendered,
    Robots,
    SearchConsole,
    SearchFacts,
    Sitemap,
)
from mergegate.site.seo.gather.asking import Asking, Bounds
from mergegate.site.seo.gather.console import Console
from mergegate.site.seo.gather.neighbours import (
    Neighbours,
    answered,
    canonical_url,
    neighbours,
    other_languages,
)
from mergegate.site.seo.gather.place import at_root, host, same_as
from mergegate.site.seo.gather.robots import robots
from mergegate.site.seo.gather.sitemap_file import Sought
from mergegate.site.seo.gather.sitemaps import sitemaps

_WORKER = "mergegate.site.seo.article_worker"
_MEMORY = 900 * MEBIBYTE
_MOST_OUTPUT = 256 * MEBIBYTE
"""Of one file: py3langid unpacks its model into one."""


class _Answer(BaseModel):
    """The worker's: it read hostile text, and may have been taken over by it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str = ""
    language: str = ""
    language_certainty: float = 0.0
    published: str = ""
    modified: str = ""
    authors: list[str] = []
    unread: list[Literal["article", "date of change", "language"]] = []


def reading(
    html: str, now: dt.datetime, most_bytes: int, limit_s: float
) -> tuple[Reading, tuple[str, ...]]:
    """The article, and what could not be done, each a sentence; of no bytes nothing is read.

    Nothing of a page makes it fail.
    """
    if not html.strip() or not most_bytes:
        return Reading(), ()
    page = html.encode("utf-8", "replace")
    try:
        answer = _ask(page[:most_bytes], now, limit_s)
    except EngineError as error:
        return Reading(), (f"The article in the page was not read: {error.what}.",)
    return _reading(answer), tuple(_notes(answer, len(page) > most_bytes))


def _notes(answer: _Answer, cut: bool) -> Iterator[str]:
    if cut:
        yield "Only the beginning of the page was searched for its article."
    if answer.unread:
        yield f"The page could not be read for its {', '.join(answer.unread)}."


def _ask(page: bytes, now: dt.datetime, limit_s: float) -> _Answer:
    """Raises EngineError."""
    limits = Limits(timeout_s=limit_s, memory_bytes=_MEMORY, output_bytes=_MOST_OUTPUT)
    day = now.astimezone(dt.UTC).date().isoformat()
    with Stage() as stage:
        completed = run.run(
            [*run.python_module(_WORKER), day],
            cwd=stage.room("article"),
            limits=limits,
            stdin=page,
        )
    if completed.exit_code:
        raise EngineFailed(f"the extraction ended with exit code {completed.exit_code}")
    try:
        return _Answer.model_validate_json(completed.stdout)
    except ValidationError as error:
        raise EngineFailed("the extraction's answer has another shape") from error


def _reading(answer: _Answer) -> Reading:
    return Reading(
        text=answer.text,
        language=answer.language,
        language_certainty=answer.language_certainty,
        published=answer.published,
        modified=answer.modified,
        authors=tuple(answer.authors),
    )


_WORD = re.compile(r"[^\W\d_]{2,}")
_TAG_NAME = re.compile(r"[a-z]+")
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg"})
_MOST_LETTERS = 500_000
"""Of a page, markup included, that are compared."""
_ENOUGH_WORDS = 20
"""Different ones, below which two pages cannot be told apart."""
_ALIKE = 0.7
"""Share of common words from which on two texts are one: parts of a page change by the minute."""
_APART = 0.4


def crawler_answers(page: Fetched, asking: Asking, bounds: Bounds) -> tuple[CrawlerAnswer, ...]:
    """One for each crawler that was asked for; ``page`` is what a browser gets."""
    tokens = PROBED[: bounds.crawlers]
    requests = [
        Request(page.final_url, agent=crawler(token).agent, most_bytes=bounds.crawler_bytes)
        for token in tokens
    ]
    what = "asking for the page under the names of crawlers"
    answers = asking.many(requests, what, at_once=bounds.crawlers_at_once)
    words = shown_words(page.text)
    return tuple(
        _answer(token, fetched, page, words)
        for token, fetched in zip(tokens, answers, strict=True)
        if fetched is not None
    )


def _answer(token: str, fetched: Fetched, page: Fetched, words: frozenset[str]) -> CrawlerAnswer:
    same = fetched.text == page.text or _same(fetched, words)
    return CrawlerAnswer(
        token=token,
        status=fetched.status,
        same=same if fetched.ok and len(words) >= _ENOUGH_WORDS else None,
        failure=fetched.failure,
    )


def _same(fetched: Fetched, words: frozenset[str]) -> bool | None:
    """Whether it holds the same text; None where that cannot be told."""
    others = shown_words(fetched.text)
    share = len(words & others) / max(len(words | others), 1)
    if share >= _ALIKE:
        return True
    return False if share < _APART else None


def shown_words(html: str) -> frozenset[str]:
    """The different words that a page shows, near enough to compare it with itself.

    Not by the parser: of the same page ten times over, a tenth of its time is plenty.
    """
    found = set[str]()
    within = ""
    for piece in html[:_MOST_LETTERS].casefold().split("<"):
        if within and not piece.startswith(f"/{within}"):
            continue
        name = _TAG_NAME.match(piece)
        within = name[0] if name and name[0] in _UNSEEN else ""
        if not within:
            found.update(_WORD.findall(piece.partition(">")[2]))
    return frozenset(found)


_BOUNDS = Bounds()
_CALLED = {
    "anchors": "links",
    "blocks": "paragraphs",
    "items": "microdata",
    "json_ld": "JSON-LD",
    "links": "link elements",
}
"""How people call what a document holds, where they call it otherwise."""
_MOST_PARTS = 5
Alternate: TypeAlias = tuple[str, Fetched, Document | None]
"""A language, what its page answers, and the page."""


def _silent(step: str, state: str) -> None:
    del step, state


def gather(
    visit: Visit,
    web: Client,
    *,
    rendered: Rendered | None = None,
    console: Console | None = None,
    now: dt.datetime,
    progress: Progress = _silent,
    bounds: Bounds = _BOUNDS,
) -> SearchFacts:
    """Everything that a check of the page's visibility may look at.

    What ``rendered`` adds counts for what the page names. A page that does not answer with success
    gives facts that hold nothing but that. Nothing that a site does makes it raise; what there was
    no time for stands in the notes.
    """
    progress("page", "started")
    page = web.get(visit.url, timeout_s=bounds.answer_s)
    if not page.ok:
        return SearchFacts(page=page, document=Document(url=page.final_url), now=_stamp(now))
    return _looked_around(_Scene(page, rendered, now, bounds, web), console, progress)


def _looked_around(scene: "_Scene", console: Console | None, progress: Progress) -> SearchFacts:
    """The page with what belongs to it, asked for at the same time as far as it can be."""
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="search") as threads:
        # Neither needs the site, and both wait: a process for the article, Google for the console.
        article = threads.submit(scene.article)
        known = threads.submit(scene.known, console)
        progress("site", "started")
        beside = scene.beside()
        robots_file = scene.robots()
        listed = scene.sitemaps(robots_file)
        alternates = beside.alternates or scene.listed_languages(listed)
        progress("crawlers", "started")
        masked = scene.masked()
        read_as, notes = article.result()
        figures = known.result()
    return replace(
        scene.page_itself,
        robots=robots_file,
        sitemaps=listed,
        crawlers=masked,
        llms=beside.llms,
        nonsense=beside.nonsense,
        canonical=beside.canonical,
        canonical_document=beside.canonical_document,
        alternates=alternates,
        social_image=beside.social_image,
        icon=beside.icon,
        variants=beside.variants,
        reading=read_as,
        console=figures,
        notes=(*scene.notes, *notes, *(figures.notes if figures else ())),
    )


class _Scene:
    """One page, and the steps of looking at it."""

    def __init__(
        self,
        page: Fetched,
        rendered: Rendered | None,
        now: dt.datetime,
        bounds: Bounds,
        web: Client,
    ) -> None:
        self.document = read(page.text, page.final_url)
        self._page = page
        self._rendered = rendered
        self._url = page.final_url
        self._best = rendered.document if rendered and not rendered.failure else self.document
        self._now = now
        self._bounds = bounds
        self._asking = Asking(web, bounds)

    @property
    def page_itself(self) -> SearchFacts:
        """The facts before anything else was asked for."""
        return SearchFacts(
            page=self._page,
            document=self.document,
            local=is_local(self._url),
            rendered=self._rendered,
            now=_stamp(self._now),
        )

    def beside(self) -> Neighbours:
        """What the page names and what stands beside it."""
        return neighbours(self._page, self._best, self._asking, self._bounds)

    def robots(self) -> Robots | None:
        """robots.txt of the page's origin; None when there was no time for it."""
        address = at_root(self._url, "/robots.txt")
        fetched = self._asking.get(address, "robots.txt", self._bounds.robots_bytes)
        return robots(fetched, self._url) if fetched else None

    def sitemaps(self, robots_file: Robots | None) -> tuple[Sitemap, ...]:
        """The site's, as far as they may list the page."""
        canonical = canonical_url(self._page, self._best)
        sought = Sought(
            pages=frozenset({same_as(self._url), same_as(canonical)} - {""}),
            host=host(self._url),
            secure=self._url.startswith("https:"),
            now=self._now,
        )
        return sitemaps(self._url, robots_file, sought, self._asking, self._bounds)

    def listed_languages(self, listed: tuple[Sitemap, ...]) -> tuple[Alternate, ...]:
        """The language versions that sitemaps name for the page, as they answer."""
        named = (version for one in listed for version in one.alternates)
        wanted = other_languages(named, self._url, self._bounds.alternates)
        requests = [Request(url, most_bytes=self._bounds.page_bytes) for url in wanted.values()]
        answers = self._asking.many(requests, "the language versions that sitemaps name")
        return tuple(
            answered(language, fetched)
            for language, fetched in zip(wanted, answers, strict=True)
            if fetched is not None
        )

    def masked(self) -> tuple[CrawlerAnswer, ...]:
        """What crawlers are answered, compared with the page."""
        return crawler_answers(self._page, self._asking, self._bounds)

    def article(self) -> tuple[Reading, tuple[str, ...]]:
        """The page's article, and what could not be read of it."""
        bounds = self._bounds
        return reading(self._page.text, self._now, bounds.article_bytes, bounds.article_s)

    def known(self, console: Console | None) -> SearchConsole | None:
        """What Search Console knows of the page."""
        return console.look(self._url, self._now) if console else None

    @property
    def notes(self) -> Iterator[str]:
        """What could not be looked at, each a sentence."""
        if cut := self.document.cut:
            parts = ", ".join(_CALLED.get(part, part) for part in cut[:_MOST_PARTS])
            more = f" and {len(cut) - _MOST_PARTS} more" if len(cut) > _MOST_PARTS else ""
            yield f"The page is so large that not all of it was read: {parts}{more}."
        elif not self._page.whole:
            yield "The page is so large, or so slow, that only its beginning was read."
        yield from self._asking.notes


def _stamp(moment: dt.datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
