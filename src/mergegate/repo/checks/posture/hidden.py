"""What hides from the reader of the code: characters, instructions, silenced findings."""

from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Aspect, Confidence, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.posture.reporting import few, risk
from mergegate.repo.facts.markers import MarkedFile, MarkerKind, Markers

_SECURITY_TOOLS = frozenset(
    {
        "bandit", "checkov", "codeql", "detect-secrets", "eslint-security", "gitleaks", "gosec",
        "hadolint", "kics", "kingfisher", "ruff", "semgrep", "sonar", "spotbugs", "tfsec", "trivy",
        "trufflehog", "zizmor",
    }
)  # fmt: skip


@check("bidirectional-control", Aspect.CODE)
def bidirectional_control(markers: Markers) -> Iterator[Finding]:
    """Invisible characters reorder the line on screen: what reviewers read is not what runs.

    The "Trojan Source" attack. High in production code; low where the line holds letters of a
    right-to-left script, which such characters may serve. Data and translations are left out.

    Remedy: delete the character; where a string needs it, write it as an escape.

    Reference: https://trojansource.codes
    """
    for file in markers.files:
        found = file.of(MarkerKind.BIDI) or file.of(MarkerKind.BIDI_BESIDE_TEXT)
        if found:
            serves = found[0].kind is MarkerKind.BIDI_BESIDE_TEXT
            yield risk(
                "bidirectional-control",
                "Text that reads differently from what runs",
                f"{found[0].what} reorders this line on screen, so reviewers do not see the code"
                " that runs. Delete it, or write it as an escape where a string needs it.",
                severity=_weighed(file, Severity.LOW if serves else Severity.HIGH),
                place=_line(file, found[0].line),
                engine="markers",
                cwe=("CWE-1007",),
            )


@check("invisible-character", Aspect.CODE)
def invisible_character(markers: Markers) -> Iterator[Finding]:
    """A character without width stands inside a name: two names look equal and are not.

    Medium in production code.

    Remedy: delete the character and type the name again.

    Reference: https://cwe.mitre.org/data/definitions/1007.html
    """
    for file in markers.files:
        for marker in file.of(MarkerKind.INVISIBLE)[:1]:
            yield risk(
                "invisible-character",
                "Invisible character in a name",
                f"{marker.what} has no width and stands inside a name, which then looks like"
                " another. Delete it and type the name again.",
                severity=_weighed(file, Severity.MEDIUM),
                place=_line(file, marker.line),
                engine="markers",
                cwe=("CWE-1007",),
            )


@check("reviewer-injection", Aspect.CODE)
def reviewer_injection(markers: Markers) -> Iterator[Finding]:
    """Text that people do not see tells a language model how to judge the code.

    A comment that asks to ignore instructions or to approve the change, or a message in Unicode
    tag characters. Mergegate's verdict never rests on such text; other reviewers' may. Low,
    medium for tag characters; tests and examples are for information.

    Remedy: delete the text, and ask whoever proposed it.

    Reference: https://genai.owasp.org/llmrisk/llm01-prompt-injection/
    """
    for file in markers.files:
        found = file.of(MarkerKind.HIDDEN_TEXT) or file.of(MarkerKind.INJECTION)
        if found:
            unseen = found[0].kind is MarkerKind.HIDDEN_TEXT
            yield risk(
                "reviewer-injection",
                "Hidden instructions to an AI reviewer",
                f"Text that people do not see is addressed to a language model: {found[0].what}."
                " Delete it, and ask whoever proposed it.",
                severity=_weighed(
                    file, Severity.MEDIUM if unseen else Severity.LOW, Role.SOURCE, Role.DOCS
                ),
                place=_line(file, found[0].line),
                confidence=Confidence.MEDIUM,
                engine="markers",
            )


@check("inline-suppression", Aspect.CODE)
def inline_suppression(markers: Markers) -> Iterator[Finding]:
    """Comments in production code silence a security scanner.

    For information: one finding a file, new when a comment is added. Mergegate's own findings
    are not hidden by such comments unless the policy says so.

    Remedy: mend what is silenced, or write the reason beside the comment.

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
            yield risk(
                "inline-suppression",
                "Silenced security findings",
                f"Comments silence {tools} here (line {lines}). Mend what they hide, or write the"
                " reason beside them.",
                severity=Severity.INFO,
                place=_line(file, found[0].line),
                evidence="\n".join(sorted(f"{marker.tool} {marker.what}" for marker in found)),
                engine="markers",
            )


def _weighed(file: MarkedFile, severity: Severity, *roles: Role) -> Severity:
    """``severity`` where the file's role counts (production code), information elsewhere."""
    return severity if file.role in (roles or (Role.SOURCE,)) else Severity.INFO


def _line(file: MarkedFile, line: int) -> Place:
    return Place(file.path, line, line)
