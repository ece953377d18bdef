"""Code that stands in the repository twice."""

from collections import defaultdict
from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.quality import QualityRule
from mergegate.repo.facts.duplication import Clone, Duplication

MUCH_REPEATED = 100
MUCH_DUPLICATION, EXTREME_DUPLICATION = 5.0, 15.0
"""Percent of the compared lines."""


@check(
    "duplicated-code",
    "Duplicated code",
    Severity.LOW,
    "CWE-1041",
    milder={Severity.INFO: f"below {MUCH_REPEATED} repeated lines in a file"},
    engine="duplication",
)
def duplicated_code(rule: QualityRule, duplication: Duplication) -> Iterator[Finding]:
    """Fifty lines or more stand twice, so that the next correction will miss one of them.

    Compared are lines of production code without layout, comments, docstrings, imports and rows
    of numbers. One finding a file that repeats another. Of 34 released projects 29 have none,
    Django, Flask, Rich, Gin, Tokio, Rack and Scrapy among them.

    Remedy: Keep one of the blocks, under a name, and call it from the other place.

    Reference: https://refactoring.com/catalog/extractFunction.html
    """
    by_copy: dict[str, list[Clone]] = defaultdict(list)
    for clone in duplication.clones:
        by_copy[clone.copy.path].append(clone)
    for path in sorted(by_copy):
        clones = by_copy[path]
        worst = max(clones, key=lambda clone: clone.lines)
        lines = sum(clone.lines for clone in clones)
        original = worst.original
        yield rule.finding(
            f"{worst.lines} lines repeat {original.path}, lines {original.start_line} to"
            f" {original.end_line}{_others(len(clones) - 1)}, so a correction must be"
            f" made in every copy. {rule.remedy}",
            Place(path, worst.copy.start_line, worst.copy.start_line),
            severity=Severity.LOW if lines >= MUCH_REPEATED else Severity.INFO,
        )


@check(
    "duplication-share",
    "Large share of duplicated code",
    Severity.LOW,
    "CWE-1041",
    milder={Severity.INFO: f"below {EXTREME_DUPLICATION:.0f} percent"},
    engine="duplication",
)
def duplication_share(rule: QualityRule, duplication: Duplication) -> Iterator[Finding]:
    """A notable share of the code base repeats other parts of it.

    The share of compared lines in blocks of fifty and more, told from 5 percent on. Of 34
    released projects 2 reach that, both npm packages that ship one code in two module formats;
    the next has less than 1. The blocks are the findings of `duplicated-code`.

    Remedy: Merge the largest blocks first, or mark generated variants as such (`@generated`).

    Reference: https://docs.sonarsource.com/sonarqube-server/latest/user-guide/metric-definitions/
    """
    share = duplication.percentage
    if share >= MUCH_DUPLICATION:
        yield rule.finding(
            f"{share:.0f} percent of {duplication.compared_lines:,} compared lines repeat other"
            f" lines of this repository in blocks of fifty and more. {rule.remedy}",
            severity=Severity.LOW if share >= EXTREME_DUPLICATION else Severity.INFO,
            evidence="share",
        )


def _others(count: int) -> str:
    return f" (and {count} more block{'s' if count > 1 else ''} repeat others)" if count else ""
