"""The page's own head and its headings: title, description, language, viewport, weight, icon."""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document, Heading, Region
from mergegate.site.seo.checks import languages
from mergegate.site.seo.checks.point import RULES, is_gone, quoted
from mergegate.site.seo.checks.rendering import is_shell, is_unfilled
from mergegate.site.seo.checks.tokens import PHRASES
from mergegate.site.seo.facts import DATA, SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted, size

TITLE_PX = 600
"""About what a title has room for in a result on a desktop."""
DESCRIPTION_PX = 990
"""About what a description has room for: two lines."""
_TITLE_SIZE, _DESCRIPTION_SIZE = 20, 14
"""Pixels of the letters."""
_EM = 1_000
_WIDE = 1_000
_OTHER = 556
_WIDTH = {
    letter: int(width)
    for width, letters in read_table(DATA / "letter_widths.toml", str).items()
    for letter in letters
}


def title_px(text: str) -> int:
    """Pixels of ``text`` as a result's title."""
    return _units(text) * _TITLE_SIZE // _EM


def description_px(text: str) -> int:
    """Pixels of ``text`` as a result's description."""
    return _units(text) * _DESCRIPTION_SIZE // _EM


def _units(text: str) -> int:
    return sum(_width(letter) for letter in unicodedata.normalize("NFD", text))


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _WIDTH.get(letter, _OTHER)


TITLE_MISSING = RULES["title-missing"]
TITLE_SEVERAL = RULES["title-several"]
TITLE_IN_BODY = RULES["title-outside-head"]
TITLE_LONG = RULES["title-long"]
TITLE_SHORT = RULES["title-short"]
TITLE_BOILERPLATE = RULES["title-boilerplate"]
DESCRIPTION_MISSING = RULES["description-missing"]
DESCRIPTION_SEVERAL = RULES["description-several"]
DESCRIPTION_LONG = RULES["description-long"]
DESCRIPTION_SHORT = RULES["description-short"]
VIEWPORT_MISSING = RULES["viewport-missing"]
VIEWPORT_FIXED = RULES["viewport-fixed"]
VIEWPORT_NO_ZOOM = RULES["viewport-no-zoom"]
LANG_MISSING = RULES["lang-missing"]
LANG_INVALID = RULES["lang-invalid"]
LANG_DIFFERS = RULES["lang-differs"]
CHARSET_MISSING = RULES["charset-missing"]
DOCTYPE_MISSING = RULES["doctype-missing"]
TOO_LARGE = RULES["html-too-large"]
INLINE_HEAVY = RULES["inline-heavy"]
FAVICON_MISSING = RULES["favicon-missing"]
GOOGLEBOT_BYTES = 2 * 1024 * 1024
"""The unpacked HTML that is read for Search: "2MB" (Google's "Googlebot", February 2026)."""
_INLINE_BYTES = 300_000
_SHORT_TITLE_PX = 100
_SHORT_DESCRIPTION_PX = 250
_CERTAIN = 0.9
"""The least confidence at which the recognised language is believed."""
_LEAST_SCALE = 2.0
"""The scale to which readers must be able to enlarge a page (WCAG 1.4.4)."""
_BOILERPLATE = frozenset(PHRASES["titles"])
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""Byte order marks, which declare the encoding too (HTML, "determining the character encoding")."""
_NUMBER = re.compile(r"\d{1,5}(?:\.\d{1,5})?")


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the page's head, as a visitor gets it."""
    page, url = facts.best, facts.url
    yield from _title(page, url)
    yield from _description(page, url)
    yield from _viewport(page, url)
    yield from _language(facts)
    yield from _form(facts)
    yield from _weight(facts)
    yield from _icon(facts)


def _title(page: Document, url: str) -> Iterator[Point]:
    if not page.title:
        empty = "Its title is empty" if page.titles else "It has no title"
        yield TITLE_MISSING.point(url, f"{empty}: results then show what a machine makes up.")
        return
    if len(page.titles) > 1:
        message = f"{len(page.titles)} title elements stand in the page; the first one counts."
        yield TITLE_SEVERAL.point(url, message, found=page.titles)
    if not page.title_in_head:
        yield TITLE_IN_BODY.point(url, evidence=page.title)
    yield from _wording(page.title, url)


