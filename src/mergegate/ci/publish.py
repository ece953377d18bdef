"""``mergegate publish``: the second, trusted half for changes from forks."""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mergegate.ci.answering import Publisher
from mergegate.ci.checkout import Checkout, fetched
from mergegate.ci.claims import Claims, claims
from mergegate.ci.forging import Key, ci_context, forge_key, proposed_change
from mergegate.ci.options import NONE, Job, chosen, job, settings, usual
from mergegate.ci.output import say
from mergegate.ci.scanning import scanned, shown
from mergegate.core.change import Change
from mergegate.core.errors import Failed, MergegateError, UsageError
from mergegate.core.plans import REPOSITORY
from mergegate.core.render.escape import visible
from mergegate.core.report import Report
from mergegate.core.score import decided
from mergegate.forges.context import CiContext
from mergegate.repo.policy import choose_policy
from mergegate.repo.settings import SitePolicy
from mergegate.sandbox.git.clone import AccessRefused, TokenRefused
from mergegate.sandbox.process.deny_ptrace import deny_ptrace
from mergegate.secrets.places import shown_name
from mergegate.terminal.exits import INCOMPLETE, PASSED

_SETTINGS = (
    "path",
    "only",
    "fail-on",
    "fail-change-on",
    "comment",
    "review",
    "commands",
    "offline",
)
_MAY_NOT_READ = (AccessRefused, TokenRefused)
_SITE = "The site was looked at by the change's own job alone, and nobody vouches for what it says."
_HELD_SITE = (
    "The policy holds the site of a change to rules, and at most the change's own job has looked at"
    " it: whoever trusts it merges past this check, or pushes the change to this repository."
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@settings(*_SETTINGS)
def publish(file: Path, **values: Any) -> None:
    """Scan a change from a fork as plain files, and post the answer.

    Runs in a workflow of the default branch on `workflow_run`. Nothing of the change is run: its
    commit is fetched, with `contents: read`, and scanned here, and the check rests on that scan.
    FILE is the report that the change's own job has left as an artifact, which its author may
    have written: what it says beyond that scan is told as its own word, and passes nothing.

    \b
    Example:
      mergegate publish mergegate-report/mergegate.json
    """
    deny_ptrace()
    around = ci_context(os.environ)
    key = _key(around, os.environ)
    change = _change(around, key)
    if change is None:
        say("the pull request has been closed or has moved on: there is nothing to answer")
        return
    try:
        wanted = _job(values)
    except UsageError as error:
        named = {"comment": values["comment"]}
        Publisher(job(usual() | named), around, change, os.environ).withdraw(error)
        raise
    sys.exit(_answered(wanted, around, change, key, file))


def _answered(job: Job, around: CiContext, change: Change, key: Key, file: Path) -> int:
    """Scan, then compare and publish; 3 where nothing could be scanned."""
    said = claims(file, change)
    if said.refused:
        say(f"the report of the change's own job is not taken: {said.refused}")
    try:
        with fetched(job.path, around, change, key.token, os.environ) as here:
            _publish(job, here, said)
    except MergegateError as error:
        desk = Publisher(job, around, change, os.environ, said.beyond(None))
        desk.refuse(Failed(error.code, f"{visible(error.what)}."), _remedy(error))
        say(f"incomplete: {error}")
        return INCOMPLETE
    except Exception as error:
        Publisher(job, around, change, os.environ, said.beyond(None)).withdraw(error)
        raise
    return PASSED


def _publish(job: Job, here: Checkout, said: Claims) -> None:
    """The answer rests on what is scanned here; of the site there is its job's word alone."""
    found = scanned(job, here, os.environ)
    report = replace(_named(found.report, here.change), site=said.site)
    report = decided(report, chosen(job.fail_on, report), REPOSITORY)
    rules = choose_policy(here.root, here.repository, found.base).policy.site
    held = here.change.from_fork and rules != SitePolicy()
    desk = Publisher(
        job,
        here.around,
        here.change,
        os.environ,
        claimed=said.beyond(report),
        unverified=_HELD_SITE if held else _SITE if said.site else "",
        is_held=held,
    )
    desk.answer(report, shown(here, found.base))


def _named(report: Report, change: Change) -> Report:
    """What was fetched has no remote that would tell whose it is."""
    owner, _, repo = change.repository.rpartition("/")
    provider = change.provider.value if change.provider else None
    branch = shown_name(change.branch)
    target = replace(report.target, provider=provider, owner=owner, repo=repo, branch=branch)
    return replace(report, target=target)


def _remedy(error: MergegateError) -> str:
    if isinstance(error, _MAY_NOT_READ):
        return "Grant the second workflow `contents: read`, then run it again."
    return error.remedy or "Run the second workflow again, or scan the change by `mergegate scan`."


def _key(around: CiContext, environment: Mapping[str, str]) -> Key:
    if around.finished is None or around.change.head is None:
        raise UsageError(
            "this is no job on `workflow_run`",
            remedy="`mergegate ci` posts for changes that are not from forks.",
        )
    key = forge_key(around, environment)
    if key is None:
        raise UsageError("there is no token to post with", remedy="Set MERGEGATE_TOKEN.")
    return key


def _change(around: CiContext, key: Key) -> Change | None:
    """The change by the platform's word; None when it is no longer open at that commit."""
    if around.finished is None:
        return None
    return proposed_change(around, around.change, around.finished.head_repository, key)


def _job(values: dict[str, Any]) -> Job:
    return job(usual() | values | {"formats": "", "site_url": NONE})
