"""Comments by which scanners and linters let themselves be silenced."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.markers.hit import Hit, line_around, near_words
from mergegate.repo.facts.markers import MarkerKind

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
_COLON = re.compile(rb":(?:allow| ?ignore|skip=|(?<=pragma:))")
_HYPHEN = re.compile(rb"-(?:scan|disable)")
_L = re.compile(rb"l(?<=ol)int")
_G = re.compile(rb"g(?<=lg)tm")
_Q = re.compile(rb"q(?:a|l)(?<=noqa|deql)")
_S = re.compile(rb"s(?<=nos)")
_U = re.compile(rb"u(?<=su)ppress")
# Each begins with one byte, a rare one of its words: to that the engine leaps.
_DIRECTIVE_WORDS = {
    b"nosem": _S, b"noqa": _Q, b"nosec": _S, b"nolint": _L, b"nosonar": _S, b"pragma:": _COLON,
    b":allow": _COLON, b":ignore": _COLON, b": ignore": _COLON, b":skip=": _COLON,
    b"kics-scan": _HYPHEN, b"hadolint": _L, b"suppress": _U, b"lgtm": _G, b"codeql": _Q,
    b"eslint-disable": _HYPHEN,
}  # fmt: skip


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
