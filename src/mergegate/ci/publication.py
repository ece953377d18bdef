"""One answer for every surface of a forge, made of a report."""

from functools import partial

from mergegate.ci import comment
from mergegate.ci.annotations import annotations
from mergegate.ci.answer import Answer, answer
from mergegate.ci.remark import Shown, remarks
from mergegate.core.render import wording
from mergegate.core.render.templates import clip
from mergegate.core.report import Gate, Report
from mergegate.forges.publication import Framing, Publication
from mergegate.repo.report import markdown
from mergegate.repo.report.entries import origins

HEADLINE = 140
"""What a commit status of GitHub takes."""
DETAILS = 60_000
PLAIN_DETAILS = 2_000
"""What the details of a Code Insights report take; there no markup is understood."""


def publication(report: Report, framing: Framing, shown: Shown, sarif: str | None) -> Publication:
    """What is to be published about ``framing.head``.

    ``shown`` tells which lines the forge's diff shows, ``sarif`` is the report for its list of
    alerts. Only findings that count are present: the thread of a dismissed one is resolved.
    """
    said = answer(report, framing)
    return Publication(
        head=framing.head,
        gate=framing.gate,
        headline=_headline(said),
        comment=partial(comment.render, report, framing),
        details=_details(report, framing, said),
        annotations=annotations(report),
        remarks=remarks(report, shown, framing.dialect, framing.most_remarks),
        present=frozenset(one.id for one in report.findings),
        complete=report.verdict.gate is not Gate.INCOMPLETE,
        sarif=sarif,
        score=report.ledger.score,
        new=len(origins(report).brought) if report.comparison else None,
    )


def _headline(said: Answer) -> str:
    """The title, then the counts, then the reasons, as far as they fit."""
    line = f"{said.title}."
    for part in (said.counts, said.why):
        text = part.replace("`", "")
        line = f"{line} {text}" if text and len(line) + 1 + len(text) <= HEADLINE else line
    return clip(line, HEADLINE)


def _details(report: Report, framing: Framing, said: Answer) -> str:
    if framing.dialect.html:
        return markdown.render(report, limit=DETAILS)
    lines = (
        f"{said.title}.",
        said.why,
        said.counts,
        said.next,
        f"Checked: {wording.checked(report)}.",
    )
    room = PLAIN_DETAILS // len(lines)
    return "\n".join(clip(line.replace("`", ""), room - 1) for line in lines if line)
