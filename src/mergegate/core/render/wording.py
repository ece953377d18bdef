"""The words every format shares. Raw text: each renderer escapes for its own target."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mergegate.core.finding import Finding, Place
from mergegate.core.languages import language_of
from mergegate.core.report import (
    FRESH_DAYS,
    Comparison,
    EngineRun,
    EngineStatus,
    Gate,
    LanguageCoverage,
    Ledger,
    PolicyInForce,
    PolicyOrigin,
    Report,
    Subtotal,
    Target,
    Verdict,
)
from mergegate.core.severity import Severity
from mergegate.core.tree import Reason, Skipped

WORST_FIRST = tuple(sorted(Severity, reverse=True))
SIGNS = {
    Severity.CRITICAL: "🔴",
    Severity.HIGH: "🟠",
    Severity.MEDIUM: "🟡",
    Severity.LOW: "🔵",
    Severity.INFO: "⚪",
}
"""Beside the word, never in its place."""
_MOST_TOLD = 3
SHORT_ID = 10
UNSHOWN = "Its lines stand where a secret is and are not shown. Apply it:"
"""What is said of a fix in the place of its lines, before the command."""
_ACCEPTABLE = "accept-unsearched"
_UNSEARCHED_GAP = "Accept what was not searched, by the line above, or mend what kept it from that."
_GAP = "Mend what is named above, then scan again."
_SITE_GAP = "Mend what kept the site from being checked, then scan again."
_MOST_NAMES = 3
_CHOSEN = frozenset({Reason.POLICY, Reason.TOOL_FOLDER})
"""Why files are left out that belong to no product, or that the team left out."""
_LONGEST_LINK = 500
_LINK = re.compile(r"https://[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~%#?=&+/@:;,-]*)?")
_ANSWERED = frozenset({EngineStatus.OK, EngineStatus.IDLE, EngineStatus.LIMITED})
BROKEN = frozenset({EngineStatus.FAILED, EngineStatus.MISSING, EngineStatus.TIMEOUT})


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 finding``, ``2,500 findings``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def score(gate: Gate, value: int) -> str:
    """``87/100``; what did not run could only have deducted more."""
    return f"at most {value}/100" if gate is Gate.INCOMPLETE else f"{value}/100"


def target(of: Target) -> str:
    """``owner/repo, branch main, commit 0123456789``."""
    name = "/".join(part for part in (of.owner, of.repo) if part) or "repository"
    parts = [name]
    if of.branch:
        parts.append(f"branch {of.branch}")
    if of.commit:
        changed = f" with {counted(len(of.altered), 'file')} changed" if of.altered else ""
        parts.append(f"commit {of.commit[:SHORT_ID]}{changed}")
    if of.only:
        parts.append(f"only {some(of.only)}")
    return ", ".join(parts)


def some(names: Sequence[str]) -> str:
    """``a, b, c and 4 more``."""
    more = len(names) - _MOST_TOLD
    return ", ".join(names[:_MOST_TOLD]) + (f" and {more:,} more" if more > 0 else "")


def place(of: Place) -> str:
    """``path:12``, ``path`` for a whole file."""
    if not of.file:
        return "whole repository"
    return f"{of.file}:{of.start_line}" if of.start_line else of.file


def severities(findings: Iterable[Finding]) -> dict[Severity, int]:
    """How many of each, worst first; all five are keys."""
    counts = Counter(finding.severity for finding in findings)
    return {severity: counts[severity] for severity in WORST_FIRST}


def severity_line(findings: Iterable[Finding]) -> str:
    """``1 critical, 3 high``; ``no findings``."""
    present = [(count, level) for level, count in severities(findings).items() if count]
    return ", ".join(f"{count:,} {level.label}" for count, level in present) or "no findings"


def change_verdict(comparison: Comparison) -> str:
    """The gate over the new findings alone."""
    verdict = comparison.verdict
    return f"{verdict.gate}, {score(verdict.gate, comparison.ledger.score)}"


def unsaid(report: Report) -> tuple[str, ...]:
    """The reasons of the change's own verdict that the headline has not given."""
    said = whole(report).reasons
    own = report.comparison.verdict.reasons if report.comparison else ()
    return tuple(one for one in own if one not in said)


