"""``mergegate scan``."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from mergegate.cli.fix import (
    Fixing,
    fix_options,
    fixes_of,
    shown_as_patch,
    tell_left_out,
    tell_of_tests,
)
from mergegate.core.errors import UsageError
from mergegate.core.plans import REPOSITORY
from mergegate.core.render.formats import Format
from mergegate.core.render.wording import counted, whole
from mergegate.core.report import Report
from mergegate.core.score import FailOn, decided, held_to
from mergegate.core.severity import Aspect, Severity
from mergegate.forges.environment import owner_at_github
from mergegate.remote.command import Remote, remote_options
from mergegate.repo.assemble import Assembly
from mergegate.repo.report.formats import FORMATS
from mergegate.repo.rules.history import version_of_rules
from mergegate.repo.scan import Request, Toolbox, target
from mergegate.repo.scan import scan as run_scan
from mergegate.repo.settings import CHANGE_LEVELS
from mergegate.repo.toolbox import Advised, scan_toolbox
from mergegate.terminal.exits import PASSED, code_of
from mergegate.terminal.output import (
    Output,
    check_writable,
    outputs,
    quietly,
    report_options,
    save,
    say,
    write_all,
)
from mergegate.terminal.parts import PARTS, parts_of
from mergegate.terminal.progress import shown_progress

_OF_THE_WHOLE = frozenset({"bundle", "attestation"})


@click.command(epilog="Exit codes: 0 passed, 1 gate failed, 2 usage or bad input, 3 incomplete.")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--base", metavar="REF", help="Measure the change from where HEAD left REF.")
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Measure the change from what FILE knows, where no base can be had.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write to FILE what is found, so that later scans know it; nothing found then fails.",
)
@click.option(
    "--import-sarif",
    metavar="FILE",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Judge what another scanner found as well; may be given several times.",
)
@click.option(
    "--import-sarif-base",
    metavar="FILE",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What it found in the base; else only what it finds on changed lines is new.",
)
@report_options(FORMATS)
@click.option(
    "--only",
    metavar="PARTS",
    shell_complete=lambda _, __, begun: [one for one in Aspect if one.startswith(begun)],
    help=f"Comma-separated parts of the scan: {PARTS}.",
)
@click.option(
    "--policy",
    "policy_file",
    type=click.Path(path_type=Path),
    help="Use this policy, not the repository's .mergegate.yml; of one in the repository, with a"
    " base, what the base holds.",
)
@click.option(
    "--fail-on",
    type=click.Choice([one.value for one in FailOn]),
    default="gate",
    show_default=True,
    help="Exit with 1 when the gate of the repository or of the change fails, only that of the"
    " change, or never.",
)
@click.option(
    "--fail-change-on",
    type=click.Choice(CHANGE_LEVELS),
    help="With a base: the severity of a new finding that fails the change, unless it is but a"
    " hint; by default what the policy says, else high.",
)
@click.option(
    "--rules-of",
    metavar="VERSION",
    help="Hold the repository to the rules of this version of Mergegate: what later ones tell is"
    " listed apart and does not fail its gate.",
)
@click.option("--offline", is_flag=True, help="Fetch nothing; use the advisory store as it is.")
@click.option("--no-cache", is_flag=True, help="Ask every engine anew and remember nothing.")
@click.option("--verbose", is_flag=True, help="Show findings for information one by one.")
@click.option("--watch", is_flag=True, help="Scan again whenever a file changes, until Ctrl-C.")
@click.option(
    "--show-prompts",
    is_flag=True,
    help="Print exactly what a language model would be sent, and send nothing.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict in one line, nothing else.")
@fix_options
@remote_options(
    *("only", "policy_file", "rules_of", "offline", "no_cache", "baseline", "write_baseline"),
    *("import_sarif", "import_sarif_base", "watch", "fix", "show_prompts"),
)
def scan(
    paths: tuple[Path, ...],
    base: str | None,
    baseline: Path | None,
    write_baseline: Path | None,
    import_sarif: tuple[Path, ...],
    import_sarif_base: tuple[Path, ...],
    formats: Sequence[str],
    output: Path | None,
    only: str | None,
    policy_file: Path | None,
    fail_on: str,
    fail_change_on: str | None,
    rules_of: str | None,
    offline: bool,
    no_cache: bool,
    verbose: bool,
    watch: bool,
    quiet: bool,
    remote: Remote | None,
    fixing: Fixing | None,
    show_prompts: bool,
) -> None:
    """Scan the repository at PATH: code, secrets, dependencies, infrastructure, quality.

    Without PATH it is the one in this folder. Of files, or of several folders, of one repository
    only these are searched and judged, and the report says so.

    \b
    Examples:
      mergegate scan
      mergegate scan --base origin/main --fail-on new
      mergegate scan app.py deploy/ --only code,iac
      mergegate scan --format html=report.html --format sarif=report.sarif
      mergegate scan --only secrets,code --json --output report.json
      mergegate scan --quiet && git push
      mergegate scan --rules-of 0.1.0
      mergegate scan --watch
      mergegate scan --write-baseline known.json
      mergegate scan --baseline known.json --fail-on new
      mergegate scan --import-sarif bandit.sarif --import-sarif eslint.sarif
      mergegate scan --fix --dry-run
      mergegate scan --fix --only-rule python-yaml-load
      mergegate scan --fix --test-command "npm test"
      mergegate scan --format patch=fixes.patch && git apply fixes.patch
      mergegate scan --remote https://mergegate.example.org
    """
    _refuse_opposites(fail_on, base, baseline, quiet=quiet, verbose=verbose)
    wanted = _wanted(formats, output, fixing, quiet=quiet)
    root, part = target(paths)
    if part:
        _refuse_part(wanted, remote, write_baseline)
    if write_baseline:
        fail_on = _to_write(write_baseline, fail_on)
    request = Request(
        root=root,
        only=part,
        aspects=parts_of(only),
        base=base,
        policy=policy_file,
        rules_of=version_of_rules(rules_of) if rules_of else None,
        baseline=baseline,
        sarif=import_sarif,
        base_sarif=import_sarif_base,
        fixes_of=fixes_of(fixing, wanted),
        tests=fixing.gate(root) if fixing else None,
    )
    names = tuple(one.format for one in wanted)
    scanner = _Scanner(
        request, remote, names, fail_on, fail_change_on, offline, no_cache, quiet=quiet
    )

    def show(report: Report) -> None:
        write_all(report, wanted, scanner.known, verbose=verbose, quiet=quiet)
        tell_left_out(report, wanted)

    def renew(report: Report) -> None:
        files = [one for one in wanted if one.file]
        write_all(report, files, scanner.known, verbose=verbose, quiet=True)

    if watch or show_prompts:
        watching = partial(_watched, request, wanted, scanner.report, show, renew)
        sys.exit(_show_prompts(scanner) if show_prompts else watching())
    report = scanner.report()
    tell_of_tests(request.tests)
    if fixing and fixing.carry_out(report, root):
        report = scanner.report()
    show(report)
    if write_baseline:
        _write_baseline(report, write_baseline, quiet=quiet)
    sys.exit(code_of(whole(report).gate))


def _wanted(
    formats: Sequence[str], output: Path | None, fixing: Fixing | None, *, quiet: bool
) -> tuple[Output, ...]:
    wanted = outputs(formats, output, FORMATS)
    if quiet:
        wanted = quietly(wanted)
    return shown_as_patch(wanted) if fixing and fixing.dry_run else wanted


@dataclass
class _Scanner:
    """Scans as often as it is asked to, and judges; what it has learnt stays."""

    request: Request
    remote: Remote | None
    formats: tuple[str, ...]
    fail_on: str
    fail_change_on: str | None
    offline: bool
    no_cache: bool
    quiet: bool
    prompts: list[str] | None = None
    """Collects what a model would be asked; None where it is asked."""
    known: Mapping[str, Format[Report]] = field(default_factory=lambda: FORMATS)
    """What a report can be written as: of a host's, JSON is what that sent."""
    _toolbox: Toolbox | None = None

    def report(self) -> Report:
        """What it finds now, with the verdict that was asked for."""
        report = self._remotely(self.remote) if self.remote else self._here()
        if self.fail_change_on:
            report = held_to(report, Severity.named(self.fail_change_on), REPOSITORY)
        return decided(report, FailOn(self.fail_on), REPOSITORY)

    def _here(self) -> Report:
        with shown_progress(quiet=self.quiet) as progress:
            if self._toolbox is None:
                self._toolbox = scan_toolbox(
                    fetch=not self.offline,
                    cached=not self.no_cache,
                    aspects=self.request.aspects,
                    advice=Advised(os.environ, prompts=self.prompts),
                    owner=owner_at_github(os.environ),
                )
            self._toolbox = replace(self._toolbox, progress=progress)
            return run_scan(self.request, self._toolbox)

    def _remotely(self, remote: Remote) -> Report:
        from mergegate.remote.scan import asked, scanned  # noqa: PLC0415 - it speaks HTTP

        order = asked(self.request.root, self.request.base)
        report, self.known = scanned(order, remote, self.formats)
        return report


