"""Functions and files that have outgrown their readers, and code that stands twice."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.quality import QualityRule
from mergegate.repo.facts.code import Clone, CodeMetrics, Duplication, FileMetrics, FunctionMetrics

COMPLEX, EXTREMELY_COMPLEX = 50, 250
LONG_FUNCTION, EXTREMELY_LONG_FUNCTION = 150, 600
LONG_FILE, EXTREMELY_LONG_FILE = 3_000, 10_000
BRANCHED = 15
"""Below, a long function is a list of steps or a table, which is easy to follow."""


@check("complex-function", Severity.LOW, "CWE-1121", engine="lizard")
def complex_function(rule: QualityRule, metrics: CodeMetrics) -> Iterator[Finding]:
    """A function has so many branches that no reader, and no test suite, covers them all.

    Cyclomatic complexity counts the independent paths; a switch counts once. It is told above
    50. One finding a file: the worst function is named, the others are counted. Of 34 released
    projects in eleven languages, 24 have none above 50 (Flask, Express, Requests, Tokio, Rack…);
    Django has it in 6 of 899 files, and none above 100. What is above 100 in well-kept ones is a
    parser or a mapping of fields, which its maintainers leave as it is.

    Title: Very complex function

    Info: up to 250, and outside production code

    Remedy: Give each case a function of its own, return early, or move branches into a table.

    Reference: https://csrc.nist.gov/pubs/sp/500/235/final
    """
    yield from _worst_functions(
        metrics,
        rule,
        size=lambda function: function.complexity,
        limits=(COMPLEX, EXTREMELY_COMPLEX),
        says="{name} has {size} independent paths, more than anyone can hold in mind or test",
    )


@check("long-function", Severity.LOW, "CWE-1120", engine="lizard")
def long_function(rule: QualityRule, metrics: CodeMetrics) -> Iterator[Finding]:
    """A branched function is longer than several screens, so nobody sees what it does as a whole.

    Only lines with code count. It is told above 150; a function of few branches (a table, a list
    of options) is left out, and so is one that `complex-function` reports. One finding a file. Of
    34 released projects none is above 300, and 8 have any above 150.

    Title: Very long function

    Info: up to 600, and outside production code

    Remedy: Extract its steps into functions, each under a name that says what it achieves.

    Reference: https://refactoring.com/catalog/extractFunction.html
    """
    yield from _worst_functions(
        metrics,
        rule,
        size=lambda function: function.nloc if BRANCHED < function.complexity <= COMPLEX else 0,
        limits=(LONG_FUNCTION, EXTREMELY_LONG_FUNCTION),
        says="{name} is {size} lines of code long, too much to be seen as a whole",
    )


@check("long-file", Severity.LOW, "CWE-1080", engine="lizard")
def long_file(rule: QualityRule, metrics: CodeMetrics) -> Iterator[Finding]:
    """A source file is so long that it has become several modules in one.

    Only lines with code count. It is told above 3,000; tables and lists of constants, where
    functions hold less than a third of the lines, are left out. Of 34 released projects 3 have
    any above 3,000 (SQLAlchemy 5 of 232 files).

    Title: Very long file

    Info: up to 10,000, and outside production code

    Remedy: Split it along its subjects, and keep the old name as a place that joins them.

    Reference: https://refactoring.com/catalog/extractClass.html
    """
    for file in metrics.files:
        nloc = file.metrics.nloc
        severity = _severity(file.role, nloc, (LONG_FILE, EXTREMELY_LONG_FILE))
        if severity is not None and _is_mostly_functions(file.metrics):
            yield rule.finding(
                f"{nloc:,} lines of code in one file: it holds several subjects, and changes to"
                f" them collide. {rule.remedy}",
                Place(file.path),
                severity=severity,
            )


def _worst_functions(
    metrics: CodeMetrics,
    rule: QualityRule,
    *,
    size: Callable[[FunctionMetrics], int],
    limits: tuple[int, int],
    says: str,
) -> Iterator[Finding]:
    """One finding a file, at the function that exceeds the limit most."""
    for file in metrics.files:
        above = [function for function in file.metrics.functions if size(function) > limits[0]]
        if not above:
            continue
        worst = max(above, key=lambda function: (size(function), -function.start_line))
        claim = says.format(name=_called(worst), size=size(worst))
        more = _and_more(len(above) - 1, "function")
        yield rule.finding(
            f"{claim}{more}. {rule.remedy}",
            Place(file.path, worst.start_line, worst.start_line),
            severity=_severity(file.role, size(worst), limits) or Severity.INFO,
        )


def _is_mostly_functions(metrics: FileMetrics) -> bool:
    return 3 * sum(function.nloc for function in metrics.functions) >= metrics.nloc


def _called(function: FunctionMetrics) -> str:
    return f"The function {function.name}" if function.name[:1].isidentifier() else "A function"


def _and_more(count: int, noun: str) -> str:
    if count <= 0:
        return ""
    return f" (and {count} more {noun}{'s' if count > 1 else ''} in this file)"


def _severity(role: Role, size: int, limits: tuple[int, int]) -> Severity | None:
    usual, extreme = limits
    if size <= usual:
        return None
    extremely = extreme is not None and size > extreme
    return Severity.LOW if extremely and role is Role.SOURCE else Severity.INFO


MUCH_REPEATED = 1_000
LARGE_CODE_BASE = 5_000
"""Compared lines; in less, a single variant is a large share."""
MUCH_DUPLICATION, EXTREME_DUPLICATION = 5.0, 15.0
"""Percent of the compared lines."""


@check("duplicated-code", Severity.LOW, "CWE-1041", engine="duplication")
def duplicated_code(rule: QualityRule, duplication: Duplication) -> Iterator[Finding]:
    """Fifty lines or more stand twice, so that the next correction will miss one of them.

    Compared are lines of production code without layout, comments, docstrings, imports and rows
    of numbers. One finding a file that repeats another. Of 34 released projects 29 have none,
    Django, Flask, Rich, Gin, Tokio, Rack and Scrapy among them.

    Title: Duplicated code

    Info: below 1,000 repeated lines in a file

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


@check("duplication-share", Severity.LOW, "CWE-1041", engine="duplication")
def duplication_share(rule: QualityRule, duplication: Duplication) -> Iterator[Finding]:
    """A notable share of the code base repeats other parts of it.

    The share of compared lines in blocks of fifty and more, told from 5 percent on. Of 34
    released projects 2 reach that, both npm packages that ship one code in two module formats;
    the next has less than 1. The blocks are the findings of `duplicated-code`.

    Title: Large share of duplicated code

    Info: below 15 percent, and in less than 5,000 compared lines

    Remedy: Merge the largest blocks first, or mark generated variants as such (`@generated`).

    Reference: https://docs.sonarsource.com/sonarqube-server/latest/user-guide/metric-definitions/
    """
    share = duplication.percentage
    large = duplication.compared_lines >= LARGE_CODE_BASE
    if share >= MUCH_DUPLICATION:
        yield rule.finding(
            f"{share:.0f} percent of {duplication.compared_lines:,} compared lines repeat other"
            f" lines of this repository in blocks of fifty and more. {rule.remedy}",
            severity=Severity.LOW if share >= EXTREME_DUPLICATION and large else Severity.INFO,
            evidence="share",
        )


def _others(count: int) -> str:
    return f" (and {count} more block{'s' if count > 1 else ''} repeat others)" if count else ""
