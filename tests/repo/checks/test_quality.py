"""What counts as hard to change, and how much it weighs."""

from collections.abc import Callable, Iterable

import pytest

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks.quality import leftovers, size
from mergegate.repo.facts import code
from mergegate.repo.facts.code import (
    Clone,
    CodeMetrics,
    Duplication,
    FileMarkers,
    FileMetrics,
    FunctionMetrics,
    MarkedFile,
    Marker,
    MarkerKind,
    Markers,
    MeasuredFile,
    Span,
)

Rule = Callable[..., Iterable[Finding]]


def function(name: str = "f", line: int = 1, **measures: int) -> FunctionMetrics:
    given = {"nloc": 5, "complexity": 2} | measures
    return FunctionMetrics(name, line, line + 9, given["nloc"], given["complexity"])


def measured(*functions: FunctionMetrics, nloc: int = 0, role: Role = Role.SOURCE) -> CodeMetrics:
    total = nloc or sum(one.nloc for one in functions)
    return CodeMetrics((MeasuredFile("a.py", role, "python", FileMetrics(total, functions)),))


def severities(rule: Rule, fact: object) -> list[Severity]:
    return [finding.severity for finding in rule(fact)]


@pytest.mark.parametrize(
    ("complexity", "expected"),
    [(50, []), (51, [Severity.INFO]), (250, [Severity.INFO]), (251, [Severity.LOW])],
)
def test_complexity_weighs_from_fifty_one(complexity: int, expected: list[Severity]) -> None:
    assert severities(size.complex_function, measured(function(complexity=complexity))) == expected


@pytest.mark.parametrize(
    ("nloc", "expected"),
    [(150, []), (151, [Severity.INFO]), (600, [Severity.INFO]), (601, [Severity.LOW])],
)
def test_length_weighs_from_six_hundred_and_one(nloc: int, expected: list[Severity]) -> None:
    fact = measured(function(nloc=nloc, complexity=20))
    assert severities(size.long_function, fact) == expected


def test_a_long_list_of_steps_is_no_long_function() -> None:
    assert severities(size.long_function, measured(function(nloc=900, complexity=3))) == []


def test_a_function_is_reported_as_complex_or_long_not_both() -> None:
    fact = measured(function(nloc=700, complexity=290))
    assert severities(size.complex_function, fact) == [Severity.LOW]
    assert severities(size.long_function, fact) == []


@pytest.mark.parametrize(
    ("nloc", "expected"),
    [(3000, []), (3001, [Severity.INFO]), (10_000, [Severity.INFO]), (10_001, [Severity.LOW])],
)
def test_a_file_weighs_from_three_thousand_lines(nloc: int, expected: list[Severity]) -> None:
    assert severities(size.long_file, measured(function(nloc=3400), nloc=nloc)) == expected


def test_a_file_of_constants_is_not_long() -> None:
    assert severities(size.long_file, measured(function(nloc=50), nloc=9000)) == []


def test_every_file_that_could_be_reported_is_measured() -> None:
    assert code.FLOOR_COMPLEX_BRANCHES <= size.COMPLEX
    assert code.FLOOR_BRANCHES <= size.BRANCHED
    assert code.FLOOR_FUNCTION_LINES <= size.LONG_FUNCTION
    assert code.FLOOR_FILE_LINES <= size.LONG_FILE


@pytest.mark.parametrize("role", [Role.TEST, Role.EXAMPLE, Role.VENDORED, Role.GENERATED])
def test_outside_production_size_is_for_information(role: Role) -> None:
    fact = measured(function(complexity=290), role=role)
    assert severities(size.complex_function, fact) == [Severity.INFO]


def test_one_finding_names_the_worst_and_counts_the_others() -> None:
    fact = measured(
        function("low", 1, complexity=52), function("high", 20, complexity=70),
        function("mid", 40, complexity=60),
    )  # fmt: skip
    (finding,) = size.complex_function(fact)
    assert finding.place == Place("a.py", 20, 20)
    assert "high has 70 independent paths" in finding.message
    assert "and 2 more functions in this file" in finding.message


def test_an_anonymous_function_is_called_so() -> None:
    (finding,) = size.complex_function(measured(function("(anonymous)", complexity=70)))
    assert finding.message.startswith("A function has 70")


