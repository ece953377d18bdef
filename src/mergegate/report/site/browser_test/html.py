"""A browser test as one HTML file that needs nothing beside itself, and no script to be read."""

from collections import defaultdict
from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.model.facts.journey import Screenshot
from mergegate.model.site.browser_test import BrowserReport
from mergegate.report.site import images
from mergegate.report.site.browser_test import rows
from mergegate.report.site.sheet import sheet

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
