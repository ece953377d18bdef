"""A site tool's layout as one HTML file that needs nothing beside itself, and no script.

It looks like the scan's report; ``site/site.css`` adds what that has no need of.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import groupby

from mergegate.core.render import charts as gauges
from mergegate.core.render import templates, wording
from mergegate.site import words
from mergegate.site.render import charts, figures, images
from mergegate.site.render.layout import (
    INCOMPLETE,
    MOST_PASTED,
    NOT_JUDGED,
    PAGE,
    TOO_LONG,
    Block,
    Findings,
    Fix,
    Layout,
    Most,
    Part,
    Section,
    Shot,
    Shots,
    first,
    fitting,
    pieces,
)

_LONGEST = 3_000_000
"""Characters of a page: what mail and chat still take."""
_LENGTHS = (200, 60, 25, 10, 3)
_STYLES = (*templates.STYLES, "site/site.css")
_FIXES = Most(0, 0, 200)

Picture = tuple[Shot, str]


def render(layout: Layout) -> str:
    """The page in at most three million characters: lists are cut until it is."""
    shots = {
        id(block): pictures(block)
        for part in layout.parts
        if isinstance(part, Section)
        for block in part.blocks
        if isinstance(block, Shots)
    }

    def draw(length: int) -> str:
        return templates.sheet(
            "site/report.html.j2",
            _STYLES,
            layout=layout,
            report=layout.report,
            title=_title(layout),
            parts=_paired([one for one in layout.parts if PAGE in one.on]),
            fixes=_fixes(layout, length),
            first=partial(first, medium=PAGE, length=length),
            pieces=lambda line: tuple(pieces(line, PAGE, length)),
            seen=_seen,
            shots=lambda block: shots[id(block)],
            waterfall=lambda block: charts.waterfall(block, length),
            charts=charts,
            gauge=gauges.gauge,
            copyable=templates.copyable,
            link=_link,
            figures=figures,
            words=words,
            incomplete=INCOMPLETE,
            not_judged=NOT_JUDGED,
            most_pasted=MOST_PASTED,
            too_long=TOO_LONG,
        )

    return fitting(draw, _LENGTHS, _LONGEST)


def pictures(of: Shots) -> tuple[list[tuple[str, list[Picture]]], int]:
    """Screenshots as data URIs by page, of JPEGs that have room; how many are left out."""
    uris = images.within(images.jpeg(one.image) for one in of.shots)
    pages: dict[str, list[Picture]] = defaultdict(list)
    for shot, uri in zip(of.shots, uris, strict=True):
        if uri:
            pages[shot.page].append((shot, uri))
    return list(pages.items()), uris.count("")


def _title(layout: Layout) -> str:
    """The title, such as ``Audit 61/92/88/96, 2026-11-20 09:14 UTC: example.org``."""
    when = wording.moment(layout.report.completed_at)
    state = INCOMPLETE if layout.is_incomplete else ""
    told = ", ".join(filter(None, (layout.tab, state, when)))
    return f"{told}: {figures.host(layout.address)}"


def _paired(parts: Sequence[Part]) -> list[tuple[bool, list[Part]]]:
    """Runs of parts; those of the true ones stand side by side."""
    halves = groupby(parts, key=lambda one: isinstance(one, Section) and one.is_half)
    return [(half, list(run)) for half, run in halves]


def _fixes(layout: Layout, length: int) -> dict[str, Fix]:
    """Those that are shown, by id: a finding may link only to one that is there."""
    of = (part.fixes for part in layout.parts if isinstance(part, Findings))
    fixes = [one for each in of for one in each]
    return {one.id: one for one in first(fixes, _FIXES, PAGE, length)[0]}


def _seen(blocks: Sequence[Block]) -> list[Block]:
    return [one for one in blocks if PAGE in one.on]


def _link(address: str) -> str:
    """``address`` when it may be written as a link, else empty."""
    return next(iter(wording.plain_links((address,))), "")
