"""The one pull request with proved upgrades, which a schedule on the default branch keeps."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass

from mergegate.ci.checkout import Checkout
from mergegate.ci.commits import EXECUTABLE, folder_of, permitted
from mergegate.ci.options import Job
from mergegate.core.errors import ForgeError
from mergegate.core.finding import Advisory, Finding
from mergegate.core.render import templates
from mergegate.core.report import Fix, Gate, Mended, Report
from mergegate.core.severity import Aspect, Kind
from mergegate.forges.branches import (
    Branch,
    Branches,
    ChangedFile,
    Memory,
    NewCommit,
    OwnChange,
    OwnChanges,
    remember,
)
from mergegate.forges.ports import Forge
from mergegate.forges.publication import Dialect
from mergegate.repo.checks.advisories.vulnerable import command
from mergegate.repo.fixes import gates, patch
from mergegate.repo.fixes.candidate import ADVISORY
from mergegate.sandbox.git.repository import Repository

BRANCH = "mergegate/upgrades"
"""Ours alone: with a commit of somebody else it is theirs, and left as it is."""
_MOST_ROWS = 50
_MOST_FILES, _LONGEST_PATH = 50, 200
"""What fits into the text that remembers it; the others follow once these are merged."""
_RUN = re.compile(r"run `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Upgrade:
    """One package in one file. All texts in it are hostile."""

    package: str
    old: str
    new: str
    answers: tuple[str, ...]
    """The advisories that the new version answers."""
    file: str
    lock: str = ""
    """The lock file that is not edited, for no edit of it is certain; empty where none is left."""
    command: str = ""
    """What brings that lock file up to the edit; empty where its names are not fit for a shell."""


@dataclass(frozen=True, slots=True)
class Upgrades:
    """What the pull request is to hold."""

    upgrades: tuple[Upgrade, ...]
    files: tuple[ChangedFile, ...]
    waiting: int = 0
    """Files that have to wait until these are merged."""

    @property
    def digest(self) -> str:
        """Tells two of them apart."""
        told = json.dumps([astuple(one) for one in self.upgrades])
        return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


def fixes_of(job: Job, here: Checkout) -> Callable[[Finding], bool] | None:
    """Whose fixes a schedule's scan proves file by file; None where the policy allows no upgrades.

    The policy is that of the commit, not of the work tree.
    """
    if permitted(job, here, here.repository.head()).upgrades == "deny":
        return None
    by_format = patch.FORMAT in job.formats

    def is_wanted(finding: Finding) -> bool:
        return finding.kind is Kind.DEPENDENCY or (by_format and patch.belongs(finding))

    return is_wanted


def kept(report: Report, job: Job, here: Checkout, host: Forge | None, dialect: Dialect) -> str:
    """Open, renew or close the pull request; what came of it, for the log. Raises ForgeError."""
    if Aspect.DEPENDENCIES not in job.aspects:
        return "no upgrades are proposed, for dependencies were not searched"
    if job.api_url:
        return "no upgrades are proposed, for another machine made the scan"
    if host is None or host.branches is None or host.own_changes is None:
        return "no upgrades are proposed, for there is no token that may"
    head = here.repository.head() or ""
    default = host.branches.find(here.change.branch)
    if default is None or not default.is_default:
        return "no upgrades are proposed, for this is not the default branch"
    if default.tip != head:
        return "no upgrades are proposed: the default branch has moved on, and so has its schedule"
    keeper = _Keeper(
        host.branches, host.own_changes, here.repository, default, dialect, folder_of(here)
    )
    return keeper.keep(proposed(report, here.repository, head), is_whole=_is_whole(report))


def _is_whole(report: Report) -> bool:
    """Whether it is known that nothing is left, where nothing was found.

    A file that a step of the job changed is not the one that would be upgraded.
    """
    return report.verdict.gate is not Gate.INCOMPLETE and not report.target.altered


def proposed(report: Report, repository: Repository, head: str) -> Upgrades:
    """The upgrades that were proved together, in files that are those of the commit ``head``."""
    fixes = {one.id: one for one in report.fixes}
    findings = {one.id: one for one in report.findings}
    upgrades: list[Upgrade] = []
    files: list[ChangedFile] = []
    waiting = 0
    for one in report.mended:
        own = [fixes[id] for id in one.fix_ids if id in fixes]
        changed = _changed(one, own, repository, head)
        if changed is None:
            continue
        if len(files) == _MOST_FILES or len(changed.path) > _LONGEST_PATH:
            waiting += 1
            continue
        files.append(changed)
        upgrades += (row for fix in own for row in _rows(fix, findings))
    return Upgrades(tuple(dict.fromkeys(upgrades)), tuple(files), waiting)


def _changed(
    one: Mended, fixes: Sequence[Fix], repository: Repository, head: str
) -> ChangedFile | None:
    """The file after its upgrades; None for one with other changes, too."""
    are_upgrades = all(
        fix.source == ADVISORY and set(gates.NAMES) <= set(fix.verified) for fix in fixes
    )
    entry = repository.entry(head, one.name) if one.name and fixes and are_upgrades else None
    if entry is None or not entry.is_file:
        return None
    if repository.content(head, one.name) != one.before.encode():
        return None
    return ChangedFile(
        path=one.folder + one.name,
        content=one.after.encode(),
        executable=entry.mode == EXECUTABLE,
    )


def _rows(fix: Fix, findings: dict[str, Finding]) -> Iterator[Upgrade]:
    """A row for each package and lock file that the fix is about."""
    groups: dict[tuple[str, str, str, str], list[Finding]] = {}
    for id in fix.finding_ids:
        finding = findings.get(id)
        if finding is not None and (known := finding.advisory) is not None:
            key = (known.package, known.installed_version, known.upgrade, finding.place.file)
            groups.setdefault(key, []).append(finding)
    edited = fix.edits[0].path
    for (package, old, new, lock), group in groups.items():
        answers = tuple(
            one.advisory.advisory_id for one in group if one.advisory and one.advisory.advisory_id
        )
        known = group[0].advisory
        is_left = lock != edited
        run = _command(lock, known) if is_left and known else ""
        yield Upgrade(package, old, new, answers, edited, lock if is_left else "", run)


def _command(lock: str, known: Advisory) -> str:
    """The command alone, where the advice is one."""
    said = command(lock, known.package, known.upgrade, is_indirect=known.direct is False)
    found = _RUN.fullmatch(said)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class _Keeper:
    branches: Branches
    own_changes: OwnChanges
    repository: Repository
    default: Branch
    dialect: Dialect
    folder: str
    """What was scanned, with a slash behind it; empty for all of the repository."""

    def keep(self, wanted: Upgrades, *, is_whole: bool) -> str:
        """One pull request where there is something to upgrade, none where there is nothing."""
        ours = self.own_changes.ours(BRANCH)
        there = self.branches.find(BRANCH)
        if there and all(one.memory.tip != there.tip for one in ours):
            return (
                f"no upgrades are proposed: somebody else has committed to {BRANCH}, which is left"
                " as it is; delete the branch to have it kept again"
            )
        standing = next((one for one in ours if one.is_open), None)
        if standing and not all(one.startswith(self.folder) for one in standing.memory.paths):
            return f"no upgrades are proposed while {standing.url} holds those of another folder"
        if not wanted.upgrades:
            return self._closed(standing, there, is_whole=is_whole)
        last = next(iter(ours), None)
        if last and not (last.is_open or last.is_merged) and last.memory.digest == wanted.digest:
            return f"these upgrades are not proposed again: somebody has closed {last.url}"
        return self._written(wanted, standing, there, ours)

    def _closed(self, standing: OwnChange | None, there: Branch | None, *, is_whole: bool) -> str:
        if not is_whole:
            return "what is left to upgrade is not known, so nothing is proposed or closed"
        if standing is None:
            return "no upgrade is left to propose"
        # Before it is closed: one that a person closes later keeps another digest.
        memory = Memory(tip=standing.memory.tip, digest=Upgrades((), ()).digest)
        self.own_changes.edit(standing, _title(()), self._body(Upgrades((), ()), memory))
        self.own_changes.close(standing)
        if there:
            self.branches.remove(BRANCH, there.tip)
        return f"no upgrade is left to propose: {standing.url} is closed"

    def _written(
        self,
        wanted: Upgrades,
        standing: OwnChange | None,
        there: Branch | None,
        ours: Sequence[OwnChange],
    ) -> str:
        before = next((one.memory for one in ours if there and one.memory.tip == there.tip), None)
        is_same = before is not None and before.digest == wanted.digest
        if there and is_same and self.branches.holds(there.tip, wanted.files):
            tip = there.tip
        else:
            tip = self._committed(wanted, there, before)
        paths = {one.path for one in wanted.files} | set(before.paths if before else ())
        memory = Memory(tip=tip, digest=wanted.digest, paths=tuple(sorted(paths)))
        title, body = _title(wanted.upgrades), self._body(wanted, memory)
        if standing is not None:
            if standing.memory != memory:
                self.own_changes.edit(standing, title, body)
            return f"upgrades: {standing.url}"
        try:
            return f"upgrades: {self.own_changes.open(BRANCH, self.default.name, title, body)}"
        except ForgeError:
            # Without a pull request that knows it, nobody would dare to touch the branch again.
            with suppress(ForgeError):
                self.branches.remove(BRANCH, tip)
            raise

    def _committed(self, wanted: Upgrades, there: Branch | None, before: Memory | None) -> str:
        left = set(before.paths if before else ()) - {one.path for one in wanted.files}
        new = NewCommit(
            branch=BRANCH,
            expected=there.tip if there else None,
            parent=self.default.tip,
            message=_message(wanted),
            files=wanted.files,
            restored=tuple(self._restored(sorted(left))),
        )
        return self.branches.commit(new).commit

    def _restored(self, paths: Sequence[str]) -> Iterator[ChangedFile]:
        top = Repository(self.repository.top())
        for path in paths:
            entry = top.entry(self.default.tip, path)
            content = top.content(self.default.tip, path)
            if entry is not None and content is not None:
                yield ChangedFile(path=path, content=content, executable=entry.mode == EXECUTABLE)

    def _body(self, wanted: Upgrades, memory: Memory) -> str:
        """As many rows as the forge takes."""
        marker = remember(memory, self.dialect.hiding)
        shown = _MOST_ROWS
        text = _text(wanted, shown)
        while shown and len(text) + len(marker) > self.dialect.limit:
            shown //= 2
            text = _text(wanted, shown)
        return f"{text}\n\n{marker}\n"


def _text(wanted: Upgrades, shown: int) -> str:
    template = templates.markdown().get_template("upgrades.md.j2")
    rows = wanted.upgrades
    return template.render(
        upgrades=rows[:shown],
        count=len(rows),
        waiting=wanted.waiting,
        branch=BRANCH,
        gates=gates.NAMES,
    ).strip()


def _title(upgrades: Sequence[Upgrade]) -> str:
    count = len({one.package for one in upgrades})
    if count == 1:
        return "Upgrade a dependency with known vulnerabilities"
    return f"Upgrade {f'{count} ' if count else ''}dependencies with known vulnerabilities"


def _message(wanted: Upgrades) -> str:
    """Nothing that a package or an advisory is called."""
    return (
        f"{_title(wanted.upgrades)}\n\n"
        "Each upgrade was applied to a copy, which was scanned again; it passed these gates:\n"
        f"{', '.join(gates.NAMES)}.\n"
    )
