"""The one comment on a change, edited in place: verdict, reason and next step, the rest folded."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from mergegate.ci.answer import answer
from mergegate.core.render import templates, wording
from mergegate.core.report import EngineRun, Gate, Report
from mergegate.core.severity import Severity
from mergegate.forges.marker import MOST_PUSHES, Push, State, recall, remember
from mergegate.forges.publication import Dialect, Framing
from mergegate.repo.report import entries as detail
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import Entry, entries, origins
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


MOST_SHOWN = 25
"""The most findings listed in a comment; the full report has them all."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What fits."""

    text: str
    count: int
    """The number of findings, not of lines."""
    ids: frozenset[str]


class Lines:
    """Entries as Markdown, rendered one by one and only as far as there is room."""

    def __init__(
        self,
        found: Sequence[Entry],
        fixes: excerpt.Fixes,
        dialect: Dialect,
        blocking: Collection[str] = (),
    ) -> None:
        """``blocking``: ids of findings that are marked as standing in the way."""
        self._found = found
        self._fixes = fixes
        self._dialect = dialect
        self._blocking = blocking

    def brief(self, number: int) -> str:
        """The entry as one item of a list."""
        return self._rendered("line", self._found[number])

    def fitting(self, room: int) -> Shown:
        """The lines that fit into ``room`` characters; details only where every line still fits."""
        lines = self._lines(room - MOST_SHOWN)  # one blank line each may part them
        used = sum(map(len, lines)) + MOST_SHOWN
        for number, line in enumerate(lines if self._dialect.html else ()):
            full = self._full(number)
            if used - len(line) + len(full) > room:
                continue
            used += len(full) - len(line)
            lines[number] = full
        told = [one for entry in self._found[: len(lines)] for one in entry.findings]
        return Shown(_joined(lines), len(told), frozenset(one.id for one in told))

    def need(self, most: int) -> int:
        """How much room all lines with their details need; ``most`` at most."""
        used = 0
        for number in range(min(len(self._found), MOST_SHOWN)):
            used += len(self._full(number) if self._dialect.html else self._line(number))
            if used >= most:
                return most
        return used

    def _lines(self, room: int) -> list[str]:
        """The brief lines that have room, worst first."""
        used = 0
        lines: list[str] = []
        for number in range(min(len(self._found), MOST_SHOWN)):
            used += len(self._line(number))
            if used > room:
                break
            lines.append(self._line(number))
        return lines

    def _line(self, number: int) -> str:
        return f"{self.brief(number)}\n"

    def _full(self, number: int) -> str:
        entry = self._found[number]
        told = detail.of(entry.lead, self._fixes.of(entry.lead))
        return f"{self._rendered('fold', entry, **told)}\n\n"

    def _rendered(self, name: str, entry: Entry, **more: Any) -> str:
        fixes = [self._fixes.of(one) for one in entry.findings]
        values: dict[str, Any] = {
            "entry": entry,
            "sign": wording.SIGNS[entry.severity],
            "blocks": any(one.id in self._blocking for one in entry.findings),
            "fixes": any(fix is not None and fix.verified for fix in fixes),
        }
        template = templates.markdown().get_template(f"comment/{name}.md.j2")
        return template.render(**values, **more).strip("\n")


def _joined(lines: Sequence[str]) -> str:
    """A list ends with a blank line where a folded finding follows."""
    text = ""
    for line in lines:
        text += "\n" if text and line.startswith("<") and not text.endswith("\n\n") else ""
        text += line
    return f"{text.rstrip()}\n\n" if text else ""


_SIGNS = {Gate.PASSED: "✅", Gate.FAILED: "❌", Gate.INCOMPLETE: "⚠️"}
_WAY_OUT = "way out"
_CLAIMS = "what the change's own job says"
# The last goes first when room is short.
_SECTIONS = (
    _WAY_OUT,
    "the site",
    "published since the base",
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
    _CLAIMS,
    "fixed findings",
    "existing findings",
    "score",
    "coverage",
    "dismissals",
    "history",
)
_NOTE_ROOM = 1_500
_MOST_LISTED = 10


