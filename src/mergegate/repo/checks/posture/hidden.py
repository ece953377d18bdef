"""What hides from the reader of the code: characters, instructions, silenced findings."""

from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Confidence, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.posture import RiskRule, few
from mergegate.repo.facts.code import MarkedFile, MarkerKind, Markers

_SECURITY_TOOLS = frozenset(
    {
        "bandit", "checkov", "codeql", "detect-secrets", "eslint-security", "gitleaks", "gosec",
        "hadolint", "kics", "kingfisher", "ruff", "semgrep", "sonar", "spotbugs", "tfsec", "trivy",
        "trufflehog", "zizmor",
    }
)  # fmt: skip


@check("bidirectional-control", Severity.HIGH, "CWE-1007", engine="markers")
def bidirectional_control(rule: RiskRule, markers: Markers) -> Iterator[Finding]:
    """Invisible characters reorder the line on screen: what reviewers read is not what runs.

    The "Trojan Source" attack. A line with letters of a right-to-left script may need such
    characters. Data and translations are left out.

    Title: Text that reads differently from what runs

    Low: where the line holds letters of a right-to-left script

    Info: outside production code

    Remedy: Delete it, or write it as an escape where a string needs it.

    Reference: https://trojansource.codes
    """
    for file in markers.files:
        found = file.of(MarkerKind.BIDI) or file.of(MarkerKind.BIDI_BESIDE_TEXT)
        if found:
            serves = found[0].kind is MarkerKind.BIDI_BESIDE_TEXT
            yield rule.finding(
                f"{found[0].what} reorders this line on screen, so reviewers do not see the code"
                f" that runs. {rule.remedy}",
                _line(file, found[0].line),
                severity=_weighed(file, Severity.LOW if serves else Severity.HIGH),
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
    """Comments in production code silence a security scanner.

    One finding a file, new when a comment is added. Mergegate's own findings are not hidden by
    such comments unless the policy says so.

    Title: Silenced security findings

    Remedy: Mend what they hide, or write the reason beside them.

    Reference: https://cwe.mitre.org/data/definitions/1127.html
    """
    for file in markers.files:
        found = [
            marker
            for marker in file.of(MarkerKind.SUPPRESSION)
            if marker.tool in _SECURITY_TOOLS and file.role is Role.SOURCE
        ]
        if found:
            tools = ", ".join(sorted({marker.tool for marker in found}))
            lines = few([str(marker.line) for marker in found])
            yield rule.finding(
                f"Comments silence {tools} here (line {lines}). {rule.remedy}",
                _line(file, found[0].line),
                evidence="\n".join(sorted(f"{marker.tool} {marker.what}" for marker in found)),
            )


def _weighed(file: MarkedFile, severity: Severity, *roles: Role) -> Severity:
    """``severity`` where the file's role counts (production code), information elsewhere."""
    return severity if file.role in (roles or (Role.SOURCE,)) else Severity.INFO


def _line(file: MarkedFile, line: int) -> Place:
    return Place(file.path, line, line)
