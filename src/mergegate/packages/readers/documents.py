"""Hostile JSON, TOML and YAML as plain values, within limits.

YAML is built here from its parser's events: scalars stay text (``1.10`` is no number), aliases
are refused (a few of them can stand for gigabytes), depth is bounded.
"""

import codecs
import json
import re
import tomllib
from collections.abc import Container, Iterator

import yaml

from mergegate.core.errors import EngineFailed

MAX_DEPTH = 64
MAX_TEXT = 200
MAX_TOML_CHARACTERS = 8 * 1024 * 1024
MAX_YAML_CHARACTERS = 16 * 1024 * 1024
"""Their parsers read about a megabyte a second; real lock files stay well below."""

YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_USERINFO = re.compile(r"//[^/@\s]*@")
_QUERY = re.compile(r"(://[^\s?#]*)\?[^\s#]*")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


class Unreadable(EngineFailed):
    """A file is not what its name says; nothing of it was seen."""


def decoded(data: bytes) -> str:
    """The text of a file; UTF-8, or UTF-16 with its mark (as a shell on Windows writes)."""
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("it is not UTF-8 text") from error


def json_document(text: str) -> dict[str, object]:
    """The object in ``text``; raises Unreadable."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not valid JSON{_where(error)}") from error
    return _object(document)


def toml_document(text: str) -> dict[str, object]:
    """The table in ``text``; raises Unreadable."""
    _refuse_larger(text, MAX_TOML_CHARACTERS)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("it is not valid TOML") from error


def yaml_document(text: str) -> dict[str, object]:
    """The last document in ``text``, all scalars as text; raises Unreadable."""
    _refuse_larger(text, MAX_YAML_CHARACTERS)
    try:
        documents = list(_documents(text))
    except (yaml.YAMLError, RecursionError) as error:
        raise Unreadable("it is not valid YAML") from error
    return _object(documents[-1] if documents else None)


def table(value: object) -> dict[str, object]:
    """``value`` if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """``value`` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def expect(document: dict[str, object], sections: Container[str], kind: str) -> None:
    """Raises Unreadable where tables stand elsewhere than a known version of ``kind`` has them."""
    if any(key in sections for key in document):
        return
    if any(isinstance(one, dict) for value in document.values() for one in items(value)):
        raise Unreadable(f"it is of no known version of {kind}")


def text_of(value: object) -> str:
    """``value`` if it is text, else nothing."""
    return value if isinstance(value, str) else ""


def words(value: object) -> list[str]:
    """The texts of a list."""
    return [item for item in items(value) if isinstance(item, str)]


def sanitised(text: str) -> str:
    """One harmless line: no credentials, no control characters, at most 200 characters."""
    plain = _CONTROLS.sub(" ", text[: 20 * MAX_TEXT]).strip()
    masked = _QUERY.sub(r"\1", _USERINFO.sub("//***@", plain))
    return masked if len(masked) <= MAX_TEXT else masked[: MAX_TEXT - 1] + "…"


def lines_in(text: str) -> list[str]:
    """The lines as editors count them: form feeds and Unicode's separators end none."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def lines_of(text: str, pattern: str) -> dict[str, int]:
    """What ``pattern``'s first group matches at line starts → the first such line, from 1."""
    seen: dict[str, int] = {}
    expression = re.compile(pattern)
    for number, line in enumerate(lines_in(text), start=1):
        found = expression.match(line)
        if found:
            seen.setdefault(found.group(1), number)
    return seen


def _refuse_larger(text: str, limit: int) -> None:
    if len(text) > limit:
        raise Unreadable(f"it is longer than {limit} characters")


def _object(document: object) -> dict[str, object]:
    if not isinstance(document, dict):
        raise Unreadable("it does not hold an object at its top")
    return document


def _where(error: Exception) -> str:
    return f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""


def _documents(text: str) -> Iterator[object]:
    """Every document, built from events with a stack of our own: no recursion."""
    stack: list[_Open] = []
    for event in yaml.parse(text, Loader=YAML_LOADER):
        if isinstance(event, yaml.AliasEvent):
            raise Unreadable("it uses YAML aliases, which are not followed")
        if isinstance(event, yaml.ScalarEvent):
            value: object = event.value
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append(_Open(isinstance(event, yaml.MappingStartEvent)))
            if len(stack) > MAX_DEPTH:
                raise Unreadable(f"it is nested deeper than {MAX_DEPTH} levels")
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            value = stack.pop().closed()
        else:
            continue
        if stack:
            stack[-1].parts.append(value)
        else:
            yield value


class _Open:
    """A mapping or list whose end has not been read."""

    def __init__(self, mapping: bool) -> None:
        self.mapping = mapping
        self.parts: list[object] = []

    def closed(self) -> object:
        if not self.mapping:
            return self.parts
        keys, values = self.parts[::2], self.parts[1::2]
        return {key: value for key, value in zip(keys, values, strict=True) if isinstance(key, str)}
