"""Text that leaves this machine for a stranger's: more is masked than in what is only shown.

A model needs no value to mend the code around it. So what a name alone calls a secret goes too,
however plain it looks, and what the detectors find across lines.
"""

import re
from collections.abc import Iterable, Iterator

from mergegate.secrets.mask import announces, mask_text
from mergegate.secrets.scan import hits
from mergegate.secrets.source import Source

_PAIR = re.compile(
    r"\b(?:name|key)[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name>[\w.-]{1,60})[\"']?[\s,]{1,80}"
    r"[\"']?value[\"']?[ \t]*[:=][ \t]*(?P<value>[^\n]{1,400})",
    re.IGNORECASE,
)
"""``{name: API_TOKEN, value: …}``, ``<add key="DbPassword" value="…"/>``: to the line's end."""
_SPACED = re.compile(
    r"^[ \t]*(?:ENV|ARG|export|setenv|set|SET)[ \t]+(?P<name>\w{1,60})[ \t]+"
    r"(?P<value>[^\n]{1,400})",
    re.MULTILINE,
)
"""``ENV ADMIN_PASSWORD …``."""
_SHAPES = (_PAIR, _SPACED)


def outgoing(text: str, suffix: str = "") -> str:
    """``text`` with all that may be a secret as stars; ``suffix`` is that of the file it is of."""
    for spans in (_detected(text, suffix), _named(text)):
        text = _starred(text, spans)
    return mask_text(text)


def _detected(text: str, suffix: str) -> list[tuple[int, int]]:
    """What the detectors find, as code and as settings: a piece of a file tells little of it."""
    data = text.encode("utf-8", "surrogatepass")
    found = {(hit.start, hit.end) for one in {"", suffix} for hit in hits(Source(data, one))}
    return [_characters(data, start, end) for start, end in found]


def _characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Byte offsets as character offsets."""
    first = len(data[:start].decode("utf-8", "surrogatepass"))
    return first, first + len(data[start:end].decode("utf-8", "surrogatepass"))


def _named(text: str) -> Iterator[tuple[int, int]]:
    for shape in _SHAPES:
        for match in shape.finditer(text):
            if announces(match["name"]):
                yield match.span("value")


def _starred(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Each line of a span on its own, so that lines stay where they are."""
    letters = list(text)
    for start, end in spans:
        for at in range(start, end):
            if letters[at] != "\n":
                letters[at] = "*"
    return "".join(letters)
