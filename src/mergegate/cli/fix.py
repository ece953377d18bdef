"""``mergegate scan --fix`` and ``mergegate fix``: fixes that were proved, written or shown."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mergegate.ci.testing import TestOrder, own_tests
from mergegate.cli.own_tests import test_options
from mergegate.core.errors import UsageError
from mergegate.core.finding import Finding
from mergegate.core.render.escape import terminal
from mergegate.core.render.screen import Screen
from mergegate.core.render.wording import counted
from mergegate.core.report import Fix, Mended, Report
from mergegate.repo.checks import all_rules
from mergegate.repo.fixes import application, patch
from mergegate.repo.report.formats import FORMATS
from mergegate.repo.scan import Request, scan
from mergegate.repo.settings import SHORT_ID
from mergegate.repo.toolbox import scan_toolbox
from mergegate.sandbox.git.repository import Repository
from mergegate.terminal.output import Output, meant, say, terminal_surface, write
from mergegate.terminal.progress import shown_progress

if TYPE_CHECKING:
    from mergegate.repo.fixes.own_tests import OwnTests

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Fixing:
    """Which fixes are wanted, and what becomes of them."""

    rules: tuple[str, ...] = ()
    """Only of these; of all where there is none."""
    dry_run: bool = False
    allow_dirty: bool = False
    tests: TestOrder | None = None
    """What they have to pass as well."""

    def gate(self, root: Path) -> "OwnTests | None":
        """The tests of ``root`` that were ordered; raises UsageError where none may be run."""
        return own_tests(self.tests, root, os.environ) if self.tests else None

    def wants(self, finding: Finding) -> bool:
        """Whether the fix of ``finding`` is to be applied: of a change only what it brings."""
        return patch.belongs(finding) and (not self.rules or finding.rule_id in self.rules)

    def carry_out(self, report: Report, root: Path) -> bool:
        """Writes what was proved, and tells it; whether any file was written: in no dry run."""
        if self.dry_run:
            return False
        applied = application.write(root, report.mended, self._is_committed(report, root))
        self._tell_of(report, applied)
        for path, why in applied.failed[:1]:
            more = len(applied.failed) - 1
            others = f", nor can {counted(more, 'other file')}" if more else ""
            raise UsageError(
                f"{path} cannot be written: {why}{others}",
                remedy="Make it writable, or take the patch: --format patch=FILE.",
            )
        return bool(applied.written)

    def _tell_of(self, report: Report, applied: application.Applied) -> None:
        for one in applied.written:
            _tell(f"fixed: {one.path}, {counted(len(one.fix_ids), 'fix', 'fixes')}")
        for path, why in applied.kept:
            _tell(f"left: {path}, because {why}")
        if later := self._later(report, applied.written):
            what = counted(len(later), "fix changes", "fixes change")
            _tell(f"left: {what} lines that others changed; commit these and run it again")
        if any(why == application.NOT_COMMITTED for _, why in applied.kept):
            _tell("Commit or stash them, or add --allow-dirty.")
        if self.tests and applied.kept and applied.written:
            _tell("The tests were run with the fixes of the files that were left as well.")
        if not report.mended:
            _tell("No finding here has a fix that was proved.")

    def _later(self, report: Report, written: Sequence[Mended]) -> list[Fix]:
        """What was proved for the written files and did not fit what was written."""
        done = {id for one in written for id in one.fix_ids}
        asked = {one.id for one in report.findings if self.wants(one)}
        paths = {one.path for one in written}
        return [
            one
            for one in report.fixes
            if one.edits[0].path in paths
            and one.id not in done
            and not asked.isdisjoint(one.finding_ids)
        ]

    def _is_committed(self, report: Report, root: Path) -> Callable[[Mended], bool] | None:
        if self.allow_dirty or not report.mended:
            return None
        repository = Repository.around(root)
        commit = repository.head() if repository else None
        if repository is None or commit is None:
            raise UsageError(
                "nothing is written here: no commit could bring the files back",
                remedy="Commit them, add --allow-dirty, or see the patch with --fix --dry-run.",
            )
        known = {os.fsdecode(one.raw_path) for one in repository.entries(commit)}
        altered = frozenset(report.target.altered)
        return lambda one: one.name in known and one.path not in altered


def tell_left_out(report: Report, wanted: Sequence[Output]) -> None:
    """Say whose changes the patch lacks, where one is ``wanted``."""
    if any(one.format == patch.FORMAT for one in wanted):
        for path in patch.left_out(report):
            _tell(f"not in the patch: {path}, whose lines cannot be shown; --fix changes them")


def tell_of_tests(gate: "OwnTests | None") -> None:
    """Say in a line what the team's own tests came to, where they were run."""
    if gate and gate.told:
        _tell(gate.told)


def _tell(text: str) -> None:
    click.echo(terminal(text), err=True)


