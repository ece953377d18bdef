"""Comments by which scanners and linters let themselves be silenced."""

import re
from collections.abc import Iterator

from mergegate.gather.markers.hit import Hit, line_around, near_words
from mergegate.model.facts.markers import MarkerKind

_DIRECTIVES: tuple[tuple[str, str], ...] = (
    ("semgrep", r"nosem(?:grep)?(?::[ ]?[\w.,-]{1,80})?"),
    ("ruff", r"(?:ruff:[ ]?)?noqa:[\w, ]{0,40}?\bS\d{3}\b"),
    ("gosec", r"(?<=//)[ ]?#nosec(?:[ ]G\d{3})?|nolint:[\w,]{0,60}\bgosec\b"),
    ("bandit", r"#[ ]{0,2}nosec(?:[ :]{1,2}B\d{3})?\b"),
    ("detect-secrets", r"pragma: ?(?:allowlist|whitelist)(?: nextline)? secret"),
    ("gitleaks", r"(?:gitleaks|betterleaks):allow"),
    ("trufflehog", r"trufflehog:ignore"),
    ("kingfisher", r"kingfisher:ignore"),
    ("zizmor", r"zizmor: ?ignore(?:\[[\w, -]{0,60}\])?"),
    ("checkov", r"checkov:skip=\w{1,40}"),
    ("tfsec", r"tfsec:ignore:[\w-]{1,60}"),
    ("trivy", r"trivy:ignore:[\w-]{1,60}"),
    ("kics", r"kics-scan (?:ignore|disable)[\w-]{0,20}"),
    ("hadolint", r"hadolint (?:global )?ignore=[\w,]{1,60}"),
    ("sonar", r"NOSONAR\b"),
    ("spotbugs", r"@SuppressFBWarnings\b"),
    ("codeql", r"(?:lgtm|codeql) ?\[[\w/-]{1,60}\]"),
    (
        "eslint-security",
        r"eslint-disable[\w-]{0,12}[ ][\w@/, -]{0,80}?(?:security/|no-eval|no-new-func)[\w-]{0,40}",
    ),
    ("eslint", r"eslint-disable(?:-next-line|-line)?"),
    ("golangci-lint", r"(?<=//)nolint\b(?::[\w,]{1,60})?"),
    ("java", r"@SuppressWarnings\b"),
)
_DIRECTIVE = re.compile("|".join(f"({pattern})" for _, pattern in _DIRECTIVES).encode())
_DIRECTIVE_WORDS = (
    b"nosem", b"noqa", b"nosec", b"nolint", b"nosonar", b"pragma:", b":allow", b":ignore",
    b": ignore", b":skip=", b"kics-scan", b"hadolint", b"suppress", b"lgtm", b"codeql",
    b"eslint-disable",
)  # fmt: skip


_QUOTE = re.compile(rb"['\"`][^'\"`]*$")
_OPENED = re.compile(rb"(?:#|//|/\*|<!--|\{#|\{/\*|--|;|%|\*)[^'\"`\n]{0,80}$")
"""A comment that was opened on the line, with nothing quoted since."""


def suppressions(data: bytes, lower: bytes) -> Iterator[Hit]:
    """Each directive, with the tool it silences; the rest of its line is never kept."""
    for hit in near_words(_DIRECTIVE, _DIRECTIVE_WORDS, data, lower):
        before, _ = line_around(data, hit.start())
        annotates = hit[0].startswith((b"@", b"#"))
        if (annotates and not _QUOTE.search(before)) or _OPENED.search(before):
            tool = _DIRECTIVES[(hit.lastindex or 1) - 1][0]
            what = " ".join(hit[0].decode("ascii", "replace").split())
            yield Hit(hit.start(), MarkerKind.SUPPRESSION, what, tool)
