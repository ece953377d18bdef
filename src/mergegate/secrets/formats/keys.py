"""Private keys by their body: PEM, OpenSSH, PGP and PuTTY, also inside JSON, YAML or Base64."""

import re
from collections.abc import Iterator

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.checksums import decoded
from mergegate.secrets.plugins import PrivateKeyDetector
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import Hit, Source

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