def fix_options(command: Command) -> Command:
    """Give ``scan`` the options that apply fixes, as ``fixing``: None where none is asked for."""

    @wraps(command)
    def run(
        *,
        fix: bool,
        dry_run: bool,
        allow_dirty: bool,
        only_rule: tuple[str, ...],
        tests: TestOrder | None,
        **values: Any,
    ) -> Any:
        given = {
            "--dry-run": dry_run,
            "--allow-dirty": allow_dirty,
            "--only-rule": only_rule,
            "--test-command": tests,
        }
        for name, is_set in given.items():
            if is_set and not fix:
                raise UsageError(f"{name} says how fixes are applied", remedy="Add --fix.")
        known = all_rules() if only_rule else {}
        for one in only_rule:
            if one not in known:
                hint = f"{meant(one, known)}`mergegate rules` lists them."
                raise UsageError(f"there is no rule {one!r}", remedy=hint)
        fixing = Fixing(only_rule, dry_run, allow_dirty, tests) if fix else None
        return command(fixing=fixing, **values)

    taken: Command = test_options(run)
    for option in (
        click.option(
            "--allow-dirty", is_flag=True, help="With --fix: write over uncommitted changes, too."
        ),
        click.option(
            "--only-rule",
            metavar="RULE",
            multiple=True,
            help="With --fix: only what this rule found; may be given several times.",
        ),
        click.option(
            "--dry-run", is_flag=True, help="With --fix: print the patch and write nothing."
        ),
        click.option(
            "--fix",
            is_flag=True,
            help="Apply every fix that was proved, and scan again; with a base, of new findings.",
        ),
    ):
        taken = option(taken)
    return taken


def fixes_of(fixing: Fixing | None, wanted: Sequence[Output]) -> Callable[[Finding], bool] | None:
    """Which findings' fixes are to be proved together; None where nobody needs them."""
    if fixing:
        return fixing.wants
    return patch.belongs if any(one.format == patch.FORMAT for one in wanted) else None


def shown_as_patch(wanted: Sequence[Output]) -> tuple[Output, ...]:
    """What is ``wanted``, with the patch alone on standard output; raises UsageError."""
    files = tuple(one for one in wanted if one.file)
    if any(one.format not in {"console", patch.FORMAT} for one in wanted if one not in files):
        raise UsageError(
            "--dry-run prints the patch on standard output",
            remedy="Give the report a file, as in --format json=report.json.",
        )
    return (*files, Output(patch.FORMAT, None))


@click.command()
@click.argument("finding", metavar="ID")
@click.argument("path", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Print the patch and write nothing.")
@click.option("--allow-dirty", is_flag=True, help="Write over uncommitted changes, too.")
@click.option("--offline", is_flag=True, help="Fetch nothing; use the advisory store as it is.")
@test_options
def fix(
    finding: str,
    path: Path,
    dry_run: bool,
    allow_dirty: bool,
    offline: bool,
    tests: TestOrder | None,
) -> None:
    """Apply the fix of the finding ID in the repository at PATH.

    ID is what the report calls the finding, or its first characters.

    \b
    Examples:
      mergegate fix 9b7da0127c
      mergegate fix 9b7da0127c --dry-run | git apply
    """
    begun = finding.lower()
    fixing = Fixing(allow_dirty=allow_dirty, tests=tests)
    gate = fixing.gate(path)
    request = Request(root=path, fixes_of=lambda one: one.id.startswith(begun), tests=gate)
    with shown_progress(quiet=dry_run) as progress:
        toolbox = scan_toolbox(fetch=not offline, cached=True, aspects=request.aspects)
        report = scan(request, replace(toolbox, progress=progress))
    meant_one = the_one(report, begun)
    tell_of_tests(gate)
    if not report.mended:
        raise UsageError(
            f"no fix of {meant_one.id[:SHORT_ID]} was proved: {_why_not(report, meant_one)}",
            remedy=f"`mergegate explain {meant_one.rule_id}` tells what to do.",
        )
    if dry_run:
        wanted = Output(patch.FORMAT, None)
        write(report, wanted, FORMATS)
        tell_left_out(report, [wanted])
        return
    if fixing.carry_out(report, path):
        say("".join(patch.of(one) for one in report.mended))


def explain_finding(begun: str, path: Path, tests: TestOrder | None) -> None:
    """Print all that is known of the finding whose id begins so."""
    from mergegate.repo.report import console  # noqa: PLC0415 - most commands draw no page

    request = Request(root=path)
    gate = Fixing(tests=tests).gate(path)
    if gate:
        request = replace(request, fixes_of=lambda one: one.id.startswith(begun), tests=gate)
    with shown_progress() as progress:
        toolbox = scan_toolbox(fetch=False, cached=True, aspects=request.aspects)
        report = scan(request, replace(toolbox, progress=progress))
    tell_of_tests(gate)
    surface = terminal_surface()
    screen = Screen(surface.width, surface.colour, not surface.unicode)
    say(console.explain(report, the_one(report, begun), screen))


def the_one(report: Report, begun: str) -> Finding:
    """The finding whose id begins so; raises UsageError where that is none, or several."""
    found = [one for one in report.findings if one.id.startswith(begun)] if begun else []
    if not found:
        raise UsageError(
            f"nothing that was found here is called {begun!r}",
            remedy="`mergegate scan` lists what is found; --json tells the id of each.",
        )
    if len(found) > 1:
        ids = ", ".join(one.id for one in found[:5])
        raise UsageError(f"{begun} fits {len(found)} findings: {ids}", remedy="Write more of it.")
    return found[0]


def _why_not(report: Report, finding: Finding) -> str:
    for one in report.refused_fixes:
        if one.finding_id == finding.id:
            last = f": {one.said[-1]}" if one.said else ""
            return f"what was tried does not pass the gate “{one.gate}”, {one.why}{last}"
    return "none is known for it"
