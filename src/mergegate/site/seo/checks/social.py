"""How the page looks where its link is shared.

Source: the Open Graph protocol, Meta's "Images in link shares", X's "About cards".
"""

import re
from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document
from mergegate.site.seo.checks.point import RULES, attribute, is_gone, quoted
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import (
    alike,
    canonical_address,
    is_preview,
    is_secure,
    is_web,
    parts,
    site,
)
from mergegate.site.words import cut, listed

MISSING = RULES["og-missing"]
INCOMPLETE = RULES["og-incomplete"]
IMAGE_RELATIVE = RULES["og-image-relative"]
IMAGE_INSECURE = RULES["og-image-insecure"]
IMAGE_BROKEN = RULES["og-image-broken"]
IMAGE_KIND = RULES["og-image-not-raster"]
IMAGE_SMALL = RULES["og-image-small"]
URL_DIFFERS = RULES["og-url-differs"]
CARD_MISSING = RULES["twitter-card-missing"]
CARD_UNKNOWN = RULES["twitter-card-unknown"]
_BASIC = ("og:title", "og:type", "og:image", "og:url")
_CARD_KINDS = frozenset({"summary", "summary_large_image", "app", "player"})
_LEAST_PX = 200
"""The least length of each side; Meta shows no smaller image."""
_RASTER = frozenset({"image/png", "image/jpeg", "image/jpg", "image/webp", "image/gif"})
_LONGEST_FAILURE = 200
_DIMENSION = re.compile(r"\d{1,6}")


def points(facts: SearchFacts) -> Iterator[Point]:
    """What previews of the page lack."""
    page, url = facts.best, facts.url
    missing = [name for name in _BASIC if not _given(page, name)]
    if len(missing) == len(_BASIC):
        yield MISSING.point(url, snippet=_snippet(facts, missing))
        return
    if missing:
        message = f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing."
        yield INCOMPLETE.point(
            url, message, evidence=", ".join(missing), snippet=_snippet(facts, missing)
        )
    yield from _image(facts)
    yield from _address(facts)
    yield from _card(page, url)


def _given(page: Document, name: str) -> str:
    return page.meta(name) or (page.meta("og:image:url") if name == "og:image" else "")


def _image(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    image = _given(page, "og:image").strip()
    if not image:
        return
    if not is_web(image):
        message = f"{quoted(image)} cannot be fetched by who shows the preview."
        yield IMAGE_RELATIVE.point(url, message, evidence=image)
    elif is_secure(url) and not is_secure(image):
        yield IMAGE_INSECURE.point(url, evidence=image)
    else:
        yield from _answer(facts, image)
    yield from _dimensions(page, url, image)


def _answer(facts: SearchFacts, image: str) -> Iterator[Point]:
    answer, url = facts.social_image, facts.url
    # The public host of a preview may not have the image yet.
    elsewhere = (facts.local or is_preview(url)) and site(image) != site(url)
    if answer is None or answer.refused or elsewhere:
        return
    if answer.final is None:
        message = f"Its address did not answer: {cut(answer.failure, _LONGEST_FAILURE)}."
        yield IMAGE_BROKEN.point(url, message, evidence=image, severity=Severity.LOW)
        return
    kind = answer.header("content-type").partition(";")[0].strip().lower()
    if is_gone(answer):
        yield IMAGE_BROKEN.point(url, f"Its address answers {answer.status}.", evidence=image)
    elif answer.ok and kind and kind not in _RASTER:
        yield IMAGE_KIND.point(url, f"Its address answers with {quoted(kind)}.", evidence=image)


def _dimensions(page: Document, url: str, image: str) -> Iterator[Point]:
    sides = [page.meta("og:image:width").strip(), page.meta("og:image:height").strip()]
    if all(_DIMENSION.fullmatch(side) for side in sides) and min(map(int, sides)) < _LEAST_PX:
        message = f"It is {sides[0]} × {sides[1]} pixels by its own words; {_LEAST_PX} × "
        message += f"{_LEAST_PX} is the least that is shown."
        yield IMAGE_SMALL.point(url, message, evidence=image)


def _address(facts: SearchFacts) -> Iterator[Point]:
    page = facts.best
    named, original = page.meta("og:url"), canonical_address(page, facts.page)
    if is_web(named) and original and not alike(named, original):
        message = f"og:url says {quoted(named)}, the canonical address {quoted(original)}."
        snippet = f'<meta property="og:url" content="{attribute(original)}">'
        yield URL_DIFFERS.point(facts.url, message, evidence=named, snippet=snippet)


def _card(page: Document, url: str) -> Iterator[Point]:
    card = page.meta("twitter:card").strip().lower()
    if not card:
        yield CARD_MISSING.point(url)
    elif card not in _CARD_KINDS:
        yield CARD_UNKNOWN.point(url, f"{quoted(card)} is no kind of card.", evidence=card)


def _snippet(facts: SearchFacts, missing: list[str]) -> str:
    """The lines that are missing, filled with what the page itself says."""
    page = facts.best
    known = {
        "og:title": page.title,
        "og:type": "website" if parts(page.url).path in {"", "/"} else "article",
        "og:url": canonical_address(page, facts.page) or facts.url,
    }
    return "\n".join(
        f'<meta property="{name}" content="{attribute(known.get(name, "…"))}">' for name in missing
    )
