"""Passwords that stand in a phrase, where no sign of assignment tells them: SQL, logins, prose."""

import re
from collections.abc import Iterator, Sequence

from mergegate.secrets.names import promise

Span = tuple[int, int]

_IDENTIFIED = re.compile(
    r"\bidentified\s{1,20}(?:(?:with|via)\s{1,20}\S{1,60}\s{1,20})?(?:by|as|using)\s{1,20}"
    r"(?:password\s{1,20})?(?P<quote>[\"'])(?P<value>[^\"'\n]{1,400})",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"(?<![\w./@:+-])(?!(?:mailto|sips?|xmpp|acct|npm|jsr|from|to|cc|bcc|serviceAccount|group|domain|principal|deleted):)"
    r"(?P<user>[A-Za-z][\w.+-]{0,60}):(?P<value>[^\s:@/\"'`$<>{}(),*]{3,100})"
    r"@(?=[A-Za-z][\w-]{0,60}[.:/(]|localhost\b)(?!sha\d+:)"
)
"""A user and a password before a host: ``user:password@db.example``."""
_PROSE = re.compile(
    r"\b(?:password|passphrase|passwd|pwd|passcode)\s{1,5}(?:(?:is|to|of|as|was|be)\s{1,5})?"
    r"(?P<value>[^\s\"'`,;|&${}<>()\[\]=:/-][^\s\"'`,;|&${}<>()\[\]=:/]{4,100})",
    re.IGNORECASE,
)
_MIXED = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z]).+")
"""A word of prose has no digits; a password in it most often does."""
_ALGORITHM = re.compile(r"(?:md|sha|aes|bcrypt|pbkdf|argon|v)-?\d[\w-]*", re.IGNORECASE)
_SCHEMA = r"type|title|description|minLength|maxLength|pattern|nullable|writeOnly"
_BETWEEN, _BEFORE_FORMAT = (
    rf"(?:\s{{0,60}}+[\"']?(?:{keys})[\"']?[ \t]{{0,9}}:[^\n,}}]{{0,200}}+,?){{0,8}}+\s{{0,60}}+"
    for keys in (f"format|{_SCHEMA}", _SCHEMA)
)
_GIVEN = (
    r"[\"']?(?:x-)?(?:example|default)[\"']?[ \t]{0,9}:[ \t]{0,9}"
    r"(?:\"(?P<double>[^\"\n]{1,400}+)|'(?P<single>[^'\n]{1,400}+)"
    r"|(?P<bare>[^\s\"'{\[,}#$][^,}\n]{0,400}+))"
)
_FORMAT = r"(?<![\w-])format[\"']?[ \t]{0,9}:[ \t]{0,9}[\"']?password[\"']?"
_EXAMPLES = (
    re.compile(
        r"(?<![\w.-])(?P<name>[A-Za-z][\w.-]{1,60}+)[\"']?[ \t]{0,9}+:[ \t]{0,9}+\{?[ \t]{0,9}+"
        + (_BETWEEN + _GIVEN)
    ),
    re.compile(_FORMAT + ",?" + _BETWEEN + _GIVEN),
    re.compile(r"(?<![\w-])" + _GIVEN + r"[\"']?,?" + _BEFORE_FORMAT + r"[\"']?" + _FORMAT),
)
"""The example of a property, whose name or format says that it is a password."""


def logins(line: str) -> Iterator[Span]:
    """Where passwords of users stand, before a host or in SQL."""
    if "@" in line:
        for match in _LOGIN.finditer(line):
            # `user:jane@example.org` is how Google names a person.
            if match["user"] != "user" or _MIXED.fullmatch(match["value"]):
                yield match.span("value")
    if "dentified" in line or "DENTIFIED" in line:
        yield from (match.span("value") for match in _IDENTIFIED.finditer(line))


def told(line: str) -> Iterator[Span]:
    """Where passwords stand behind the word for one, in a sentence."""
    for match in _PROSE.finditer(line):
        value = match["value"]
        if _MIXED.fullmatch(value) and not _ALGORITHM.fullmatch(value):
            yield match.span("value")


def examples(lines: Sequence[str]) -> Iterator[tuple[int, Span]]:
    """The examples and defaults of passwords in schemas, each with the index of its line."""
    text = "\n".join(lines)
    if "example" not in text and "default" not in text:
        return
    for match in (one for pattern in _EXAMPLES for one in pattern.finditer(text)):
        name = match.groupdict().get("name")
        if name is None or promise(name) is not None:
            group = next(one for one in ("double", "single", "bare") if match[one] is not None)
            first, end = match.span(group)
            start = text.rfind("\n", 0, first) + 1
            yield text.count("\n", 0, start), (first - start, end - start)
