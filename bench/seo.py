"""Our CPU time for the analysis of one page of 200 kB after it was fetched, and where it goes.

``python bench/seo.py [--profile]``. Extraction libraries run in a process of their own and are left
out; so is whatever waits for the site. The page is that of ``bench/seo_document.py``, beside it
stand a robots.txt, three keywords and a competitor of the same size. What parsing alone takes tells
how fast the machine is just now.
"""

import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from selectolax.lexbor import LexborHTMLParser
from seo_document import page

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.document import read
from mergegate.site.render import html
from mergegate.site.seo.checks import CHECKS, Check, tokens
from mergegate.site.seo.checks.ai_search import policies
from mergegate.site.seo.checks.competitor import gaps
from mergegate.site.seo.checks.passages import passages
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.gather.robots import robots
from mergegate.site.seo.layout import layout
from mergegate.site.seo.previews import page_data, results, shares
from mergegate.site.seo.report import Point, SeoReport
from mergegate.site.seo.run import SeoRequest, SeoToolbox, analyse, judged
from mergegate.site.seo.wire.result import to_json

_URL = "https://example.org/page"
_ROUNDS = 15
_KEYWORDS = ("quick fox", "lazy dog", "rain")
_ROBOTS = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n"


def facts() -> SearchFacts:
    """What a fetch of the page leaves."""
    text = page()
    return SearchFacts(
        page=_fetched(_URL, text, "text/html; charset=utf-8"),
        document=read(text, _URL),
        robots=robots(_fetched("https://example.org/robots.txt", _ROBOTS, "text/plain"), _URL),
        now="2026-11-22T09:14:02Z",
    )


def _fetched(url: str, text: str, kind: str) -> Fetched:
    answer = Answer(url=url, status=200, headers=(("content-type", kind),))
    return Fetched(url=url, answers=(answer,), body=text.encode(), text=text)


def _ms(run: Callable[[], object]) -> float:
    """The least of several rounds, each with nothing remembered of the last."""
    times = []
    for _ in range(_ROUNDS):
        tokens._known.cache_clear()  # what is remembered would flatter us
        begun = time.process_time()
        run()
        times.append((time.process_time() - begun) * 1000)
    return min(times)


def _analysis(beside: SearchFacts, *, keywords: tuple[str, ...] = ()) -> SeoReport:
    """All that comes after the fetch: reading, judging, putting into words."""
    known = replace(beside, document=read(beside.page.text, _URL))
    request = SeoRequest(visit=Visit(url=_URL), keywords=keywords)
    toolbox = SeoToolbox(look=lambda *_: known, look_at_competitor=lambda *_: known)
    return analyse(request, toolbox)


def main() -> None:
    known = facts()
    text = known.page.text
    report = _analysis(known, keywords=_KEYWORDS)
    print(f"{len(text):,} letters, {known.document.nodes:,} elements, {len(report.points)} points")
    _tell("whole analysis", lambda: _analysis(known))
    _tell("  with 3 keywords", lambda: _analysis(known, keywords=_KEYWORDS))
    _tell("selectolax, parsing", lambda: LexborHTMLParser(text))
    print("of which")
    _tell("read", lambda: read(text, _URL))
    for check in CHECKS:
        _tell(check.__module__.rpartition(".")[2], partial(_drained, check, known))
    _tell("keywords", lambda: judged(known, _KEYWORDS))
    _tell("passages", lambda: passages(known))
    _tell("policies", lambda: policies(known))
    _tell("page data", lambda: page_data(known))
    _tell("previews", lambda: (results(known), shares(known)))
    print("and beside it")
    _tell("competitor gaps", lambda: gaps(known, known))
    _tell("json", lambda: to_json(report))
    _tell("html", lambda: html.render(layout(report)))
    if "--profile" in sys.argv:
        profile = cProfile.Profile()
        profile.runcall(_analysis, known)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


def _drained(check: Check, known: SearchFacts) -> list[Point]:
    return list(check(known))


def _tell(name: str, run: Callable[[], object]) -> None:
    print(f"{name:<20}{_ms(run):7.1f} ms")


if __name__ == "__main__":
    main()
