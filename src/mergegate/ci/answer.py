"""What the check says in three lines: the verdict, why, and what to do now; plain text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mergegate.core.render import wording
from mergegate.core.report import Decided, Gate, Ledger, Report, Verdict
from mergegate.forges.publication import Framing
from mergegate.repo.report import news

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
    return Answer(
        title=f"{_word(framing)}: {wording.headline_score(report)}{_site(report)}",
        why=_why(report, framing),
        counts=news.counts(report),
        next=news.next_step(report, "check"),
        beside=news.beside(report),
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
