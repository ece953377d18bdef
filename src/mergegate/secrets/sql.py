"""Password columns in database dumps: ``INSERT`` with or without columns, and ``COPY``."""

import re
from collections.abc import Iterator, Sequence
from heapq import merge

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.judge import CRYPT
from mergegate.secrets.names import QUOTED_ONLY, Promise, promise
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import Hit, Source

_NAME = r"[`\"\[]?(?:\w{1,64}[`\"\]]?\.[`\"\[]?)?(?P<table>\w{1,64})[`\"\]]?"
_CREATE = re.compile(rf"create\s+table\s+(?:if\s+not\s+exists\s+)?{_NAME}\s*\(", re.IGNORECASE)
_INSERT = re.compile(
    rf"(?:insert|replace)\s+(?:ignore\s+)?into\s+{_NAME}\s*(?:\((?P<columns>[^()]{{1,4000}})\))?\s*values\s*",
    re.IGNORECASE,
)
_COPY = re.compile(
    rf"^copy\s+{_NAME}\s*\((?P<columns>[^()]{{1,4000}})\)\s+from\s+stdin[^\n]*\n",
    re.IGNORECASE | re.MULTILINE,
)
_COLUMN = re.compile(
    r"^[ \t]*[`\"\[]?(?P<name>\w{1,64})[`\"\]]?[ \t]+[a-z]", re.IGNORECASE | re.MULTILINE
)
_FIELD = re.compile(
    r"\s*(?:N?'(?P<text>(?:[^'\\]|\\.|'')*)'|\"(?P<double>[^\"]*)\"|(?P<bare>[^,()'\"]*))\s*(?P<stop>[,)])",
    re.DOTALL,
)
_LONGEST_ROW = 200_000
_MOST_ROWS = 300


def dumps(source: Source) -> Iterator[Hit]:
    """One hit a row that holds a password or its hash."""
    if source.suffix in QUOTED_ONLY - {".sql"}:
        return
    if "into " in source.lower and "values" in source.lower:
        yield from _inserted(source)
    if "from stdin" in source.lower:
        for copy in _statements(_COPY, source, "copy"):
            yield from _copied(source.text, copy.end(), _secret_columns(_columns(copy["columns"])))


def _inserted(source: Source) -> Iterator[Hit]:
    tables = _tables(source)
    for insert in _statements(_INSERT, source, "insert", "replace"):
        names = _columns(insert["columns"]) or tables.get(insert["table"].lower(), [])
        yield from _rows(source.text, insert.end(), _secret_columns(names))


def _tables(source: Source) -> dict[str, list[str]]:
    """Table → its columns in order, as the dump creates them."""
    return {
        create["table"].lower(): _COLUMN.findall(_definition(source.text, create.end()))
        for create in _statements(_CREATE, source, "create")
    }


def _statements(pattern: re.Pattern[str], source: Source, *verbs: str) -> Iterator[re.Match[str]]:
    """Where ``pattern`` matches, none overlapping; it begins with one of ``verbs``.

    To look for a word is much cheaper than to try the pattern at every character.
    """
    done = 0
    for place in merge(*(literal_places(source.lower, verb) for verb in verbs)):
        match = pattern.match(source.text, place) if place >= done else None
        if match:
            done = match.end()
            yield match


def _definition(text: str, start: int) -> str:
    stop = text.find(";", start, start + 20_000)
    return text[start : stop if stop >= 0 else start + 20_000]


def _columns(listed: str | None) -> list[str]:
    return [name.strip().strip('`"[]') for name in (listed or "").split(",") if name.strip()]


def _secret_columns(names: Sequence[str]) -> frozenset[int]:
    return frozenset(
        index
        for index, name in enumerate(names)
        if promise(
            re.sub(r"_?(?:hash|hashed|digest|encrypted|crypt|salt)$", "", name, flags=re.IGNORECASE)
        )
        is Promise.PASSWORD
        or name.lower() in {"user_pass", "encrypted_password", "secret", "api_key", "token"}
    )


def _rows(text: str, position: int, wanted: frozenset[int]) -> Iterator[Hit]:
    for _ in range(_MOST_ROWS if wanted else 0):
        if text[position : position + 1] != "(":
            return
        position += 1
        index = 0
        while field := _FIELD.match(text, position, position + _LONGEST_ROW):
            if index in wanted:
                yield from _field(field)
            index, position = index + 1, field.end()
            if field["stop"] == ")":
                break
        else:
            return
        following = re.compile(r"\s*,\s*").match(text, position)
        if following is None:
            return
        position = following.end()


def _field(field: re.Match[str]) -> Iterator[Hit]:
    group = "text" if field["text"] is not None else "double"
    if field[group]:
        yield from _judged(field[group], *field.span(group))


def _copied(text: str, position: int, wanted: frozenset[int]) -> Iterator[Hit]:
    for _ in range(_MOST_ROWS if wanted else 0):
        end = text.find("\n", position)
        if end < 0 or text.startswith("\\.", position):
            return
        start = position
        for index, cell in enumerate(text[position:end].split("\t")):
            if index in wanted:
                yield from _judged(cell, start, start + len(cell))
            start += len(cell) + 1
        position = end + 1


def _judged(value: str, start: int, end: int) -> Iterator[Hit]:
    if len(value) < 5 or filters.is_placeholder(value):
        return
    if CRYPT.fullmatch(value) or re.fullmatch(r"[0-9a-fA-F]{32,128}", value):
        yield Hit(start, end, "password-hash", Confidence.MEDIUM, rank=6)
    elif not filters.is_prose(value) and not filters.is_common(value):
        strong = filters.classes(value) >= 2 and len(value) >= 6
        confidence = Confidence.MEDIUM if strong else Confidence.LOW
        yield Hit(start, end, "sql-password", confidence, rank=6)
