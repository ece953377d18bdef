"""Secrets that the format of a file or command gives away, private keys among them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.checksums import decoded, user_and_password
from mergegate.secrets.judge import CRYPT
from mergegate.secrets.literals import Literals
from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.plugins import PrivateKeyDetector
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import REACH, Hit, Source

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


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
_LITERALS = Literals(form.literal for form in _FORMATS.values())
_ACCOUNT_HASH = re.compile(
    rf"(?:^|(?<=[\s\"']))[\w.@-]{{1,64}}:(?P<value>{CRYPT.pattern})(?=[:\s\"']|$)", re.MULTILINE
)
_ACCOUNT = re.compile(r"[\w.@-]{1,64}$")
_HASH_BEGINS = re.compile(r":(?:\$|\{S|\*)")
_PGPASS = re.compile(
    r"^[^:\s#]{1,200}:(?:\d{2,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?P<value>\S{1,200})$",
    re.MULTILINE,
)
_PORT = re.compile(r":(?:\d{2,5}|\*):")
"""Part of the pattern before, and fast: it begins with one character, to which the engine leaps."""
_BARE_KEY = re.compile(r"\s*(?P<value>[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})\s*")
_KIND = re.compile(r"kind(?<=\bkind)[\"']?:\s{0,4}[\"']?(?P<kind>\w+)")
_IS_SECRET = re.compile(r"kind(?<=\bkind)[\"']?:\s{0,4}[\"']?Secret\b")
_SECRET_DATA = re.compile(
    r"^(?P<blank>[ ]*)[\"']?(?P<kind>data|stringData)[\"']?:[ ]*\r?$"
    r"|[\"']?\b(?P<flow>data|stringData)[\"']?:\s{0,4}\{(?P<body>[^{}]{1,20000})\}",
    re.MULTILINE,
)
_VALUE = r"[\"']?(?P<value>[^\s\"'#,{}]{4,4000})[\"']?"
_ENTRY = re.compile(
    rf"(?P<blank>[ ]+)[\"']?[\w.-]{{1,100}}[\"']?:[ ]+(?:[|>][+-]?[ ]*\r?\n[ ]+)?{_VALUE}[ ]*\r?"
)
_FLOW_ENTRY = re.compile(rf"[\"']?[\w.-]{{1,100}}[\"']?:\s{{0,8}}{_VALUE}")
_NEAREST_KIND = 2000


def formats(source: Source) -> Iterator[Hit]:
    """The hits of the formats of ``formats.toml`` and of those with a function of their own."""
    in_code = source.suffix in QUOTED_ONLY
    places = _LITERALS.places(source.lower)
    for form in _FORMATS.values():
        if form.anywhere or not in_code:
            yield from _found(source, form, places.get(form.literal, ()))
    yield from _account_hashes(source)
    listing = source.suffix in {"", ".conf", ".txt", ".pgpass"} and len(source.text) < 65536
    if listing and _PORT.search(source.text):
        for match in _PGPASS.finditer(source.text):
            if not filters.is_placeholder(match["value"]):
                yield Hit(*match.span("value"), "pgpass-password", LOW, rank=4)
    if len(source.text) < 200:
        yield from _bare_key(source)
    if source.suffix in {"", ".yml", ".yaml", ".json"} and _IS_SECRET.search(source.text):
        yield from _kubernetes(source)


def _found(source: Source, form: Format, places: Iterable[int]) -> Iterator[Hit]:
    accepts = _ACCEPTED[form.accepts]
    for place in places:
        match = form.compiled.match(source.text, place, place + REACH)
        if match and accepts(match["value"]) and not filters.is_placeholder(match["value"]):
            common = filters.is_common(match["value"]) and not form.accepts
            confidence = LOW if common else form.confidence
            yield Hit(*match.span("value"), form.detector, confidence, rank=4)


def _account_hashes(source: Source) -> Iterator[Hit]:
    for begun in _HASH_BEGINS.finditer(source.text):
        name = _ACCOUNT.search(source.text, max(0, begun.start() - 64), begun.start())
        match = _ACCOUNT_HASH.match(source.text, name.start()) if name else None
        if match and not filters.is_placeholder(match["value"]):
            yield Hit(*match.span("value"), "password-hash", MEDIUM, rank=4)


def _bare_key(source: Source) -> Iterator[Hit]:
    """A file that is nothing but a key, as Rails' ``master.key``; its name decides later."""
    match = _BARE_KEY.fullmatch(source.text)
    if match and filters.is_random(match["value"]):
        yield Hit(*match.span("value"), "key-file", LOW, rank=4)


def _kubernetes(source: Source) -> Iterator[Hit]:
    """Entries of a Secret manifest: Base64 under ``data``, clear under ``stringData``."""
    for section in _SECRET_DATA.finditer(source.text):
        if _kind_around(source.text, section) != "Secret":
            continue
        encoded = (section["kind"] or section["flow"]) == "data"
        for start, end in _entries(source.text, section):
            value = source.text[start:end]
            plain = decoded(value).decode("latin-1") if encoded else value
            if len(plain) >= 4 and not filters.is_placeholder(plain) and _is_confidential(plain):
                yield Hit(start, end, "kubernetes-secret", MEDIUM, rank=3)


