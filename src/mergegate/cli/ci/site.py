"""The site of the change: where it is, what it is held to, and its reports beside the code's."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mergegate import wiring
from mergegate.cli.ci.log import say
from mergegate.cli.ci.options import AUTO, Job
from mergegate.cli.ci.scanning import NO_ADDRESS, Place, site_of
from mergegate.cli.output import Output, write_as
from mergegate.cli.site import credentials
from mergegate.deployed import SiteChecked, SiteRequest, SiteTools, check_site, unseen
from mergegate.errors import EngineError, EngineMissing, TargetError, UsageError
from mergegate.model.budget import Budget, Device
from mergegate.model.site.outcome import SiteRules
from mergegate.model.site.visit import Credentials, Visit
from mergegate.report.escape import terminal
from mergegate.wire import budget as wire
from mergegate.wiring.site_formats import AUDIT_FORMATS, TEST_FORMATS
from mergegate.world.egress import Policy
from mergegate.world.files import read_regular
from mergegate.world.outbox import outbox
from mergegate.world.serving import command_served, folder_served
from mergegate.world.site_address import policy_for, site_address


@dataclass(frozen=True, slots=True)
class _Site:
    """Where the site is, and whether its owner said so."""

    url: str
    configured: bool
    """False for what an event says: then nothing but the public internet is reached."""


def looked_at(
    where: str, job: Job, here: Place, base: str | None, environment: Mapping[str, str]
) -> SiteChecked:
    """Look at the site that ``site_of`` names.

    A site that does not answer is a gap of the outcome. Raises UsageError for settings that
    cannot be.
    """
    rules = _rules(job, here, base)
    say(f"looking at the site: {terminal(where)}")
    budget = _budget(job, here, base)
    opened = credentials((), (), environment)
    try:
        with _served(job, here, environment) as site:
            return _checked(job, site, budget, rules, opened)
    except (TargetError, EngineError) as error:
        say(f"the site was not looked at: {error}")
        return unseen(where, error.what, rules)


def write_site_reports(checked: SiteChecked, job: Job, workspace: Path) -> None:
    """``site-audit.<extension>`` and ``browser-test.<extension>``, each format that there is."""
    with outbox(workspace, job.report) as folder:
        for name in job.formats:
            if checked.audit and (form := AUDIT_FORMATS.get(name)):
                file = folder / f"site-audit.{form.extension}"
                write_as(checked.audit, Output(name, file), AUDIT_FORMATS)
            if checked.test and (known := TEST_FORMATS.get(name)):
                file = folder / f"browser-test.{known.extension}"
                write_as(checked.test, Output(name, file), TEST_FORMATS)


@contextmanager
def _served(job: Job, here: Place, environment: Mapping[str, str]) -> Iterator[_Site]:
    with ExitStack() as stack:
        if job.site_folder:
            folder = here.around.workspace / job.site_folder
            yield _Site(stack.enter_context(folder_served(folder)), configured=True)
            return
        if job.site_url in NO_ADDRESS:
            yield _Site(site_address(site_of(job, here) or ""), configured=False)
            return
        url = site_address(job.site_url)
        if job.site_command:
            argv = _words(job.site_command)
            stack.enter_context(
                command_served(argv, here.around.workspace, url, environment=environment)
            )
        yield _Site(url, configured=True)


def _words(command: str) -> list[str]:
    """No shell reads it: words and quotes alone mean something."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError("site-command cannot be read: a quote is not closed") from error
    if not words:
        raise UsageError("site-command is empty")
    return words


def _checked(
    job: Job, site: _Site, budget: Budget | None, rules: SiteRules, opened: Credentials
) -> SiteChecked:
    device = budget.device if budget and job.site_device == AUTO else _device(job.site_device)
    against = site_address(job.site_base_url) if job.site_base_url else None
    request = SiteRequest(
        visit=Visit(url=site.url, device=device, credentials=opened),
        against=Visit(url=against, device=device, credentials=opened) if against else None,
        budget=budget,
        rules=rules,
    )
    allowed = [*([site.url] if site.configured else []), *([against] if against else [])]
    return check_site(request, _tools(policy_for(*allowed), job.site_pages))


def _tools(policy: Policy, pages: int) -> SiteTools:
    """Raises EngineMissing where only repositories can be scanned, as in the image ``slim``."""
    try:
        from mergegate.wiring.deployed import site_tools  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise EngineMissing(
            "the site tools are not installed here",
            remedy="Use the image `full`, or install `mergegate[site]`.",
        ) from error
    return site_tools(policy, pages=pages)


def _device(name: str) -> Device:
    return Device.MOBILE if name == AUTO else Device(name)


def _rules(job: Job, here: Place, base: str | None) -> SiteRules:
    """As the policy says that rules the rest of the scan."""
    if job.policy:
        return wiring.policy_from(job.policy).site.rules
    return wiring.repository_policy(here.root, here.repository, base).site.rules


def _budget(job: Job, here: Place, base: str | None) -> Budget | None:
    """The base's, where it has one: a change cannot loosen its own budget."""
    if not job.site_budget:
        return None
    if base and (content := here.repository.content(base, job.site_budget)):
        return wire.read(content)
    try:
        return wire.read(read_regular(here.root / job.site_budget, wire.LARGEST_BYTES + 1))
    except OSError as error:
        raise UsageError(
            f"the budget {job.site_budget} cannot be read: {error.strerror}",
            remedy="`mergegate audit URL --save-budget FILE` writes one.",
        ) from error
