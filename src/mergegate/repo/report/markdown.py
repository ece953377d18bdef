"""The report for a pull request's reader: verdict, reason and next step, then what is new."""

from collections.abc import Callable, Sequence
from typing import Any

from mergegate.core.render import templates, wording
from mergegate.core.render.formats import DEFAULT_LIMIT, SMALLEST_LIMIT
from mergegate.core.report import Gate, Report
from mergegate.repo.report import excerpt, news
from mergegate.repo.report.lines import Lines

_SIGNS = {Gate.PASSED: "✅", Gate.FAILED: "❌", Gate.INCOMPLETE: "⚠️"}
# The last goes first when room is short.
_SECTIONS = ("site", "fixed", "ledger", "receipt", "suppressed")
_SHOWN_ORDER = ("site", "fixed", "ledger", "suppressed", "receipt")
_FINDINGS_SHARE = 0.5
_NOTE_ROOM = 400


def render(report: Report, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, what is new before the rest, worst first.

    What does not fit is left out whole and named. ``limit`` is at least 10,000.
    """
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a report needs {SMALLEST_LIMIT} characters, not {limit}")
    head = _part("head", report, sign=templates.Escaped(_SIGNS[wording.whole(report).gate]))
    sections = {name: _part(name, report) for name in _SECTIONS}
    told = _Told(report)
    room = limit - len(head) - _NOTE_ROOM
    dropped = drop(sections, _SECTIONS, room, told.need)
    listed, shown = told.fitting(room - sum(map(len, sections.values())))
    note = _note(report, shown, told, dropped)
    tail = "".join(sections[name] for name in _SHOWN_ORDER)
    return f"{head}{listed}{note}{tail}".rstrip("\n") + "\n"


def _part(name: str, report: Report, **more: Any) -> str:
    template = templates.markdown().get_template(f"{name}.md.j2")
    text = template.render(report=report, news=news, **more).strip("\n")
    return f"{text}\n\n" if text else ""


class _Told:
    """The chapters, each as far as there is room: of what is new all, of the rest a line."""

    def __init__(self, report: Report) -> None:
        fixes, blocking = excerpt.Fixes(report), news.blocking(report)
        self._chapters = [
            (one, Lines(one.entries, fixes, report.target, blocking, brief=not one.is_news))
            for one in news.chapters(report)
            if one.entries
        ]
        self.total = sum(len(row.findings) for one, _ in self._chapters for row in one.entries)
        self.notes = [note for one in news.chapters(report) for note in one.notes]

    def fitting(self, room: int) -> tuple[str, int]:
        """What fits into ``room`` characters, and how many findings that tells of."""
        text, count = "", 0
        for one, lines in self._chapters:
            heading = f"### {one.heading}\n\n"
            shown = lines.fitting(room - len(text) - len(heading))
            text += f"{heading}{shown.text}" if shown.text else ""
            count += shown.count
        return text, count

    def need(self, most: int) -> int:
        """How much room all of it needs; stops counting at ``most``."""
        used = 0
        for one, lines in self._chapters:
            used += len(one.heading) + lines.need(most)
            if used >= most:
                return most
        return used


def drop(
    sections: dict[str, str], order: Sequence[str], room: int, need: Callable[[int], int]
) -> list[str]:
    """Empty sections, the last of ``order`` first, until half the room is left for findings.

    ``need`` tells how much room they take, at most what it is asked for. Returns what is empty.
    """
    wanted = need(int(room * _FINDINGS_SHARE))
    dropped = []
    for name in reversed(order):
        if room - sum(map(len, sections.values())) >= wanted:
            break
        if sections[name]:
            sections[name] = ""
            dropped.append(name)
    return sorted(dropped)


def _note(report: Report, shown: int, told: _Told, dropped: Sequence[str]) -> str:
    """What was left out, and the findings for information as counts."""
    return _part(
        "note",
        report,
        shown=shown,
        total=told.total,
        notes=wording.by_rule(told.notes)[:5],
        note_count=len(told.notes),
        dropped=dropped,
    )
