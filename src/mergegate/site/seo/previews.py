"""What a report shows of a page: its figures, how results would show it, what would fit better.

What results and shared links really show is theirs to choose, for each query anew: that is an
estimate. Better titles and descriptions are made of nothing but what the page itself says.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from html import escape
from itertools import accumulate, chain, islice
from urllib.parse import unquote

from mergegate.site.facts.document import Anchor, Document, Region
from mergegate.site.seo.checks.hreflang import of_sitemaps, versions
from mergegate.site.seo.checks.indexing import told
from mergegate.site.seo.checks.page import DESCRIPTION_PX, TITLE_PX, description_px, title_px
from mergegate.site.seo.checks.schema_org import described, inside
from mergegate.site.seo.checks.tokens import length
from mergegate.site.seo.facts import QueryRow, SearchFacts
from mergegate.site.seo.report import (
    PageData,
    Point,
    Proposal,
    Recoverable,
    ResultPreview,
    SharePreview,
)
from mergegate.site.seo.urls import WEB, canonical_address, host, parts, site
from mergegate.site.words import cut

_DEVICES = (("desktop", TITLE_PX, DESCRIPTION_PX), ("mobile", 620, 680))
"""Room for a title and for a description. On a phone a title has two lines of about 310 pixels."""
_LONGEST = 1_000
_LONGEST_PLACE = 80
_SEGMENTS = 3
_MORE = " …"


def results(facts: SearchFacts) -> tuple[ResultPreview, ...]:
    """A result on a desktop, then on a phone; the description falls back to the page's text."""
    page = facts.best
    title = page.title or _first_heading(page) or host(facts.url)
    description = page.meta("description") or _opening(page)
    return tuple(
        _result(facts, device, title, description, (title_room, description_room))
        for device, title_room, description_room in _DEVICES
    )


def shares(facts: SearchFacts) -> tuple[SharePreview, ...]:
    """A card by Open Graph, then one by what X reads."""
    page = facts.best
    title = page.meta("og:title") or page.title
    description = page.meta("og:description") or page.meta("description")
    image = page.meta("og:image") or page.meta("og:image:url")
    kind = page.meta("twitter:card").strip().lower()
    where = host(facts.url)
    return (
        _share("Open Graph", bool(image), title, description, (where, image)),
        _share(
            "X",
            kind == "summary_large_image",
            page.meta("twitter:title") or title,
            page.meta("twitter:description") or description,
            (where, page.meta("twitter:image") or image),
        ),
    )