def _kind_around(text: str, section: re.Match[str]) -> str:
    """The kind that stands nearest in the same document."""
    start = max(text.rfind("\n---", 0, section.start()), section.start() - _NEAREST_KIND, 0)
    stop = text.find("\n---", section.end(), section.end() + _NEAREST_KIND)
    end = stop if stop >= 0 else section.end() + _NEAREST_KIND
    before = list(_KIND.finditer(text, start, section.start()))[-1:]
    behind = list(_KIND.finditer(text, section.end(), end))[:1]
    near = [(section.start() - one.end(), one["kind"]) for one in before]
    near += [(one.start() - section.end(), one["kind"]) for one in behind]
    return min(near)[1] if near else ""


def _is_confidential(plain: str) -> bool:
    return not (filters.is_common(plain) or filters.is_name(plain) or plain.isdigit())


def _entries(text: str, section: re.Match[str]) -> Iterator[tuple[int, int]]:
    if section["flow"]:
        entries = _FLOW_ENTRY.finditer(text, *section.span("body"))
        yield from (entry.span("value") for entry in entries)
        return
    position = section.end() + 1
    while match := _ENTRY.match(text, position):
        if len(match["blank"]) <= len(section["blank"]):
            return
        yield match.span("value")
        position = match.end() + 1


_LONGEST_KEY = 20_000
_KEY_BEGIN = re.compile(
    r"-----BEGIN (?P<kind>(?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?)-----"
    r"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
)
_KEY_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_NOT_BASE64 = re.compile(r"\\[nrt]|[^A-Za-z0-9+/=]")
_LINE_OF_KEY = re.compile(r"[A-Za-z0-9+/=]{16,}")
_HEADER_LINE = re.compile(r"^[\w-]{2,24}: [^\n]*$", re.MULTILINE)
_SHORTEST_BODY = 40
"""Base64 digits: an Ed25519 seed in PKCS #8 has 64, most placeholders have none."""
_PUTTY = re.compile(r"PuTTY-User-Key-File-[23]: ")
_PUTTY_PRIVATE = re.compile(
    r"Private-Lines: \d{1,4}\r?\n(?P<body>(?:[A-Za-z0-9+/=]+\r?\n?){1,100})"
)
_ENCODED_PEM = re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{100,20000}={0,2}")
_KEY_DETECTOR = PrivateKeyDetector()


def private_keys(source: Source) -> Iterator[Hit]:
    """Every PEM, OpenSSH, PGP or PuTTY key with a body, also inside JSON, YAML or Base64.

    A header that stands alone is no secret.
    """
    announced = "PRIVATE KEY" in source.text
    if announced:
        yield from _pem(source)
    if (announced or "PuTTY" in source.text[:4096]) and _is_putty(source.text):
        yield from _putty(source)
    for place in literal_places(source.text, "LS0tLS1CRUdJTi"):
        match = _ENCODED_PEM.match(source.text, place)
        if match and b"PRIVATE KEY-----" in decoded(match.group()[:120]):
            yield Hit(*match.span(), "private-key", Confidence.HIGH, rank=9)


def _is_putty(text: str) -> bool:
    return any(_KEY_DETECTOR.analyze_string(text[:100])) or _PUTTY.search(text[:4096]) is not None


def _pem(source: Source) -> Iterator[Hit]:
    done = 0
    for place in literal_places(source.text, "PRIVATE KEY"):
        line, _ = source.line_span(place)
        begin = _KEY_BEGIN.search(source.text, max(done, line, place - 60), place + 60)
        if begin is None or place < done:
            continue
        done = begin.end()
        following = source.text.find("-----BEGIN ", begin.end(), begin.end() + _LONGEST_KEY)
        limit = following if following > 0 else begin.end() + _LONGEST_KEY
        end = _KEY_END.search(source.text, begin.end(), limit)
        body = source.text[begin.end() : end.start()] if end else ""
        if end and _is_body(body):
            done = end.end()
            yield Hit(begin.start(), done, _kind(begin.group(), body), Confidence.HIGH, rank=9)


def _is_body(body: str) -> bool:
    digits = _NOT_BASE64.sub("", _HEADER_LINE.sub("", body))
    others = len(body) - len(digits)
    return (
        len(digits) >= _SHORTEST_BODY
        and _has_lines(body)
        and len(set(digits)) >= 16
        and len(set(digits[-200:-20])) >= 12
        and others <= len(digits)
        and "..." not in body
        and "EXAMPLE" not in body
    )


def _has_lines(body: str) -> bool:
    """Whether what stands there is a key, not code between the two lines that it writes."""
    spaced = re.sub(r"\\[nrt]", " ", body)
    return any(not filters.is_worded(line) for line in _LINE_OF_KEY.findall(spaced))


def _kind(begin: str, body: str) -> str:
    locked = "ENCRYPTED" in begin or "Proc-Type: 4,ENCRYPTED" in body or _is_locked_openssh(body)
    return "encrypted-private-key" if locked else "private-key"


def _is_locked_openssh(body: str) -> bool:
    """OpenSSH names the cipher in clear; ``none`` means no passphrase."""
    head = decoded(_NOT_BASE64.sub("", body)[:80])
    return head.startswith(b"openssh-key-v1\0") and head[19:23] != b"none"


def _putty(source: Source) -> Iterator[Hit]:
    match = _PUTTY_PRIVATE.search(source.text)
    if match:
        locked = "\nEncryption: none" not in source.text
        kind = "encrypted-private-key" if locked else "private-key"
        yield Hit(*match.span("body"), kind, Confidence.HIGH, rank=9)