def _show_prompts(scanner: _Scanner) -> int:
    scanner.prompts = []
    report = scanner.report()
    for prompt in scanner.prompts:
        say(f"{prompt}\n")
    if not scanner.prompts:
        why = report.model.why if report.model else ""
        raise UsageError(
            f"nothing would be sent: {why or 'no model is named'}",
            remedy="docs/models.md tells how one is named.",
        )
    return PASSED


def _watched(
    request: Request,
    wanted: Sequence[Output],
    judged: Callable[[], Report],
    show: Callable[[Report], None],
    renew: Callable[[Report], None],
) -> int:
    from mergegate.cli.watching import Watch, watched  # noqa: PLC0415 - most scans end

    if any(one.file is None and one.format != "console" for one in wanted):
        raise UsageError(
            "--watch prints a line a scan on standard output",
            remedy="Give the report a file, as in --format json=report.json: each scan renews it.",
        )
    named = (request.policy, request.baseline, *request.sarif, *request.base_sarif)
    also = tuple(file for file in named if file)
    written = tuple(one.file for one in wanted if one.file)
    return watched(Watch(request.root, also, written), judged, show, renew)


def _refuse_opposites(
    fail_on: str, base: str | None, baseline: Path | None, *, quiet: bool, verbose: bool
) -> None:
    if fail_on == FailOn.NEW and base is None and baseline is None:
        raise UsageError(
            "--fail-on new needs a base", remedy="Add --base REF, or --baseline FILE without one."
        )
    context = click.get_current_context().params
    if context["import_sarif_base"] and not (base and context["import_sarif"]):
        raise UsageError(
            "--import-sarif-base is what a scanner found in the base of what --import-sarif names",
            remedy="Add --base REF and --import-sarif FILE.",
        )
    if context["watch"] and context["write_baseline"]:
        raise UsageError(
            "--watch and --write-baseline ask for opposites: a baseline is of one moment",
            remedy="Leave one out.",
        )
    if context["watch"] and context["fix"]:
        raise UsageError(
            "--watch and --fix ask for opposites: what is written would be scanned again",
            remedy="Leave one out.",
        )
    if quiet and verbose:
        raise UsageError("--quiet and --verbose ask for opposites", remedy="Leave one out.")


