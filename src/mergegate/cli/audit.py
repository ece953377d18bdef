"""``mergegate audit``."""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from mergegate.core.errors import UsageError
from mergegate.core.render.escape import terminal
from mergegate.remote.command import SHORT_AUDIT_FORMATS, Remote, refuse_formats, remote_options
from mergegate.sandbox.visit import Device, Throttling, Visit
from mergegate.site.address import site_address
from mergegate.site.audit.budget import VERSION, Budget, Key
from mergegate.site.audit.facts import Area
from mergegate.site.audit.report import AuditReport
from mergegate.site.audit.run import MOST_RUNS, AuditRequest
from mergegate.site.audit.run import audit as run_audit
from mergegate.site.audit.tools import audit_toolbox
from mergegate.site.audit.wire import budget as wire
from mergegate.site.audit.wire.result import Shape
from mergegate.site.deployment.outcome import SiteOutcome, SiteRules, judged
from mergegate.site.deployment.run import audited, thresholds
from mergegate.site.options import credentials, policy, site_options
from mergegate.site.render.figures import figure, name
from mergegate.site.render.formats import AUDIT_FORMATS, audit_formats
from mergegate.terminal.exits import PASSED, code_of
from mergegate.terminal.output import (
    Output,
    complain,
    outputs,
    point_to_files,
    refuse_link,
    report_options,
    write_all,
)
from mergegate.terminal.progress import shown_progress

_MODE = 0o644


def read_budget(file: Path) -> Budget:
    """The budget in ``file``; raises UsageError as :func:`wire.read` does, with the file's name."""
    try:
        with file.open("rb") as opened:
            content = opened.read(wire.LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error
    try:
        return wire.read(content)
    except UsageError as error:
        raise type(error)(f"{file}: {error.what}", remedy=error.remedy) from error


def old_budget(file: Path) -> Budget | None:
    """What a new budget would replace; None when there is no file, or an empty one.

    Raises UsageError when ``file`` is something else than a budget: it is not ours to replace.
    """
    try:
        if file.stat().st_size == 0:
            return None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error
    try:
        return read_budget(file)
    except UsageError as error:
        raise UsageError(
            f"{file} is not replaced: it holds no budget of version {VERSION}",
            remedy="Name another file, or remove it.",
        ) from error


def write_budget(budget: Budget, file: Path) -> None:
    """Write it at once or not at all, behind a link outside a work tree; raises UsageError."""
    refuse_link(file)
    draft, target = None, file.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            os.fchmod(descriptor, _MODE)
            out.write(wire.write(budget))
        Path(draft).replace(target)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}",
            remedy="Name a place that you may write to.",
        ) from error
    finally:
        # Also when a signal ends the command.
        if draft:
            with suppress(OSError):
                Path(draft).unlink(missing_ok=True)


def changes(old: Budget, new: Budget) -> Iterator[str]:
    """What differs, a line each; names of vendors are hostile text."""
    if old.device is not new.device:
        yield f"device: {old.device} → {new.device}"
    for key in Key:
        before, after = old.limits.of(key), new.limits.of(key)
        if before != after:
            yield f"{name(key)}: {figure(key, before)} → {figure(key, after)}"
    yield from (f"new third party: {one}" for one in sorted(set(new.vendors) - set(old.vendors)))
    yield from (f"third party gone: {one}" for one in sorted(set(old.vendors) - set(new.vendors)))


_SURE_RUNS = 3
"""What makes a violation certain (``audit.budget``)."""
_WORDS = frozenset({"never", "budget", "regression"})
_AREAS = ", ".join(Area)


@dataclass(frozen=True, slots=True)
class _Budgets:
    held_to: Budget | None
    old: Budget | None
    """What the file to be saved held."""
    file: Path | None


