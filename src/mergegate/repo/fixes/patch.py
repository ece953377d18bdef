"""Files after their fixes as one patch, which ``git apply`` takes."""

from collections.abc import Iterator, Sequence

from mergegate.core.finding import Finding
from mergegate.core.report import Mended, Report
from mergegate.repo.fixes.steps import Step, steps

FORMAT = "patch"
"""What ``--format`` calls it."""
_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file\n"
_PLAIN = frozenset(map(chr, range(0x21, 0x7F))) - {'"', "\\", "#"}
"""Names with others are quoted; CI runners that read a log look for a ``##[``."""


def render(report: Report) -> str:
    """The patch for the whole report; empty where it has no fix."""
    return "".join(of(one) for one in report.mended)


def belongs(finding: Finding) -> bool:
    """Whether the patch mends ``finding``: of a change only what it brings."""
    return finding.is_new is not False


def left_out(report: Report) -> tuple[str, ...]:
    """The files whose change cannot be told without a secret, or what acts where it is printed."""
    return tuple(one.path for one in report.mended if not of(one))


def of(one: Mended) -> str:
    """The patch of one file; empty where it cannot be told without what no patch shows."""
    before, after = _lines(one.before), _lines(one.after)
    hunks = [_hunk(before, after, group, one.unshown) for group in _groups(steps(before, after))]
    if not one.name or not hunks or not all(hunks):
        return ""
    old, new = (_name(f"{side}/{one.folder}{one.name}") for side in "ab")
    return f"diff --git {old} {new}\n--- {old}\n+++ {new}\n{''.join(map(str, hunks))}"


def _groups(codes: Sequence[Step]) -> Iterator[list[Step]]:
    """Changes less than twice the context apart are one hunk."""
    group: list[Step] = []
    for code in codes:
        if code[0] == "equal":
            if group and code[2] - code[1] > 2 * _CONTEXT:
                yield group
                group = []
            elif group:
                group.append(code)
        else:
            group.append(code)
    if group and group[-1][0] == "equal":
        group.pop()
    if group:
        yield group


def _hunk(
    before: Sequence[str], after: Sequence[str], group: Sequence[Step], unshown: frozenset[int]
) -> str:
    """One hunk, whose context ends before a line not shown; empty where one lies within."""
    start, end = group[0][1], group[-1][2]
    if any(number in unshown for number in range(start + 1, end + 1)):
        return ""
    above = _clear(range(start, max(0, start - _CONTEXT), -1), unshown)
    below = _clear(range(end + 1, min(len(before), end + _CONTEXT) + 1), unshown)
    # Without a line around them Git believes such changes at the ends of a file alone.
    if (not above and start > 0) or (not below and end < len(before)):
        return ""
    old, new = above + (end - start) + below, above + (group[-1][4] - group[0][3]) + below
    first, then = start - above + (1 if old else 0), group[0][3] - above + (1 if new else 0)
    lines = [f"@@ -{first},{old} +{then},{new} @@\n"]
    lines += [_line(" ", text) for text in before[start - above : start]]
    for kind, low, high, new_low, new_high in group:
        if kind == "equal":
            lines += [_line(" ", text) for text in before[low:high]]
        else:
            lines += [_line("-", text) for text in before[low:high]]
            lines += [_line("+", text) for text in after[new_low:new_high]]
    lines += [_line(" ", text) for text in before[end : end + below]]
    return "".join(lines)


def _clear(numbers: range, unshown: frozenset[int]) -> int:
    """How many of the lines come before the first that no patch shows."""
    count = 0
    for number in numbers:
        if number in unshown:
            break
        count += 1
    return count


def _lines(text: str) -> list[str]:
    """With their ends: a carriage return is part of a line, as it is for Git."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + (
        [last] if (last := text.rsplit("\n", maxsplit=1)[-1]) else []
    )


def _line(sign: str, text: str) -> str:
    return f"{sign}{text}" if text.endswith("\n") else f"{sign}{text}\n{_NO_NEWLINE}"


def _name(path: str) -> str:
    """A path as Git writes it: quoted where a character of it might be taken for something else."""
    if all(one in _PLAIN or one == " " for one in path):
        # A blank ends a name in these lines, unless a tab follows.
        return path if " " not in path else f'"{path}"'
    quoted = (
        chr(byte) if chr(byte) in _PLAIN or byte == 0x20 else f"\\{byte:03o}"
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return f'"{"".join(quoted)}"'
