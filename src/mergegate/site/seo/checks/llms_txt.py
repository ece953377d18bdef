"""Whether a /llms.txt is written as its proposal asks; no search engine rewards one.

Source: llmstxt.org, "Format"; Google's guide to generative AI features says that none is needed.
"""

import re
from collections.abc import Iterator
from itertools import islice

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.seo.checks.point import Rule, quoted
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point, Theme
from mergegate.site.words import counted

INVALID = Rule(
    id="llms-txt-invalid",
    theme=Theme.AI_SEARCH,
    severity=Severity.INFO,
    title="The llms.txt is not written as it should be",
    remedy="Begin with the one heading of the first level; list links below those of the second.",
    source="https://llmstxt.org/#format",
)
_MOST_LINES = 5_000
_SHOWN = 5
_HEADING = re.compile(r"(#{1,6})\s+\S")
_ITEM = re.compile(r"[-*+]\s+\S")
_LINK = re.compile(r"[-*+]\s+\[[^\]]{1,500}\]\([^)\s]{1,2000}\)(?:\s*:.*)?\s*")
_FENCE = re.compile(r"(?:```|~~~)")
_HTML = re.compile(r"\s{0,99}<(?:!doctype|html|head|body|!--)", re.IGNORECASE)


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the file, as one point; without a file nothing is."""
    if facts.llms is None or not is_there(facts.llms):
        return
    flaws = list(_flaws(facts.llms.text))
    if flaws:
        yield INVALID.point(
            facts.page.final_url,
            f"/llms.txt has {counted(len(flaws), 'flaw')}; no search engine asks for such a file.",
            evidence="; ".join(flaws[:_SHOWN]),
            count=len(flaws),
        )


def is_there(file: Fetched) -> bool:
    """Whether there is one: many sites answer any address with a page of HTML."""
    kind = file.header("content-type").lower()
    return file.ok and bool(file.text.strip()) and "html" not in kind and not _HTML.match(file.text)


def _flaws(text: str) -> Iterator[str]:
    lines = _lines(text)
    titles = [line for _, level, line in lines if level == 1]
    if not titles:
        yield "no heading of the first level names the site"
    elif lines[0][1] != 1:
        yield "something stands before the first heading"
    if len(titles) > 1:
        yield f"{len(titles)} headings of the first level"
    yield from _lists(lines)


def _lines(text: str) -> list[tuple[int, int, str]]:
    """Number, level of its heading (0 for none) and text of each line, code left out."""
    found, fenced = [], False
    for number, raw in enumerate(islice(text.lstrip("\ufeff").splitlines(), _MOST_LINES), 1):
        line = raw.strip()
        if _FENCE.match(line):
            fenced = not fenced
        elif line and not fenced:
            heading = _HEADING.match(line)
            found.append((number, len(heading[1]) if heading else 0, line))
    return found


def _lists(lines: list[tuple[int, int, str]]) -> Iterator[str]:
    """Entries below a heading of the second level that are no links."""
    listing = False
    for number, level, line in lines:
        listing = level == 2 if level else listing
        if listing and not level and _ITEM.match(line) and not _LINK.fullmatch(line):
            yield f"line {number} is no link: {quoted(line)}"