@click.command(
    epilog="Exit codes: 0 passed, 1 --fail-on failed, 2 usage or bad input, 3 incomplete."
)
@click.argument("url")
@click.option(
    "--budget",
    type=click.Path(path_type=Path),
    help="Hold the page to the budget in this file: tell what is slower, heavier or new.",
)
@click.option(
    "--save-budget",
    type=click.Path(path_type=Path),
    help="Write what was measured, plus 10 percent or a minimum margin, as the new budget; not "
    "when --fail-on fails.",
)
@click.option(
    "--device",
    type=click.Choice([one.value for one in Device]),
    help="What the page is loaded as. Default: the budget's device, else mobile.",
)
@click.option(
    "--runs",
    type=click.IntRange(1, MOST_RUNS),
    help="How often to load the page; medians are shown. Default: once, and twice more when near "
    "a threshold of the performance score or over the budget; 5 with --against.",
)
@click.option(
    "--throttling",
    type=click.Choice([one.value for one in Throttling]),
    default=Throttling.SIMULATE.value,
    show_default=True,
    help="simulate: computed, fast, for a first look. devtools: applied by the browser, about "
    "three times as slow and much steadier, for budgets in CI. provided: none.",
)
@click.option(
    "--against",
    metavar="URL",
    help="The page before the change: both are loaded in turn, and each figure is called better, "
    "worse, same or unsure.",
)
@site_options
@report_options(AUDIT_FORMATS)
@click.option(
    "--shape",
    type=click.Choice([one.value for one in Shape]),
    default=Shape.FLAT.value,
    show_default=True,
    help="Which of the API's two shapes JSON has.",
)
@click.option(
    "--fail-on",
    multiple=True,
    metavar="WHAT",
    help="Exit with 1 on: budget (a violation beyond the noise), regression (worse than --against, "
    f"beyond the noise), or a score below a number, as in performance=90 ({_AREAS}). Repeatable. "
    "Default: never, only report.",
)
@remote_options(
    *("device", "runs", "throttling", "against", "headers", "cookies", "allow"), cooldown=True
)
def audit(
    url: str,
    budget: Path | None,
    save_budget: Path | None,
    device: str | None,
    runs: int | None,
    throttling: str,
    against: str | None,
    headers: Sequence[str],
    cookies: Sequence[str],
    allow: Sequence[str],
    formats: Sequence[str],
    output: Path | None,
    shape: str,
    fail_on: Sequence[str],
    remote: Remote | None,
) -> None:
    """Audit the page at URL with Lighthouse: performance, SEO, accessibility, best practices.

    URL may be any host of your own, localhost too; without a scheme it is https, or http on this
    machine. With --against, --header and --cookie open both pages.

    \b
    Examples:
      mergegate audit example.org
      mergegate audit localhost:3000 --save-budget budget.json
      mergegate audit https://preview.example.org --budget budget.json --fail-on budget
      mergegate audit https://head.example.org --against https://base.example.org
      mergegate audit example.org --remote https://mergegate.example.org
    """
    known = audit_formats(Shape(shape))
    wanted = outputs(formats, output, known)
    rules = _rules(fail_on)
    budgets = _budgets(budget, save_budget)
    opened = credentials(headers, cookies)

    def visit(address: str) -> Visit:
        return Visit(
            url=site_address(address),
            device=_device(device, budgets.held_to),
            throttling=Throttling(throttling),
            credentials=opened,
        )

    request = AuditRequest(
        visit=visit(url),
        budget=budgets.held_to,
        runs=runs,
        against=visit(against) if against else None,
        thresholds=thresholds(rules),
    )
    _check(request, rules)
    if remote:
        _check_short(Shape(shape), wanted, budgets)
        sys.exit(_remotely(request, rules, budgets, wanted, remote, Shape(shape)))
    report = _audited(request, allow)
    write_all(report, wanted, known)
    code = _decided(_outcome(report, rules))
    _save(report.budget, budgets, passed=code == PASSED)
    sys.exit(code)


