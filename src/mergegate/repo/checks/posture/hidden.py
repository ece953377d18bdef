"""What hides from the reader of the code: characters, instructions, silenced findings."""

from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import OUTSIDE
from mergegate.core.severity import Confidence, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check
from mergegate.repo.checks.posture.reporting import RiskRule, few
from mergegate.repo.facts.markers import MarkedFile, MarkerKind, Markers

_SECURITY_TOOLS = frozenset(
    {
        "bandit", "checkov", "codeql", "detect-secrets", "eslint-security", "gitleaks", "gosec",
        "hadolint", "kics", "kingfisher", "ruff", "semgrep", "sonar", "spotbugs", "tfsec", "trivy",
        "trufflehog", "zizmor",
    }
)  # fmt: skip


_REORDERED = RiskRule(
    id="bidirectional-control",
    title="Text that reads differently from what runs",
    severity=Severity.HIGH,
    milder={
        Severity.LOW: "where the line holds letters of a right-to-left script",
        Severity.INFO: OUTSIDE,
    },
    remedy="Delete it, or write it as an escape where a string needs it.",
    cwe=("CWE-1007",),
    references=("https://trojansource.codes",),
    engine="markers",
)


@check(_REORDERED)
def bidirectional_control(markers: Markers) -> Iterator[Finding]:
    """Invisible characters reorder the line on screen: what reviewers read is not what runs.

    The "Trojan Source" attack. A line with letters of a right-to-left script may need such
    characters. Data and translations are left out.
    """
    for file in markers.files:
        found = file.of(MarkerKind.BIDI) or file.of(MarkerKind.BIDI_BESIDE_TEXT)
        if found:
            serves = found[0].kind is MarkerKind.BIDI_BESIDE_TEXT
            yield _REORDERED.finding(
                f"{found[0].what} reorders this line on screen, so reviewers do not see the code"
                f" that runs. {_REORDERED.remedy}",
                _line(file, found[0].line),
                severity=_weighed(file, Severity.LOW if serves else Severity.HIGH),
            )


_INVISIBLE = RiskRule(
    id="invisible-character",
    title="Invisible character in a name",
    severity=Severity.MEDIUM,
    milder={Severity.INFO: OUTSIDE},
    remedy="Delete it and type the name again.",
    cwe=("CWE-1007",),
    references=("https://cwe.mitre.org/data/definitions/1007.html",),
    engine="markers",
)


@check(_INVISIBLE)
def invisible_character(markers: Markers) -> Iterator[Finding]:
    """A character without width stands inside a name: two names look equal and are not."""
    for file in markers.files:
        for marker in file.of(MarkerKind.INVISIBLE)[:1]:
            yield _INVISIBLE.finding(
                f"{marker.what} has no width and stands inside a name, which then looks like"
                f" another. {_INVISIBLE.remedy}",
                _line(file, marker.line),
                severity=_weighed(file, Severity.MEDIUM),
            )


_INSTRUCTIONS = RiskRule(
    id="reviewer-injection",
    title="Hidden instructions to an AI reviewer",
    severity=Severity.MEDIUM,
    milder={
        Severity.LOW: "for other text than a message in Unicode tag characters",
        Severity.INFO: "in tests, examples and vendored code",
    },
    remedy="Delete it, and ask whoever proposed it.",
    confidence=Confidence.MEDIUM,
    cwe=("CWE-1427",),
    references=("https://genai.owasp.org/llmrisk/llm01-prompt-injection/",),
    engine="markers",
)


@check(_INSTRUCTIONS)
def reviewer_injection(markers: Markers) -> Iterator[Finding]:
    """Text that people do not see tells a language model how to judge the code.

    A comment that asks to ignore instructions or to approve the change, or a message in Unicode
    tag characters. Mergegate's verdict never rests on such text; other reviewers' may.
    """
    for file in markers.files:
        found = file.of(MarkerKind.HIDDEN_TEXT) or file.of(MarkerKind.INJECTION)
        if found:
            unseen = found[0].kind is MarkerKind.HIDDEN_TEXT
            yield _INSTRUCTIONS.finding(
                f"Text that people do not see is addressed to a language model: {found[0].what}."
                f" {_INSTRUCTIONS.remedy}",
                _line(file, found[0].line),
                severity=_weighed(
                    file, Severity.MEDIUM if unseen else Severity.LOW, Role.SOURCE, Role.DOCS
                ),
            )


_SILENCED = RiskRule(
    id="inline-suppression",
    title="Silenced security findings",
    severity=Severity.INFO,
    remedy="Mend what they hide, or write the reason beside them.",
    cwe=("CWE-1127",),
    references=("https://cwe.mitre.org/data/definitions/1127.html",),
    engine="markers",
)


@check(_SILENCED)
def inline_suppression(markers: Markers) -> Iterator[Finding]:
    """Comments in production code silence a security scanner.

    One finding a file, new when a comment is added. Mergegate's own findings are not hidden by
    such comments unless the policy says so.
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
            yield _SILENCED.finding(
                f"Comments silence {tools} here (line {lines}). {_SILENCED.remedy}",
                _line(file, found[0].line),
                evidence="\n".join(sorted(f"{marker.tool} {marker.what}" for marker in found)),
            )


def _weighed(file: MarkedFile, severity: Severity, *roles: Role) -> Severity:
    """``severity`` where the file's role counts (production code), information elsewhere."""
    return severity if file.role in (roles or (Role.SOURCE,)) else Severity.INFO


def _line(file: MarkedFile, line: int) -> Place:
    return Place(file.path, line, line)
