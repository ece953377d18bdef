"""What the check says in three lines: the verdict, why, and what to do now; plain text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mergegate.core.render import wording
from mergegate.core.report import Comparison, Decided, Gate, Ledger, Report, Verdict
from mergegate.core.severity import Severity
from mergegate.forges.publication import Framing
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import Origins, origins

_MOST_REASONS = 3
_SITE = "Site: "
"""How the reasons of a site's verdict begin; see ``score/site.py``."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Sentences without escaping; pairs of backticks mark code."""

    title: str
    """``Failed: 31/100 for this change``."""
    why: str
    """The reasons; empty where nothing stands in the way."""
    counts: str
    """How many findings, by where they come from."""
    next: str
    """What the reader does now."""
    beside: str
    """The gate that does not decide, where it stands otherwise; may be empty."""
    verdict: Verdict
    """The one that check and exit code follow."""
    ledger: Ledger
    """The score's: of the change alone, or of the whole repository."""


def answer(report: Report, framing: Framing) -> Answer:
    """The check's own words; its verdict is ``framing.verdict``, whatever the report says."""
    report = replace(report, decided=Decided(framing.verdict, framing.fail_on))
    found = origins(report)
    return Answer(
        title=f"{_word(framing)}: {wording.headline_score(report)}{_site(report)}",
        why=_why(report, framing),
        counts=_counts(report.comparison, found),
        next=_next(report, framing, found),
        beside=wording.beside(report),
        verdict=framing.verdict,
        ledger=wording.ledger(report),
    )


def _word(framing: Framing) -> str:
    passed = framing.gate is Gate.PASSED
    return "Not verified" if passed and framing.unverified else framing.gate.capitalize()


def _site(report: Report) -> str:
    """What the score alone does not tell."""
    gate = report.site.verdict.gate if report.site else Gate.PASSED
    words = {Gate.FAILED: ", and the site fails", Gate.INCOMPLETE: ", and the site was not checked"}
    return words.get(gate, "")


def _why(report: Report, framing: Framing) -> str:
    site = report.site.verdict.reasons if report.site else ()
    of_code = [one for one in framing.verdict.reasons if one not in site]
    reasons = (*of_code[:_MOST_REASONS], *_of_site(site))
    return " ".join(filter(None, (framing.unverified, *map(_sentence, reasons))))


def _of_site(reasons: Sequence[str]) -> tuple[str, ...]:
    """What could not be checked, a reason each; then all that the site fails by, as one."""
    gaps = tuple(one for one in reasons if not one.startswith(_SITE))
    failures = [one.removeprefix(_SITE) for one in reasons if one.startswith(_SITE)]
    return (*gaps, *([f"{_SITE}{'; '.join(failures)}"] if failures else []))


def _sentence(reason: str) -> str:
    return f"{reason.rstrip('.')}."


def _counts(comparison: Comparison | None, found: Origins) -> str:
    """What is listed is counted: findings for information stand apart."""
    worth = [one for one in found.brought if one.severity > Severity.INFO]
    notes = len(found.brought) - len(worth)
    noun = "finding" if comparison is None else "new finding"
    said = f"{wording.counted(len(worth), noun)} ({wording.severity_line(worth)})"
    first = said if worth else f"No {noun}s"
    if comparison is None:
        return f"{first}, {notes:,} for information." if notes else f"{first}."
    others = (
        (notes, "for information"),
        (len(comparison.fixed), "fixed"),
        (len(found.drifted), "published since the base"),
        (len(found.existing), "existing"),
    )
    return f"{', '.join([first, *(f'{number:,} {what}' for number, what in others if number)])}."


def _next(report: Report, framing: Framing, found: Origins) -> str:
    if framing.gate is Gate.PASSED:
        return f"{_free(report, found)}{_ready(report, found)}"
    if framing.gate is Gate.INCOMPLETE:
        return " ".join(wording.repairs(report)) or "Make the missing engines run, then scan again."
    number = len(framing.verdict.way_out)
    if wording.site_fails(report):
        also = f"{wording.counted(number, 'finding')} and " if number else ""
        return (
            f"Fix {also}what is marked “blocks” in the section on the site, and the check passes."
        )
    if not number:
        return "Fix the findings below, worst first."
    these = "this finding" if number == 1 else f"these {number:,} findings"
    return f"Fix {these} and the check passes."


def _free(report: Report, found: Origins) -> str:
    if report.comparison and found.brought:
        return "Nothing blocks the merge; the findings below can still be fixed."
    return "Nothing has to be done before the merge."


def _ready(report: Report, found: Origins) -> str:
    """The fixes that a passed change could still take along."""
    known = excerpt.Fixes(report)
    fixes = [known.of(one) for one in found.brought]
    ready = len({fix.id for fix in fixes if fix and fix.verified})
    return f" {wording.counted(ready, 'fix is', 'fixes are')} ready to apply." if ready else ""
