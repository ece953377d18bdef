"""Annotations through the log of a GitHub job: for runs whose token may write nothing."""

from collections.abc import Sequence

from mergegate.ci.annotations import annotations
from mergegate.core.render import escape
from mergegate.core.report import Report
from mergegate.core.severity import Severity
from mergegate.forges.publication import Annotation
from mergegate.repo.report.entries import origins

MOST = 10
"""Of each kind; GitHub drops what a step writes beyond
(https://docs.github.com/en/rest/checks/runs)."""
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def render(report: Report) -> str:
    """One command a line, worst first; findings for information are left out.

    Critical and high are errors, the others warnings. A last line tells how many were left out.
    Empty without findings; else it ends with a line break.
    """
    worth = [one for one in annotations(report) if one.severity > Severity.INFO]
    errors = [one for one in worth if one.severity >= Severity.HIGH]
    warnings = [one for one in worth if one.severity < Severity.HIGH]
    total = sum(one.severity > Severity.INFO for one in origins(report).brought)
    shown = (*_commands("error", errors), *_commands("warning", warnings))
    lines = [*shown, *_rest(len(shown), total)]
    return "".join(f"{line}\n" for line in lines)


def _commands(kind: str, found: Sequence[Annotation]) -> tuple[str, ...]:
    return tuple(_command(kind, one) for one in found[:MOST])


def _command(kind: str, one: Annotation) -> str:
    title = escape.terminal(f"{one.severity.label.capitalize()}: {one.title}")
    properties = {
        "file": one.path,
        "line": str(one.start_line),
        "endLine": str(one.end_line),
        "title": title,
    }
    # One pass: the percent sign of an escape is not escaped again.
    listed = ",".join(f"{name}={text.translate(_PROPERTY)}" for name, text in properties.items())
    return f"::{kind} {listed}::{escape.terminal(one.message).translate(_DATA)}"


def _rest(shown: int, total: int) -> tuple[str, ...]:
    if shown == total:
        return ()
    return (f"::notice::Shown {shown:,} of {total:,} findings, worst first",)
