"""The report for a pull request's reader: verdict, reason and next step first."""

from collections.abc import Callable, Sequence
from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.render import templates, wording
from mergegate.core.render.formats import DEFAULT_LIMIT, SMALLEST_LIMIT
from mergegate.core.report import Gate, Report
from mergegate.core.severity import Severity
from mergegate.repo.report import entries, excerpt

_SIGNS = {Gate.PASSED: "✅", Gate.FAILED: "❌", Gate.INCOMPLETE: "⚠️"}
# The last goes first when room is short.
_SECTIONS = ("site", "ledger", "vulnerabilities", "receipt", "suppressed")
_SHOWN_ORDER = ("site", "ledger", "vulnerabilities", "suppressed", "receipt")
_FINDINGS_SHARE = 0.5
_NOTE_ROOM = 400


def render(report: Report, *, limit: int = DEFAULT_LIMIT) -> str:
    """The report in at most ``limit`` characters, worst findings first.

    What does not fit is left out whole and named. ``limit`` is at least 10,000.
    """
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a report needs {SMALLEST_LIMIT} characters, not {limit}")
    findings = report.findings
    head = _part("head", report, **_head(report, findings))
    sections = {name: _part(name, report) for name in _SECTIONS}
    blocks = _Blocks(report, findings)
    room = limit - len(head) - _NOTE_ROOM
    dropped = drop(sections, _SECTIONS, room, blocks.need)
    shown = blocks.fitting(room - sum(map(len, sections.values())))
    note = _note(report, len(shown), blocks, dropped)
    tail = "".join(sections[name] for name in _SHOWN_ORDER)
    return f"{head}{''.join(shown)}{note}{tail}".rstrip("\n") + "\n"


def _part(name: str, report: Report, **more: Any) -> str:
    template = templates.markdown().get_template(f"{name}.md.j2")
    text = template.render(report=report, **more).strip("\n")
    return f"{text}\n\n" if text else ""


def _head(report: Report, findings: Sequence[Finding]) -> dict[str, Any]:
    categories = list(dict.fromkeys(one.category for one in report.ledger.subtotals))
    counts = {
        category: wording.severities(f for f in findings if f.category is category)
        for category in categories
    }
    return {
        "sign": templates.Escaped(_SIGNS[wording.whole(report).gate]),
        "counts": counts,
        "totals": wording.severities(findings),
        "levels": wording.WORST_FIRST,
        "exits": wording.way_out(report),
    }


class _Blocks:
    """The findings' blocks, rendered one by one and only as far as there is room."""

    def __init__(self, report: Report, findings: Sequence[Finding]) -> None:
        self._report = report
        self._fixes = excerpt.Fixes(report)
        self.full = [one for one in findings if one.severity > Severity.INFO]
        self.notes = [one for one in findings if one.severity is Severity.INFO]
        self._done: list[str] = []

    def fitting(self, room: int) -> list[str]:
        """The blocks that fit into ``room`` characters, worst first."""
        used = 0
        for number in range(len(self.full)):
            used += len(self._block(number))
            if used > room:
                return self._done[:number]
        return self._done[: len(self.full)]

    def need(self, most: int) -> int:
        """How much room all blocks need; stops counting at ``most``."""
        used = 0
        for number in range(len(self.full)):
            used += len(self._block(number))
            if used >= most:
                return most
        return used

    def _block(self, number: int) -> str:
        if number == len(self._done):
            finding = self.full[number]
            first = number == 0 or self.full[number - 1].severity is not finding.severity
            self._done.append(self._rendered(finding, first))
        return self._done[number]

    def _rendered(self, finding: Finding, first: bool) -> str:
        total = sum(one.severity is finding.severity for one in self.full) if first else 0
        return _part(
            "finding",
            self._report,
            heading=f"{finding.severity.label.capitalize()} ({total:,})" if first else "",
            **entries.of(finding, self._fixes.of(finding)),
        )


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


def _note(report: Report, shown: int, blocks: _Blocks, dropped: Sequence[str]) -> str:
    """What was left out, and the findings for information as counts."""
    return _part(
        "note",
        report,
        shown=shown,
        total=len(blocks.full),
        notes=wording.by_rule(blocks.notes)[:5],
        note_count=len(blocks.notes),
        dropped=dropped,
    )
