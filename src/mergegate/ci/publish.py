"""``mergegate publish``: the second, trusted half for changes from forks."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mergegate.ci.answering import Publisher
from mergegate.ci.forging import ci_context, forge_key, pull_request_of
from mergegate.ci.options import Job, chosen, job, level, settings, usual
from mergegate.ci.output import say
from mergegate.ci.publication import Shown
from mergegate.core.change import Change
from mergegate.core.errors import UsageError
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Report
from mergegate.core.score import decide, held_to
from mergegate.forges.context import CiContext
from mergegate.repo.wire import LARGEST_BYTES, read
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.process.deny_ptrace import deny_ptrace
from mergegate.site.deployment.reading import read_section

_WHOLE_FILE = ((1, 1 << 31),)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@settings("fail-on", "fail-change-on", "comment", "review", "commands")
def publish(file: Path, **values: Any) -> None:
    """Post the report in FILE, which a job without rights has left as an artifact.

    Runs in a workflow of the default branch on `workflow_run`, and trusts nothing of FILE: its
    schema, size, commit and repository are checked, score and gate are drawn anew, and its fixes
    are not offered for a click. Nothing of the change is checked out or run.

    \b
    Example:
      mergegate publish mergegate-report/mergegate.json
    """
    deny_ptrace()
    around = ci_context(os.environ)
    report = _harmless(read(_content(file), read_section))
    report = held_to(report, level(values["fail_change_on"]), REPOSITORY)
    change = _change(around, os.environ)
    if change is None:
        say("the pull request has been closed or has moved on: there is nothing to answer")
        return
    _belongs(report, change)
    fail_on = chosen(values["fail_on"], report)
    gate = decide(report, fail_on, REPOSITORY).gate
    desk = Publisher(_job(values, file), around, change, os.environ, fail_on)
    desk.answer(report, gate, _shown(report))


def _content(file: Path) -> bytes:
    try:
        return read_regular(file, LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}",
            remedy="Download the artifact of the first workflow before.",
        ) from error


def _harmless(report: Report) -> Report:
    """The report without fixes: a stranger may have made them, and one click would apply them."""
    return replace(report, fixes=())


def _change(around: CiContext, environment: Mapping[str, str]) -> Change | None:
    """The change by the platform's word; None when it is no longer open at that commit."""
    finished, known = around.finished, around.change
    if finished is None or known.head is None:
        raise UsageError(
            "this is no job on `workflow_run`",
            remedy="`mergegate ci` posts for changes that are not from forks.",
        )
    key = forge_key(around, environment)
    if key is None:
        raise UsageError("there is no token to post with", remedy="Set MERGEGATE_TOKEN.")
    number = pull_request_of(around, known, finished.head_repository, key)
    return replace(known, number=number) if number else None


def _belongs(report: Report, change: Change) -> None:
    target = report.target
    named = f"{target.owner}/{target.repo}".lower()
    if named != change.repository.lower():
        raise UsageError("the report is about another repository than this run")
    if change.head not in {target.commit, target.head}:
        raise UsageError("the report is about another commit than this run")


def _shown(report: Report) -> Shown:
    """There is no clone to ask, so every line is tried; the forge refuses those off the diff."""
    return {one.place.file: _WHOLE_FILE for one in report.findings}


def _job(values: Mapping[str, Any], file: Path) -> Job:
    return replace(
        job(usual()),
        fail_on=values["fail_on"],
        comment=values["comment"] == "true",
        review=int(values["review"]) if values["review"].isdecimal() else 0,
        commands=values["commands"] == "true",
        report=file.parent,
    )
