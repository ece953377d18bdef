"""A repository scan on a host: asked for, and believed only as far as it answers the question.

A host sees commits that were pushed, and nothing else: what it would not see of a work tree is
refused here, so that no answer is about something else than the person means.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mergegate.core.errors import EngineError, EngineFailed, TargetError, UsageError
from mergegate.core.plans import Tool
from mergegate.core.render import source
from mergegate.core.render.formats import Format
from mergegate.core.report import Comparison, Gate, Report
from mergegate.remote.command import Remote, answered, heard
from mergegate.remote.host import Order
from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from mergegate.repo.wire.reading import read_answer
from mergegate.sandbox.git.command import git
from mergegate.sandbox.git.names import is_branch
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.git.revision import resolve
from mergegate.sandbox.process.run import Completed, Limits
from mergegate.site.deployment.reading import read_section

_LIMITS = Limits(timeout_s=120)
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"),
    "--ignore-submodules=all",
)
_FILTERS = ("config", "-z", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
_REFS = ("for-each-ref", "--format=%(refname:lstrip=3)", "--count=1000")
_ORIGIN = "refs/remotes/origin"
_MOST_NAMED = 5
_STATE = len("XY ")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryTarget:
    """A repository at its provider, as a request names it (service specification, decisions)."""

    owner: str
    repo: str
    provider: str | None = None
    """None where the host's own connection tells."""
    branch: str | None = None
    """None for the default branch."""
    commit: str | None = None
    base: str | None = None
    base_date: str = ""
    """When the base was committed, by this clone's word: ISO 8601 in UTC; no host is told."""
    web: str = ""
    """Where the provider shows it (:attr:`mergegate.core.report.Target.web`); no host is told."""

    def order(self) -> Order:
        """The request; what is not known is left out."""
        names = ("provider", "owner", "repo", "branch", "commit", "base")
        fields = {name: getattr(self, name) for name in names}
        return Order(Tool.REPOSITORY, {name: it for name, it in fields.items() if it is not None})


def asked(root: Path, base: str | None) -> RepositoryTarget:
    """What a scan of the work tree at ``root``, against ``base``, is at the provider.

    Raises UsageError for what a host would not see: changes that are not committed, commits that
    were not pushed, a folder of the repository; TargetError when there is no work tree.
    """
    tree = _WorkTree(Repository(root))
    tree.check_top()
    tree.check_clean()
    provider, owner, repo = place(tree.repository)
    head = tree.repository.head()
    if head is None:
        raise UsageError("there is no commit yet that a host could scan")
    since = tree.repository.merge_base(resolve(tree.repository, base)) if base else None
    branches = tree.pushed(head)
    if since:
        tree.pushed(since)
    return RepositoryTarget(
        owner=owner,
        repo=repo,
        provider=provider,
        branch=_branch(branches, tree.repository.branch()),
        commit=head,
        base=since,
        base_date=tree.repository.committed_at(since) if since else "",
        web=source.web(tree.repository.host(), owner, repo),
    )


def place(repository: Repository) -> tuple[str | None, str, str]:
    """Provider, owner and name as ``origin`` tells; raises UsageError when it does not."""
    found = repository.origin()
    if found is None or not found[1]:
        raise UsageError(
            "this clone has no remote `origin` that tells whose repository it is",
            remedy="Add it with `git remote add origin …`, or scan here, without --remote.",
        )
    return found


def branch_with(repository: Repository, commit: str) -> str | None:
    """A branch of ``origin`` that holds ``commit``; None where this clone knows of none."""
    return _branch(_WorkTree(repository).holding(commit), None)


def _branch(holding: Sequence[str], current: str | None) -> str | None:
    """The branch at the provider that has the commit: the one that is checked out, if it does."""
    if current in holding:
        return current
    return next((name for name in holding if is_branch(name)), None)


