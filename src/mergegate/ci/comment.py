"""The one comment on a change, edited in place: verdict, reason and next step, the rest folded."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from mergegate.ci.answer import answer
from mergegate.core.finding import Finding
from mergegate.core.render import templates, wording
from mergegate.core.report import Decided, EngineRun, Gate, Report
from mergegate.core.severity import Severity
from mergegate.forges.marker import MOST_PUSHES, Push, State, recall, remember
from mergegate.forges.publication import Dialect, Framing
from mergegate.repo.report import excerpt, news
from mergegate.repo.report.entries import PUBLISHED, Entry, entries, origins
from mergegate.repo.report.lines import Lines
from mergegate.repo.report.markdown import drop

_SHARE = 3


def next_state(report: Report, framing: Framing, previous: State | None) -> State:
    """Earlier pushes and this one, which replaces an older answer to the same commit."""
    push = Push(
        head=framing.head,
        gate=framing.gate.value,
        score=answer(report, framing).ledger.score,
        new=len(origins(report).brought) if report.comparison else None,
        at=framing.at,
    )
    known = previous.pushes if previous else ()
    pushes = (*(one for one in known if one.head != framing.head), push)
    return State(
        head=framing.head,
        sequence=framing.sequence,
        pushes=pushes[-MOST_PUSHES:],
        waivers=previous.waivers if previous else (),
    )


def remembered(state: State, dialect: Dialect) -> tuple[str, State]:
    """The hidden line in at most a third of the comment, and what of the state it holds.

    Old pushes give way first; a dismissal is only lost when nothing else is left to lose, and
    then the gate is stricter, never laxer.
    """
    most = max(len(state.pushes) - 1, 0) + len(state.waivers)
    lost = bisect_left(range(most), True, key=lambda few: _fits(_without(state, few), dialect))
    kept = _without(state, lost)
    if not _fits(kept, dialect):
        raise ValueError("a state without history does not fit into a comment")
    return remember(kept, dialect.hiding), kept


def _fits(state: State, dialect: Dialect) -> bool:
    marker = remember(state, dialect.hiding)
    return len(marker) <= dialect.limit // _SHARE and recall(marker) is not None


def _without(state: State, lost: int) -> State:
    """The oldest go first: pushes but the last one, then dismissals."""
    pushes = min(lost, max(len(state.pushes) - 1, 0))
    waivers = lost - pushes
    return replace(state, pushes=state.pushes[pushes:], waivers=state.waivers[waivers:])


_SIGNS = {Gate.PASSED: "✅", Gate.FAILED: "❌", Gate.INCOMPLETE: "⚠️"}
_WAY_OUT = "way out"
_LATER = "what later rules tell"
_CLAIMS = "what the change's own job says"
# The last goes first when room is short.
_SECTIONS = (
    _WAY_OUT,
    "the site",
    "published since the base",
    _LATER,
    "dismissals",
    "fixed findings",
    "existing findings",
    _CLAIMS,
    "score",
    "history",
    "coverage",
)
_BELOW = (
    "the site",
    "published since the base",
    _LATER,
    _CLAIMS,
    "fixed findings",
    "existing findings",
    "score",
    "coverage",
    "dismissals",
    "history",
)
_ELSEWHERE = "These do not block this change: the branch it wants into has them too."
_UPGRADED = "An upgrade of Mergegate brought these; the code was there before."
_NOTE_ROOM = 1_500
_MOST_LISTED = 10


class _Pointing(Enum):
    """How the reader is shown what stands in the way beside the rows that the next step names."""

    MARKS = news.MARKED
    """All of it is in the list of findings."""
    LIST = "listed below"
    """They stand in a short list of their own."""
    SOME_MARKS = "of which those shown here are marked “blocks” and the full report lists all"
    """It is too much for a comment."""


MOST_SHOWN = 25
"""The most rows listed in a comment; the full report has them all."""


class Page:
    """One comment without its marker."""

    def __init__(self, report: Report, framing: Framing, state: State, forgotten: int = 0) -> None:
        """``forgotten``: how many dismissals the marker had no room for."""
        self._report = replace(report, decided=Decided(framing.verdict, framing.fail_on))
        self._framing = framing
        self._state = state
        self._forgotten = forgotten
        self._answer = answer(report, framing)
        self._found = origins(report)
        worth = [one for one in self._found.brought if one.severity > Severity.INFO]
        self._notes = [one for one in self._found.brought if one.severity is Severity.INFO]
        self._entries = entries(worth)
        self._fixes = excerpt.Fixes(report)
        self._exits = news.exits(self._report)
        self._gaps = self._lacking()

    def within(self, room: int) -> str:
        """The page in at most ``room`` characters."""
        page, complete = self._composed(room, _Pointing.MARKS)
        if complete:
            return page
        short = len(self._exits) <= _MOST_LISTED
        return self._composed(room, _Pointing.LIST if short else _Pointing.SOME_MARKS)[0]

    def _lacking(self) -> tuple[EngineRun, ...]:
        if self._framing.gate is not Gate.INCOMPLETE:
            return ()
        return tuple(run for run in self._report.engines if run.status in wording.BROKEN)

    def _composed(self, room: int, pointing: _Pointing) -> tuple[str, bool]:
        """The page, and whether every finding in the way is among those shown."""
        exits = frozenset(one.id for entry in self._exits for one in entry.findings)
        marked = () if pointing is _Pointing.LIST else exits
        lines = self._lines(self._entries, marked)
        above, footer = self._head(self._step(pointing)) + self._missing(), self._footer()
        sections = self._sections(pointing)
        left = room - len(above) - len(footer) - _NOTE_ROOM
        dropped = drop(sections, _SECTIONS, left, lines.need)
        shown = lines.fitting(left - len(self._list_heading()) - sum(map(len, sections.values())))
        listed = f"{self._list_heading()}{shown.text}" if shown.text else ""
        note = self._note(shown.count, dropped)
        below = "".join(sections[name] for name in _BELOW)
        page = f"{above}{sections[_WAY_OUT]}{listed}{note}{below}{footer}"
        return page, exits <= shown.ids

    def _lines(self, found: Sequence[Entry], blocking: Collection[str] = ()) -> Lines:
        folds = self._framing.dialect.html
        target = self._report.target
        return Lines(found, self._fixes, target, blocking, most=MOST_SHOWN, folds=folds)

    def _step(self, pointing: _Pointing) -> str:
        return news.next_step(self._report, "check", pointing.value)

    def _head(self, step: str) -> str:
        unseen = self._report.site is not None and self._report.site.gaps
        also = " and what kept the site from being checked" if unseen else ""
        missing = f"Supply what is missing ({len(self._gaps)}){also}, then scan again."
        sign = templates.Escaped(_SIGNS[self._framing.gate])
        return self._part("head", sign=sign, next=missing if self._gaps else step)

    def _missing(self) -> str:
        """What an incomplete scan lacks, and how to supply it."""
        told = [(run.name, wording.engine_note(run)) for run in self._gaps]
        return self._part("missing", gaps=told)

    def _list_heading(self) -> str:
        total = sum(len(entry.findings) for entry in self._entries)
        title = "New in this change" if self._report.comparison else "Findings"
        grouped = (
            ""
            if len(self._entries) == total
            else f", in {wording.counted(len(self._entries), 'row')}"
        )
        return f"### {title} ({total:,}{grouped})\n\n"

    def _sections(self, pointing: _Pointing) -> dict[str, str]:
        unnamed = len(self._exits) > news.MOST_NAMED
        exits = self._exits if pointing is _Pointing.LIST and unnamed else ()
        return {
            _WAY_OUT: self._part("way_out", lines=self._brief(exits), most=_MOST_LISTED),
            "the site": self._part("site"),
            "published since the base": self._apart(self._found.drifted, PUBLISHED, _ELSEWHERE),
            _LATER: self._apart(self._found.later, wording.later_rules(self._report), _UPGRADED),
            _CLAIMS: claims(self._framing),
            "dismissals": self._part("dismissed"),
            "fixed findings": self._part("fixed"),
            "existing findings": self._part("existing"),
            "score": self._part("ledger"),
            "history": self._part("history", earlier=self._state.pushes[-2::-1]),
            "coverage": self._part("receipt", checked=wording.checked(self._report)),
        }

    def _apart(self, found: Sequence[Finding], title: str, said: str) -> str:
        """A section of findings that neither the change brought nor the base is blamed for."""
        told = {"title": title, "said": said, "number": len(found)}
        return self._part("apart", lines=self._brief(entries(found)), most=_MOST_LISTED, **told)

    def _brief(self, found: Sequence[Entry]) -> list[templates.Escaped]:
        """At most as many as are listed are rendered; the others are only counted."""
        lines = self._lines(found)
        shown = [templates.Escaped(lines.brief(n)) for n in range(min(len(found), _MOST_LISTED))]
        return [*shown, *[templates.Escaped()] * (len(found) - len(shown))]

    def _note(self, shown: int, dropped: Sequence[str]) -> str:
        return self._part(
            "note",
            shown=shown,
            total=sum(len(entry.findings) for entry in self._entries),
            notes=wording.by_rule(self._notes)[:5],
            note_count=len(self._notes),
            dropped=dropped,
            forgotten=self._forgotten,
        )

    def _footer(self) -> str:
        return self._part("footer", links=wording.plain_links([self._framing.run_url]))

    def _part(self, name: str, **more: Any) -> str:
        known = {"report": self._report, "answer": self._answer, "found": self._found}
        return part(name, self._framing, **known, **more)


def part(name: str, framing: Framing, **values: Any) -> str:
    """A part of a comment, with the blank line after it; empty where it has nothing to say."""
    template = templates.markdown().get_template(f"comment/{name}.md.j2")
    text = template.render(framing=framing, html=framing.dialect.html, **values).strip()
    return f"{text}\n\n" if text else ""


def claims(framing: Framing) -> str:
    """What the change's own job alone says of it; empty where it says nothing more."""
    return part("claims", framing)


SMALLEST_LIMIT = 20_000


def render(report: Report, framing: Framing, previous: State | None) -> str:
    """The comment with its hidden state, never longer than the dialect's limit.

    ``previous`` is what the last one remembered: its pushes become the history, its waivers are
    kept. What does not fit is left out whole, worst findings last, and named. The limit is at
    least 20,000 characters.
    """
    limit = framing.dialect.limit
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a comment needs {SMALLEST_LIMIT} characters, not {limit}")
    marker, state = remembered(next_state(report, framing, previous), framing.dialect)
    forgotten = len(previous.waivers) - len(state.waivers) if previous else 0
    page = Page(report, framing, state, forgotten)
    return f"{page.within(limit - len(marker) - 1)}{marker}\n"


def page(report: Report, framing: Framing, room: int) -> str:
    """The comment in at most ``room`` characters, without what it remembers."""
    return Page(report, framing, next_state(report, framing, None)).within(room)
