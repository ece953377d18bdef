"""How a search engine's results and the cards of networks would show the page, by estimate.

What they really show is theirs to choose, for each query anew: a title and a description that fit
are the most that a page can do.
"""

from bisect import bisect
from collections.abc import Callable
from urllib.parse import unquote

from mergegate.site.facts.document import Document, Region
from mergegate.site.seo.checks.page import DESCRIPTION_PX, TITLE_PX, description_px, title_px
from mergegate.site.seo.checks.urls import host, parts
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report_page import ResultPreview, SharePreview
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
    title = page.title or _first_heading(page) or host(facts.page.final_url)
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
    where = host(facts.page.final_url)
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
    """As many whole words of ``text`` as have room, and whether some are left out."""
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
        place=place(facts.page.final_url),
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
