"""What the check says in three lines: the verdict, why, and what to do now; plain text."""

from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.core.report import Comparison, Gate, Ledger, Report, Verdict
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
    """The reasons."""
    counts: str
    """How many findings, by where they come from."""
    next: str
    """What the reader does now."""
    verdict: Verdict
    """The one that the check rests on: of the change alone, or of the whole repository."""
    ledger: Ledger
    """The score's, likewise."""


def answer(report: Report, framing: Framing) -> Answer:
    """The check's own words; its gate is ``framing.gate``, whatever the report says."""
    judged = _judged(report, framing)
    verdict = judged.verdict if judged else wording.of_code(report)
    ledger = judged.ledger if judged else report.ledger
    found = origins(report)
    score = _score(report, framing, ledger, judged)
    return Answer(
        title=f"{_word(framing)}: {score}{_site(report)}",
        why=_why(report, framing, verdict, judged),
        counts=_counts(report.comparison, found),
        next=_next(report, framing, verdict, found),
        verdict=verdict,
        ledger=ledger,
    )


def _word(framing: Framing) -> str:
    passed = framing.gate is Gate.PASSED
    return "Not verified" if passed and framing.unverified else framing.gate.capitalize()


def _judged(report: Report, framing: Framing) -> Comparison | None:
    """The change alone, where that is what blocks; None for the whole repository."""
    return report.comparison if framing.fail_on == "new" else None


def _score(report: Report, framing: Framing, ledger: Ledger, judged: Comparison | None) -> str:
    """What the site lacks takes no points: "at most" is said for the code alone."""
    lacking = framing.gate is Gate.INCOMPLETE and report.verdict.gate is Gate.INCOMPLETE
    gate = Gate.INCOMPLETE if lacking else Gate.PASSED
    return wording.score(gate, ledger.score) + (" for this change" if judged else "")


def _site(report: Report) -> str:
    """What the score alone does not tell."""
    gate = report.site.verdict.gate if report.site else Gate.PASSED
    words = {Gate.FAILED: ", and the site fails", Gate.INCOMPLETE: ", and the site was not checked"}
    return words.get(gate, "")


def _why(report: Report, framing: Framing, verdict: Verdict, judged: Comparison | None) -> str:
    site = report.site.verdict if report.site else Verdict(Gate.PASSED, ())
    reasons = (*verdict.reasons[:_MOST_REASONS], *_of_site(site))
    parts = [framing.unverified, *map(_sentence, reasons), _beside(report, judged)]
    whole = verdict.beside(site)
    if framing.fail_on == "never" and whole.gate is not framing.gate:
        parts.insert(0, f"Nothing blocks (`fail-on: never`); by the gate it {_would(whole)}.")
    return " ".join(filter(None, parts))


def _of_site(verdict: Verdict) -> tuple[str, ...]:
    """What could not be checked, a reason each; then all that the site fails by, as one."""
    gaps = tuple(one for one in verdict.reasons if not one.startswith(_SITE))
    failures = [one.removeprefix(_SITE) for one in verdict.reasons if one.startswith(_SITE)]
    return (*gaps, *([f"{_SITE}{'; '.join(failures)}"] if failures else []))


def _sentence(reason: str) -> str:
    return f"{reason.rstrip('.')}."


def _would(verdict: Verdict) -> str:
    return "would have failed" if verdict.gate is Gate.FAILED else "is incomplete"


def _beside(report: Report, judged: Comparison | None) -> str:
    """The other of the two verdicts, where it differs."""
    change = report.comparison
    if change is None or change.verdict.gate is report.verdict.gate:
        return ""
    if judged:
        gate, score = report.verdict.gate, report.ledger.score
        return f"The whole repository: {gate.value}, {wording.score(gate, score)}."
    gate, score = change.verdict.gate, change.ledger.score
    return f"This change alone: {gate.value}, {wording.score(gate, score)}."


def _counts(comparison: Comparison | None, found: Origins) -> str:
    total, levels = len(found.brought), wording.severity_line(found.brought)
    if comparison is None:
        return f"{wording.counted(total, 'finding')}: {levels}." if total else "No findings."
    new = f"{wording.counted(total, 'new finding')} ({levels})" if total else "No new findings"
    others = (
        (len(comparison.fixed), "fixed"),
        (len(found.drifted), "published since the base"),
        (len(found.existing), "existing"),
    )
    return f"{', '.join([new, *(f'{number:,} {what}' for number, what in others if number)])}."


def _next(report: Report, framing: Framing, verdict: Verdict, found: Origins) -> str:
    if framing.gate is Gate.PASSED:
        return f"{_free(report, found)}{_ready(report, found)}"
    if framing.gate is Gate.INCOMPLETE:
        return " ".join(wording.repairs(report)) or "Make the missing engines run, then scan again."
    number = len(verdict.way_out)
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
