"""What ``detail.md.j2`` tells of one finding: why, where, and how to fix it."""

from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.render import wording
from mergegate.core.report import Fix
from mergegate.repo.report import excerpt


def of(finding: Finding, fix: Fix | None) -> dict[str, Any]:
    """The template's values; texts are raw, the template escapes them."""
    changes = excerpt.diff(fix, [finding]) if fix else ()
    return {
        "finding": finding,
        "message": [*filter(str.strip, finding.message.split("\n")), wording.route(finding)],
        "excerpt": [_numbered(line) for line in excerpt.lines(finding)],
        "fix": fix,
        "remedy": remedy(finding, fix) if fix else (),
        "changes": [_diff_line(change) for change in changes],
        "links": wording.links(finding),
    }


def remedy(finding: Finding, fix: Fix) -> tuple[str, ...]:
    """The fix's title and explanation, without what the finding has already said."""
    said = (finding.title, finding.message)
    return tuple(text for text in (fix.title, fix.explanation) if text and text not in said)


def _numbered(line: excerpt.Line) -> str:
    """No line starts with source text: GitLab would obey a ``/command`` there."""
    mark = ">" if line.marked else " "
    number = str(line.number) if line.number else ""
    return f"{mark}{number:>5} | {line.text}"


def _diff_line(change: excerpt.Change) -> str:
    return f"@@ {change.text} @@" if change.sign == "@" else f"{change.sign}{change.text}"
