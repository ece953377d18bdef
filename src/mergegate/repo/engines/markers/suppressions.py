"""Comments that silence a tool, each with its reason."""

import re
from collections.abc import Iterator

from mergegate.repo.directives import DIRECTIVES
from mergegate.repo.engines.comments import Comment, Comments, reason
from mergegate.repo.engines.markers.hit import Hit, line_around, near_words
from mergegate.repo.facts.code import MarkerKind
from mergegate.secrets.mask import mask_line

_DIRECTIVES = tuple(DIRECTIVES.values())
_DIRECTIVE = re.compile("|".join(f"({one.pattern})" for one in _DIRECTIVES).encode())
_COLON = re.compile(rb":(?:allow| ?ignore|skip=|(?<=pragma:))")
_HYPHEN = re.compile(rb"-(?:scan|disable)")
_L = re.compile(rb"l(?<=ol)int")
_LGTM = re.compile(rb"g(?<=lg)tm")
_Q = re.compile(rb"q(?:a|l)(?<=noqa|deql)")
_S = re.compile(rb"s(?<=nos)")
_U = re.compile(rb"u(?<=su)ppress")
# Each begins with one byte, a rare one of its words: to that the engine leaps.
_DIRECTIVE_WORDS = {
    b"nosem": _S, b"noqa": _Q, b"nosec": _S, b"nolint": _L, b"nosonar": _S, b"pragma:": _COLON,
    b":allow": _COLON, b":ignore": _COLON, b": ignore": _COLON, b":skip=": _COLON,
    b"kics-scan": _HYPHEN, b"hadolint": _L, b"suppress": _U, b"lgtm": _LGTM, b"codeql": _Q,
    b"eslint-disable": _HYPHEN,
}  # fmt: skip


_QUOTE = re.compile(rb"['\"`][^'\"`]*$")
_OPENED = re.compile(rb"(?:#|//|/\*|<!--|\{#|\{/\*|--|;|%|\*)[^'\"`\n]{0,80}$")
"""A comment that was opened on the line, with nothing quoted since."""


def suppressions(data: bytes, lower: bytes, language: str | None) -> Iterator[Hit]:
    """Each directive, with the tool it silences and its reason; no more of its line is kept.

    One that only looks like a comment, or is an annotation, gives no reason.
    """
    comments = Comments(data, language)
    for hit in near_words(_DIRECTIVE, _DIRECTIVE_WORDS, data, lower):
        before, _ = line_around(data, hit.start())
        annotates = hit[0].startswith((b"@", b"#"))
        comment = comments.read(*hit.span())
        if comment or (annotates and not _QUOTE.search(before)) or _OPENED.search(before):
            directive = _DIRECTIVES[(hit.lastindex or 1) - 1]
            first, last = comments.reach(hit.start(), directive.reach)
            yield Hit(
                hit.start(),
                MarkerKind.SUPPRESSION,
                " ".join(hit[0].decode("ascii", "replace").split()),
                directive.tool,
                reason(comment, directive) if comment and not _hides(comment, hit[0]) else "",
                data.count(b"\n", first, hit.start()),
                data.count(b"\n", hit.start(), last),
            )


def _hides(comment: Comment, directive: bytes) -> bool:
    """Whether a secret stands in the comment: taken apart, its pieces look like none."""
    said = (comment.before + directive + comment.after).decode("utf-8", "replace")
    return mask_line(said) != said
