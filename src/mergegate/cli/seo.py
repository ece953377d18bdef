"""``mergegate seo``."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mergegate.core.errors import EngineFailed, UsageError
from mergegate.core.plans import Tool
from mergegate.core.render.formats import Format
from mergegate.core.severity import Severity
from mergegate.remote.command import Remote, answered, remote_options
from mergegate.remote.host import Order
from mergegate.sandbox.visit import Visit
from mergegate.site.address import site_address
from mergegate.site.options import credentials, needing_packages, policy, site_options
from mergegate.site.render.formats import SEO_FORMATS
from mergegate.site.seo.keywords import MOST_KEYWORDS, keywords_of
from mergegate.site.seo.report import Ground, SeoReport
from mergegate.site.seo.run import SeoRequest, analyse
from mergegate.terminal.exits import FAILED, INCOMPLETE, PASSED
from mergegate.terminal.output import complain, outputs, report_options, write_all
from mergegate.terminal.progress import shown_progress

if TYPE_CHECKING:  # what a site is looked at with is loaded when a scan here needs it
    from mergegate.site.seo.gather import Access

CONSOLE_VARIABLE = "MERGEGATE_SEARCH_CONSOLE_TOKEN"
_LARGEST_KEY = 1 << 16
_LEVELS = tuple(one.label for one in sorted(Severity, reverse=True) if one > Severity.INFO)


@click.command(
    epilog="Exit codes: 0 passed, 1 --fail-on or --fail-under failed, 2 usage or bad input, 3 the "
    "page could not be analysed, or with one of them not all that belongs to it.",
)
@click.argument("url")
@click.option(
    "--keyword",
    "keywords",
    multiple=True,
    metavar="TEXT[,TEXT…]",
    help="Where the page should be found by: placement and density are judged. Repeatable, or "
    f"comma separated; at most {MOST_KEYWORDS}.",
)
@click.option(
    "--competitor-url",
    metavar="URL",
    help="Analyse this page as well, and tell what it has that yours has not.",
)
@click.option(
    "--render-js",
    is_flag=True,
    help="Let a browser run the page's scripts first, and tell what crawlers without one miss. "
    "Slower; needs Chromium.",
)
@click.option(
    "--search-console",
    "key_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Ask Google's Search Console about the page, with this JSON key file of a service account "
    f"or an authorised user. {CONSOLE_VARIABLE} may hold its content, or an access token.",
)
@site_options
@report_options(SEO_FORMATS)
@click.option(
    "--fail-on",
    type=click.Choice(("never", *_LEVELS)),
    default="never",
    show_default=True,
    help="Exit with 1 when there is a finding of this severity or worse; findings from experience "
    "alone do not count.",
)
@click.option(
    "--fail-under",
    type=click.IntRange(0, 100),
    metavar="SCORE",
    help="Exit with 1 when the score is lower.",
)
@remote_options("key_file", "headers", "cookies", "allow")
def seo(
    url: str,
    keywords: Sequence[str],
    competitor_url: str | None,
    render_js: bool,
    key_file: Path | None,
    headers: Sequence[str],
    cookies: Sequence[str],
    allow: Sequence[str],
    formats: Sequence[str],
    output: Path | None,
    fail_on: str,
    fail_under: int | None,
    remote: Remote | None,
) -> None:
    """Analyse how search engines and AI assistants find, read and show the page at URL.

    Indexing, title and description, content, links, structured data, previews, crawlers of
    assistants, signs of trust. Each finding says what it rests on: documented, studied, heuristic.

    \b
    Examples:
      mergegate seo example.org
      mergegate seo localhost:3000 --render-js --fail-on high
      mergegate seo https://example.org/tea --keyword "green tea, sencha"
      mergegate seo example.org --competitor-url https://example.com --format html=seo.html
      mergegate seo example.org --remote https://mergegate.example.org
    """
    wanted = outputs(formats, output, SEO_FORMATS)
    request = SeoRequest(
        visit=Visit(url=site_address(url), credentials=credentials(headers, cookies)),
        keywords=keywords_of(keywords),
        competitor=Visit(url=site_address(competitor_url)) if competitor_url else None,
    )
    known: Mapping[str, Format[SeoReport]] = SEO_FORMATS
    if remote:
        report, known = _remotely(request, remote, render_js=render_js)
    else:
        report = _analysed(request, allow, access(key_file), render_js=render_js)
    write_all(report, wanted, known)
    sys.exit(_decided(report, fail_on, fail_under))


def _remotely(
    request: SeoRequest, remote: Remote, *, render_js: bool
) -> tuple[SeoReport, Mapping[str, Format[SeoReport]]]:
    from mergegate.site.seo.wire.result import read_seo  # noqa: PLC0415

    given: Mapping[str, object] = {
        "keyword": ", ".join(request.keywords),
        "competitorUrl": request.competitor.url if request.competitor else None,
        "renderJs": render_js,
    }
    body = {"url": request.visit.url} | {name: it for name, it in given.items() if it}
    report, content = remote.report_on(request.visit.url, Order(Tool.SEO, body), read_seo)
    _check(report, request, remote, render_js=render_js)
    return report, answered(SEO_FORMATS, content)


_OLDER = "Is it older than this release? Leave the option out, or analyse the page here."


def _check(report: SeoReport, request: SeoRequest, remote: Remote, *, render_js: bool) -> None:
    """Raises EngineFailed where something that was asked for was not looked at."""
    looked_at = {one.keyword for one in report.keywords}
    if not looked_at.issuperset(request.keywords):
        raise EngineFailed(f"{remote.host.name} does not speak of every keyword", remedy=_OLDER)
    if render_js and report.facts.rendered is None:
        raise EngineFailed(f"{remote.host.name} has not rendered the page", remedy=_OLDER)


def access(key_file: Path | None, environment: Mapping[str, str] = os.environ) -> "Access | None":
    """What opens Search Console, the file before the variable; None when neither is given.

    Raises UsageError, which repeats nothing of a key.
    """
    with needing_packages("seo"):
        from mergegate.site.seo.gather import read_access  # noqa: PLC0415
    if key_file is not None:
        return read_access(_key(key_file))
    given = environment.get(CONSOLE_VARIABLE, "").strip()
    return read_access(given) if given else None


def _key(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_KEY + 1).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error


def _analysed(
    request: SeoRequest, allow: Sequence[str], console: "Access | None", *, render_js: bool
) -> SeoReport:
    with needing_packages("seo"):
        from mergegate.site.seo.tools import seo_toolbox  # noqa: PLC0415
    pages = [page.url for page in (request.visit, request.competitor) if page]
    with (
        shown_progress() as progress,
        seo_toolbox(
            policy(pages, allow),
            request.visit,
            render_js=render_js,
            console=console,
            progress=progress,
        ) as toolbox,
    ):
        return analyse(request, toolbox)


def _decided(report: SeoReport, fail_on: str, fail_under: int | None) -> int:
    """The exit code; an analysis that did not see everything may have missed what fails it."""
    if fail_on == "never" and fail_under is None:
        return PASSED
    reasons = [*_severe(report, fail_on), *_low(report, fail_under)]
    complain(reasons)
    if reasons:
        return FAILED
    complain(f"not judged: {gap}" for gap in report.gaps)
    return INCOMPLETE if report.gaps else PASSED


def _severe(report: SeoReport, fail_on: str) -> list[str]:
    if fail_on == "never":
        return []
    least = Severity.named(fail_on)
    found = [
        one for one in report.points if one.severity >= least and one.ground is not Ground.HEURISTIC
    ]
    return [f"{one.severity.label}: {one.title}" for one in found]


def _low(report: SeoReport, fail_under: int | None) -> list[str]:
    if fail_under is None or report.score >= fail_under:
        return []
    return [f"the score is {report.score}, less than {fail_under}"]
