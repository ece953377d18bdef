"""Characters and sentences that a reader of the code does not see."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.markers.hit import Hit, line_around, near_words
from mergegate.repo.facts.markers import MarkerKind

PROSE = frozenset({".adoc", ".diff", ".md", ".patch", ".rst", ".txt"})
"""What their lines say is meant to be read."""

_BIDI = re.compile(rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
_RIGHT_TO_LEFT = re.compile(
    rb"[\xd6-\xdf][\x80-\xbf]|\xef(?:[\xac-\xba][\x80-\xbf]|\xbb[\x80-\xbe])"
)
"""Letters from Hebrew to N'Ko, and their presentation forms."""


def bidi(data: bytes) -> Iterator[Hit]:
    """Controls that reorder a line, told apart by whether it holds right-to-left letters."""
    for hit in _BIDI.finditer(data):
        beside = any(_RIGHT_TO_LEFT.search(part) for part in line_around(data, hit.start()))
        kind = MarkerKind.BIDI_BESIDE_TEXT if beside else MarkerKind.BIDI
        yield Hit(hit.start(), kind, f"U+{ord(hit[0].decode()):04X}")


_INVISIBLE = re.compile(rb"(?:\xe2\x80[\x8b-\x8f]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf)")
_INVISIBLE_LEADS = (b"\xe2\x80", b"\xe2\x81", b"\xef\xbb\xbf")
_NAMES = re.compile(rb"[A-Za-z0-9_]")
_QUOTED_OR_COMMENT = re.compile(rb"['\"`#]|//|/\*|^\s*\*")


def invisible(data: bytes) -> Iterator[Hit]:
    """Characters without width inside names; strings and comments are let be."""
    if not any(lead in data for lead in _INVISIBLE_LEADS):
        return
    for hit in _INVISIBLE.finditer(data):
        inside = _NAMES.match(data, hit.start() - 1) and _NAMES.match(data, hit.end())
        if inside and not _QUOTED_OR_COMMENT.search(line_around(data, hit.start())[0]):
            yield Hit(hit.start(), MarkerKind.INVISIBLE, f"U+{ord(hit[0].decode()):04X}")


_TAGS = re.compile(rb"(?:\xf3\xa0[\x80\x81][\x80-\xbf]){4,}")
_BLACK_FLAG = "\N{WAVING BLACK FLAG}".encode()
"""Starts the emoji flags of England, Scotland, Wales, which are spelled in tag characters."""


def hidden_text(data: bytes) -> Iterator[Hit]:
    """Runs of tag characters that spell no flag."""
    if b"\xf3\xa0" not in data:
        return
    for hit in _TAGS.finditer(data):
        if data[max(0, hit.start() - 4) : hit.start()] != _BLACK_FLAG:
            yield Hit(hit.start(), MarkerKind.HIDDEN_TEXT, "Unicode tag characters")


_READER = r"(?:\bai\b|\bllms?\b|language model|\bgpt|claude|copilot|gemini|\bagents?\b|assistant)"
_VERDICT = (
    r"(?:approve this (?:pull request|merge request|pr|mr|change|code)\b"
    r"|report no (?:issues|findings|vulnerabilities|problems)"
    r"|do not (?:report|flag|mention) (?:this|any|these))"
)
_INJECTION = re.compile(
    (
        r"(?:ignore|disregard|forget|override)[ \t]{1,3}"
        r"(?:(?:all|any|the|your|of|these)[ \t]{1,3}){0,3}"
        r"(?:previous|prior|preceding|earlier|above)[ \t]{1,3}"
        r"(?:instructions?|prompts?|guidelines|rules|directions)"
        rf"|{_READER}[^\n]{{0,80}}{_VERDICT}"
    ).encode()
)
_G = re.compile(rb"g(?:nore |ard |et )")
_V = re.compile(rb"v(?:erride |e this)")
_P = re.compile(rb"p(?=ort no )")
_D = re.compile(rb"d(?=o not )")
# Each begins with one byte: to that the engine leaps.
_INJECTION_WORDS = {
    b"ignore ": _G,
    b"disregard ": _G,
    b"forget ": _G,
    b"override ": _V,
    b"approve this": _V,
    b"report no ": _P,
    b"do not ": _D,
}
_COMMENT = re.compile(rb"^\s*(?:#|//|/?\*|--|;|%|<!--|\"\"\"|''')|[\s;{(](?:#|//|/\*|<!--)")


def injections(lower: bytes, suffix: str) -> Iterator[Hit]:
    """Orders to a language model in comments; of documents, in comments of their markup."""
    for hit in near_words(_INJECTION, _INJECTION_WORDS, lower, lower):
        if _is_hidden(lower, hit.start(), suffix):
            said = " ".join(hit[0].decode("utf-8", "replace").split())
            yield Hit(hit.start(), MarkerKind.INJECTION, said[:120])


def _is_hidden(data: bytes, position: int, suffix: str) -> bool:
    """Whether a human reader of the page or the program would not meet the text."""
    near = data[max(0, position - 4000) : position]
    if near.rfind(b"<!--") > near.rfind(b"-->"):
        return True
    before, _ = line_around(data, position)
    return suffix not in PROSE and _COMMENT.search(before) is not None
