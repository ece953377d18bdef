"""Findings as lines of a list: one each, but one alone for all advisories of a package version."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.render import wording
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Severity
from mergegate.repo.report import excerpt


@dataclass(frozen=True, slots=True)
class Origins:
    """The findings of a report, each in one place and worst first."""

    brought: tuple[Finding, ...]
    """Findings that the change introduced; without a base all findings."""
    drifted: tuple[Finding, ...] = ()
    """Findings whose advisories are younger than the base: not the change's doing."""
    existing: tuple[Finding, ...] = ()


def origins(report: Report) -> Origins:
    """The findings that count, by where they come from."""
    findings, comparison = report.findings, report.comparison
    if comparison is None:
        return Origins(findings)
    late = frozenset(comparison.drifted)
    return Origins(
        brought=tuple(one for one in findings if one.is_new and one.id not in late),
        drifted=tuple(one for one in findings if one.id in late),
        existing=tuple(one for one in findings if not one.is_new and one.id not in late),
    )


def of(finding: Finding, fix: Fix | None) -> dict[str, Any]:
    """The template's values; texts are raw, the template escapes them."""
    changes = excerpt.diff(fix, [finding]) if fix else ()
    return {
        "finding": finding,
        "message": [*filter(str.strip, finding.message.split("\n")), wording.route(finding)],
        "excerpt": [_numbered(line) for line in excerpt.lines(finding)],
        "fix": fix,
        "remedy": remedy(finding, fix) if fix else (),
        "changes": [_diff_line(change) for change in changes],
        "links": wording.links(finding),
    }


def remedy(finding: Finding, fix: Fix) -> tuple[str, ...]:
    """The fix's title and explanation, without what the finding has already said."""
    said = (finding.title, finding.message)
    return tuple(text for text in (fix.title, fix.explanation) if text and text not in said)


def _numbered(line: excerpt.Line) -> str:
    """No line starts with source text: GitLab would obey a ``/command`` there."""
    mark = ">" if line.marked else " "
    number = str(line.number) if line.number else ""
    return f"{mark}{number:>5} | {line.text}"


def _diff_line(change: excerpt.Change) -> str:
    return f"@@ {change.text} @@" if change.sign == "@" else f"{change.sign}{change.text}"


_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What one line tells of."""

    findings: tuple[Finding, ...]
    """Worst first, never empty; more than one only for a package with several advisories."""

    @property
    def lead(self) -> Finding:
        """The worst of them."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The worst of them."""
        return self.lead.severity

    @property
    def title(self) -> str:
        """``golang.org/x/net 0.1.0: 7 advisories, worst high, fixed in v0.38.0``."""
        advisory = self.lead.advisory
        if len(self.findings) == 1 or advisory is None:
            return self.lead.title
        return (
            f"{advisory.package} {advisory.installed_version}: {len(self.findings):,} advisories, "
            f"worst {self.severity.label}, {self.repair}"
        )

    @property
    def repair(self) -> str:
        """The version that answers every advisory of the package, as far as there is one."""
        upgrades = {one.advisory.upgrade for one in self.findings if one.advisory}
        if len(upgrades) == 1 and (upgrade := upgrades.pop()):
            return f"fixed in {upgrade}"
        fixed = sum(bool(one.advisory and one.advisory.fixed_versions) for one in self.findings)
        return f"{fixed:,} with a fix" if fixed else "no fix published"

    @property
    def place(self) -> str:
        """The place of the worst finding, and the number of other files."""
        others = len({one.place.file for one in self.findings}) - 1
        more = f" and {wording.counted(others, 'other file')}" if others else ""
        return f"{wording.place(self.lead.place)}{more}"


def entries(findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """One entry a line, in the order of their worst findings."""
    groups: dict[_Key, list[Finding]] = {}
    for number, finding in enumerate(findings):
        groups.setdefault(_package(finding) or (str(number),), []).append(finding)
    found = [Entry(tuple(sorted(group, key=lambda one: one.order))) for group in groups.values()]
    return tuple(sorted(found, key=lambda entry: entry.lead.order))


def _package(finding: Finding) -> _Key:
    """What the advisories of one package version share; empty for any other finding."""
    advisory = finding.advisory
    if advisory is None:
        return ()
    return (advisory.ecosystem, advisory.package, advisory.installed_version)