def whole(report: Report) -> Verdict:
    """What check and exit code follow; else the verdict over code, change and site together."""
    if report.decided:
        return report.decided.verdict
    return of_code(report).beside(report.site.verdict if report.site else None)


def is_of_change(report: Report) -> bool:
    """Whether the verdict is on what the change brings alone."""
    asked = report.decided.fail_on if report.decided else ""
    return asked == "new" and report.comparison is not None


def ledger(report: Report) -> Ledger:
    """How the score comes about that stands beside the verdict."""
    alone = report.comparison if is_of_change(report) else None
    return alone.ledger if alone else report.ledger


def headline_score(report: Report) -> str:
    """``7/100``; ``31/100 for this change``."""
    about = " for this change" if is_of_change(report) else ""
    return f"{score(report.verdict.gate, ledger(report).score)}{about}"


def beside(report: Report) -> str:
    """The gate that does not decide, where it stands otherwise; a sentence, or nothing."""
    if report.decided is None:
        return ""
    gate, own, alone = whole(report).gate, report.verdict, report.comparison
    if report.decided.fail_on == "never":
        asked = whole(replace(report, decided=None)).gate
        said = "Nothing blocks (`fail-on: never`); by the gate it would have failed."
        return said if asked is not gate else ""
    if own.gate is Gate.INCOMPLETE:
        return ""
    excused = own.gate is Gate.FAILED and gate is Gate.PASSED  # what became known meanwhile
    if alone is None:
        told = f"By every rule the gate is failed, {score(own.gate, report.ledger.score)}"
        return f"{told}: what came with an upgrade does not decide here." if excused else ""
    differs = alone.verdict.gate is not own.gate
    if excused or (differs and is_of_change(report)):
        said = f"{own.gate}, {score(own.gate, report.ledger.score)}"
        return f"The repository's own gate: {said}. It does not decide here."
    said = f"{alone.verdict.gate}, {score(alone.verdict.gate, alone.ledger.score)}"
    return f"This change alone: {said}." if differs else ""


def later_rules(report: Report) -> str:
    """What is said of all that came with an upgrade; empty where nothing did."""
    later = report.later_rules
    if later is None:
        return ""
    since = f"blocking from {later.block_from} on" if later.block_from else "not blocking"
    return f"From rules later than {later.version}, {since}"


def of_code(report: Report) -> Verdict:
    """The verdict over the whole repository, and over the change alone where there is a base.

    Where both fail the reasons are the repository's: a change's own stand beside its counts.
    """
    both = report.verdict.beside(report.comparison.verdict if report.comparison else None)
    return replace(both, reasons=report.verdict.reasons or both.reasons)


def site_fails(report: Report) -> bool:
    """Whether the site stands in the way of the merge by itself."""
    return report.site is not None and report.site.verdict.gate is Gate.FAILED


def completing(report: Report) -> str:
    """What to do about an incomplete scan, in a sentence or a few."""
    steps = " ".join(repairs(report))
    told = any(_ACCEPTABLE in reason for reason in whole(report).reasons)
    return steps or (_UNSEARCHED_GAP if told else _GAP)


def repairs(report: Report) -> tuple[str, ...]:
    """What to do so that all that gave no answer gives one; a sentence each."""
    broken = [run for run in report.engines if run.status in BROKEN]
    steps = tuple(f"{run.name}: {run.remedy.rstrip('.')}." for run in broken if run.remedy)
    unseen = report.site is not None and bool(report.site.gaps)
    return (*steps, *([_SITE_GAP] if unseen else []))


def way_out(report: Report) -> tuple[Finding, ...]:
    """The findings of the way out, worst first."""
    wanted = frozenset(whole(report).way_out)
    return tuple(finding for finding in report.findings if finding.id in wanted)


