"""Secrets that only the format of a file or command gives away."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.checksums import decoded, user_and_password
from mergegate.secrets.judge import CRYPT
from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import REACH, Hit, Source

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW

_NEEDS = {
    "password": re.compile("p(?=ass)"),
    "login": re.compile("g(?<=log)in"),
    "scheme": re.compile("b(?:earer|asic) "),
}
"""Each begins with one letter, a rare one of the word: to that the engine leaps."""


@dataclass(frozen=True)
class Format:
    """A pattern with group ``value``, tried where ``literal`` (lower case) stands."""

    id: str
    detector: str
    literal: str
    pattern: str
    confidence: Confidence = HIGH
    accepts: str = ""
    """A name in _ACCEPTED: what the value has to be. Without one a common value is less sure."""
    needs: str = ""
    """A name in _NEEDS: what stands in every match, in common with others: one search rules out
    all of them."""
    anywhere: bool = True
    """False: not in program code, where it is part of an expression."""

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, whatever the case of its letters."""
        return re.compile(self.pattern, re.IGNORECASE)


def _is_basic(value: str) -> bool:
    password = user_and_password(value)
    return len(password) >= 6 and not (
        filters.is_common(password) or filters.is_placeholder(password)
    )


def _is_strong(value: str) -> bool:
    return len(value) >= 6 and filters.classes(value) >= 2


_ACCEPTED: Mapping[str, Callable[[str], bool]] = {
    "": bool,
    "is_basic": _is_basic,
    "is_random": filters.is_random,
    "is_strong": _is_strong,
}
_FORMATS = read_table(Path(__file__).with_name("formats.toml"), Format)
_ACCOUNT_HASH = re.compile(
    rf"(?:^|(?<=[\s\"']))[\w.@-]{{1,64}}:(?P<value>{CRYPT.pattern})(?=[:\s\"']|$)", re.MULTILINE
)
_HASH_BEGINS = re.compile(r":(?:\$|\{S|\*)")
_PGPASS = re.compile(
    r"^[^:\s#]{1,200}:(?:\d{2,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?P<value>\S{1,200})$",
    re.MULTILINE,
)
_PORT = re.compile(r":(?:\d{2,5}|\*):")
"""Part of the pattern before, and fast: it begins with one character, to which the engine leaps."""
_BARE_KEY = re.compile(r"\s*(?P<value>[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})\s*")
_SECRET_DATA = re.compile(r"^(?P<blank>[ ]*)(?P<kind>data|stringData):[ ]*\r?$", re.MULTILINE)
_ENTRY = re.compile(
    r"(?P<blank>[ ]+)[\w.-]{1,100}:[ ]+[\"']?(?P<value>[^\s\"'#]{4,4000})[\"']?[ ]*\r?"
)


def formats(source: Source) -> Iterator[Hit]:
    """What the formats of this room find."""
    in_code = source.suffix in QUOTED_ONLY
    absent = {name for name, needed in _NEEDS.items() if not needed.search(source.lower)}
    for form in _FORMATS.values():
        possible = form.needs not in absent and (form.anywhere or not in_code)
        if possible and form.literal in source.lower:
            yield from _found(source, form)
    yield from _account_hashes(source)
    listing = source.suffix in {"", ".conf", ".txt", ".pgpass"} and len(source.text) < 65536
    if listing and _PORT.search(source.text):
        yield from _spans(_PGPASS, source, "pgpass-password", LOW)
    if len(source.text) < 200:
        yield from _bare_key(source)
    if source.suffix in {".yml", ".yaml"} and "kind: Secret" in source.text:
        yield from _kubernetes(source)


def _found(source: Source, form: Format) -> Iterator[Hit]:
    accepts = _ACCEPTED[form.accepts]
    for place in literal_places(source.lower, form.literal):
        match = form.compiled.match(source.text, place, place + REACH)
        if match and accepts(match["value"]) and not filters.is_placeholder(match["value"]):
            common = filters.is_common(match["value"]) and not form.accepts
            confidence = LOW if common else form.confidence
            yield Hit(*match.span("value"), form.detector, confidence, rank=4)


def _account_hashes(source: Source) -> Iterator[Hit]:
    if _HASH_BEGINS.search(source.text):
        yield from _spans(_ACCOUNT_HASH, source, "password-hash", MEDIUM)


def _spans(
    pattern: re.Pattern[str], source: Source, detector: str, confidence: Confidence
) -> Iterator[Hit]:
    for match in pattern.finditer(source.text):
        if not filters.is_placeholder(match["value"]):
            yield Hit(*match.span("value"), detector, confidence, rank=4)


def _bare_key(source: Source) -> Iterator[Hit]:
    """A file that is nothing but a key, as Rails' ``master.key``; its name decides later."""
    match = _BARE_KEY.fullmatch(source.text)
    if match and filters.is_random(match["value"]):
        yield Hit(*match.span("value"), "key-file", LOW, rank=4)


def _kubernetes(source: Source) -> Iterator[Hit]:
    """Entries of a Secret manifest: Base64 under ``data``, clear under ``stringData``."""
    for section in _SECRET_DATA.finditer(source.text):
        document = source.text.rfind("\n---", 0, section.start())
        if "kind: Secret" not in source.text[max(document, 0) : section.end() + 2000]:
            continue
        for start, end in _entries(source.text, section):
            value = source.text[start:end]
            plain = decoded(value).decode("latin-1") if section["kind"] == "data" else value
            if len(plain) >= 4 and not filters.is_placeholder(plain) and _is_confidential(plain):
                yield Hit(start, end, "kubernetes-secret", MEDIUM, rank=3)


def _is_confidential(plain: str) -> bool:
    return not (filters.is_common(plain) or filters.is_name(plain) or plain.isdigit())


def _entries(text: str, section: re.Match[str]) -> Iterator[tuple[int, int]]:
    position = section.end() + 1
    while match := _ENTRY.match(text, position):
        if len(match["blank"]) <= len(section["blank"]):
            return
        yield match.span("value")
        position = match.end() + 1
