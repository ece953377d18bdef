"""``mergegate browser-test``."""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import click

from mergegate.core.errors import UsageError
from mergegate.core.plans import Tool
from mergegate.core.render.formats import Format
from mergegate.remote.command import Remote, answered, remote_options
from mergegate.remote.host import Order
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Visit
from mergegate.site.address import site_address
from mergegate.site.browser_test.facts import Screenshot
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.options import credentials, needing_packages, policy, site_options
from mergegate.site.render.formats import TEST_FORMATS
from mergegate.terminal.exits import FAILED, INCOMPLETE, PASSED
from mergegate.terminal.output import (
    complain,
    outputs,
    point_to_files,
    refuse_link,
    report_options,
    write,
)
from mergegate.terminal.progress import shown_progress

_MOST_PAGES = 200
_MOST_TABS = 16
_LONGEST_NAME = 80
_PAGES, _TABS = 5, 4
"""The defaults of the journey's ``Bounds``, repeated: its module loads the browser's library."""


@click.command(
    "browser-test",
    epilog="Exit codes: 0 tested, 1 an error with --fail-on error, 2 usage or bad input, "
    "3 the page could not be tested, or with --fail-on error not all that was visited was judged.",
)
@click.argument("url")
@click.option(
    "--max-pages",
    type=click.IntRange(1, _MOST_PAGES),
    default=_PAGES,
    show_default=True,
    help="Visit at most so many pages of the site, breadth first.",
)
@click.option(
    "--tabs",
    type=click.IntRange(1, _MOST_TABS),
    default=_TABS,
    show_default=True,
    help="Visit so many pages at once.",
)
@site_options
@click.option("--no-external-links", is_flag=True, help="Check the site's own links alone.")
@click.option(
    "--screenshots",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Also write the screenshots into this folder, as JPEG.",
)
@click.option("--no-screenshots", is_flag=True, help="Leave the screenshots out of the report.")
@report_options(TEST_FORMATS)
@click.option(
    "--fail-on",
    type=click.Choice(("never", "error")),
    default="never",
    show_default=True,
    help="Exit with 1 when there is an entry of severity error, or never.",
)
@remote_options(
    *("max_pages", "tabs", "headers", "cookies", "allow", "no_external_links", "no_screenshots")
)
def browser_test(
    url: str,
    max_pages: int,
    tabs: int,
    headers: Sequence[str],
    cookies: Sequence[str],
    allow: Sequence[str],
    no_external_links: bool,
    folder: Path | None,
    no_screenshots: bool,
    formats: Sequence[str],
    output: Path | None,
    fail_on: str,
    remote: Remote | None,
) -> None:
    """Visit URL and the pages that it links in a real browser, and tell what is wrong with them.

    Script errors, broken links, forms, images, accessibility, core web vitals, screenshots. It
    submits no form, and follows no link that logs out or deletes.

    \b
    Examples:
      mergegate browser-test https://preview.example.org
      mergegate browser-test localhost:3000 --max-pages 20 --fail-on error
      mergegate browser-test https://preview.example.org --header @headers.txt
      mergegate browser-test localhost:3000 --format json=test.json --screenshots shots
      mergegate browser-test example.org --remote https://mergegate.example.org
    """
    if folder and no_screenshots:
        raise UsageError(
            "--screenshots and --no-screenshots exclude each other", remedy="Leave one out."
        )
    wanted = outputs(formats, output, TEST_FORMATS)
    address = site_address(url)
    known: Mapping[str, Format[BrowserReport]] = TEST_FORMATS
    if remote:
        report, known = _remotely(address, remote)
    else:
        visit = Visit(url=address, credentials=credentials(headers, cookies))
        extent = _Extent(max_pages, tabs, not no_external_links, not no_screenshots)
        report = _tested(visit, extent, policy([address], allow))
    for one in wanted:
        write(report, one, known)
    if folder:
        _write_screenshots(report, folder)
    point_to_files(wanted)
    sys.exit(PASSED if fail_on == "never" else _decided(report))


@dataclass(frozen=True, slots=True)
class _Extent:
    """How much is looked at."""

    pages: int
    tabs: int
    external_links: bool
    screenshots: bool


def _tested(visit: Visit, extent: _Extent, reach: Policy) -> BrowserReport:
    with needing_packages("browser-test"):
        from mergegate.site.browser_test.journey.isolated import Bounds  # noqa: PLC0415
        from mergegate.site.browser_test.run import BrowserRequest, browse  # noqa: PLC0415
        from mergegate.site.browser_test.tools import browser_toolbox  # noqa: PLC0415
    request = BrowserRequest(
        visit=visit, external_links=extent.external_links, screenshots=extent.screenshots
    )
    bounds = Bounds(pages=extent.pages, tabs=extent.tabs)
    with (
        shown_progress() as progress,
        browser_toolbox(reach, bounds=bounds, progress=progress) as toolbox,
    ):
        return browse(request, toolbox)


def _remotely(
    address: str, remote: Remote
) -> tuple[BrowserReport, Mapping[str, Format[BrowserReport]]]:
    from mergegate.site.browser_test.wire.result import read_browser_test  # noqa: PLC0415

    order = Order(Tool.BROWSER_TEST, {"url": address})
    report, content = remote.report_on(address, order, read_browser_test)
    return report, answered(TEST_FORMATS, content)


def _decided(report: BrowserReport) -> int:
    """The exit code; a test with gaps has not seen that there is no error."""
    if report.errors:
        return FAILED
    complain(f"not judged: {gap}" for gap in report.gaps)
    return INCOMPLETE if report.gaps else PASSED


def _write_screenshots(report: BrowserReport, folder: Path) -> None:
    """One file a picture; raises UsageError when it cannot be written."""
    try:
        refuse_link(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for number, shot in enumerate(report.screenshots, 1):
            if not shot.image:  # a host may keep it elsewhere
                continue
            file = folder / screenshot_name(number, shot)
            refuse_link(file)
            file.write_bytes(shot.image)
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be written: {error.strerror}",
            remedy="Name a place that you may write to.",
        ) from error
    click.echo(f"screenshots: {folder}", err=True)


def screenshot_name(number: int, shot: Screenshot) -> str:
    """``03-docs-start-mobile.jpg``: letters, digits and hyphens, whatever the page is called."""
    words = re.findall(r"[a-z0-9]+", urlsplit(shot.page).path.lower())
    page = "-".join(words)[:_LONGEST_NAME].strip("-") or "start"
    viewport = "mobile" if shot.viewport == "mobile" else "desktop"
    return f"{number:02}-{page}-{viewport}.jpg"
