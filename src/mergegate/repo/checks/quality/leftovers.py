"""What was meant to go before the merge."""

from collections.abc import Collection, Iterator, Sequence

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.quality import QualityRule
from mergegate.repo.facts.code import Marker, MarkerKind, Markers


@check(
    "merge-conflict",
    Severity.HIGH,
    without_cwe="The file is broken, which no weakness describes.",
    engine="markers",
)
def merge_conflict(rule: QualityRule, markers: Markers) -> Iterator[Finding]:
    """The markers of an unresolved merge stand in the file: it no longer parses, or runs both.

    All three markers, in order, at the start of their lines.

    Title: Unresolved merge conflict

    Info: outside production code

    Remedy: Choose what is right and delete the three marker lines.

    Reference: https://git-scm.com/book/en/v2/Git-Branching-Basic-Branching-and-Merging
    """
    yield from _first_of_each_file(
        markers,
        MarkerKind.CONFLICT,
        rule,
        "An unresolved merge stands here, so the file does not parse or holds both versions",
    )


@check("leftover-debugger", Severity.MEDIUM, "CWE-489", engine="markers")
def leftover_debugger(rule: QualityRule, markers: Markers) -> Iterator[Finding]:
    """A statement stops the program for a debugger, which waits for ever on a server.

    `debugger`, `breakpoint()`, `pdb.set_trace()`, `binding.pry`, `runtime.Breakpoint()`,
    `xdebug_break()`, `dbg!`, as a statement of its own, and not in a module for tests.

    Title: Leftover debugger statement

    Info: outside production code

    Remedy: Delete the statement; where developers may ask for it, put it behind an option.

    Reference: https://cwe.mitre.org/data/definitions/489.html
    """
    yield from _first_of_each_file(
        markers,
        MarkerKind.DEBUGGER,
        rule,
        "{what} is left from debugging: it halts the program or prints for the developer",
    )


@check(
    "focused-test",
    Severity.MEDIUM,
    without_cwe="It is the suite that lacks something, not the product.",
    engine="markers",
)
def focused_test(rule: QualityRule, markers: Markers) -> Iterator[Finding]:
    """A focused test keeps all others from running, and the suite still reports success.

    `describe.only`, `it.only`, `fdescribe`, `fit` and Ginkgo's `FDescribe`, `FIt`.

    Title: Focused test

    Info: in examples, documentation and vendored code

    Remedy: Remove the focus, and let the linter or the runner (`forbidOnly`) refuse it.

    Reference: https://jestjs.io/docs/api#describeonlyname-fn
    """
    yield from _first_of_each_file(
        markers,
        MarkerKind.FOCUSED_TEST,
        rule,
        "{what} keeps every other test from running while the suite reports success",
        counts_in=(Role.SOURCE, Role.TEST),
    )


def _first_of_each_file(
    markers: Markers,
    kind: MarkerKind,
    rule: QualityRule,
    says: str,
    counts_in: Collection[Role] = (Role.SOURCE,),
) -> Iterator[Finding]:
    for file in markers.files:
        found = file.of(kind)
        if found:
            yield rule.finding(
                f"{says.format(what=found[0].what)}{_other_lines(found)}. {rule.remedy}",
                Place(file.path, found[0].line, found[0].line),
                severity=rule.severity if file.role in counts_in else Severity.INFO,
            )


def _other_lines(found: Sequence[Marker]) -> str:
    others = [str(marker.line) for marker in found[1:6]]
    if not others:
        return ""
    more = f" and {len(found) - 6} more" if len(found) > 6 else ""
    return f" (also in line {', '.join(others)}{more})"