@dataclass(frozen=True, slots=True)
class _WorkTree:
    """Questions to Git that only a delegated scan has."""

    repository: Repository

    def check_top(self) -> None:
        """A host scans repositories, not folders of them."""
        inside = self._git("rev-parse", "--show-prefix").strip()
        if inside:
            raise UsageError(
                "PATH is a folder of the repository, and a host scans the whole of it",
                remedy="Name the top of the work tree, or scan here, without --remote.",
            )

    def check_clean(self) -> None:
        """Raises UsageError that names what would not be scanned."""
        found = [one[_STATE:] for one in self._git(*_STATUS).split("\0") if one]
        if not found:
            return
        more = f" and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
        raise UsageError(
            f"the host would not see what is not committed: {', '.join(found[:_MOST_NAMED])}{more}",
            remedy="Commit and push it, stash it, or scan here, without --remote.",
        )

    def pushed(self, commit: str) -> list[str]:
        """Branches of ``origin`` that hold ``commit``, as this clone last heard.

        Empty where the clone knows no branches of it, as in many CI jobs: then the host will tell.
        Raises UsageError for a commit that none of them holds.
        """
        holding = self.holding(commit)
        if not holding and self._branches():
            raise UsageError(
                f"commit {commit[:12]} is on no branch of origin that this clone knows",
                remedy="Push it first, or `git fetch origin` where that has happened.",
            )
        return holding

    def holding(self, commit: str) -> list[str]:
        """Branches of ``origin`` that hold ``commit``, as this clone last heard."""
        return self._branches("--contains", commit)

    def _branches(self, *which: str) -> list[str]:
        found = self._git(*_REFS, *which, _ORIGIN).splitlines()
        return [name for name in found if name != "HEAD"]

    def _git(self, *arguments: str) -> str:
        """The answer of Git with the clone's filters off; raises TargetError.

        To compare a file Git would pass it through them: they are programs.
        """
        done = self._run(arguments, _unfiltered(self._run(_FILTERS).stdout))
        if done.exit_code != 0:
            raise TargetError(f"git {arguments[0]} failed in {self.repository.root}")
        return done.stdout.decode("utf-8", "replace")

    def _run(self, arguments: Sequence[str], settings: Mapping[str, str] = {}) -> Completed:
        try:
            return git(arguments, self.repository.root, _LIMITS, environment=settings)
        except EngineError as error:
            raise TargetError(f"git {arguments[0]}: {error.what}", remedy=error.remedy) from error


def _unfiltered(configured: bytes) -> dict[str, str]:
    """Settings that switch each filter off which Git says is configured, includes included."""
    keys = [one.partition(b"\n")[0] for one in configured.split(b"\0") if one]
    settings = {"GIT_CONFIG_COUNT": str(len(keys))}
    for number, key in enumerate(map(os.fsdecode, keys)):
        off = "false" if key.endswith(".required") else ""
        settings |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": off}
    return settings


ENGINES = frozenset(
    {
        *("semgrep", "lizard", "detect-secrets", "markers", "documents", "terraform", "zizmor"),
        *("duplication", "lockfiles", "pip-audit", "advisories", "helm"),
    }
)
"""Every scan of a whole repository has these, be it idle: one that is not spoken of did not run.

They stand here because a scan elsewhere loads none of them.
"""
_SECONDS = len("2026-01-31T23:59:59")
_OF_PACKAGES = frozenset({"cyclonedx", "gitlab"})
"""Formats that list the packages of a repository."""


def scanned(
    asked: RepositoryTarget, remote: Remote, formats: Collection[str] = ()
) -> tuple[Report, Mapping[str, Format[Report]]]:
    """The report, its verdict drawn anew, and the formats, JSON of them as the host sent it.

    Raises EngineFailed, also for an answer about another commit or without the comparison that
    was asked for: no gate may stand on it.
    """
    if kept := sorted(OF_A_SCAN.intersection(formats)):
        raise UsageError(
            f"{' and '.join(kept)} cannot be made of a delegated scan: a host sends no facts",
            remedy="Scan here, without --remote.",
        )
    content = remote.asked(asked.order())
    report = heard(
        lambda one: read_answer(
            one, ENGINES, section=read_section, inventory=not _OF_PACKAGES.isdisjoint(formats)
        ),
        content,
        remote,
    )
    _check(report, asked, remote.host.name)
    target = replace(report.target, web=asked.web)
    known = replace(
        report, target=target, site=None, comparison=_comparison(report, asked.base_date)
    )
    return known, answered(FORMATS, content)


def _comparison(report: Report, base_date: str) -> Comparison | None:
    """What became known after the base excuses a change, so this clone says when that was.

    A host that calls every defect news would pass the gate of a change.
    """
    if report.comparison is None:
        return None
    since = base_date[:_SECONDS]
    published = {one.id: one.advisory.published for one in report.vulnerabilities if one.advisory}
    drifted = (id for id in report.comparison.drifted if published.get(id, "")[:_SECONDS] > since)
    return replace(report.comparison, drifted=tuple(drifted) if since else ())


def _check(report: Report, asked: RepositoryTarget, name: str) -> None:
    """Raises EngineFailed where the answer is not about what was asked for.

    A comparison that was not asked for would leave all that is not new out of the gate.
    """
    target, base = report.target, report.comparison.base if report.comparison else None
    if asked.commit is not None and target.commit != asked.commit:
        raise EngineFailed(f"{name} answers about another commit than it was asked for")
    if not (_is_same(target.owner, asked.owner) and _is_same(target.repo, asked.repo)):
        raise EngineFailed(f"{name} answers about another repository than it was asked for")
    if base is None and report.verdict.gate is Gate.INCOMPLETE:
        return
    if base != asked.base:
        raise EngineFailed(
            f"{name} does not compare with the base", remedy="Is it older than this release?"
        )


def _is_same(told: str | None, asked: str) -> bool:
    """Providers tell names apart by their letters, and not by the case of them."""
    return told is not None and told.lower() == asked.lower()