def by_reason(skipped: Iterable[Skipped]) -> tuple[tuple[str, int], ...]:
    """Reasons with how many share them, most frequent first."""
    counts = Counter(item.reason for item in skipped)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def advisories(report: Report) -> str:
    """The date and the age of the advisories that were asked, and which were not to be had."""
    coverage = report.coverage
    asked = next((run for run in report.engines if run.name == "advisories"), None)
    lack = engine_note(asked).rstrip(".") if asked and asked.status in BROKEN else ""
    if coverage.advisories_date is None:
        return lack or "none were asked for"
    age = coverage.advisories_age_days
    old = "" if age is None else f", {counted(age, 'day')} old"
    return "; ".join(filter(None, (f"{coverage.advisories_date[:10]}{old}", lack)))


def policy(used: PolicyInForce) -> str:
    """Which policy ruled; its file's name is hostile text."""
    if used.origin is PolicyOrigin.NAMED:
        return f"{used.file}, which the caller named"
    if used.origin is PolicyOrigin.TREE:
        return f"{used.file} of the scanned tree itself"
    if not used.commit:
        return f"the defaults, for the scanned tree has no {used.file}"
    base = f"the base {used.commit[:SHORT_ID]}"
    if used.origin is PolicyOrigin.BASE:
        return f"{used.file} of {base}"
    return f"the defaults, for {base} has no valid {used.file}"


def files(report: Report) -> str:
    """How many files were seen, scanned, skipped, or neither: links, and what no search is for."""
    coverage = report.coverage
    neither = coverage.files_seen - coverage.files_scanned - len(coverage.skipped)
    said = (
        f"{coverage.files_seen:,} seen, {coverage.files_scanned:,} scanned "
        f"({size(coverage.bytes_scanned)}), {len(coverage.skipped):,} skipped"
    )
    return f"{said}, {neither:,} with nothing to search" if neither > 0 else said


def searched(one: LanguageCoverage) -> str:
    """How many files of a language were searched, and why the others were not."""
    why = f" ({one.reason})" if one.reason else ""
    files = counted(one.files, "file")
    return f"{one.language}: {one.searched:,} of {files} searched for code flaws{why}"


def unsearched(report: Report) -> str:
    """What the verdict does not speak of, in a line; empty when all was searched.

    Languages without rules come first, then what is known by name and not read, then what old
    advisories cannot know, then what is beyond a limit.
    """
    coverage = report.coverage
    blind = [_blind(one) for one in coverage.languages if one.searched < one.files]
    code = [f"code flaws in {listed(blind)}"] if blind else []
    left = [one.path for one in coverage.skipped if one.cause not in _CHOSEN]
    files = sum(language_of(path) is not None for path in left)
    folders = [path for path in left if path.endswith("/")]
    cut = [f"{counted(files, 'file')} left out"] if files else []
    cut += [f"all in {listed(folders)}"] if folders else []
    part = [f"parts of {counted(len(coverage.limited), 'file')}"] if coverage.limited else []
    days = coverage.advisories_age_days
    late = [f"advisories of the last {days:,} days"] if days and days > FRESH_DAYS else []
    return "; ".join([*code, *_named(coverage.unread), *late, *cut, *part])


def _blind(language: LanguageCoverage) -> str:
    """A language with what of it was not searched; its lines where that is all of it."""
    lines = "" if language.searched else f", {counted(language.lines, 'line')}"
    return f"{language.language} ({counted(language.files - language.searched, 'file')}{lines})"


def _named(unread: Sequence[Skipped]) -> list[str]:
    return [listed([one.path for one in unread])] if unread else []


def listed(names: Sequence[str]) -> str:
    """``a, b, c and 4 more``."""
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def counted_points(of: Subtotal, report: Report) -> str:
    """What a category takes off; a category that nothing was searched for says so."""
    unassessed = any(one.category is of.category for one in report.coverage.unassessed)
    return "not assessed" if unassessed and not of.points else str(of.counted)


