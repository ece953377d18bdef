"""Functions and files that have outgrown their readers."""

from collections.abc import Callable, Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.quality import QualityRule
from mergegate.repo.facts.metrics import CodeMetrics, FileMetrics, FunctionMetrics

COMPLEX, EXTREMELY_COMPLEX = 50, 100
LONG_FUNCTION, EXTREMELY_LONG_FUNCTION = 150, 300
LONG_FILE, EXTREMELY_LONG_FILE = 3_000, 6_000
BRANCHED = 15
"""Below, a long function is a list of steps or a table, which is easy to follow."""


@check(
    "complex-function",
    "Very complex function",
    Severity.LOW,
    "CWE-1121",
    milder={Severity.INFO: f"up to {EXTREMELY_COMPLEX}, and outside production code"},
    engine="lizard",
)
def complex_function(rule: QualityRule, metrics: CodeMetrics) -> Iterator[Finding]:
    """A function has so many branches that no reader, and no test suite, covers them all.

    Cyclomatic complexity counts the independent paths; a switch counts once. It is told above
    50. One finding a file: the worst function is named, the others are counted. Of 34 released
    projects in eleven languages, 24 have none above 50 (Flask, Express, Requests, Tokio, Rack…);
    Django has it in 6 of 899 files, and none above 100.

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


@check(
    "long-function",
    "Very long function",
    Severity.LOW,
    "CWE-1120",
    milder={Severity.INFO: f"up to {EXTREMELY_LONG_FUNCTION}, and outside production code"},
    engine="lizard",
)
def long_function(rule: QualityRule, metrics: CodeMetrics) -> Iterator[Finding]:
    """A branched function is longer than several screens, so nobody sees what it does as a whole.

    Only lines with code count. It is told above 150; a function of few branches (a table, a list
    of options) is left out, and so is one that `complex-function` reports. One finding a file. Of
    34 released projects none is above 300, and 8 have any above 150.

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


@check(
    "long-file",
    "Very long file",
    Severity.LOW,
    "CWE-1080",
    milder={Severity.INFO: f"up to {EXTREMELY_LONG_FILE:,}, and outside production code"},
    engine="lizard",
)
def long_file(rule: QualityRule, metrics: CodeMetrics) -> Iterator[Finding]:
    """A source file is so long that it has become several modules in one.

    Only lines with code count. It is told above 3,000; tables and lists of constants, where
    functions hold less than a third of the lines, are left out. Of 34 released projects 3 have
    any above 3,000 (SQLAlchemy 5 of 232 files).

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
