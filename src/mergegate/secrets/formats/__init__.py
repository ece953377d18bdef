"""Secrets that the format of a file, a command or a call gives away: one TOML file a topic.

A pattern is tried where one of its literals stands. It may hold names in braces, which stand for
what many patterns share: ``{ARG}``, ``{TEXT}``, ``{REST}`` and ``{WORD}``.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path

from mergegate.core.data_table import read_tables
from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.checksums import user_and_password
from mergegate.secrets.formats.keys import private_keys
from mergegate.secrets.formats.kubernetes import kubernetes
from mergegate.secrets.judge import CRYPT
from mergegate.secrets.literals import Literals
from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.source import REACH, Hit, Source

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW

_MARGIN = 80
"""Blanks at most before what opens a line."""
_QUOTED = r"\"(?:[^\"\\\n]|\\.){0,200}+\"|'(?:[^'\\\n]|\\.){0,200}+'|`[^`\n]{0,200}+`"
_INNER = rf"(?:[^()\[\]{{}}\"'`]|{_QUOTED}){{0,100}}+"
_NESTED = (
    rf"\({_INNER}(?:\({_INNER}\){_INNER}){{0,4}}+\)|\[{_INNER}(?:\[{_INNER}\]{_INNER}){{0,4}}+\]"
    rf"|\{{{_INNER}(?:\{{{_INNER}\}}{_INNER}){{0,4}}+\}}"
)
_CONVERTED = (
    r"to_string|to_owned|into|as_ref|as_bytes|as_str|getBytes|toCharArray|encode|freeze|b\b|utf8"
)
_SHARED = {
    "{ARG}": rf"(?:[^,()\[\]{{}}\"'`;]|{_QUOTED}|{_NESTED}){{1,120}}+,\s{{0,40}}",
    "{TEXT}": (
        r"(?:[\w.:]{0,30}[(\[{&\]]{1,3}){0,2}[bBrRuU@]?(?P<quote>[\"'`])"
        r"(?P<value>(?:(?!(?P=quote))[^\\\n]|\\.){3,200})(?P=quote)\)?"
        rf"(?=\s{{0,40}}(?:[,)\]}};]|\.(?:{_CONVERTED})|\r?\n|$|(?:do|if|unless)\b))"
    ),
    "{REST}": r"(?:[^\n|;\\]|\\\r?\n|\\(?!\n)){0,240}?(?<=\s)",
    "{WORD}": (
        r"(?:\"(?P<double>[^\"\n$`]{3,200})\"|'(?P<single>[^'\n]{3,200})'"
        r"|(?P<value>[^\s\"'`|;&<>$(){}-][^\s\"'`|;&<>]{2,200}))"
    ),
}
"""An argument and its comma; a literal as the last or only part of an argument; the words of a
command up to one; a word of a command, with or without quotes."""


@dataclass(frozen=True)
class Format:
    """A pattern, tried behind each of ``literals`` (lower case); its group ``value`` is secret."""

    id: str
    detector: str
    literals: tuple[str, ...]
    pattern: str
    confidence: Confidence = HIGH
    accepts: str = ""
    """A name in _ACCEPTED: what the value has to be. Without one a common value is less sure."""
    anywhere: bool = True
    """False: not in program code, where it is part of an expression."""
    opens: bool = False
    """Nothing but blanks stands before it on its line."""

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, whatever the case of its letters."""
        pattern = self.pattern
        for name, meaning in _SHARED.items():
            pattern = pattern.replace(name, meaning)
        return re.compile(pattern, re.IGNORECASE)

    def matches(self, source: Source, place: int, literal: str) -> re.Match[str] | None:
        """What the pattern finds behind the ``literal`` at ``place``."""
        before = source.text[max(0, place - 1) : place]
        if literal[0].isalnum() and (before.isalnum() or before in {"_", "-"}):
            return None
        beside = source.text[max(0, place - _MARGIN) : place]
        if self.opens and beside.rpartition("\n")[2].strip():
            return None
        start = place + len(literal)
        return self.compiled.match(source.text, start, start + REACH)


def _is_basic(value: str) -> bool:
    password = user_and_password(value)
    return len(password) >= 6 and not (
        filters.is_common(password) or filters.is_placeholder(password)
    )


def _is_strong(value: str) -> bool:
    return len(value) >= 6 and filters.classes(value) >= 2


def _is_chosen(value: str) -> bool:
    """A password that nobody would guess first, and no word, path or expression."""
    plain = filters.is_common(value) or filters.is_prose(value) or filters.is_name(value)
    return _is_strong(value) and not plain


def _is_mixed(value: str) -> bool:
    return _is_chosen(value) and filters.classes(value) >= 3


def _is_uncommon(value: str) -> bool:
    return not filters.is_common(value)


def _is_key(value: str) -> bool:
    """What a machine made, or a person in its stead."""
    drawn = filters.is_random(value) and not filters.is_worded(value)
    return drawn or (_is_chosen(value) and len(value) >= 10 and filters.classes(value) >= 3)


