"""Look at a page as search engines and assistants meet it: each thing once and within bounds."""

import datetime as dt
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mergegate.core.errors import EngineError, EngineFailed
from mergegate.core.progress import Progress, silent
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
from mergegate.site.seo.facts import CrawlerAnswer, Reading, Rendered, Robots, SearchFacts, Sitemap
from mergegate.site.seo.gather.asking import Asking, Bounds
from mergegate.site.seo.gather.console import Console, Told
from mergegate.site.seo.gather.neighbours import (
    answered,
    canonical_url,
    other_languages,
    sitemaps,
    with_neighbours,
)
from mergegate.site.seo.gather.place import at_root, host, same_as
from mergegate.site.seo.gather.robots import robots
from mergegate.site.seo.gather.sitemap_file import Sought

_WORKER = "mergegate.site.seo.article_worker"
_MEMORY = 900 * MEBIBYTE
_MOST_OUTPUT = 256 * MEBIBYTE
"""The most bytes of one file: py3langid unpacks its model into one."""


class _Answer(BaseModel):
    """The worker's: it read hostile text, and may have been taken over by it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str = ""
    language: str = ""
    language_certainty: float = 0.0
    published: str = ""
    modified: str = ""
    authors: tuple[str, ...] = ()
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
    fields = answer.model_dump(exclude={"unread"})
    return Reading(**fields), tuple(_unread(answer, len(page) > most_bytes))


def _unread(answer: _Answer, cut: bool) -> Iterator[str]:
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


_WORD = re.compile(r"[^\W\d_]{2,}")
_TAG_NAME = re.compile(r"[a-z]+")
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg"})
_MOST_LETTERS = 500_000
"""The most characters of a page, markup included, that are compared."""
_ENOUGH_WORDS = 20
"""The least different words by which two pages can be told apart."""
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


def gather(
    visit: Visit,
    web: Client,
    *,
    rendered: Rendered | None = None,
    console: Console | Told | None = None,
    now: dt.datetime,
    progress: Progress = silent,
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
    facts = SearchFacts(
        page=page,
        document=read(page.text, page.final_url),
        local=is_local(page.final_url),
        rendered=rendered,
        now=_stamp(now),
    )
    asking = Asking(web, bounds)
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="search") as threads:
        # Neither needs the site, and both wait: a process for the article, Google for the console.
        article = threads.submit(reading, page.text, now, bounds.article_bytes, bounds.article_s)
        known = threads.submit(console.look, page.final_url, now) if console else None
        progress("site", "started")
        facts = with_neighbours(facts, asking, bounds)
        facts = replace(facts, robots=_robots(page.final_url, asking, bounds))
        facts = replace(facts, sitemaps=_sitemaps(facts, now, asking, bounds))
        alternates = facts.alternates or _listed_languages(facts, asking, bounds)
        progress("crawlers", "started")
        crawlers = crawler_answers(page, asking, bounds)
        article_read, notes = article.result()
        figures = known.result() if known else None
    return replace(
        facts,
        crawlers=crawlers,
        alternates=alternates,
        reading=article_read,
        console=figures,
        notes=(*_notes(facts), *asking.notes, *notes, *(figures.notes if figures else ())),
    )


def _robots(url: str, asking: Asking, bounds: Bounds) -> Robots | None:
    """robots.txt of the page's origin; None when there was no time for it."""
    fetched = asking.get(at_root(url, "/robots.txt"), "robots.txt", bounds.robots_bytes)
    return robots(fetched, url) if fetched else None


def _sitemaps(
    facts: SearchFacts, now: dt.datetime, asking: Asking, bounds: Bounds
) -> tuple[Sitemap, ...]:
    """The site's, as far as they may list the page."""
    url, canonical = facts.url, canonical_url(facts.page, facts.best)
    sought = Sought(
        pages=frozenset({same_as(url), same_as(canonical)} - {""}),
        host=host(url),
        secure=url.startswith("https:"),
        now=now,
    )
    return sitemaps(url, facts.robots, sought, asking, bounds)


def _listed_languages(
    facts: SearchFacts, asking: Asking, bounds: Bounds
) -> tuple[tuple[str, Fetched, Document | None], ...]:
    """The language versions that sitemaps name for the page, as they answer."""
    named = (version for one in facts.sitemaps for version in one.alternates)
    wanted = other_languages(named, facts.url, bounds.alternates)
    requests = [Request(url, most_bytes=bounds.page_bytes) for url in wanted.values()]
    answers = asking.many(requests, "the language versions that sitemaps name")
    return tuple(
        answered(language, fetched)
        for language, fetched in zip(wanted, answers, strict=True)
        if fetched is not None
    )


def _notes(facts: SearchFacts) -> Iterator[str]:
    """A sentence on what was not read of the page."""
    if cut := facts.document.cut:
        parts = ", ".join(_CALLED.get(part, part) for part in cut[:_MOST_PARTS])
        more = f" and {len(cut) - _MOST_PARTS} more" if len(cut) > _MOST_PARTS else ""
        yield f"The page is so large that not all of it was read: {parts}{more}."
    elif not facts.page.whole:
        yield "The page is so large, or so slow, that only its beginning was read."


def _stamp(moment: dt.datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
