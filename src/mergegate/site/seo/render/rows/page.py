"""One page in a dozen lines, and what scripts change of it."""

from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.site.render import figures
from mergegate.site.seo.report import SeoReport
from mergegate.site.seo.report_page import PageData

PREVIEW_NOTE = "Estimated by the width of letters; each search engine may show something else."


@dataclass(frozen=True, slots=True)
class Difference:
    """What scripts change of the page."""

    what: str
    sent: str
    rendered: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A line about the page: what it is called, and what it is."""

    name: str
    text: str
    hint: str = ""


def differences(report: SeoReport) -> tuple[Difference, ...]:
    """What scripts change; empty when the page was not rendered, or nothing differs."""
    sent, seen = report.sent_page, report.page
    if sent is None:
        return ()
    pairs = (
        ("Title", sent.title, seen.title),
        ("Description", sent.description, seen.description),
        ("Canonical address", sent.canonical, seen.canonical),
        ("Robots", ", ".join(sent.robots), ", ".join(seen.robots)),
        ("Main heading", _main_heading(sent), _main_heading(seen)),
        ("Words", f"{sent.words:,}", f"{seen.words:,}"),
        ("Headings", f"{sent.heading_count:,}", f"{seen.heading_count:,}"),
        ("Links", f"{_links(sent):,}", f"{_links(seen):,}"),
        ("Images", f"{sent.images:,}", f"{seen.images:,}"),
        ("Structured data", ", ".join(sent.schema_types), ", ".join(seen.schema_types)),
    )
    return tuple(
        Difference(what, before or "none", after or "none")
        for what, before, after in pairs
        if before != after
    )


def page_facts(page: PageData) -> tuple[Fact, ...]:
    """One page in a dozen lines."""
    inner, outer = wording.counted(page.internal_links, "internal link"), page.external_links
    alt = f"{page.images_without_alt:,} without alternative text" if page.images else ""
    told = (
        Fact("Title", page.title or "none", f"{page.title_px} px" if page.title else ""),
        Fact(
            "Description",
            page.description or "none",
            f"{page.description_px} px" if page.description else "",
        ),
        Fact("Main heading", _main_heading(page) or "none"),
        Fact("Canonical address", page.canonical or "none"),
        Fact("Robots", ", ".join(page.robots) or "no directive"),
        Fact("Language", _language(page)),
        Fact("Text", wording.counted(page.words, "word"), _structure(page)),
        Fact("Links", f"{inner}, {outer:,} external"),
        Fact("Images", f"{page.images:,}", alt),
        Fact("Structured data", ", ".join(page.schema_types) or "none"),
        Fact("Dates", _dates(page) or "none recognised"),
        Fact("HTML", figures.size(page.html_bytes), f"{figures.size(page.wire_bytes)} sent"),
        Fact("First byte", figures.duration(page.first_byte_ms)),
    )
    return tuple(told)


def _main_heading(page: PageData) -> str:
    return next((text for level, text in page.headings if level == 1), "")


def _links(page: PageData) -> int:
    return page.internal_links + page.external_links


def _language(page: PageData) -> str:
    declared = page.language or "none declared"
    read = page.text_language
    return f"{declared}, the text reads as {read}" if read else declared


def _structure(page: PageData) -> str:
    paragraphs = wording.counted(page.paragraphs, "paragraph")
    return f"{paragraphs}, {wording.counted(page.heading_count, 'heading')}"


def _dates(page: PageData) -> str:
    parts = [f"published {page.published}" if page.published else ""]
    parts.append(f"modified {page.modified}" if page.modified else "")
    return ", ".join(part for part in parts if part)
