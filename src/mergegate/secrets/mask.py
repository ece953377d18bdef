"""Stars in place of secrets, for every line of code that is shown.

In doubt it masks: a masked constant costs a reader a glance, a shown password costs the password.
"""

import re

from mergegate.secrets import filters
from mergegate.secrets.names import promise
from mergegate.secrets.plugins import keyword_detector
from mergegate.secrets.scan import hits, masked, resolved
from mergegate.secrets.source import Hit, Source

LONGEST_SHOWN = 2000
"""Characters of a line that are kept; what follows is cut and said to be."""
_CUT = " … (cut)"
_SUSPECT = re.compile(r"pass|pwd|secret|token|key|cred|auth|salt|sig|bearer|login", re.IGNORECASE)
_VALUE = re.compile(
    r"(?P<name>[\w.$-]{1,60})(?:\\?[\"'`])?[\])]{0,2}[ \t]{0,20}(?::=|=>|=|:|,|\(|>| )[ \t]{0,20}"
    r"[bBrRuUfF@$]{0,2}\\?[\"'`](?P<value>[^\"'`\n]{1,400})"
)
_CALL = re.compile(r"\$\{|\{\{|%\(|\w\(|^\W*$")
_GENERATED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}")
_KEY_BODY = re.compile(r"[\s\"'+\\n,;]*(?P<value>[A-Za-z0-9+/]{40,}={0,2})[\s\"'+\\n,;]*")


def mask_line(text: str) -> str:
    """``text`` with every secret as stars, at most LONGEST_SHOWN characters long."""
    line = text[:LONGEST_SHOWN]
    shown = line
    for start, end in reversed(_joined(_spans(line))):
        shown = shown[:start] + masked(shown[start:end]) + shown[end:]
    return shown + (_CUT if len(text) > LONGEST_SHOWN else "")


def _spans(line: str) -> list[tuple[int, int]]:
    data = line.encode("utf-8", "surrogatepass")
    source = Source(data)
    spans = [(hit.start, hit.end) for hit in resolved(hits(source)) if not _is_code(source, hit)]
    found = [_characters(data, start, end) for start, end in spans]
    body = _KEY_BODY.fullmatch(line)
    if body:
        found.append(body.span("value"))
    if _SUSPECT.search(line):
        found.extend(_quoted(line))
        found.extend(_keywords(line))
        found.extend(m.span() for m in _GENERATED.finditer(line) if filters.is_random(m.group()))
    return found


def _is_code(source: Source, hit: Hit) -> bool:
    """A plain word without quotes is a name: ``login(password=password)``."""
    bare = source.text[hit.start - 1 : hit.start] not in {'"', "'", "`", ">"}
    return hit.detector == "default-password" and bare


def _characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Byte offsets as character offsets."""
    first = len(data[:start].decode("utf-8", "replace"))
    return first, first + len(data[start:end].decode("utf-8", "replace"))


def _quoted(line: str) -> list[tuple[int, int]]:
    """Every literal that is given to a name which announces a secret."""
    return [
        match.span("value")
        for match in _VALUE.finditer(line)
        if promise(match["name"]) and not _is_harmless(match["value"])
    ]


def _keywords(line: str) -> list[tuple[int, int]]:
    """What detect-secrets' keyword detector takes for a secret."""
    found = []
    for value in keyword_detector().analyze_string(line[:600]):
        start = line.rfind(value)
        if start >= 0 and not (_is_harmless(value) or filters.is_common(value)):
            found.append((start, start + len(value)))
    return found


def _is_harmless(value: str) -> bool:
    """Templates and calls hold no value; words with blanks are labels."""
    return filters.is_prose(value) or _CALL.search(value) is not None


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        elif end > start:
            joined.append((start, end))
    return joined