class _Pointing(Enum):
    """How the reader is shown what stands in the way of the merge."""

    MARKS = auto()
    """Marked in the list of findings, which holds all of it."""
    LIST = auto()
    """They stand in a short list of their own."""
    SOME_MARKS = auto()
    """Marked as far as the list of findings goes: it is too much for a comment."""

    def step(self, exits: Sequence[Entry], site: bool) -> str:
        """The next step in these terms; empty where the answer's own words do.

        ``site``: whether the site has marks as well.
        """
        also = ", and those of the site" if site else ""
        number = sum(len(entry.findings) for entry in exits)
        these = "finding" if number == 1 else f"{number:,} findings"
        if self is _Pointing.MARKS:
            return f"Fix the {these} marked “blocks”{also} and the check passes."
        if self is _Pointing.SOME_MARKS:
            return (
                f"Fix {wording.counted(number, 'finding')}{also} and the check passes: those shown "
                "here are marked “blocks”, the full report lists all."
            )
        return ""


class Page:
    """One comment without its marker."""

    def __init__(self, report: Report, framing: Framing, state: State, forgotten: int = 0) -> None:
        """``forgotten``: how many dismissals the marker had no room for."""
        self._report = report
        self._framing = framing
        self._state = state
        self._forgotten = forgotten
        self._answer = answer(report, framing)
        self._found = origins(report)
        worth = [one for one in self._found.brought if one.severity > Severity.INFO]
        self._notes = [one for one in self._found.brought if one.severity is Severity.INFO]
        self._entries = entries(worth)
        self._fixes = excerpt.Fixes(report)
        self._exits = self._way_out()
        self._gaps = self._lacking()

    def within(self, room: int) -> str:
        """The page in at most ``room`` characters."""
        page, complete = self._composed(room, _Pointing.MARKS)
        if complete:
            return page
        short = len(self._exits) <= _MOST_LISTED
        return self._composed(room, _Pointing.LIST if short else _Pointing.SOME_MARKS)[0]

    def _way_out(self) -> tuple[Entry, ...]:
        if self._framing.gate is Gate.PASSED:
            return ()
        wanted = frozenset(self._answer.verdict.way_out)
        return entries(one for one in self._report.findings if one.id in wanted)

    def _lacking(self) -> tuple[EngineRun, ...]:
        if self._framing.gate is not Gate.INCOMPLETE:
            return ()
        return tuple(run for run in self._report.engines if run.status in wording.BROKEN)

    def _composed(self, room: int, pointing: _Pointing) -> tuple[str, bool]:
        """The page, and whether every finding in the way is among those shown."""
        exits = frozenset(one.id for entry in self._exits for one in entry.findings)
        marked = () if pointing is _Pointing.LIST else exits
        lines = Lines(self._entries, self._fixes, self._framing.dialect, marked)
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

    def _step(self, pointing: _Pointing) -> str:
        failed = self._framing.gate is Gate.FAILED and self._exits
        site = wording.site_fails(self._report)
        return (pointing.step(self._exits, site) if failed else "") or self._answer.next

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
            else f" in {wording.counted(len(self._entries), 'place')}"
        )
        return f"### {title} ({total:,}{grouped})\n\n"

    def _sections(self, pointing: _Pointing) -> dict[str, str]:
        exits = self._exits if pointing is _Pointing.LIST else ()
        late = entries(one for one in self._found.drifted)
        return {
            _WAY_OUT: self._part("way_out", lines=self._brief(exits), most=_MOST_LISTED),
            "the site": self._part("site"),
            "published since the base": self._part(
                "drifted", lines=self._brief(late), most=_MOST_LISTED
            ),
            _CLAIMS: claims(self._framing),
            "dismissals": self._part("dismissed"),
            "fixed findings": self._part("fixed"),
            "existing findings": self._part("existing"),
            "score": self._part("ledger"),
            "history": self._part("history", earlier=self._state.pushes[-2::-1]),
            "coverage": self._part("receipt", checked=wording.checked(self._report)),
        }

    def _brief(self, found: Sequence[Entry]) -> list[templates.Escaped]:
        """At most as many as are listed are rendered; the others are only counted."""
        lines = Lines(found, self._fixes, self._framing.dialect)
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
