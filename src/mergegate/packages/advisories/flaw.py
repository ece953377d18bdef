"""What of an advisory's prose says what the flaw is, for titles.

Records without a summary have only details, which like to begin with what the product is for, or
with the versions that are meant.
"""

import re
from collections.abc import Iterator

_SENTENCE_END = re.compile(r"(?<=[\w)\"'\]])[.;] ")
_FEWEST_WORDS = 5
"""Before a colon fewer words name a part or a kind of flaw (``libwebp: …``) and say nothing."""
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)|\(https?://[^)\s]*\)")
_BLURB = re.compile(
    r"^(?!(?:in|when|if|there|it|this|by) )[\w.@/+'()&, -]{1,80}?"
    r" (?:is|are|provides?|offers?|implements?) (?:an?|the|one of|open|free|tools?|support)\b",
    re.IGNORECASE,
)
_FLAW = re.compile(
    r"vulnerab|flaw|attack|overflow|inject|bypass|leak|expos|denial|prone|suscept|allows? |could "
    r"|issue|error|insecure|improper|incorrect|missing|unauth|crash|malicious|arbitrary|exploit"
    r"|forge|traversal|disclos|out.of.bounds|use.after.free|race|unsound|unmaintained|xss|csrf|ssrf"
    r"|spoof|hijack|smuggl|poison|invalid|wrong|redos|regression| not ",
    re.IGNORECASE,
)
_DISCOVERY = re.compile(
    r"^(?:an?|this|the|multiple|several) (?:(?:new|security|critical|serious) )?"
    r"(?:issues?|flaws?|vulnerabilit(?:y|ies)|problems?|bugs?|weakness(?:es)?)"
    r" (?:was|were|has been|have been) (?:discovered|found|identified|reported) in\b",
    re.IGNORECASE,
)
"""Where it was found, and nothing of what it is."""
_VERSIONS = re.compile(
    r"^(?:in affected versions,? |(?:in versions?|in \S+ (?:before|prior to|through|v?\d)|prior to"
    r"|before|versions?|starting (?:in|with|from)|from|beginning (?:in|with))\b[^,]{1,80}, )",
    re.IGNORECASE,
)
_MORE_VERSIONS = re.compile(r"^(?:v?\d|and |or |prior to |before )[^,]{0,60}, ", re.IGNORECASE)
_LEAST = 16
"""What is left without its beginning has at least so many characters."""


def flaw(prose: str) -> str:
    """The first sentence that says what is wrong, and what follows; empty where none does."""
    text = _LINK.sub(lambda link: link[1] or "", prose)
    text = re.sub(r"\s+", " ", text).strip()
    start = next((begin for begin, sentence in _sentences(text) if _says(sentence)), None)
    return "" if start is None else _without_versions(text[start:])


def first_sentence(text: str) -> str:
    """``text`` up to its first end of a sentence, or colon, without that."""
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0].rstrip(".")
    before = sentence.partition(": ")[0]
    return before if len(before.split()) >= _FEWEST_WORDS else sentence


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Where each begins, and itself."""
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        yield begin, text[begin : end.start()]
        begin = end.end()
    yield begin, text[begin:]


def _says(sentence: str) -> bool:
    """Whether it is about the flaw: neither about the product, nor about who found something."""
    if _DISCOVERY.match(sentence):
        return False
    return bool(sentence) and (not _BLURB.match(sentence) or bool(_FLAW.search(sentence)))


def _without_versions(text: str) -> str:
    left = _VERSIONS.sub("", text)
    while left != text and (shorter := _MORE_VERSIONS.sub("", left)) != left:
        left = shorter
    if left == text or len(left) < _LEAST:
        return text
    is_word = left.partition(" ")[0].isalpha()  # and not the name of a function
    return left[:1].upper() + left[1:] if is_word else left
