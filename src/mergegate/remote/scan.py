"""A repository scan on a host: asked for, and believed only as far as it answers the question."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from mergegate.core.errors import EngineFailed
from mergegate.core.render.formats import Format
from mergegate.core.report import Comparison, Gate, Report
from mergegate.remote.command import Remote, answered, heard
from mergegate.remote.worktree import Asked
from mergegate.repo.report.formats import FORMATS
from mergegate.repo.wire.reading import read_answer
from mergegate.site.deployment.reading import read_section

ENGINES = frozenset(
    {
        *("semgrep", "lizard", "detect-secrets", "markers", "documents", "zizmor", "duplication"),
        *("lockfiles", "pip-audit", "advisories"),
    }
)
"""Every scan of a whole repository has these, be it idle: one that is not spoken of did not run.

They stand here because a scan elsewhere loads none of them.
"""
_SECONDS = len("2026-01-31T23:59:59")
_OF_PACKAGES = frozenset({"cyclonedx", "gitlab"})
"""Formats that list the packages of a repository."""


def scanned(
    asked: Asked, remote: Remote, formats: Collection[str] = ()
) -> tuple[Report, Mapping[str, Format[Report]]]:
    """The report, its verdict drawn anew, and the formats, JSON of them as the host sent it.

    Raises EngineFailed, also for an answer about another commit or without the comparison that
    was asked for: no gate may stand on it.
    """
    content = remote.asked(asked.order())
    report = heard(
        lambda one: read_answer(
            one, ENGINES, section=read_section, inventory=not _OF_PACKAGES.isdisjoint(formats)
        ),
        content,
        remote,
    )
    _check(report, asked, remote.host.name)
    known = replace(report, site=None, comparison=_comparison(report, asked.base_date))
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


def _check(report: Report, asked: Asked, name: str) -> None:
    """Raises EngineFailed where the answer is not about what was asked for.

    A comparison that nobody asked for would leave all that is not new out of the gate.
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