def _wording(title: str, url: str) -> Iterator[Point]:
    width = title_px(title)
    if title.casefold().strip(" .!|-–") in _BOILERPLATE or title.casefold() in _BOILERPLATE:
        message = f"{quoted(title)} tells nobody what the page is about."
        yield TITLE_BOILERPLATE.point(url, message, evidence=title)
    elif width < _SHORT_TITLE_PX:
        message = f"{quoted(title)} has {len(title)} characters."
        yield TITLE_SHORT.point(url, message, evidence=title)
    elif width > TITLE_PX:
        yield TITLE_LONG.point(
            url,
            f"The title has {len(title)} characters, about {width} px; a desktop result shows "
            f"about {TITLE_PX} px.",
            evidence=title,
        )


def _description(page: Document, url: str) -> Iterator[Point]:
    given = [one.content for one in page.metas if one.kind == "name" and one.name == "description"]
    if not any(given):
        empty = "Its description is empty" if given else "It has no description"
        message = f"{empty}: results then show whatever piece of the text fits."
        yield DESCRIPTION_MISSING.point(url, message)
        return
    if len(given) > 1:
        message = f"{len(given)} descriptions stand in the page."
        yield DESCRIPTION_SEVERAL.point(url, message, found=given)
    yield from _summary(given[0], url)


def _summary(text: str, url: str) -> Iterator[Point]:
    width = description_px(text)
    if width > DESCRIPTION_PX:
        yield DESCRIPTION_LONG.point(
            url,
            f"The description has {len(text)} characters, about {width} px; a desktop result "
            f"shows about {DESCRIPTION_PX} px.",
            evidence=text,
        )
    elif width < _SHORT_DESCRIPTION_PX:
        message = f"The description has {len(text)} characters."
        yield DESCRIPTION_SHORT.point(url, message, evidence=text)


def _viewport(page: Document, url: str) -> Iterator[Point]:
    content = page.meta("viewport")
    if not content:
        yield VIEWPORT_MISSING.point(url)
        return
    given = _settings(content)
    if given.get("width") != "device-width" and "initial-scale" not in given:
        yield VIEWPORT_FIXED.point(url, f"It says {quoted(content)}.", evidence=content)
    if given.get("user-scalable") in {"no", "0"} or _scale(given) < _LEAST_SCALE:
        yield VIEWPORT_NO_ZOOM.point(url, f"It says {quoted(content)}.", evidence=content)


def _settings(content: str) -> dict[str, str]:
    pairs = (piece.partition("=") for piece in re.split(r"[,;]", content.lower()))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _scale(given: dict[str, str]) -> float:
    found = _NUMBER.match(given.get("maximum-scale", ""))
    return float(found[0]) if found else _LEAST_SCALE


def _language(facts: SearchFacts) -> Iterator[Point]:
    page, url, read = facts.best, facts.url, facts.reading
    if not page.lang.strip():
        guess = read.language or "en"
        yield LANG_MISSING.point(url, snippet=f'<html lang="{guess}">')
    elif flaw := languages.flaw(page.lang.strip()):
        meant = languages.mended(page.lang.strip())
        snippet = f'<html lang="{meant}">' if meant else ""
        message = f"{quoted(page.lang)}: {flaw}."
        yield LANG_INVALID.point(url, message, evidence=page.lang, snippet=snippet)
    elif read.language and read.language_certainty >= _CERTAIN:
        yield from _told_apart(page, url, read.language)


def _told_apart(page: Document, url: str, recognised: str) -> Iterator[Point]:
    if not languages.akin(languages.primary(page.lang), languages.primary(recognised)):
        message = f"The page says {quoted(page.lang)}, its text was recognised as {recognised}."
        snippet = f'<html lang="{recognised}">'
        yield LANG_DIFFERS.point(url, message, evidence=page.lang, snippet=snippet)


