"""Orders to a language model, where a human reader would not meet them."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.markers.hit import PROSE, Hit, line_around, near_words
from mergegate.repo.facts.code import MarkerKind

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
_OVERRIDE_G = re.compile(rb"g(?:nore |ard |et )")
_V = re.compile(rb"v(?:erride |e this)")
_P = re.compile(rb"p(?=ort no )")
_D = re.compile(rb"d(?=o not )")
# Each begins with one byte: to that the engine leaps.
_INJECTION_WORDS = {
    b"ignore ": _OVERRIDE_G,
    b"disregard ": _OVERRIDE_G,
    b"forget ": _OVERRIDE_G,
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
