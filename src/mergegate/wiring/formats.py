"""Every format of a report, by the name that ``--format`` takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mergegate.model.report import Report
from mergegate.report import (
    codequality,
    console,
    cyclonedx,
    gitlab,
    html,
    junit,
    markdown,
    sarif,
)
from mergegate.wire import to_json
from mergegate.wiring.cards import cards


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
    return console.render(
        report,
        width=surface.width,
        colour=surface.colour,
        ascii_only=not surface.unicode,
        verbose=surface.verbose,
    )


FORMATS: Mapping[str, Format[Report]] = {
    "console": Format("txt", _console),
    "json": Format("json", lambda report, _: to_json(report)),
    "markdown": Format("md", lambda report, _: markdown.render(report)),
    "html": Format("html", lambda report, _: html.render(report)),
    "sarif": Format("sarif", lambda report, _: sarif.render(report, cards=cards())),
    "codequality": Format("codequality.json", lambda report, _: codequality.render(report)),
    "gitlab": Format("", lambda report, _: gitlab.sast.render(report), parts=gitlab.FILES),
    "junit": Format("junit.xml", lambda report, _: junit.render(report)),
    "cyclonedx": Format("cdx.json", lambda report, _: cyclonedx.render(report)),
}


def console_text(report: Report) -> str:
    """The report for a job's log: wide, plain, no line of it a command to the runner."""
    return _console(report, Surface(width=100))


def alerts(report: Report) -> str:
    """SARIF for a forge's list of alerts: what is suppressed does not come up there again."""
    return sarif.render(report, cards=cards(), inactive=False)