def _to_write(baseline: Path, fail_on: str) -> str:
    """``never``, where nobody asked for a gate: what is written down as known is accepted.

    Raises UsageError for a file that cannot be written.
    """
    check_writable(baseline)
    source = click.get_current_context().get_parameter_source("fail_on")
    return FailOn.NEVER.value if source is ParameterSource.DEFAULT else fail_on


def _write_baseline(report: Report, file: Path, *, quiet: bool) -> None:
    from mergegate.repo import baseline  # noqa: PLC0415 - most scans write none

    found: Assembly = report.basis
    save(file, baseline.write(found.head.findings, found.head.unrun, found.aspects))
    if not quiet:
        click.echo(f"baseline: {file}, {counted(len(found.head.findings), 'finding')}", err=True)


def _refuse_part(
    wanted: Sequence[Output], remote: Remote | None, write_baseline: Path | None
) -> None:
    """Raise UsageError for what only a scan of the whole repository has an answer to."""
    if write_baseline:
        raise UsageError(
            "a baseline is of a repository, not of a part of it",
            remedy="Leave the files out, or leave out --write-baseline.",
        )
    whole_only = [one.format for one in wanted if one.format in _OF_THE_WHOLE]
    if whole_only:
        raise UsageError(
            f"the format {whole_only[0]} states the verdict on a repository, not on a part of it",
            remedy="Scan the whole repository, or leave the format out.",
        )
    if remote:
        raise UsageError(
            "a host scans whole repositories", remedy="Leave the files out, or scan here."
        )