def _check_short(shape: Shape, wanted: Sequence[Output], budgets: _Budgets) -> None:
    """What the nested shape does not tell is refused before the audit counts as one."""
    if shape is Shape.FLAT:
        return
    why = "the nested shape has no figures"
    names = [one.format for one in wanted]
    refuse_formats(names, {name: why for name in AUDIT_FORMATS if name not in SHORT_AUDIT_FORMATS})
    if budgets.file or budgets.held_to:
        raise UsageError(f"{why}, and no budget", remedy="Leave --shape out.")


def _remotely(
    request: AuditRequest,
    rules: SiteRules,
    budgets: _Budgets,
    wanted: Sequence[Output],
    remote: Remote,
    shape: Shape,
) -> int:
    from mergegate.remote.audit import asked  # noqa: PLC0415 - it speaks HTTP

    done = asked(request, remote, nested=shape is Shape.NESTED)
    done.write(wanted, AUDIT_FORMATS)
    point_to_files(wanted)
    code = _decided(done.outcome(request.visit.url, rules))
    if budgets.file:
        _save(done.budget, budgets, passed=code == PASSED)
    return code


def _audited(request: AuditRequest, allow: Sequence[str]) -> AuditReport:
    pages = [page.url for page in (request.visit, request.against) if page]
    with (
        shown_progress() as progress,
        audit_toolbox(policy(pages, allow), progress=progress) as toolbox,
    ):
        return run_audit(request, toolbox)


def _budgets(held_to: Path | None, file: Path | None) -> _Budgets:
    """Both files are read before the audit: a mistake in one costs no time."""
    return _Budgets(
        held_to=read_budget(held_to) if held_to else None,
        old=old_budget(file) if file else None,
        file=file,
    )


def _device(given: str | None, budget: Budget | None) -> Device:
    if given is not None:
        return Device(given)
    return budget.device if budget else Device.MOBILE


def _rules(fail_on: Sequence[str]) -> SiteRules:
    if "never" in fail_on and len(fail_on) > 1:
        raise UsageError("--fail-on never stands alone", remedy="Leave it or the others out.")
    return SiteRules(
        over_budget="budget" in fail_on,
        regressions="regression" in fail_on,
        minimum_scores=dict(_minimum(one) for one in fail_on if one not in _WORDS),
    )


def _minimum(text: str) -> tuple[Area, int]:
    area, _, least = text.partition("=")
    try:
        found = Area(area), int(least)
    except ValueError:
        found = None
    if found is None or not 0 <= found[1] <= 100:
        raise UsageError(
            f"--fail-on {text!r} cannot be read",
            remedy=f"It takes budget, regression, or a score as in performance=90 ({_AREAS}).",
        )
    return found


def _check(request: AuditRequest, rules: SiteRules) -> None:
    if rules.regressions and request.against is None:
        raise UsageError(
            "--fail-on regression needs a page to compare with", remedy="Add --against URL."
        )
    if not rules.over_budget:
        return
    if request.budget is None:
        raise UsageError("--fail-on budget needs a budget", remedy="Add --budget FILE.")
    if request.runs is not None and request.runs < _SURE_RUNS:
        raise UsageError(
            f"--fail-on budget needs {_SURE_RUNS} runs: fewer are within the noise",
            remedy="Leave --runs out, or raise it.",
        )


def _save(budget: Budget, budgets: _Budgets, *, passed: bool) -> None:
    """What fails today must not be what is allowed tomorrow."""
    if budgets.file is None:
        return
    if not passed:
        click.echo(f"{budgets.file}: left as it was, for the audit did not pass", err=True)
        return
    write_budget(budget, budgets.file)
    lines = list(changes(budgets.old, budget)) if budgets.old else ["new"]
    for line in lines or ["unchanged"]:
        click.echo(f"{budgets.file}: {terminal(line)}", err=True)


def _outcome(report: AuditReport, rules: SiteRules) -> SiteOutcome:
    return judged(
        SiteOutcome(
            url=report.url,
            device=report.device.value,
            audited=audited(report),
            rules=rules,
        )
    )


def _decided(outcome: SiteOutcome) -> int:
    """The exit code; the reasons are said."""
    complain(outcome.verdict.reasons)
    return code_of(outcome.verdict.gate)
