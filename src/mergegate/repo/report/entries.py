"""Findings as rows: all of one cause are one, such as the advisories of a package version."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.finding import Finding, Place
from mergegate.core.render import wording
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Kind, Severity
from mergegate.repo.report import excerpt


@dataclass(frozen=True, slots=True)
class Origins:
    """The findings of a report, each in one place and worst first."""

    brought: tuple[Finding, ...]
    """Findings that the change introduced; without a base all findings."""
    drifted: tuple[Finding, ...] = ()
    """Findings whose advisories are younger than the base: not the change's doing."""
    later: tuple[Finding, ...] = ()
    """Findings that came with an upgrade: only later rules tell them."""
    existing: tuple[Finding, ...] = ()


def origins(report: Report) -> Origins:
    """The findings that count, by where they come from."""
    findings, comparison = report.findings, report.comparison
    published = frozenset(comparison.drifted if comparison else ())
    told_later = frozenset(report.later_rules.ids if report.later_rules else ()) - published
    apart = published | told_later
    others = [one for one in findings if one.id not in apart]
    return Origins(
        brought=tuple(one for one in others if comparison is None or one.is_new),
        drifted=tuple(one for one in findings if one.id in published),
        later=tuple(one for one in findings if one.id in told_later),
        existing=tuple(one for one in others if comparison and not one.is_new),
    )


PUBLISHED = "Published since the base, not by this change"


@dataclass(frozen=True, slots=True)
class Apart:
    """The origin of a finding that neither the change brought nor earlier rules found."""

    origin: str
    """``published`` since the base, or ``later`` rules."""
    title: str

    @property
    def note(self) -> str:
        """A sentence for formats that have no section of their own for it."""
        return f"{self.title}."


def apart(report: Report) -> Mapping[str, Apart]:
    """Finding id → origin, for findings that have a section of their own."""
    found = origins(report)
    published, later = Apart("published", PUBLISHED), Apart("later", wording.later_rules(report))
    return {one.id: published for one in found.drifted} | {one.id: later for one in found.later}


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
_HABIT = Severity.LOW
"""What a rule finds of this severity, or below, is a habit: one row of each, however often."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one row tells of: a finding, or all that have one cause."""

    findings: tuple[Finding, ...]
    """Worst first, never empty; several for a package with advisories, a habit, and a secret that
    stands at several places."""

    @property
    def lead(self) -> Finding:
        """The worst of them."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The worst of them."""
        return self.lead.severity

    @property
    def is_habit(self) -> bool:
        """Whether it is one rule at several places."""
        return len(self.findings) > 1 and self.lead.advisory is None

    @property
    def is_package(self) -> bool:
        """Whether it is one package with several advisories."""
        return len(self.findings) > 1 and self.lead.advisory is not None

    @property
    def title(self) -> str:
        """``golang.org/x/net 0.1.0: 7 advisories, worst high, fixed in v0.38.0``.

        ``No lock file, 18 times``; of a finding alone its own title.
        """
        advisory = self.lead.advisory
        if len(self.findings) == 1:
            return self.lead.title
        if advisory is None:
            return f"{_shared_title(self.findings)}, {len(self.findings):,} times"
        return (
            f"{advisory.package} {advisory.installed_version}: {len(self.findings):,} advisories, "
            f"worst {self.severity.label}, {self.repair}"
        )

    @property
    def step(self) -> str:
        """What to do about it in a few words: the upgrade of a package, else what it is."""
        advisory = self.lead.advisory
        if advisory is None or not (upgrade := self._upgrade()):
            return self.title
        return f"Upgrade {advisory.package} {advisory.installed_version} to {upgrade}"

    @property
    def repair(self) -> str:
        """The version that answers every advisory of the package, as far as there is one."""
        if upgrade := self._upgrade():
            return f"fixed in {upgrade}"
        fixed = sum(bool(one.advisory and one.advisory.fixed_versions) for one in self.findings)
        return f"{fixed:,} with a fix" if fixed else "no fix published"

    def _upgrade(self) -> str:
        upgrades = {one.advisory.upgrade for one in self.findings if one.advisory}
        return upgrades.pop() if len(upgrades) == 1 else ""

    def flaw_of(self, finding: Finding) -> str:
        """The title of one of them without the package and version, which the row has named."""
        advisory = self.lead.advisory
        named = f"{advisory.package} {advisory.installed_version}: " if advisory else ""
        return finding.title.removeprefix(named) if self.is_package else finding.title

    @property
    def places(self) -> tuple[Place, ...]:
        """Each place once, the worst finding's first; of a package each file once."""
        if self.lead.advisory is None:
            return tuple(dict.fromkeys(one.place for one in self.findings))
        return tuple({one.place.file: one.place for one in reversed(self.findings)}.values())[::-1]

    @property
    def more(self) -> str:
        """How many places there are beside the first; empty for none."""
        number = len(self.places) - 1
        noun = "other place" if self.lead.advisory is None else "other file"
        return f"and {wording.counted(number, noun)}" if number else ""

    @property
    def place(self) -> str:
        """The place of the worst finding, and the number of others."""
        return " ".join(filter(None, (wording.place(self.lead.place), self.more)))

    def blocking(self, ids: Collection[str]) -> str:
        """``blocks``; ``2 of 18 block`` where only some of ``ids`` are here; else empty."""
        number = sum(one.id in ids for one in self.findings)
        if number == len(self.findings):
            return "blocks"
        return f"{number:,} of {len(self.findings):,} block" if number else ""


def entries(findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """One entry a row, in the order of their worst findings."""
    groups: dict[_Key, list[Finding]] = {}
    for number, finding in enumerate(findings):
        groups.setdefault(_cause(finding) or (str(number),), []).append(finding)
    found = [Entry(tuple(sorted(group, key=lambda one: one.order))) for group in groups.values()]
    return tuple(sorted(found, key=lambda entry: entry.lead.order))


def _cause(finding: Finding) -> _Key:
    """What findings of one cause share; empty for one that stands alone."""
    advisory = finding.advisory
    if advisory is not None:
        return ("package", advisory.ecosystem, advisory.package, advisory.installed_version)
    if finding.kind is Kind.SECRET and finding.group_key:
        return ("secret", finding.group_key)  # wherever it stands, it is revoked once
    return ("habit", finding.rule_id, finding.severity.label) if finding.severity <= _HABIT else ()


def _shared_title(findings: Sequence[Finding]) -> str:
    """What all of them are called, else the rule's own title."""
    titles = {one.title for one in findings}
    if len(titles) == 1:
        return titles.pop()
    from mergegate.repo.checks import all_rules  # noqa: PLC0415 - a scan has them, a reader not

    rule = all_rules().get(findings[0].rule_id)
    return rule.title if rule and rule.title else findings[0].title
