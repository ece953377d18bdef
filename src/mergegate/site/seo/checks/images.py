"""Whether the page's images can be found, read out and laid out."""

import re
from collections.abc import Iterator, Sequence

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Image
from mergegate.site.seo.checks.point import GOOGLE, Rule, examples
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Ground, Point, Theme
from mergegate.site.words import counted, size

_SOURCE = f"{GOOGLE}/appearance/google-images"

ALT_MISSING = Rule(
    id="image-alt-missing",
    theme=Theme.IMAGES,
    severity=Severity.MEDIUM,
    title="Images without alt",
    remedy='Describe what the image shows; write alt="" for one that only decorates.',
    source=_SOURCE,
)
ALT_FILE_NAME = Rule(
    id="image-alt-file-name",
    theme=Theme.IMAGES,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="The name of a file for a description",
    remedy="Describe what the image shows.",
    source=_SOURCE,
)
NO_DIMENSIONS = Rule(
    id="image-dimensions-missing",
    theme=Theme.IMAGES,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="Images without width and height",
    remedy="Give width and height, unless a style sheet keeps room for the image: text jumps else.",
    source="https://web.dev/articles/optimize-cls#images-without-dimensions",
)
DATA_URI = Rule(
    id="image-data-uri",
    theme=Theme.IMAGES,
    severity=Severity.LOW,
    ground=Ground.HEURISTIC,
    title="Large images within the page",
    remedy="Put the image into a file of its own; it then loads by itself, and can be found.",
    source=_SOURCE,
)
NO_SOURCE = Rule(
    id="image-without-source",
    theme=Theme.IMAGES,
    severity=Severity.LOW,
    title="Images without an address",
    remedy='Give src, and loading="lazy" where the image may wait.',
    source=f"{GOOGLE}/crawling-indexing/javascript/lazy-loading",
)
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