def cloned(*sizes: int, compared: int = 100_000) -> Duplication:
    clones = tuple(
        Clone(Span("b.py", 100 * n, 100 * n + lines), Span("a.py", 1, lines), lines)
        for n, lines in enumerate(sizes, start=1)
    )
    return Duplication(clones, compared)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [((), []), ((50,), [Severity.INFO]), ((1000,), [Severity.LOW]), ((600, 600), [Severity.LOW])],
)
def test_a_copy_weighs_from_a_thousand_lines_a_file(
    sizes: tuple[int, ...], expected: list[Severity]
) -> None:
    assert severities(size.duplicated_code, cloned(*sizes)) == expected


def test_a_copy_names_its_original() -> None:
    (finding,) = size.duplicated_code(cloned(60, 90))
    assert finding.place.file == "b.py"
    assert "90 lines repeat a.py, lines 1 to 90 (and 1 more block repeat others)" in finding.message


@pytest.mark.parametrize(
    ("copied", "compared", "expected"),
    [
        (490, 10_000, []),
        (500, 10_000, [Severity.INFO]),
        (1500, 10_000, [Severity.LOW]),
        (500, 1_000, [Severity.INFO]),
    ],
)
def test_the_share_weighs_from_fifteen_percent_of_a_large_code_base(
    copied: int, compared: int, expected: list[Severity]
) -> None:
    fact = cloned(copied, compared=compared)
    assert severities(size.duplication_share, fact) == expected


def marked(kind: MarkerKind, *lines: int, role: Role = Role.SOURCE, path: str = "a.js") -> Markers:
    markers = tuple(Marker(line, kind, "what") for line in lines)
    return Markers((MarkedFile(path, role, "javascript", FileMarkers(markers)),))


@pytest.mark.parametrize(
    ("rule", "kind", "role", "expected"),
    [
        (leftovers.merge_conflict, MarkerKind.CONFLICT, Role.SOURCE, Severity.HIGH),
        (leftovers.merge_conflict, MarkerKind.CONFLICT, Role.TEST, Severity.INFO),
        (leftovers.merge_conflict, MarkerKind.CONFLICT, Role.DOCS, Severity.INFO),
        (leftovers.leftover_debugger, MarkerKind.DEBUGGER, Role.SOURCE, Severity.MEDIUM),
        (leftovers.leftover_debugger, MarkerKind.DEBUGGER, Role.TEST, Severity.INFO),
        (leftovers.focused_test, MarkerKind.FOCUSED_TEST, Role.TEST, Severity.MEDIUM),
        (leftovers.focused_test, MarkerKind.FOCUSED_TEST, Role.SOURCE, Severity.MEDIUM),
        (leftovers.focused_test, MarkerKind.FOCUSED_TEST, Role.EXAMPLE, Severity.INFO),
    ],
)
def test_leftovers_weigh_by_role(
    rule: Rule, kind: MarkerKind, role: Role, expected: Severity
) -> None:
    assert severities(rule, marked(kind, 3, role=role)) == [expected]


@pytest.mark.parametrize("path", ["tools/a.js", "scripts/a.js", "x/hack/a.js"])
def test_a_debugger_weighs_the_same_in_every_folder(path: str) -> None:
    fact = marked(MarkerKind.DEBUGGER, 3, path=path)
    assert severities(leftovers.leftover_debugger, fact) == [Severity.MEDIUM]


def test_one_leftover_a_file_names_the_other_lines() -> None:
    (finding,) = leftovers.leftover_debugger(marked(MarkerKind.DEBUGGER, *range(3, 11)))
    assert finding.place == Place("a.js", 3, 3)
    assert "also in line 4, 5, 6, 7, 8 and 2 more" in finding.message


def test_leftovers_of_another_kind_are_not_mixed_up() -> None:
    assert severities(leftovers.merge_conflict, marked(MarkerKind.DEBUGGER, 3)) == []


def test_all_deducts_under_quality() -> None:
    findings = [
        *size.complex_function(measured(function(complexity=90))),
        *size.duplicated_code(cloned(60)),
        *leftovers.merge_conflict(marked(MarkerKind.CONFLICT, 1)),
    ]
    assert {finding.category for finding in findings} == {Category.QUALITY}