def fitted(text: str, room_px: int, wide: Callable[[str], int]) -> tuple[str, bool]:
    """The whole words of ``text`` that have room, and whether some are left out."""
    flat = cut(text, _LONGEST)
    if wide(flat) <= room_px:
        return flat, False
    lengths = range(len(flat) + 1)
    fitting = bisect(lengths, room_px, key=lambda length: wide(flat[:length] + _MORE))
    kept = flat[: max(0, fitting - 1)]
    words = kept.rpartition(" ")[0]
    # Scripts without spaces are cut between any two letters.
    return (words if len(words) > len(kept) // 2 else kept).rstrip() + _MORE, True


def place(url: str) -> str:
    """``example.org › guides › tea``."""
    steps = [cut(unquote(one), _LONGEST_PLACE) for one in parts(url).path.split("/") if one]
    kept = steps if len(steps) <= _SEGMENTS else [*steps[:1], "…", steps[-1]]
    return " › ".join([host(url), *kept])


def _result(
    facts: SearchFacts, device: str, title: str, description: str, room: tuple[int, int]
) -> ResultPreview:
    shown_title, title_cut = fitted(title, room[0], title_px)
    shown_text, text_cut = fitted(description, room[1], description_px)
    return ResultPreview(
        device=device,
        title=shown_title,
        title_cut=title_cut,
        description=shown_text,
        description_cut=text_cut,
        place=place(facts.url),
    )


def _share(
    network: str, large: bool, title: str, description: str, place_and_image: tuple[str, str]
) -> SharePreview:
    where, image = place_and_image
    return SharePreview(
        network=network,
        large=large and bool(image),
        title=cut(title, _LONGEST),
        description=cut(description, _LONGEST),
        host=where,
        image=cut(image, _LONGEST),
    )


def _first_heading(page: Document) -> str:
    return next((one.text for one in page.headings if one.text and not one.hidden), "")


def _opening(page: Document) -> str:
    """The first running text: what a result shows where the page offers no description."""
    spoken = [one for one in page.blocks if one.tag == "p" and one.text]
    main = (one for one in spoken if one.region is Region.MAIN)
    return next((one.text for one in (*main, *spoken)), "")


CURVE = ((1.0, 0.285), (2.0, 0.157), (3.0, 0.110), (4.0, 0.080), (10.0, 0.025))
"""Positions and the share of those who see the result that click it: SISTRIX, July 2020, 80 million
keywords. Before answers by AI, and without regard to what else stands on the page: an average of
averages, good for an order and for no promise."""
SOURCE = "https://www.sistrix.com/blog/why-almost-everything-you-knew-about-google-ctr-is-no-longer-valid/"


def expected_ctr(position: float) -> float:
    """The share of clicks at an average position, 0 to 1; 0 beyond the first page of results.

    Between two known positions it falls by an even factor.
    """
    if not CURVE[0][0] <= position <= CURVE[-1][0]:
        return CURVE[0][1] if 0 < position < CURVE[0][0] else 0.0
    at = next(at for at, (known, _) in enumerate(CURVE[1:]) if position <= known)
    (left, high), (right, low) = CURVE[at], CURVE[at + 1]
    return float(high * (low / high) ** ((position - left) / (right - left)))


def ranked(rows: Iterable[QueryRow]) -> tuple[Recoverable, ...]:
    """Every query, those first that bring the fewest clicks against what their position promises.

    Queries that bring as many as can be expected come last, the most clicked first.
    """
    found = [_against_the_curve(row) for row in rows]
    return tuple(sorted(found, key=lambda one: (-one.clicks, -one.row.clicks, one.row.query)))


def _against_the_curve(row: QueryRow) -> Recoverable:
    expected = expected_ctr(row.position)
    missed = max(0.0, expected * row.impressions - row.clicks)
    return Recoverable(row=row, expected_ctr=expected, clicks=missed)


Fits = Callable[[str], bool]
"""Whether a text has room in a search result."""
_TITLE_RULES = frozenset({"title-missing", "title-long", "title-short", "title-boilerplate"})
_TEXT_RULES = frozenset({"description-missing", "description-long", "description-short"})
_LEAST_TITLE, _LEAST_TEXT = 10, 50
"""Letters; shorter ones say too little to be worth proposing."""
_MOST_SENTENCES = 20
_MOST_PARAGRAPHS = 8
"""What comes later says what the page is about no more."""
_MOST_READ = 2_000
"""Letters of a text that are read for it."""
_PARTS = re.compile(r"\s+[|–—·•»›:-]+\s+")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_ENDS = re.compile(r"[.!?。！？]$")

Candidate = tuple[str, str]
"""A text, and where on the page its words stand."""


def proposals(
    page: Document, points: Iterable[Point], title_fits: Fits, text_fits: Fits
) -> tuple[Proposal, ...]:
    """A title and a description for those that the page lacks or that do not fit.

    None for which the page has no words: nothing is made up, and no sentence is cut short.
    """
    rules = {one.rule for one in points}
    found = []
    if rules & _TITLE_RULES:
        title = _first(_titles(page), page.title, _LEAST_TITLE, title_fits)
        found += [_title(*title)] if title else []
    if rules & _TEXT_RULES:
        text = _first(_texts(page, text_fits), page.meta("description"), _LEAST_TEXT, text_fits)
        found += [_text(*text)] if text else []
    return tuple(found)


def _first(
    candidates: Iterable[Candidate], present: str, least: int, fits: Fits
) -> Candidate | None:
    return next(
        (one for one in candidates if len(one[0]) >= least and one[0] != present and fits(one[0])),
        None,
    )


def _titles(page: Document) -> Iterator[Candidate]:
    headings = (one.text for one in page.headings if one.level == 1)
    heading = next(filter(None, headings), "")
    name = page.meta("og:site_name")
    if heading and name and name.casefold() not in heading.casefold():
        yield f"{heading} – {name}", "the main heading and og:site_name"
    yield heading, "the main heading"
    yield page.meta("og:title"), "og:title"
    for end in _ends(page.title[:_MOST_READ]):
        yield page.title[:end], "the beginning of the title"


def _ends(title: str) -> list[int]:
    """The offsets at which a title may end: before its separators, the last one first."""
    return [match.start() for match in _PARTS.finditer(title)][::-1]


def _texts(page: Document, fits: Fits) -> Iterator[Candidate]:
    yield _whole(page.meta("description"), fits), "the beginning of the description"
    yield page.meta("og:description"), "og:description"
    spoken = (one.text for one in page.blocks if one.tag == "p" and one.region is Region.MAIN)
    for text in islice(spoken, _MOST_PARAGRAPHS):
        yield _whole(text, fits), "the first paragraph that fits"


def _whole(text: str, fits: Fits) -> str:
    """The whole sentences from the beginning that have room."""
    sentences = [one for one in _SENTENCES.split(text[:_MOST_READ]) if one][:_MOST_SENTENCES]
    every = [one for one in accumulate(sentences, _joined) if _ENDS.search(one)]
    return next((one for one in reversed(every) if fits(one)), "")


def _joined(text: str, sentence: str) -> str:
    return f"{text}{'' if text[-1] in '。！？' else ' '}{sentence}"


def _title(text: str, taken_from: str) -> Proposal:
    snippet = f"<title>{escape(text, quote=False)}</title>"
    return Proposal(kind="title", text=text, taken_from=taken_from, snippet=snippet)


def _text(text: str, taken_from: str) -> Proposal:
    snippet = f'<meta name="description" content="{escape(text)}">'
    return Proposal(kind="description", text=text, taken_from=taken_from, snippet=snippet)


_MOST = 100
"""Headings, languages, elements for networks, types: what is beyond is not told."""
_LONGEST_NAME = 200
_SOCIAL = ("og:", "twitter:", "article:")
_PARAGRAPHS = frozenset({"p", "blockquote"})


def page_data(facts: SearchFacts, document: Document | None = None) -> PageData:
    """The page as a visitor sees it, or as ``document``, such as the one that was sent, has it."""
    page, fetched = document or facts.best, facts.page
    title, description = page.title, page.meta("description")
    hosts = [host for host in map(_host, page.anchors) if host]
    inner = hosts.count(site(fetched.final_url))
    return PageData(
        url=fetched.final_url,
        status=fetched.status,
        redirects=max(0, len(fetched.answers) - 1),
        first_byte_ms=fetched.final.took_ms if fetched.final else 0,
        html_bytes=page.html_bytes,
        wire_bytes=fetched.wire_bytes,
        rendered=page is not facts.document,
        title=cut(title, _LONGEST),
        title_px=title_px(title[:_LONGEST]),
        description=cut(description, _LONGEST),
        description_px=description_px(description[:_LONGEST]),
        headings=tuple((one.level, cut(one.text, _LONGEST_NAME)) for one in page.headings[:_MOST]),
        heading_count=len(page.headings),
        canonical=cut(canonical_address(page, fetched), _LONGEST),
        robots=tuple(_robots(page, facts)),
        language=cut(page.lang, _LONGEST_NAME),
        text_language=facts.reading.language,
        viewport=cut(page.meta("viewport"), _LONGEST_NAME),
        hreflang=tuple(_hreflang(page, facts)),
        social=tuple(_social(page)),
        words=length(page.text),
        paragraphs=sum(one.tag in _PARAGRAPHS for one in page.blocks),
        internal_links=inner,
        external_links=len(hosts) - inner,
        nofollow_links=sum("nofollow" in one.rels for one in page.anchors),
        images=len(page.images),
        images_without_alt=sum(one.alt is None and not one.decorative for one in page.images),
        schema_types=schema_types(page),
        published=facts.reading.published,
        modified=facts.reading.modified,
        authors=tuple(cut(one, _LONGEST_NAME) for one in facts.reading.authors[:_MOST]),
    )


def schema_types(page: Document) -> tuple[str, ...]:
    """Every type of schema.org on it, also of things that others hold, each once."""
    things = (one for thing in described(page) for one in inside(thing))
    names = (cut(name, _LONGEST_NAME) for one in things for name in one.types if name)
    return tuple(islice(dict.fromkeys(names), _MOST))


def _robots(page: Document, facts: SearchFacts) -> Iterator[str]:
    """``noindex``, ``googlebot: max-snippet:50``; each once."""
    every = islice(told(page, facts.page), _MOST)
    said = ((one.agent, f"{one.name}:{one.value}" if one.value else one.name) for one in every)
    words = (f"{agent}: {directive}" if agent else directive for agent, directive in said)
    yield from dict.fromkeys(cut(one, _LONGEST_NAME) for one in words)


def _hreflang(page: Document, facts: SearchFacts) -> Iterator[tuple[str, str]]:
    """The language versions of the head, of headers and of sitemaps."""
    for one in islice(chain(versions(page, facts.page), of_sitemaps(facts)), _MOST):
        yield cut(one.tag, _LONGEST_NAME), cut(one.url, _LONGEST)


def _social(page: Document) -> Iterator[tuple[str, str]]:
    """The first of each name."""
    named = ((one.name, one.content) for one in page.metas if one.name.startswith(_SOCIAL))
    first = dict(reversed(list(named)))
    for name in islice(dict.fromkeys(one.name for one in page.metas if one.name in first), _MOST):
        yield cut(name, _LONGEST_NAME), cut(first[name], _LONGEST)


def _host(link: Anchor) -> str:
    """The host that :func:`~mergegate.site.seo.urls.site` gives; empty where there is none.

    The address is split once: there may be thousands of links.
    """
    split = parts(link.href)
    return split.netloc.lower().removeprefix("www.") if split.scheme in WEB else ""