def lowered(report: Report) -> str:
    """In how many files findings weigh less; empty for none."""
    counts = report.coverage.lowered
    return ", ".join(f"{count:,} {role}" for role, count in counts.items())


def size(of_bytes: int) -> str:
    """``512 B``, ``3.4 MiB``."""
    value = float(of_bytes)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def seconds(milliseconds: int) -> str:
    """``0.4 s``, ``12 s``."""
    value = milliseconds / 1000
    return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"


def engine_note(run: EngineRun) -> str:
    """Why an engine did not give a full answer, and what helps."""
    return " ".join(f"{part.rstrip('.')}." for part in (run.reason, run.remedy) if part)


def model_use(report: Report) -> str:
    """What a language model was asked, in a line; empty where nobody wanted one."""
    used = report.model
    if used is None:
        return ""
    if not used.model:
        return f"none was asked: {used.why}"
    sent = f"{counted(used.sent, 'request')} of {used.bytes_sent:,} bytes"
    tokens = f"{used.tokens_in:,} tokens in, {used.tokens_out:,} out"
    parts = [f"{used.model}: {sent}, {tokens}, {counted(used.answered, 'answer')}"]
    parts += [f"{used.reused:,} kept from before"] if used.reused else []
    parts += [f"{used.money:.4f} spent"] if used.money is not None else []
    parts += [f"{times:,} × no answer ({why})" for why, times in used.faults.items()]
    return ", ".join(parts)


def repaired_in(finding: Finding) -> str:
    """The versions that repair a vulnerable package."""
    advisory = finding.advisory
    if advisory is None or not advisory.fixed_versions:
        return "none published"
    return ", ".join(advisory.fixed_versions)


def route(finding: Finding) -> str:
    """How a vulnerable package came in; nothing when the manifest names it, or the message."""
    path = " → ".join(finding.advisory.path if finding.advisory else ())
    return f"Comes through {path}." if "→" in path and path not in finding.message else ""


def links(finding: Finding) -> tuple[str, ...]:
    """The references that are plain https addresses; nothing else becomes a link."""
    return plain_links(finding.references)


def plain_links(addresses: Iterable[str]) -> tuple[str, ...]:
    """Those that may be written as a link: https, not too long, nothing in it that ends it."""
    return tuple(one for one in addresses if len(one) <= _LONGEST_LINK and _LINK.fullmatch(one))


def checked(report: Report) -> str:
    """What was seen, in a line: files, engines, the age of the advisories, limits."""
    coverage = report.coverage
    ran = sum(run.status in _ANSWERED for run in report.engines)
    parts = [
        f"{coverage.files_scanned:,} of {counted(coverage.files_seen, 'file')}",
        f"{ran:,} of {counted(len(report.engines), 'engine')}",
        f"advisories {advisories(report)}" if coverage.advisories_date else "no advisories",
    ]
    reached = len(coverage.limits) + len(coverage.limited)
    return ", ".join([*parts, *([counted(reached, "limit") + " reached"] if reached else [])])


def moment(at: str) -> str:
    """``2026-11-20 09:14 UTC`` for an ISO time in UTC."""
    return f"{at[:10]} {at[11:16]} UTC" if len(at) > 15 else at


def by_rule(findings: Iterable[Finding]) -> tuple[tuple[str, int], ...]:
    """Rules with how many findings each has, most frequent first."""
    counts = Counter(finding.rule_id for finding in findings)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def sum_line(report: Report) -> str:
    """How the score comes about: ``100 − 50 − 8 = 42``."""
    return sum_of(report.ledger)


def sum_of(ledger: Ledger) -> str:
    """:func:`sum_line` of any ledger."""
    taken = [one.counted for one in ledger.subtotals if one.counted]
    if not taken:
        return "100: nothing was deducted"
    return f"100 − {' − '.join(map(str, taken))} = {ledger.score}"
