"""Source lines with their numbers, and edits as small diffs."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from mergegate.core.finding import Edit, Finding
from mergegate.core.render import escape
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Kind
from mergegate.forges.publication import Dialect, Suggesting
from mergegate.repo.fixes.steps import steps

MOST_LINES = 40
"""A limit of ours: GitLab would take a hundred lines above the place, too many to read."""
MOST_CHARACTERS = 6_000
_OWN_MARK = re.compile(r"mergegate:(?:finding|state)", re.IGNORECASE)
_ORDER = re.compile(r"^\s*/\w", re.MULTILINE)
_FENCE = re.compile("`{3,}|~{3,}")


def block(edit: Edit, dialect: Dialect) -> str:
    """The block for a comment on exactly the lines of ``edit``; empty where none is safe.

    The new lines stand in it as they are, so text that hides, that a forge would obey or that
    looks like a mark of ours is not offered.
    """
    if not (_is_plain(edit.replacement) and _can_be_said(edit, dialect)):
        return ""
    new = f"{edit.replacement}\n" if edit.replacement else ""
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", new)), default=0))
    return f"{ticks}{_suggestion_heading(edit, dialect)}\n{new}{ticks}"


def diff_block(text: str, dialect: Dialect) -> str:
    """A patch as it is, to be copied; empty where its text would hide something or fill a page."""
    if not text or len(text) > min(MOST_CHARACTERS, dialect.limit // 2) or not _is_plain(text):
        return ""
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{ticks}diff\n{text}{ticks}"


def _suggestion_heading(edit: Edit, dialect: Dialect) -> str:
    """GitLab counts from the last line of the comment, which is the last line of the edit."""
    if dialect.suggesting is not Suggesting.OFFSETS:
        return "suggestion"
    return f"suggestion:-{edit.end_line - edit.start_line}+0"


def _is_plain(text: str) -> bool:
    """Whether every character can be seen, and none of the lines is a command or a mark."""
    lines = text.split("\n")
    seen = all(escape.visible(line.replace("\t", " ")) == line.replace("\t", " ") for line in lines)
    return seen and not _OWN_MARK.search(text) and not _ORDER.search(text)


def _can_be_said(edit: Edit, dialect: Dialect) -> bool:
    lines = edit.end_line - edit.start_line + 1
    if len(edit.replacement) > MOST_CHARACTERS:
        return False
    if dialect.suggesting is Suggesting.LINE:
        # Its Markdown is not CommonMark: whether a longer fence holds is not documented.
        return lines == 1 and not _FENCE.search(edit.replacement)
    return lines <= MOST_LINES


_MOST_LINES = 20
_MOST_COLUMNS = 400
_MASKED = "****"
"""What stands in a snippet for a secret."""


@dataclass(frozen=True, slots=True)
class Line:
    """One source line, safe to show."""

    number: int
    text: str
    marked: bool
    """Whether the finding covers it."""
    start: int = 0
    """Where the marked characters begin in ``text``; 0-based."""
    length: int = 0
    """How many they are; 0 when the whole line is meant."""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a diff."""

    sign: str
    """``-``, ``+`` or ``@`` for the heading of an edit."""
    text: str


def lines(finding: Finding, most: int = _MOST_LINES) -> tuple[Line, ...]:
    """The snippet's first ``most`` lines, numbered from the finding's first; long ones are cut."""
    if not finding.snippet:
        return ()
    place = finding.place
    first = max(1, place.start_line)
    last = max(first, place.end_line)
    raw = finding.snippet.rstrip("\n").split("\n")
    shown = tuple(
        _line(finding, number, text) for number, text in enumerate(raw[:most], start=first)
    )
    left = max(last - first + 1, len(raw)) - len(shown)
    return (*shown, Line(0, f"… {left:,} more lines", False)) if left > 0 else shown


