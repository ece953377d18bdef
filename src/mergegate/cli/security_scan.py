"""``mergegate security-scan``."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from mergegate.core.plans import Tool
from mergegate.core.render.formats import Format
from mergegate.core.render.wording import BROKEN
from mergegate.core.severity import Severity
from mergegate.remote.command import Remote, answered, remote_options
from mergegate.remote.host import Order
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Visit
from mergegate.site.address import site_address
from mergegate.site.options import credentials, needing_packages, policy, site_options
from mergegate.site.render.formats import SECURITY_FORMATS
from mergegate.site.security.report import SecurityReport
from mergegate.terminal.exits import FAILED, INCOMPLETE, PASSED
from mergegate.terminal.output import complain, outputs, report_options, write_all
from mergegate.terminal.progress import shown_progress

_NEVER = "never"
_GATES = tuple(one.label for one in reversed(Severity) if one is not Severity.INFO)


@click.command(
    "security-scan",
    epilog="Exit codes: 0 scanned, 1 a finding of that severity or worse with --fail-on, 2 usage "
    "or bad input, 3 the page could not be scanned, or with --fail-on not all of it.",
)
@click.argument("url")
@click.option(
    "--render-js",
    is_flag=True,
    help="Open the page in a browser too: see what its scripts load and set, and prove a content "
    "security policy by reloading the page under it.",
)
@site_options
@click.option("--verbose", "-v", is_flag=True, help="List every finding in the terminal.")
@report_options(SECURITY_FORMATS)
@click.option(
    "--fail-on",
    type=click.Choice((_NEVER, *_GATES)),
    default=_NEVER,
    show_default=True,
    help="Exit with 1 when there is a finding of this severity or worse, or never.",
)
@remote_options("render_js", "headers", "cookies", "allow")
def security_scan(
    url: str,
    render_js: bool,
    headers: Sequence[str],
    cookies: Sequence[str],
    allow: Sequence[str],
    verbose: bool,
    formats: Sequence[str],
    output: Path | None,
    fail_on: str,
    remote: Remote | None,
) -> None:
    """Look at the page at URL and what belongs to it, and tell what is unsafe about it.

    Security headers, exposed secrets, forged requests, mixed content, cookies, files of other
    hosts, vulnerable libraries, TLS. It reads what every visitor gets, and attacks nothing.

    \b
    Examples:
      mergegate security-scan https://preview.example.org
      mergegate security-scan https://preview.example.org --render-js --fail-on high
      mergegate security-scan localhost:3000 --format json=scan.json --format html=scan.html
      mergegate security-scan https://preview.example.org --header @headers.txt
      mergegate security-scan example.org --remote https://mergegate.example.org
    """
    wanted = outputs(formats, output, SECURITY_FORMATS)
    address = site_address(url)
    known: Mapping[str, Format[SecurityReport]] = SECURITY_FORMATS
    if remote:
        report, known = _remotely(address, remote)
    else:
        visit = Visit(url=address, credentials=credentials(headers, cookies))
        report = _scanned(visit, policy([address], allow), render_js=render_js)
    write_all(report, wanted, known, verbose=verbose)
    sys.exit(_decided(report, fail_on))


def _scanned(visit: Visit, reach: Policy, *, render_js: bool) -> SecurityReport:
    with needing_packages("security-scan"):
        from mergegate.site.security.run import SecurityRequest, secure  # noqa: PLC0415
        from mergegate.site.security.tools import security_toolbox  # noqa: PLC0415
    with (
        shown_progress() as progress,
        security_toolbox(reach, visit, render_js=render_js, progress=progress) as toolbox,
    ):
        return secure(SecurityRequest(visit=visit, render_js=render_js), toolbox)


def _remotely(
    address: str, remote: Remote
) -> tuple[SecurityReport, Mapping[str, Format[SecurityReport]]]:
    from mergegate.site.security.wire.result import read_security_scan  # noqa: PLC0415

    order = Order(Tool.SECURITY_SCAN, {"url": address})
    report, content = remote.report_on(address, order, read_security_scan)
    return report, answered(SECURITY_FORMATS, content)


def _decided(report: SecurityReport, fail_on: str) -> int:
    """The exit code; a scan that has not seen all cannot tell that nothing is there."""
    if fail_on == _NEVER:
        return PASSED
    least = Severity.named(fail_on)
    if any(one.severity >= least for one in report.flaws):
        return FAILED
    broken = [f"{one.name} failed: {one.reason}" for one in report.engines if one.status in BROKEN]
    unseen = [f"not judged: {one}" for one in report.gaps]
    complain((*broken, *unseen))
    return INCOMPLETE if broken or unseen else PASSED
