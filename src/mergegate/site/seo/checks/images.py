"""Whether the page's images can be found, read out and laid out."""

import re
from collections.abc import Iterator, Sequence

from mergegate.site.facts.document import Image
from mergegate.site.seo.checks.point import RULES, Rule, examples
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted, size

ALT_MISSING = RULES["image-alt-missing"]
ALT_FILE_NAME = RULES["image-alt-file-name"]
NO_DIMENSIONS = RULES["image-dimensions-missing"]
DATA_URI = RULES["image-data-uri"]
NO_SOURCE = RULES["image-without-source"]
_LARGE_BYTES = 20_000
_FILE_NAME = re.compile(
    r"(?:[\w%()+ .-]{1,200}\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?))"
    r"|(?:(?:img|dsc|dscn|pxl|screenshot)[-_ ]?\d{2,}[-_ \d]*)"
    r"|image|img|picture|photo|bild|foto|imagen|immagine|untitled|placeholder|alt",
    re.IGNORECASE,
)
_PIXEL = frozenset({"0", "1", "0px", "1px"})


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the images of the page as a visitor gets it; one point a kind."""
    url = facts.page.final_url
    images = [one for one in facts.best.images if not _is_pixel(one)]
    silent = [one for one in images if one.alt is None and not one.decorative]
    yield from _together(ALT_MISSING, url, silent, images, "without an alt attribute")
    named = [one for one in images if one.alt and _FILE_NAME.fullmatch(one.alt.strip())]
    yield from _together(ALT_FILE_NAME, url, named, images, "with a mere name for a description")
    loose = [one for one in images if _source(one) and not (one.width and one.height)]
    yield from _together(NO_DIMENSIONS, url, loose, images, "without width and height")
    lost = [one for one in images if not _source(one)]
    yield from _together(NO_SOURCE, url, lost, images, "without an address that crawlers read")
    yield from _inline(url, images)


def _is_pixel(one: Image) -> bool:
    """Whether it only counts visitors."""
    return one.width in _PIXEL and one.height in _PIXEL


def _source(one: Image) -> bool:
    return bool(one.src) or one.srcset


def _together(
    rule: Rule, url: str, found: Sequence[Image], of: Sequence[Image], what: str
) -> Iterator[Point]:
    if found:
        yield rule.point(
            url,
            f"{len(found)} of {counted(len(of), 'image')} {what}.",
            selector=found[0].selector,
            evidence=examples([one.src or one.selector for one in found]),
            count=len(found),
        )


def _inline(url: str, images: Sequence[Image]) -> Iterator[Point]:
    large = [one for one in images if one.src.startswith("data:") and len(one.src) > _LARGE_BYTES]
    if large:
        total = sum(len(one.src) for one in large)
        message = f"{counted(len(large), 'image')} of {size(total)} in all stand in the HTML."
        selectors = examples([one.selector for one in large])
        yield DATA_URI.point(
            url, message, selector=large[0].selector, evidence=selectors, count=len(large)
        )
