"""Lines that a Dockerfile joins by another sign than semgrep knows, joined by the usual one."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.flow.edits import Edit

_DIRECTIVES = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*#[ \t]*(?!escape\b)[A-Za-z]\w*[ \t]*=[^\n]*\n)*"
    rb"[ \t]*#[ \t]*escape[ \t]*=[ \t]*`[ \t]*\r?\n",
    re.IGNORECASE,
)
"""``# escape=`` with a backtick, among the directives that stand before all else."""
_LAST = re.compile(rb"[`\\](?=[ \t]*\r?$)", re.MULTILINE)


def edits(text: bytes) -> Iterator[Edit]:
    """A backslash for each backtick that joins lines, and none where it joins nothing."""
    if _DIRECTIVES.match(text):
        for match in _LAST.finditer(text):
            yield Edit(match.start(), b"\\" if match[0] == b"`" else b"/", replaces=True)