def _line(finding: Finding, number: int, raw: str) -> Line:
    place = finding.place
    marked = number <= max(place.start_line, place.end_line)
    text = _cut(_flat(raw))
    one_line = place.start_line == place.end_line == number and place.start_column > 0
    if not one_line or place.end_column <= place.start_column:
        return Line(number, text, marked)
    start = len(_flat(raw[: place.start_column - 1]))
    length = len(_flat(raw[: place.end_column - 1])) - start
    inside = start + length <= len(text) and length > 0
    return Line(number, text, marked, start, length) if inside else Line(number, text, marked)


def _flat(raw: str) -> str:
    return escape.visible(raw.rstrip("\r").replace("\t", "    "))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_COLUMNS else f"{text[: _MOST_COLUMNS - 1]}…"


def diff(fix: Fix, findings: Iterable[Finding]) -> tuple[Change, ...]:
    """``fix`` as a diff; lines it replaces are shown where it or a snippet has them."""
    known = _known_lines(findings)
    return tuple(change for edit in fix.edits for change in _edit(edit, known))


def _edit(edit: Edit, known: dict[tuple[str, int], str]) -> tuple[Change, ...]:
    """The lines that change alone: what an edit repeats around them says nothing."""
    old = _old_lines(edit, known)
    new = edit.replacement.split("\n") if edit.replacement else []
    changes = [Change("@", _heading(edit))]
    for kind, low, high, new_low, new_high in steps(old, new):
        if kind != "equal":
            changes += [Change("-", _cut(_flat(text))) for text in old[low:high]]
            changes += [Change("+", _cut(_flat(text))) for text in new[new_low:new_high]]
    return tuple(changes[: 2 * _MOST_LINES])


def _old_lines(edit: Edit, known: dict[tuple[str, int], str]) -> Sequence[str]:
    """What the edit replaces; nothing where a line of it is not known."""
    if edit.old is not None:
        return edit.old.split("\n")
    numbers = range(edit.start_line, edit.end_line + 1)
    old = [known.get((edit.path, number)) for number in numbers]
    lines = [text for text in old if text is not None]
    return lines if len(lines) == len(old) else ()


def _heading(edit: Edit) -> str:
    span = f"{edit.start_line}"
    if edit.end_line > edit.start_line:
        span += f"-{edit.end_line}"
    verb = "" if edit.replacement else " (removed)"
    return f"{escape.visible(edit.path)}:{span}{verb}"


def _known_lines(findings: Iterable[Finding]) -> dict[tuple[str, int], str]:
    return {
        (finding.place.file, number): text
        for finding in findings
        if finding.snippet and finding.place.start_line
        for number, text in enumerate(
            finding.snippet.rstrip("\n").split("\n"), start=finding.place.start_line
        )
    }


class Fixes:
    """The fixes of a report, found by their finding.

    A fix on lines with a secret is no fix here: its new lines would show the secret.
    """

    def __init__(self, report: Report) -> None:
        secrets = _secret_lines(report)
        fixes = [fix for fix in report.fixes if not any(map(secrets, fix.edits))]
        self._by_id = {fix.id: fix for fix in fixes}
        self._by_finding = {id: fix for fix in fixes for id in fix.finding_ids}
        self._every = {id: fix for fix in report.fixes for id in fix.finding_ids}

    def of(self, finding: Finding) -> Fix | None:
        """The fix that repairs ``finding``."""
        if finding.fix_id in self._by_id:
            return self._by_id[finding.fix_id]
        return self._by_finding.get(finding.id)

    def told(self, finding: Finding) -> Fix | None:
        """The same; without edits where its lines are not shown."""
        fix = self._every.get(finding.id)
        return self.of(finding) or (replace(fix, edits=()) if fix else None)


def _secret_lines(report: Report) -> Callable[[Edit], bool]:
    """Whether an edit touches a line with a secret, a dismissed one included."""
    found = (*report.findings, *(one.finding for one in report.suppressed))
    places = [one.place for one in found if one.kind is Kind.SECRET or _MASKED in one.snippet]

    def touches(edit: Edit) -> bool:
        return any(
            place.file == edit.path
            and edit.start_line <= max(place.start_line, place.end_line)
            and place.start_line <= edit.end_line
            for place in places
        )

    return touches
