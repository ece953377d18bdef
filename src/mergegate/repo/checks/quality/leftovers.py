"""What was meant to go before the merge."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Aspect, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.quality.reporting import flaw
from mergegate.repo.facts.markers import Marker, MarkerKind, Markers

_DESK = re.compile(r"(?:^|/)(?:tools?|scripts?|hack|dev)/")


@check("merge-conflict", Aspect.QUALITY)
def merge_conflict(markers: Markers) -> Iterator[Finding]:
    """The markers of an unresolved merge stand in the file: it no longer parses, or runs both.

    All three markers, in order, at the start of their lines. High in production code.

    Remedy: resolve the conflict and delete the marker lines.

    Reference: https://git-scm.com/book/en/v2/Git-Branching-Basic-Branching-and-Merging
    """
    yield from _first_of_each_file(
        markers,
        MarkerKind.CONFLICT,
        rule_id="merge-conflict",
        title="Unresolved merge conflict",
        says="An unresolved merge stands here, so the file does not parse or holds both versions",
        remedy="Choose what is right and delete the three marker lines",
        severities={Role.SOURCE: Severity.HIGH},
    )


@check("leftover-debugger", Aspect.QUALITY)
def leftover_debugger(markers: Markers) -> Iterator[Finding]:
    """A statement stops the program for a debugger, which waits for ever on a server.

    `debugger`, `breakpoint()`, `pdb.set_trace()`, `binding.pry`, `runtime.Breakpoint()`,
    `xdebug_break()`, `dbg!`, as a statement of its own. Medium in production code, low in the
    developers' own tools and scripts.

    Remedy: delete the statement; where developers may ask for it, put it behind an option.

    Reference: https://cwe.mitre.org/data/definitions/489.html
    """
    for finding in _first_of_each_file(
        markers,
        MarkerKind.DEBUGGER,
        rule_id="leftover-debugger",
        title="Leftover debugger statement",
        says="{what} is left from debugging: it halts the program or prints for the developer",
        remedy="Delete the statement",
        severities={Role.SOURCE: Severity.MEDIUM},
        cwe=("CWE-489",),
    ):
        desk = _DESK.search(finding.place.file) is not None
        yield replace(finding, severity=min(finding.severity, Severity.LOW)) if desk else finding


@check("focused-test", Aspect.QUALITY)
def focused_test(markers: Markers) -> Iterator[Finding]:
    """A focused test keeps all others from running, and the suite still reports success.

    `describe.only`, `it.only`, `fdescribe`, `fit` and Ginkgo's `FDescribe`, `FIt`. Medium.

    Remedy: remove the focus, and let the linter or the runner (`forbidOnly`) refuse it.

    Reference: https://jestjs.io/docs/api#describeonlyname-fn
    """
    yield from _first_of_each_file(
        markers,
        MarkerKind.FOCUSED_TEST,
        rule_id="focused-test",
        title="Focused test",
        says="{what} keeps every other test from running while the suite reports success",
        remedy="Remove the focus",
        severities={Role.SOURCE: Severity.MEDIUM, Role.TEST: Severity.MEDIUM},
    )


def _first_of_each_file(
    markers: Markers,
    kind: MarkerKind,
    *,
    rule_id: str,
    title: str,
    says: str,
    remedy: str,
    severities: Mapping[Role, Severity],
    cwe: tuple[str, ...] = (),
) -> Iterator[Finding]:
    for file in markers.files:
        found = file.of(kind)
        if found:
            message = f"{says.format(what=found[0].what)}{_other_lines(found)}. {remedy}."
            yield flaw(
                rule_id,
                title,
                message,
                severities.get(file.role, Severity.INFO),
                Place(file.path, found[0].line, found[0].line),
                engine="markers",
                cwe=cwe,
            )


def _other_lines(found: Sequence[Marker]) -> str:
    others = [str(marker.line) for marker in found[1:6]]
    if not others:
        return ""
    more = f" and {len(found) - 6} more" if len(found) > 6 else ""
    return f" (also in line {', '.join(others)}{more})"
