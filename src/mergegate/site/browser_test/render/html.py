"""A browser test as one HTML file that needs nothing beside itself, and no script to be read."""

from collections import defaultdict
from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.site.browser_test.facts import Screenshot
from mergegate.site.browser_test.render import rows
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.render import images
from mergegate.site.render.sheet import sheet

_VIEWPORTS = ("desktop", "mobile")


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot as the page shows it."""

    page: str
    viewport: str
    """``desktop`` or ``mobile``."""
    uri: str
    boxed: int
    """How many failing elements are boxed."""


def render(report: BrowserReport) -> str:
    """The page, in at most three million characters."""
    pictures = _pictures(report.screenshots)
    values = {
        "title": _title(report),
        "rows": rows,
        "kinds": list(rows.by_kind(report)),
        "pictures": _by_page(pictures),
        "left_out": len(report.screenshots) - len(pictures),
    }
    return sheet("site/browser_test.html.j2", report, lambda _: values)


def _pictures(shots: tuple[Screenshot, ...]) -> tuple[Picture, ...]:
    """Those that are JPEGs and have room, in the order of the visit."""
    uris = images.within(images.jpeg(one.image) for one in shots)
    pairs = zip(shots, uris, strict=True)
    return tuple(_picture(one, uri) for one, uri in pairs if uri)


def _by_page(pictures: tuple[Picture, ...]) -> list[tuple[str, list[Picture]]]:
    pages: dict[str, list[Picture]] = defaultdict(list)
    for one in pictures:
        pages[one.page].append(one)
    return list(pages.items())


def _picture(shot: Screenshot, uri: str) -> Picture:
    viewport = shot.viewport if shot.viewport in _VIEWPORTS else _VIEWPORTS[0]
    return Picture(shot.page, viewport, uri, len(shot.boxed))


def _title(report: BrowserReport) -> str:
    """For the tab, where the site's host follows."""
    when = wording.moment(report.completed_at)
    return f"Browser test, {rows.counts(report)}" + (f", {when}" if when else "")
