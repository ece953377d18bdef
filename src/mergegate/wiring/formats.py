"""Every format of a report, by the name that ``--format`` takes.

What writes a format is loaded when it is asked for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mergegate.model.report import Report
from mergegate.report import gitlab
from mergegate.report.late import late


@dataclass(frozen=True, slots=True)
class Surface:
    """Where a report will be read."""

    width: int = 80
    colour: bool = False
    unicode: bool = True
    verbose: bool = False
    """Findings for information one by one."""


R = TypeVar("R")
"""The report of one kind of scan."""


@dataclass(frozen=True, slots=True)
class Format(Generic[R]):
    """One entry of ``--format``."""

    extension: str
    """Without its dot; empty where the format is a folder."""
    render: Callable[[R, Surface], str]
    """One text: what standard output gets."""
    parts: Mapping[str, Callable[[R], str]] = field(default_factory=dict)
    """The files, by name, of a format that is a folder."""


def _console(report: Report, surface: Surface) -> str:
    from mergegate.report import console  # noqa: PLC0415

    return console.render(
        report,
        width=surface.width,
        colour=surface.colour,
        ascii_only=not surface.unicode,
        verbose=surface.verbose,
    )


def _json(report: Report, _: Surface) -> str:
    from mergegate.wire import to_json  # noqa: PLC0415

    return to_json(report)


def _sarif(report: Report, *, inactive: bool = True) -> str:
    from mergegate.report import sarif  # noqa: PLC0415
    from mergegate.wiring.cards import cards  # noqa: PLC0415

    return sarif.render(report, cards=cards(), inactive=inactive)


def anywhere(render: Callable[[R], str]) -> Callable[[R, Surface], str]:
    """For a format that looks the same wherever it is read."""
    return lambda report, _: render(report)


FORMATS: Mapping[str, Format[Report]] = {
    "console": Format("txt", _console),
    "json": Format("json", _json),
    "markdown": Format("md", anywhere(late("markdown"))),
    "html": Format("html", anywhere(late("html"))),
    "sarif": Format("sarif", anywhere(_sarif)),
    "codequality": Format("codequality.json", anywhere(late("codequality"))),
    "gitlab": Format("", anywhere(late("gitlab.sast")), parts=gitlab.FILES),
    "junit": Format("junit.xml", anywhere(late("junit"))),
    "cyclonedx": Format("cdx.json", anywhere(late("cyclonedx"))),
}


def console_text(report: Report) -> str:
    """The report for a job's log: wide, plain, no line of it a command to the runner."""
    return _console(report, Surface(width=100))


def alerts(report: Report) -> str:
    """SARIF for a forge's list of alerts: what is suppressed does not come up there again."""
    return _sarif(report, inactive=False)
