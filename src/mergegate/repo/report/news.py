"""What a reader is told first, in every format alike: counts, next step, then what is new."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.render import wording
from mergegate.core.render.machine import short
from mergegate.core.report import Gate, Report
from mergegate.core.severity import Severity
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import PUBLISHED, Entry, entries, origins

MOST_NAMED = 3
"""How many rows the next step names."""
_LONGEST = 90
_OF_THE_SITE = "what is marked “blocks” in the section on the site"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Findings that come from one place, as rows."""

    state: str
    """``new``, ``published`` since the base, of ``later`` rules, ``existing``; empty for all that
    is found without a base."""
    title: str
    findings: tuple[Finding, ...]
    """Worst first, never empty."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Without those for information."""
        return entries(one for one in self.findings if one.severity > Severity.INFO)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """Those for information."""
        return tuple(one for one in self.findings if one.severity is Severity.INFO)

    @property
    def count(self) -> int:
        """As :func:`counts` counts: of what is new those for information stand apart."""
        return len(self.findings) - (len(self.notes) if self.is_news else 0)

    @property
    def is_news(self) -> bool:
        """Whether it is what the verdict on a change is about; without a base all is."""
        return self.state in {"", "new"}

    @property
    def heading(self) -> str:
        """``New in this change (6, in 4 rows)``."""
        rows = len(self.entries)
        grouped = f", in {wording.counted(rows, 'row')}" if rows < self.count else ""
        return f"{self.title} ({self.count:,}{grouped if self.is_news else ''})"


def chapters(report: Report) -> tuple[Chapter, ...]:
    """What the change brings, or without a base all that is found; then what came otherwise."""
    found, compared = origins(report), report.comparison is not None
    told = (
        Chapter("new", "New in this change", found.brought)
        if compared
        else Chapter("", "Findings", found.brought),
        Chapter("published", PUBLISHED, found.drifted),
        Chapter("later", wording.later_rules(report), found.later),
        Chapter("existing", "Existing before this change", found.existing),
    )
    return tuple(one for one in told if one.findings)


def counts(report: Report) -> str:
    """How many findings, by where they come from, in a sentence.

    ``6 new findings (2 critical, 4 low), 1 fixed, 17 existing.`` What is listed is counted:
    findings for information stand apart.
    """
    found, comparison = origins(report), report.comparison
    worth = [one for one in found.brought if one.severity > Severity.INFO]
    notes = len(found.brought) - len(worth)
    noun = "finding" if comparison is None else "new finding"
    said = f"{wording.counted(len(worth), noun)} ({wording.severity_line(worth)})"
    others = (
        (notes, "for information"),
        (len(comparison.fixed) if comparison else 0, "fixed"),
        (len(found.drifted), "published since the base"),
        (len(found.later), "from later rules"),
        (len(found.existing), "existing"),
    )
    more = (f"{number:,} {what}" for number, what in others if number)
    return f"{', '.join([said if worth else f'No {noun}s', *more])}."


def brought(report: Report) -> str:
    """What the verdict's own line counts: :func:`counts`, or where all is one the severities."""
    if report.comparison is None and not origins(report).later:
        return wording.severity_line(report.findings)
    return counts(report).rstrip(".")


def beside(report: Report) -> str:
    """What the gate says that does not decide; a sentence or two, empty where there is none."""
    said, alone = wording.beside(report), report.comparison
    if said or alone is None or wording.is_of_change(report):
        return said
    reasons = "; ".join(wording.unsaid(report))
    return f"This change alone: {wording.change_verdict(alone)}{f': {reasons}' if reasons else ''}."


def exits(report: Report) -> tuple[Entry, ...]:
    """The way out as rows, those of the change first; none where nothing has to be done."""
    if wording.whole(report).gate is Gate.PASSED:
        return ()
    ways, brought = wording.way_out(report), {one.id for one in origins(report).brought}
    new, old = (
        entries(one for one in ways if (one.id in brought) is is_new) for is_new in (True, False)
    )
    return (*new, *old)


def blocking(report: Report) -> frozenset[str]:
    """The ids of the findings that are marked as standing in the way."""
    return frozenset(one.id for entry in exits(report) for one in entry.findings)


MARKED = "marked “blocks”"
"""How the reader finds those that the next step does not name."""


def next_step(report: Report, passes: str = "gate", others: str = MARKED) -> str:
    """What the reader does now: the first three rows by what they are and where, not a number.

    ``passes`` is what then passes: a gate or a check; ``others`` tells how the rows beyond are
    shown. Pairs of backticks mark code.
    """
    gate = wording.whole(report).gate
    if gate is Gate.PASSED:
        return f"{_free(report)}{_ready(report)}"
    steps = [wording.completing(report)] if gate is Gate.INCOMPLETE else []
    ways = exits(report)
    if ways:
        named = "; ".join(map(_step, ways[:MOST_NAMED]))
        left = len(ways) - MOST_NAMED
        more = f"; and {left:,} more, {others}" if left > 0 else ""
        steps.append(f"{fixing(ways, report, passes)}: {named}{more}.")
    elif gate is Gate.FAILED and wording.site_fails(report):
        steps.append(f"Fix {_OF_THE_SITE}, and the {passes} passes.")
    return " ".join(steps) or "Fix the findings, worst first."


def fixing(ways: Collection[Entry], report: Report, passes: str = "gate") -> str:
    """``Fix these 5 and the gate passes``; what it promises of the rows of the way out."""
    these = "this" if len(ways) == 1 else f"these {len(ways):,}"
    if wording.whole(report).gate is Gate.INCOMPLETE:
        return f"Fix {these}, without which the {passes} fails in any case"
    if wording.site_fails(report):
        return f"Fix {these} and {_OF_THE_SITE}, and the {passes} passes"
    return f"Fix {these} and the {passes} passes"


def _step(entry: Entry) -> str:
    place = short(entry.place, _LONGEST).replace("`", "'")
    step = short(entry.step, _LONGEST)
    if step.count("`") % 2:  # cut inside code, or never closed
        step = step.replace("`", "'")
    return f"{step} (`{place}`)"


def _free(report: Report) -> str:
    if report.comparison and origins(report).brought:
        return "Nothing blocks the merge; the findings below can still be fixed."
    return "Nothing has to be done before the merge."


def _ready(report: Report) -> str:
    """The fixes that a passed change could still take along."""
    known, brought = excerpt.Fixes(report), origins(report).brought
    ready = set(_verified(brought, known))
    if not ready:
        return ""
    worth = set(_verified((one for one in brought if one.severity > Severity.INFO), known))
    slight = len(ready - worth)
    which = "" if slight == len(ready) else f"{slight:,} of them "
    about = f", {which}for what is for information" if slight else ""
    return f" {wording.counted(len(ready), 'fix is', 'fixes are')} ready to apply{about}."


def _verified(findings: Iterable[Finding], known: excerpt.Fixes) -> Iterator[str]:
    for finding in findings:
        fix = known.told(finding)
        if fix and fix.verified:
            yield fix.id
