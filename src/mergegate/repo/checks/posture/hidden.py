"""What hides from the reader of the code: characters, instructions, silenced findings."""

from collections import defaultdict
from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Confidence, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.posture import RiskRule
from mergegate.repo.directives import DIRECTIVES
from mergegate.repo.facts.code import MarkedFile, Marker, MarkerKind, Markers

_REORDERED = {
    MarkerKind.BIDI: Severity.HIGH,
    MarkerKind.BIDI_BESIDE_TEXT: Severity.LOW,
    MarkerKind.BIDI_HARMLESS: Severity.INFO,
}
"""What reorders a line, worst first."""
_TURNED = "reorders this line on screen, so reviewers do not see the code that runs"
_DONE = {
    MarkerKind.BIDI: _TURNED,
    MarkerKind.BIDI_BESIDE_TEXT: _TURNED,
    MarkerKind.BIDI_HARMLESS: "can reorder a line on screen, though nobody is misled here",
}


@check("bidirectional-control", Severity.HIGH, "CWE-1007", engine="markers")
def bidirectional_control(rule: RiskRule, markers: Markers) -> Iterator[Finding]:
    """Invisible characters reorder the line on screen: what reviewers read is not what runs.

    The "Trojan Source" attack. A line with letters of a right-to-left script may need such
    characters; a line of minified code no one reads, and a control from left to right moves nothing
    among letters that run so. Data and translations are left out.

    Title: Text that reads differently from what runs

    Low: where the line holds letters of a right-to-left script

    Info: where it moves nothing, in minified code, and outside production code

    Remedy: Delete it, or write it as an escape where a string needs it.

    Reference: https://trojansource.codes
    """
    for file in markers.files:
        found = next((hits for kind in _REORDERED if (hits := file.of(kind))), ())
        if found:
            yield rule.finding(
                f"{found[0].what} {_DONE[found[0].kind]}. {rule.remedy}",
                _line(file, found[0].line),
                severity=_weighed(file, _REORDERED[found[0].kind]),
            )


@check("invisible-character", Severity.MEDIUM, "CWE-1007", engine="markers")
def invisible_character(rule: RiskRule, markers: Markers) -> Iterator[Finding]:
    """A character without width stands inside a name: two names look equal and are not.

    Title: Invisible character in a name

    Info: outside production code

    Remedy: Delete it and type the name again.

    Reference: https://cwe.mitre.org/data/definitions/1007.html
    """
    for file in markers.files:
        for marker in file.of(MarkerKind.INVISIBLE)[:1]:
            yield rule.finding(
                f"{marker.what} has no width and stands inside a name, which then looks like"
                f" another. {rule.remedy}",
                _line(file, marker.line),
                severity=_weighed(file, Severity.MEDIUM),
            )


@check(
    "reviewer-injection",
    Severity.MEDIUM,
    "CWE-1427",
    confidence=Confidence.MEDIUM,
    engine="markers",
)
def reviewer_injection(rule: RiskRule, markers: Markers) -> Iterator[Finding]:
    """Text that people do not see tells a language model how to judge the code.

    A comment that asks to ignore instructions or to approve the change, or a message in Unicode
    tag characters. Mergegate's verdict never rests on such text; other reviewers' may.

    Title: Hidden instructions to an AI reviewer

    Low: for other text than a message in Unicode tag characters

    Info: in tests, examples and vendored code

    Remedy: Delete it, and ask whoever proposed it.

    Reference: https://genai.owasp.org/llmrisk/llm01-prompt-injection/
    """
    for file in markers.files:
        found = file.of(MarkerKind.HIDDEN_TEXT) or file.of(MarkerKind.INJECTION)
        if found:
            unseen = found[0].kind is MarkerKind.HIDDEN_TEXT
            yield rule.finding(
                f"Text that people do not see is addressed to a language model: {found[0].what}."
                f" {rule.remedy}",
                _line(file, found[0].line),
                severity=_weighed(
                    file, Severity.MEDIUM if unseen else Severity.LOW, Role.SOURCE, Role.DOCS
                ),
            )


@check("inline-suppression", Severity.INFO, "CWE-1127", engine="markers")
def inline_suppression(rule: RiskRule, markers: Markers) -> Iterator[Finding]:
    """A comment in production code silences a security scanner.

    One finding a line, new when the comment, its reason or the code of the line is. What it speaks
    of counts all the same in the change that adds it; once it stands in the base, one that gives
    its reason is told no more, and sets aside what it speaks of where the policy lets it.

    Title: Silenced security scanner

    Remedy: Mend what it hides, or write the reason behind it.

    Reference: https://cwe.mitre.org/data/definitions/1127.html
    """
    for file in markers.files:
        found = file.of(MarkerKind.SUPPRESSION) if file.role is Role.SOURCE else ()
        by_line: dict[int, list[Marker]] = defaultdict(list)
        for marker in found:
            if DIRECTIVES[marker.tool].silences:
                by_line[marker.line].append(marker)
        for line, here in by_line.items():
            tools = " and ".join(sorted({one.tool for one in here}))
            why = next((f"for this reason: {one.reason}" for one in here if one.reason), "")
            yield rule.finding(
                f"A comment silences {tools} here, {why or 'without a reason'}. {rule.remedy}",
                _line(file, line),
            )


def _weighed(file: MarkedFile, severity: Severity, *roles: Role) -> Severity:
    """``severity`` where the file's role counts (production code), information elsewhere."""
    return severity if file.role in (roles or (Role.SOURCE,)) else Severity.INFO


def _line(file: MarkedFile, line: int) -> Place:
    return Place(file.path, line, line)