_ACCEPTED: Mapping[str, Callable[[str], bool]] = {
    "": bool,
    "is_basic": _is_basic,
    "is_chosen": _is_chosen,
    "is_key": _is_key,
    "is_mixed": _is_mixed,
    "is_random": filters.is_random,
    "is_strong": _is_strong,
    "is_uncommon": _is_uncommon,
}
_FORMATS = read_tables(Path(__file__).parent, Format)
_ACCOUNT_HASH = re.compile(
    rf"(?:^|(?<=[\s\"']))[\w.@-]{{1,64}}:(?P<value>{CRYPT.pattern})(?=[:\s\"']|$)", re.MULTILINE
)
_ACCOUNT = re.compile(r"[\w.@-]{1,64}$")
_HASH_BEGINS = re.compile(r":(?:\$|\{S|\*|md5)")
_CRYPT = re.compile(
    r"\$(?:2[abxy]\$\d\d\$[A-Za-z0-9./]{53}|(?:1|apr1)\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}"
    r"|[56]\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$(?:[A-Za-z0-9./]{86}|[A-Za-z0-9./]{43})"
    r"|[89]\$[A-Za-z0-9./]{14}\$[A-Za-z0-9./]{43}"
    r"|argon2[di]{1,2}\$(?:v=\d{1,3}\$)?m=\d+,t=\d+,p=\d+\$[\w+/]{8,64}\$[\w+/]{20,128})(?![\w./])"
)
"""A hash that shows by its length that it is whole, whatever stands around it."""
_PGPASS = re.compile(
    r"^[^:\s#]{1,200}:(?:\d{2,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?P<value>\S{1,200})$",
    re.MULTILINE,
)
_PORT = re.compile(r":(?:\d{2,5}|\*):")
"""Part of the pattern before, and fast: it begins with one character, to which the engine leaps."""
_BARE_KEY = re.compile(r"\s*(?P<value>[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128}|[A-Z0-9]{20})\s*")


class _Table:
    """Formats by the literals that they are tried behind, which are looked for all at once."""

    def __init__(self, forms: Iterable[Format]) -> None:
        pairs = [(form, literal) for form in forms for literal in form.literals]
        self._literals = Literals(literal for _, literal in pairs)
        self._tried: dict[str, list[tuple[int, Format]]] = defaultdict(list)
        for number, (form, literal) in enumerate(pairs):
            self._tried[literal].append((number, form))

    def hits(self, source: Source) -> Iterator[Hit]:
        """What they find, in the order of the formats."""
        places = self._literals.places(source.lower)
        tried = [(*one, literal) for literal in places for one in self._tried[literal]]
        for _, form, literal in sorted(tried, key=itemgetter(0)):
            yield from _found(source, form, literal, places[literal])


@cache
def _table(in_code: bool) -> _Table:
    return _Table(form for form in _FORMATS.values() if form.anywhere or not in_code)


def formats(source: Source) -> Iterator[Hit]:
    """The hits of the formats of the tables and of those with a function of their own."""
    yield from _table(source.suffix in QUOTED_ONLY).hits(source)
    yield from _account_hashes(source)
    yield from _whole_hashes(source)
    listing = source.suffix in {"", ".conf", ".txt", ".pgpass"} and len(source.text) < 65536
    if listing and _PORT.search(source.text):
        for match in _PGPASS.finditer(source.text):
            if not filters.is_placeholder(match["value"]):
                yield Hit(*match.span("value"), "pgpass-password", LOW, rank=4)
    if len(source.text) < 200:
        yield from _bare_key(source)
    yield from kubernetes(source)


def _found(source: Source, form: Format, literal: str, places: Iterable[int]) -> Iterator[Hit]:
    accepts = _ACCEPTED[form.accepts]
    for place in places:
        match = form.matches(source, place, literal)
        if match is None:
            continue
        group = next((one for one in ("double", "single") if match.groupdict().get(one)), "value")
        value = match[group]
        if accepts(value) and not filters.is_placeholder(value):
            yield Hit(*match.span(group), form.detector, _confidence(form, value), rank=4)


def _confidence(form: Format, value: str) -> Confidence:
    if not form.accepts and filters.is_common(value):
        return LOW
    plain = form.accepts == "is_chosen" and (len(value) < 8 or filters.classes(value) < 3)
    return (
        min(form.confidence, MEDIUM) if plain and not filters.is_random(value) else form.confidence
    )


def _account_hashes(source: Source) -> Iterator[Hit]:
    for begun in _HASH_BEGINS.finditer(source.text):
        name = _ACCOUNT.search(source.text, max(0, begun.start() - 64), begun.start())
        match = _ACCOUNT_HASH.match(source.text, name.start()) if name else None
        if match and not filters.is_placeholder(match["value"]):
            yield Hit(*match.span("value"), "password-hash", MEDIUM, rank=4)


def _whole_hashes(source: Source) -> Iterator[Hit]:
    """Hashes wherever they stand but in code and comments, where examples are many."""
    if source.suffix not in QUOTED_ONLY:
        for match in _CRYPT.finditer(source.text):
            line, _ = source.line_span(match.start())
            if source.text[line : match.start()].lstrip().startswith("#"):
                continue
            yield Hit(*match.span(), "password-hash", MEDIUM, rank=0)


def _bare_key(source: Source) -> Iterator[Hit]:
    """A file that is nothing but a key, as Rails' ``master.key``; its name decides later."""
    match = _BARE_KEY.fullmatch(source.text)
    if match and filters.is_random(match["value"]):
        yield Hit(*match.span("value"), "key-file", LOW, rank=4)


__all__ = ["formats", "private_keys"]
