"""One answer for every surface of a forge, made of a report or of the reason for having none.

The surfaces are the comment, annotations, a status, and remarks on lines of the change.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from mergegate import __version__
from mergegate.ci import comment
from mergegate.ci.answer import Answer, answer
from mergegate.core.errors import Failed
from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.render import escape, templates, wording
from mergegate.core.render.failures import next_step
from mergegate.core.render.templates import clip
from mergegate.core.report import Fix, Gate, Report
from mergegate.core.severity import Severity
from mergegate.forges.marker import State, mark
from mergegate.forges.publication import Annotation, Dialect, Framing, Publication, Remark
from mergegate.repo.report import entries as detail
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import Entry, entries, origins

MOST_REMARKS = 10
"""How many a change gets unless the team says otherwise; more are a wall."""
HEADLINE = 140
"""What a commit status of GitHub takes."""
DETAILS = 60_000
PLAIN_DETAILS = 2_000
"""What the details of a Code Insights report take; there no markup is understood."""
_TITLE = 200
_MESSAGE = 1_800
_LONGEST = 20
_MOST_PARAGRAPHS = 6
Shown = Mapping[str, tuple[tuple[int, int], ...]]
"""Path → inclusive line ranges of the new file that the forge shows in its diff."""


def publication(report: Report, framing: Framing, shown: Shown, sarif: str | None) -> Publication:
    """What is to be published about ``framing.head``.

    ``shown`` tells which lines the forge's diff shows, ``sarif`` is the report for its list of
    alerts. Only findings that count are present: the thread of a dismissed one is resolved.
    """
    said = answer(report, framing)
    return Publication(
        head=framing.head,
        gate=framing.gate,
        verified=not framing.unverified,
        is_held=framing.is_held,
        headline=_headline(report, said),
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


def _headline(report: Report, said: Answer) -> str:
    """The title, then the counts, then the reasons, as far as they fit."""
    line = f"{said.title}."
    blind = wording.unsearched(report)
    for part in (said.counts, f"Not searched: {blind}." if blind else "", said.why):
        text = part.replace("`", "")
        line = f"{line} {text}" if text and len(line) + 1 + len(text) <= HEADLINE else line
    return clip(line, HEADLINE)


def _details(report: Report, framing: Framing, said: Answer) -> str:
    if framing.dialect.html:
        return comment.page(report, framing, DETAILS)
    lines = (
        f"{said.title}.",
        said.why,
        said.counts,
        said.next,
        said.beside,
        f"Not searched: {blind}." if (blind := wording.unsearched(report)) else "",
        f"Checked: {wording.checked(report)}.",
    )
    room = PLAIN_DETAILS // len(lines)
    return "\n".join(clip(line.replace("`", ""), room - 1) for line in lines if line)


def unscanned(failed: Failed, framing: Framing, remedy: str = "") -> Publication:
    """What is to be published about ``framing.head``; it passes no gate and settles no finding.

    ``remedy`` is the next step where the failure's code does not tell it.
    """
    step = remedy or next_step(failed.code)
    return Publication(
        head=framing.head,
        gate=Gate.INCOMPLETE,
        headline=clip(f"Incomplete: could not be scanned. {_plain(failed.detail)}", HEADLINE),
        comment=partial(_unscanned_comment, failed.detail, step, framing),
        details=_reason_as_details(failed.detail, step, framing),
        complete=False,
        score=100,  # "at most", as of every incomplete scan
    )


def _unscanned_comment(reason: str, step: str, framing: Framing, previous: State | None) -> str:
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
        comment.part("unscanned", framing, reason=reason, next=step),
        comment.claims(framing),
        comment.part("history", framing, earlier=kept.pushes[::-1]),
        comment.part("footer", framing, report={"tool_version": __version__}, links=links),
    )
    return f"{''.join(parts)}{marker}\n"


def _reason_as_details(reason: str, step: str, framing: Framing) -> str:
    if framing.dialect.html:
        return comment.part("unscanned", framing, reason=reason, next=step)
    return _plain(f"{reason} {step}")


def _plain(text: str) -> str:
    return text.replace("`", "")


def annotations(report: Report) -> tuple[Annotation, ...]:
    """What the change brings, worst first; without a base, all that was found, and whence.

    What was there before is left out, so that it is not repeated beside every change. So is what
    has no file, or a file whose name holds characters that cannot be seen. No source line enters.
    """
    fixes, told = excerpt.Fixes(report), detail.apart(report)
    found = origins(report).brought if report.comparison else report.findings
    return tuple(_annotation(one, fixes, told.get(one.id)) for one in found if _has_place(one))


def _has_place(finding: Finding) -> bool:
    path = finding.place.file
    return bool(path) and escape.visible(path) == path


def _annotation(finding: Finding, fixes: excerpt.Fixes, origin: detail.Apart | None) -> Annotation:
    place, fix = finding.place, fixes.of(finding)
    start = max(1, place.start_line)
    more = "A verified fix is in the report." if fix and fix.verified else ""
    whence = origin.note if origin else ""
    words = " ".join(filter(None, (whence, finding.message, wording.route(finding), more)))
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


def remarks(
    report: Report, shown: Shown, dialect: Dialect, most: int = MOST_REMARKS
) -> tuple[Remark, ...]:
    """At most ``most`` remarks on what the change brings, worst first.

    A finding gets one where all its lines stand in one shown range; findings for information
    get none. Without a base nothing is known to be new, so there are none. Advisories of one
    package at one place share a remark.
    """
    if report.comparison is None or most < 1:
        return ()
    writer = _Writer(report, shown, dialect)
    return tuple(map(writer.remark, writer.worth()[:most]))


@dataclass(frozen=True, slots=True)
class _Lines:
    """A range of lines in the new file, both ends inclusive."""

    start: int
    end: int

    def inside(self, other: tuple[int, int]) -> bool:
        return other[0] <= self.start <= self.end <= other[1]

    def touches(self, other: "_Lines") -> bool:
        return self.start <= other.end and other.start <= self.end


class _Writer:
    def __init__(self, report: Report, shown: Shown, dialect: Dialect) -> None:
        self._report = report
        self._shown = shown
        self._dialect = dialect
        self._fixes = excerpt.Fixes(report)

    def worth(self) -> list[Entry]:
        """What is worth a remark and can have one, worst first."""
        at: dict[Place, list[Finding]] = defaultdict(list)
        for finding in origins(self._report).brought:
            lines = _lines(finding.place)
            if finding.severity > Severity.INFO and lines and self._in_view(finding, lines):
                at[finding.place].append(finding)
        found = [entry for findings in at.values() for entry in entries(findings)]
        return sorted(found, key=lambda entry: entry.lead.order)

    def remark(self, entry: Entry) -> Remark:
        """The remark on the lines that the suggestion replaces, else on the finding's own."""
        finding = entry.lead
        fix = self._fixes.of(finding)
        edit = self._one_click(finding, fix) if fix else None
        lines = _Lines(edit.start_line, edit.end_line) if edit else _anchor(finding.place)
        return Remark(
            finding_id=finding.id,
            path=finding.place.file,
            start_line=lines.start,
            end_line=lines.end,
            body=self._body(entry, fix, excerpt.block(edit, self._dialect) if edit else ""),
        )

    def _body(self, entry: Entry, fix: Fix | None, block: str) -> str:
        """The remark's text; details are cut where a forge would refuse the whole of it."""
        told = detail.of(entry.lead, fix)
        told["message"] = told["message"][:_MOST_PARAGRAPHS]
        body = self._rendered(entry, block, told)
        if len(body) <= self._dialect.limit:
            return body
        told["message"], told["changes"] = told["message"][:1], ()
        return self._rendered(Entry(entry.findings[:1]), block, told)

    def _rendered(self, entry: Entry, block: str, told: Mapping[str, Any]) -> str:
        template = templates.markdown().get_template("remark.md.j2")
        text = template.render(
            entry=entry,
            target=self._report.target,
            sign=wording.SIGNS[entry.severity],
            suggestion=templates.Escaped(block),
            **told,
        )
        return f"{text.strip()}\n\n{mark(entry.lead.id, self._dialect.hiding)}\n"

    def _one_click(self, finding: Finding, fix: Fix) -> Edit | None:
        """The edit, where it is the whole fix, was proved, and lies in view at the finding."""
        if not fix.verified or len(fix.edits) != 1:
            return None
        edit = fix.edits[0]
        lines, own = _Lines(edit.start_line, edit.end_line), _lines(finding.place)
        here = edit.path == finding.place.file and own is not None and lines.touches(own)
        open_to_see = here and self._in_view(finding, lines)
        return edit if open_to_see and excerpt.block(edit, self._dialect) else None

    def _in_view(self, finding: Finding, lines: _Lines) -> bool:
        return any(lines.inside(one) for one in self._shown.get(finding.place.file, ()))


def _lines(place: Place) -> _Lines | None:
    """None for a whole file or repository."""
    if not place.file or place.start_line < 1:
        return None
    return _Lines(place.start_line, max(place.start_line, place.end_line))


def _anchor(place: Place) -> _Lines:
    """The finding's lines; the first alone where they would fill the screen."""
    end = max(place.start_line, place.end_line)
    long = end - place.start_line >= _LONGEST
    return _Lines(place.start_line, place.start_line if long else end)
