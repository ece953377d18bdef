"""Words that stand for a text: Base64, Base32, hexadecimal, turned, numbers, compressed."""

import base64
import binascii
import codecs
import re
import zlib
from collections.abc import Iterator, Sequence

from mergegate.secrets.source import Source, word_spans
from mergegate.secrets.spellings.marks import Marks
from mergegate.secrets.spellings.view import Change

MOST_OPENED_BYTES = 1 << 20
"""What a compressed word may become."""
_SHORTEST_WORD, _SHORTEST_GIVEN = 24, 8
"""A token has twenty characters at least, a password behind a decoder's name six."""
_HEAD = 24
"""Digits that are opened first: most words are names."""
_PRINTABLE = bytes(range(32, 127)) + b"\t\n\r"
_WORD = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
_BASE32 = re.compile(r"[A-Z2-7]{8,}={0,6}")
_BLOCK = re.compile(r"[A-Za-z0-9+/]{40,}(?:\r?\n[ \t]*[A-Za-z0-9+/]{4,}){1,2000}={0,2}")
"""A long word that goes on in the lines below."""
_PRIVATE_KEY = re.compile(
    r"MII[A-Za-z0-9+/]{3}IBA(?:DAN|AKC)|MHcCAQEE|MIGHAgEAMBMG|MC4CAQAwBQYDK2VwBCIE"
)
"""How the private keys of RSA, elliptic curves and Ed25519 begin, without their armour."""
_SHORTEST_KEY = 60
_HEADS = re.compile(
    r"[ .=:~%@](?:[CDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589]"
    r"[A-Za-z0-9+/_-]){6}"
    r"|[ .=:~%@](?:(?:[2-7][0-9a-fA-F]|0[9aAdD]){12}|(?:[0-9a-fA-F]{2}00){6}"
    r"|1[fF]8[bB]08|78(?:01|9[cC]|[dD][aA])|[A-Z2-7]{24}|H4sI|eA[E-H]|eJ[w-z]|eN[o-r]"
    rf"|[A-Za-z0-9+/_-][AQgw][A-D].A[A-P][AEIMQUYcgkosw048]A|{_PRIVATE_KEY.pattern})"
)
"""How words begin that stand for a text in Base64, or in what else ``_opened`` opens: it decides
the same at more cost."""
_LITERAL = re.compile(r"([\"'`])(?P<text>[A-Za-z0-9+/_=.-]{8,400})\1")
_REACH = 120
"""Characters between the name of a decoder and what it is given."""
_NUMBER = r"(?:0[xX][2-7][0-9a-fA-F]|1?\d{2})"
_CODES = re.compile(
    rf"[a-z]{{4,10}}[\[\](){{\s]{{1,40}}(?P<numbers>{_NUMBER}(?:\s{{0,20}},\s{{0,20}}{_NUMBER}){{7,2000}})",
    re.IGNORECASE,
)
_ARMOUR = "-----{} PRIVATE KEY-----"
_SOURCES = '"sourcesContent":'
"""In a source map, whose texts are JSON's."""


def words(source: Source, _marks: Marks) -> Iterator[Change]:
    """Long words that stand for a text; most texts hold none."""
    if not any(_HEADS.search(text) for _, _, text in source.long_words):
        return
    for start, end in word_spans(source.data, _SHORTEST_WORD):
        for match in _WORD.finditer(source.text, start, end):
            yield from _opened(source.text, match)


def _opened(text: str, match: re.Match[str]) -> Iterator[Change]:
    start, end = match.span()
    word = match.group()
    if not _is_text(_bytes(word[:_HEAD])):
        if end - start >= _SHORTEST_KEY and _PRIVATE_KEY.match(word):
            begin, stop = _ARMOUR.format("BEGIN"), _ARMOUR.format("END")
            yield Change(start, end, f"{begin}\n{word}\n{stop}")
        return
    block = _BLOCK.match(text, start)
    if block:
        start, end = block.span()
        word = "".join(block.group().split())
    plain = _plain(_bytes(word))
    if plain:
        yield Change(start, end, plain)


def given(source: Source, marks: Marks) -> Iterator[Change]:
    """Literals of any length near the name of a decoder."""
    for match in _literals_near(source, marks["decoders"]):
        plain = _plain(_bytes(match["text"]))
        if plain:
            yield Change(*match.span("text"), plain)


def reversed_literals(source: Source, marks: Marks) -> Iterator[Change]:
    """Literals near what turns a text round."""
    for match in _literals_near(source, marks["reversals"]):
        yield Change(*match.span("text"), match["text"][::-1])


def rotated_literals(source: Source, marks: Marks) -> Iterator[Change]:
    """Literals near what turns each letter by thirteen."""
    for match in _literals_near(source, marks["rotations"]):
        yield Change(*match.span("text"), codecs.encode(match["text"], "rot13"))


def _literals_near(source: Source, places: Sequence[int]) -> Iterator[re.Match[str]]:
    done = 0
    for place in places:
        low, _ = source.line_span(place)
        start, done = max(done, low, place - _REACH - 300), place + _REACH
        yield from _LITERAL.finditer(source.text, start, done + 300)


def codes(source: Source, marks: Marks) -> Iterator[Change]:
    """Lists of the numbers of characters, as literals."""
    for place in marks["codes"]:
        match = _CODES.match(source.text, place)
        if match:
            numbers = bytes(int(one, 0) for one in match["numbers"].split(","))
            if not numbers.translate(None, _PRINTABLE):
                yield Change(*match.span("numbers"), f'"{numbers.decode("latin-1")}"')


def _bytes(word: str) -> bytes:
    """What ``word`` is opened to; empty when it is of no encoding."""
    if _HEX.fullmatch(word):
        return bytes.fromhex(word)
    if _BASE32.fullmatch(word):
        padded = word.rstrip("=")
        try:
            return base64.b32decode(padded + "=" * (-len(padded) % 8))
        except binascii.Error:
            pass
    plain = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return binascii.a2b_base64(plain + "=" * (-len(plain) % 4))
    except binascii.Error:
        return b""


def _is_text(head: bytes) -> bool:
    return bool(head) and (
        not head.translate(None, _PRINTABLE) or _is_compressed(head) or not any(head[1::2])
    )


def _is_compressed(data: bytes) -> bool:
    return data.startswith((b"\x1f\x8b\x08", b"\x78\x01", b"\x78\x9c", b"\x78\xda"))


def _plain(data: bytes) -> str:
    """``data`` as text; empty when it is none."""
    if _is_compressed(data):
        try:
            data = zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, MOST_OPENED_BYTES)
        except zlib.error:
            return ""
    elif len(data) > 1 and not any(data[1::2]):
        data = data[::2]
    if data.translate(None, _PRINTABLE):
        return ""
    plain = data.decode("latin-1")
    # The sources in it are read as files are: an example in a comment is one there as well.
    return plain.replace("\\n", "\n").replace('\\"', '"') if _SOURCES in plain else plain


WAYS = (words, given, reversed_literals, rotated_literals, codes)
"""All of them."""
