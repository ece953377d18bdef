"""The site of the change: where it is, what it is held to, and its reports beside the code's."""

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mergegate.ci.checkout import Checkout
from mergegate.ci.options import AUTO, NO_ADDRESS, Job
from mergegate.ci.output import say
from mergegate.ci.scanning import is_delegated, site_of
from mergegate.core.errors import (
    EngineError,
    EngineMissing,
    TargetError,
    TargetNotAllowed,
    UsageError,
)
from mergegate.core.render.formats import Format
from mergegate.repo.policy import choose_policy
from mergegate.repo.settings import SitePolicy
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.files.outbox import outbox
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.visit import Credentials, Device, Visit
from mergegate.sandbox.web.serving import command_served, folder_served
from mergegate.site.address import policy_for, site_address
from mergegate.site.audit.budget import (
    Budget,
)
from mergegate.site.audit.facts import Area
from mergegate.site.audit.wire import budget as wire
from mergegate.site.deployment.outcome import SiteRules
from mergegate.site.deployment.run import SiteChecked, SiteRequest, SiteTools, check_site, unseen
from mergegate.site.options import credentials
from mergegate.site.render.formats import AUDIT_FORMATS, TEST_FORMATS
from mergegate.terminal.output import Output, R, write


@dataclass(frozen=True, slots=True)
class _Site:
    """Where the site is, and whether its owner said so."""

    url: str
    configured: bool
    """False for what an event says: then nothing but the public internet is reached."""


def looked_at(
    where: str, job: Job, here: Checkout, base: str | None, environment: Mapping[str, str]
) -> SiteChecked:
    """Look at the site that ``site_of`` names.

    A site that does not answer is a gap of the outcome. Raises UsageError for settings that
    cannot be.
    """
    rules = _rules(job, here, base)
    say(f"looking at the site: {where}")
    budget = _budget(job, here, base)
    opened = credentials((), (), environment)
    try:
        with _served(job, here, environment) as site:
            there = _tools_there(job, here, environment)
            return _checked(job, site, budget, rules, opened, there)
    except (TargetError, EngineError) as error:
        say(f"the site was not looked at: {error}")
        return unseen(where, str(error).removesuffix("."), rules)


def write_site_reports(checked: SiteChecked, job: Job, workspace: Path) -> None:
    """``site-audit.<extension>`` and ``browser-test.<extension>``, each format that there is."""
    with outbox(workspace, job.report) as folder:
        for name in job.formats:
            _write(checked.audit, folder / "site-audit", name, AUDIT_FORMATS)
            _write(checked.test, folder / "browser-test", name, TEST_FORMATS)


def _write(report: R | None, stem: Path, name: str, known: Mapping[str, Format[R]]) -> None:
    if report is not None and (form := known.get(name)):
        write(report, Output(name, Path(f"{stem}.{form.extension}")), known)


@contextmanager
def _served(job: Job, here: Checkout, environment: Mapping[str, str]) -> Iterator[_Site]:
    with ExitStack() as stack:
        if job.site_folder:
            folder = _built(here.around.workspace, job.site_folder)
            yield _Site(stack.enter_context(folder_served(folder)), configured=True)
            return
        if job.site_url in NO_ADDRESS:
            yield _Site(_announced(site_of(job, here) or ""), configured=False)
            return
        url = site_address(job.site_url)
        if job.site_command:
            argv = _words(job.site_command)
            stack.enter_context(
                command_served(argv, here.around.workspace, url, environment=environment)
            )
        yield _Site(url, configured=True)


def _announced(url: str) -> str:
    """The address that an event names; raises TargetError, for no setting is wrong."""
    try:
        return site_address(url)
    except UsageError as error:
        raise TargetNotAllowed(
            f"what the deployment names cannot be visited: {error.what}",
            remedy="Let whoever deploys name the page's address, or set `site-url`.",
        ) from error


def _built(workspace: Path, name: Path) -> Path:
    """The folder with the site, where no link of the change's has put another in its place.

    Its pages run, and may send what lies beside them to anyone. An absolute path elsewhere is the
    caller's own business. Raises UsageError and TargetError.
    """
    top = workspace.resolve()
    folder = Path(os.path.normpath(top / name))
    if not (folder.is_relative_to(top) or name.is_absolute()):
        raise UsageError(f"site-folder {name} is not below the work tree")
    if not folder.is_dir():
        raise TargetError(f"{name} is no folder", remedy="Build the site before this job.")
    if folder.is_relative_to(top) and folder.resolve() != folder:
        raise TargetError(f"{name} is a link, or lies behind one")
    if (folder / ".git").exists():
        raise UsageError(
            f"site-folder {name} holds the repository itself, which would be served as well",
            remedy="Put the site into a folder of its own.",
        )
    return folder


def _words(command: str) -> list[str]:
    """The words of a command line; quotes are honoured, and no shell is involved."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError("site-command cannot be read: a quote is not closed") from error
    if not words:
        raise UsageError("site-command is empty")
    return words


def _checked(
    job: Job,
    site: _Site,
    budget: Budget | None,
    rules: SiteRules,
    opened: Credentials,
    there: SiteTools | None,
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
    return check_site(request, there or _tools(policy_for(*allowed), job.site_pages))


def _tools_there(job: Job, here: Checkout, environment: Mapping[str, str]) -> SiteTools | None:
    """The host's tools; None without a host, and for what is served here: no host reaches it."""
    if not is_delegated(job, here.change) or job.site_folder or job.site_command:
        return None
    from mergegate.ci import remote  # noqa: PLC0415 - it speaks HTTP

    return remote.site_tools(remote.host_of(job, environment), job.site_pages, environment)


def _tools(policy: Policy, pages: int) -> SiteTools:
    """Raises EngineMissing where only repositories can be scanned, as in the image ``slim``."""
    try:
        from mergegate.ci.deployed import site_tools  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise EngineMissing(
            "the site tools are not installed here",
            remedy="Use the image `full`, or install Mergegate's extra `site`.",
        ) from error
    return site_tools(policy, pages=pages)


def _device(name: str) -> Device:
    return Device.MOBILE if name == AUTO else Device(name)


def _rules(job: Job, here: Checkout, base: str | None) -> SiteRules:
    """The rules for the site in the policy that the rest of the scan obeys."""
    chosen = choose_policy(here.root, here.repository, base, job.policy)
    return site_rules(chosen.policy.site)


def site_rules(policy: SitePolicy) -> SiteRules:
    """What the site's verdict is drawn by."""
    least = policy.minimum_scores.model_dump(by_alias=True, exclude_none=True)
    return SiteRules(
        minimum_scores={Area(name): score for name, score in least.items()},
        most_browser_errors=policy.browser_errors,
        over_budget=policy.over_budget == "fail",
        regressions=policy.regressions == "fail",
    )


def _budget(job: Job, here: Checkout, base: str | None) -> Budget | None:
    """The base's, where it has one: a change cannot loosen its own budget."""
    if not job.site_budget:
        return None
    content = here.repository.content(base, job.site_budget) if base else None
    where = f"{job.site_budget} of the base" if content else job.site_budget
    try:
        return wire.read(content or _budget_here(here.root / job.site_budget))
    except UsageError as error:
        raise type(error)(f"the budget {where}: {error.what}", remedy=error.remedy) from error


def _budget_here(file: Path) -> bytes:
    try:
        return read_regular(file, wire.LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"it cannot be read: {error.strerror}",
            remedy="`mergegate audit URL --save-budget FILE` writes one.",
        ) from error
