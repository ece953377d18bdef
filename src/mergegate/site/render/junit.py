"""A site tool's layout as JUnit XML.

As in the scan's own: what fails is a failure, what is only to be looked at is skipped with its
reason, what gave no answer is an error.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from mergegate.core.render import machine, suites
from mergegate.core.render.suites import ERROR, FAILURE, LONGEST_NAME, SKIPPED, Case
from mergegate.site.render.layout import NOT_JUDGED, Finding, Layout

_LONGEST_LINE = 1_000
_MOST_LINES = 20
_ROOM = 4_000_000
"""Characters of all cases; CI systems read some ten megabytes, and escapes make it more."""
_LONGEST_WORDS = 200
_LONGEST_MARK = 100
_MOST_CASES = 2_000


def render(layout: Layout) -> str:
    """Engines, then what was not judged, then checks, then findings.

    At most 2,000 in all; when they say too much together, the later ones say their headline alone.
    """
    engines = map(suites.of_engine, layout.report.engines)
    gaps = (_gap(number, one) for number, one in enumerate(layout.report.gaps, start=1))
    cases = chain(engines, gaps, layout.checks, map(_found, _ordered(layout)))
    bounded = list(_bounded(islice(cases, _MOST_CASES)))
    return suites.document(bounded, layout.report.created_at)


def _gap(number: int, text: str) -> Case:
    return Case(
        suite="scan", about="gap", name=f"{NOT_JUDGED} {number}", outcome=ERROR, lines=(text,)
    )


def _ordered(layout: Layout) -> list[Finding]:
    order = {suite: number for number, suite in enumerate(layout.suites)}
    return sorted(layout.findings, key=lambda one: order.get(one.suite, 0))


def _found(one: Finding) -> Case:
    """The test case of a finding; its name holds no figure that changes between runs."""
    name = machine.short(one.name or one.title, _LONGEST_WORDS)
    return Case(
        suite=one.suite,
        about=one.rule,
        name=f"{name} [{machine.short(one.id, _LONGEST_MARK)}]",
        outcome=FAILURE if one.is_failure else SKIPPED,
        lines=one.reasons,
        type=one.type,
    )


def _bounded(cases: Iterable[Case]) -> Iterator[Case]:
    used = 0
    for case in cases:
        lines = [machine.short(line, _LONGEST_LINE) for line in case.lines if line][:_MOST_LINES]
        used += sum(map(len, lines))
        headline = [machine.short(line, _LONGEST_WORDS) for line in lines[:1]]
        name = machine.short(case.name, LONGEST_NAME)
        yield replace(case, name=name, lines=lines if used <= _ROOM else headline)
