"""One answer for every surface of a forge, made of a report or of the reason for having none."""

from functools import partial

from mergegate import __version__
from mergegate.ci import comment
from mergegate.ci.answer import Answer, answer
from mergegate.ci.remark import Shown, remarks
from mergegate.core.errors import Failed
from mergegate.core.finding import Finding
from mergegate.core.render import escape, templates, wording
from mergegate.core.render.failures import next_step
from mergegate.core.render.templates import clip
from mergegate.core.report import Gate, Report
from mergegate.forges.marker import State
from mergegate.forges.publication import Annotation, Framing, Publication
from mergegate.repo.report import excerpt, markdown
from mergegate.repo.report.entries import origins

_TITLE = 200
_MESSAGE = 1_800


def annotations(report: Report) -> tuple[Annotation, ...]:
    """What the change brings, worst first; without a base, all that was found.

    What was there before is left out, so that it is not repeated beside every change. So is what
    has no file, or a file whose name holds characters that cannot be seen. No source line enters.
    """
    fixes = excerpt.Fixes(report)
    worth = (one for one in origins(report).brought if _has_place(one))
    return tuple(_annotation(one, fixes) for one in worth)


def _has_place(finding: Finding) -> bool:
    path = finding.place.file
    return bool(path) and escape.visible(path) == path


def _annotation(finding: Finding, fixes: excerpt.Fixes) -> Annotation:
    place, fix = finding.place, fixes.of(finding)
    start = max(1, place.start_line)
    more = "A verified fix is in the report." if fix and fix.verified else ""
    words = " ".join(filter(None, (finding.message, wording.route(finding), more)))
    return Annotation(
        finding_id=finding.id,
        path=place.file,
        start_line=start,
        end_line=max(start, place.end_line),
        severity=finding.severity,
        kind=finding.kind,
        rule_id=finding.rule_id,
        title=templates.clip(finding.title, _TITLE),
        message=templates.clip(words, _MESSAGE),
        url=next(iter(wording.links(finding)), ""),
    )


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


def unscanned(failed: Failed, framing: Framing) -> Publication:
    """What is to be published about ``framing.head``; it passes no gate and settles no finding."""
    return Publication(
        head=framing.head,
        gate=Gate.INCOMPLETE,
        headline=clip(f"Incomplete: could not be scanned. {_plain(failed.detail)}", HEADLINE),
        comment=partial(_unscanned_comment, failed, framing),
        details=_reason_as_details(failed, framing),
        complete=False,
        score=100,  # "at most", as of every incomplete scan
    )


def _unscanned_comment(failed: Failed, framing: Framing, previous: State | None) -> str:
    """The comment; it keeps earlier pushes and dismissals for the scan that succeeds."""
    known = previous.pushes if previous else ()
    state = State(
        head=framing.head,
        sequence=framing.sequence,
        pushes=tuple(one for one in known if one.head != framing.head),
        waivers=previous.waivers if previous else (),
    )
    marker, kept = comment.remembered(state, framing.dialect)
    links = wording.plain_links([framing.run_url])
    parts = (
        comment.part("unscanned", framing, reason=failed.detail, next=next_step(failed.code)),
        comment.part("history", framing, earlier=kept.pushes[::-1]),
        comment.part("footer", framing, report={"tool_version": __version__}, links=links),
    )
    return f"{''.join(parts)}{marker}\n"


def _reason_as_details(failed: Failed, framing: Framing) -> str:
    if framing.dialect.html:
        return comment.part("unscanned", framing, reason=failed.detail, next=next_step(failed.code))
    return _plain(f"{failed.detail} {next_step(failed.code)}")


def _plain(text: str) -> str:
    return text.replace("`", "")
