"""The summary of a repository scan in words, written by code from facts; it never scores."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.report import Comparison, Fix, Gate, Ledger, Verdict
from mergegate.core.severity import Severity

_VERDICTS = {
    Gate.PASSED: "The gate passed with a score of {score}.",
    Gate.FAILED: "The gate failed with a score of {score}.",
    Gate.INCOMPLETE: (
        "The scan is incomplete: the score would be {score} at most, and the gate does not pass."
    ),
}
_ALONE = {
    Gate.PASSED: "passes",
    Gate.FAILED: "fails",
    Gate.INCOMPLETE: "does not pass, for it is incomplete",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A summary and whose words it is in."""

    text: str
    source: str = "template"
    """``template`` or ``model``."""


def summarise(
    findings: Sequence[Finding],
    ledger: Ledger,
    verdict: Verdict,
    fixes: Sequence[Fix],
    comparison: Comparison | None,
) -> str:
    """Verdict, the change, reasons, counts, and what to do first; plain text, one paragraph."""
    sentences = [
        _VERDICTS[verdict.gate].format(score=ledger.score),
        _change(comparison),
        *(f"{reason}." for reason in verdict.reasons),
        _counts(findings),
        _first_step(findings, verdict, fixes),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _counts(findings: Sequence[Finding]) -> str:
    counts = Counter(finding.severity for finding in findings)
    named = [f"{counts[s]} {s.label}" for s in sorted(Severity, reverse=True) if counts[s]]
    return f"Found: {', '.join(named)}." if named else "Nothing was found."


def _change(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    fixed = len(comparison.fixed)
    return (
        f"Against its base this change brings {comparison.new} new and fixes {fixed}; "
        f"{comparison.existing} were there before, and of the change alone the gate "
        f"{_ALONE[comparison.verdict.gate]}."
    )


def _first_step(findings: Sequence[Finding], verdict: Verdict, fixes: Sequence[Fix]) -> str:
    if verdict.way_out:
        first = next(one for one in findings if one.id == verdict.way_out[0])
        many = len(verdict.way_out)
        rest = f" Removing {many} findings turns the gate green." if many > 1 else ""
        return f"Start with {_where(first)}{first.title}.{rest}"
    if fixes:
        count = "1 fix is" if len(fixes) == 1 else f"{len(fixes)} fixes are"
        return f"{count} verified and ready to apply."
    return ""


def _where(finding: Finding) -> str:
    place = finding.place
    if not place.file:
        return ""
    return f"{place.file}:{place.start_line}: " if place.start_line else f"{place.file}: "
