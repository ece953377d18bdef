"""JUnit XML of the site tools.

As in the scan's own: what fails is a failure, what is only to be looked at is skipped with its
reason, what gave no answer is an error.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from mergegate.core.render import machine, suites
from mergegate.core.render.suites import ERROR, FAILURE, LONGEST_NAME, SKIPPED, Case
from mergegate.site.render.scanned import Scanned

__all__ = ["ERROR", "FAILURE", "SKIPPED", "Case", "document", "named"]

_LONGEST_LINE = 1_000
_MOST_LINES = 20
_ROOM = 4_000_000
"""Characters of all cases; CI systems read some ten megabytes, and escapes make it more."""
_LONGEST_WORDS = 200
_LONGEST_MARK = 100
_MOST_CASES = 2_000


def document(report: Scanned, cases: Iterable[Case]) -> str:
    """The engines' cases, then ``cases``.

    At most 2,000 in all; when they say too much together, the later ones say their headline alone.
    """
    everything = chain(map(suites.of_engine, report.engines), cases)
    return suites.document(list(_bounded(islice(everything, _MOST_CASES))), report.created_at)


def named(words: str, mark: str) -> str:
    """A case's name; ``words`` hold no figure that changes, or CI systems see another test."""
    return f"{machine.short(words, _LONGEST_WORDS)} [{machine.short(mark, _LONGEST_MARK)}]"


def _bounded(cases: Iterable[Case]) -> Iterator[Case]:
    used = 0
    for case in cases:
        lines = [machine.short(line, _LONGEST_LINE) for line in case.lines if line][:_MOST_LINES]
        used += sum(map(len, lines))
        headline = [machine.short(line, _LONGEST_WORDS) for line in lines[:1]]
        name = machine.short(case.name, LONGEST_NAME)
        yield replace(case, name=name, lines=lines if used <= _ROOM else headline)
