"""Every format of a report, by the name that ``--format`` takes.

What writes a format is loaded when it is asked for.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mergegate.core.render.formats import Format, Surface, anywhere, late
from mergegate.core.report import Report


def _console(report: Report, surface: Surface) -> str:
    from mergegate.repo.report import console  # noqa: PLC0415

    return console.render(
        report,
        width=surface.width,
        colour=surface.colour,
        ascii_only=not surface.unicode,
        verbose=surface.verbose,
        quiet=surface.quiet,
    )


def _json(report: Report, _: Surface) -> str:
    from mergegate.repo.wire import to_json  # noqa: PLC0415

    return to_json(report)


def _sarif(report: Report, *, inactive: bool = True) -> str:
    from mergegate.repo.checks import all_rules  # noqa: PLC0415
    from mergegate.repo.report import sarif  # noqa: PLC0415

    return sarif.render(report, known=all_rules(), inactive=inactive)


_GITLAB = "mergegate.repo.report.gitlab"
GITLAB_FILES: Mapping[str, Callable[[Report], str]] = MappingProxyType(
    {
        "gl-sast-report.json": late(_GITLAB, "sast"),
        "gl-secret-detection-report.json": late(_GITLAB, "secrets"),
        "gl-dependency-scanning-report.json": late(_GITLAB, "dependencies"),
        "gl-code-quality-report.json": late("mergegate.repo.report.codequality"),
    }
)
"""What a GitLab job hands over under ``artifacts: reports``, named as by GitLab's own analysers."""
FORMATS: Mapping[str, Format[Report]] = {
    "console": Format("txt", _console),
    "json": Format("json", _json),
    "markdown": Format("md", anywhere(late("mergegate.repo.report.markdown"))),
    "html": Format("html", anywhere(late("mergegate.repo.report.html"))),
    "sarif": Format("sarif", anywhere(_sarif)),
    "codequality": Format("codequality.json", anywhere(late("mergegate.repo.report.codequality"))),
    "gitlab": Format("", anywhere(late(_GITLAB, "sast")), parts=GITLAB_FILES),
    "junit": Format("junit.xml", anywhere(late("mergegate.repo.report.junit"))),
    "bundle": Format("bundle.json", anywhere(late("mergegate.repo.bundle"))),
    "attestation": Format("intoto.json", anywhere(late("mergegate.repo.attestation"))),
    "patch": Format("patch", anywhere(late("mergegate.repo.fixes.patch"))),
    "cyclonedx": Format("cdx.json", anywhere(late("mergegate.repo.report.cyclonedx"))),
}
OF_A_SCAN = frozenset({"bundle", "attestation", "patch"})
"""Formats that hold what a report was assembled from, which one that was read does not know."""


def console_text(report: Report) -> str:
    """The report for a job's log: wide, plain, no line of it a command to the runner."""
    return _console(report, Surface(width=100))


def alerts(report: Report) -> str:
    """SARIF for a forge's list of alerts: what is suppressed does not come up there again."""
    return _sarif(report, inactive=False)