def _form(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.document, facts.url
    if not page.doctype:
        yield DOCTYPE_MISSING.point(url)
    stated = "charset" in facts.page.header("content-type").lower() or any(
        one.kind == "charset" or "charset" in one.content.lower()
        for one in page.metas
        if one.kind in {"charset", "http-equiv"}
    )
    if not stated and not facts.page.body.startswith(_BYTE_ORDER_MARKS):
        yield CHARSET_MISSING.point(url)


def _weight(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.document, facts.url
    inline = sum(len(one.text.encode("utf-8", "replace")) for one in page.scripts if not one.src)
    if page.html_bytes > GOOGLEBOT_BYTES:
        yield TOO_LARGE.point(
            url,
            f"The page's HTML has {size(page.html_bytes)}, {size(inline)} of it scripts; Googlebot "
            "reads the first 2 MB.",
            evidence=size(page.html_bytes),
        )
    elif inline > _INLINE_BYTES and inline * 2 > page.html_bytes:
        message = f"{size(inline)} of {size(page.html_bytes)} are scripts within the page."
        yield INLINE_HEAVY.point(url, message)


def _icon(facts: SearchFacts) -> Iterator[Point]:
    named = facts.best.linked("icon")
    icon, url = facts.icon, facts.url
    if any(one.raw_href.startswith("data:") or one.href.startswith("data:") for one in named):
        return
    page_instead = bool(icon and icon.ok and "text/html" in icon.header("content-type"))
    if icon is not None and (is_gone(icon) or page_instead):
        said = "The icon that the page names" if named else "No icon is named, and /favicon.ico"
        message = f"{said} answers {icon.status}{' with a page' if page_instead else ''}."
        shown = named[0].href if named else ""
        # No result is lower for want of an icon; a dead address is asked for by each page.
        severity = Severity.LOW if named else Severity.INFO
        yield FAVICON_MISSING.point(url, message, evidence=shown, severity=severity)


H1_MISSING = RULES["h1-missing"]
H1_SEVERAL = RULES["h1-several"]
HEADING_SKIPPED = RULES["heading-skipped"]
HEADING_EMPTY = RULES["heading-empty"]
_AS_SENT = "As the page is sent no h1 says what it is about; crawlers of assistants see no other."
_HEADING_STEP = re.compile(r"> h([1-6])\b")


def heading_points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the headings of the page as a visitor gets it.

    Of a frame that was not rendered, that it is sent without any: its scripts may add some.
    """
    page, url = facts.best, facts.url
    if is_shell(facts) and not is_unfilled(facts):
        return  # it sends visitors on, or shows something that scripts may name
    shown = [one for one in page.headings if not one.hidden]
    main = [one for one in shown if one.level == 1 and one.text]
    named = any(one.level == 1 and one.text for one in page.headings) or 1 in _drawn(page)
    if facts.page.whole and not named:
        yield H1_MISSING.point(url, _AS_SENT if is_shell(facts) else "")
    if len(main) > 1:
        message = f"{len(main)} h1 stand in the page; search engines cope, readers may not."
        yield H1_SEVERAL.point(url, message, found=[one.text for one in main])
    yield from _outline(shown, _drawn(page), url)


def _drawn(page: Document) -> frozenset[int]:
    """Levels of which a heading holds an image that says something, such as a logo."""
    ways = (one.selector for one in page.images if one.alt)
    return frozenset(int(level) for way in ways for level in _HEADING_STEP.findall(way))


def _outline(shown: list[Heading], drawn: frozenset[int], url: str) -> Iterator[Point]:
    empty = [one for one in shown if not one.text and one.level not in drawn]
    if empty:
        message = f"{len(empty)} of {counted(len(shown), 'heading')} without text."
        yield HEADING_EMPTY.point(url, message, found=[f"<h{one.level}>" for one in empty])
    main = [one for one in shown if one.text and one.region in {Region.MAIN, Region.HEADER}]
    skips = [(one, then) for one, then in pairwise(main) if then.level > one.level + 1]
    if skips:
        told = [f"h{one.level} → h{then.level} {quoted(then.text)}" for one, then in skips]
        times = "Once" if len(skips) == 1 else f"{len(skips)} times"
        message = f"{times} a heading is more than one level below the one before."
        yield HEADING_SKIPPED.point(url, message, found=told)
