"""What of a hostile page is given to the HTML parser; nothing parses one without asking here."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser

from mergegate.core.errors import EngineError

_SPACE = r" \t\n\r\f"
_ATTRIBUTES = 2_000
"""The most attributes of an element; ``i<n`` in a script looks like one with many."""
_LEVELS = 512
_FEW = 8_000
"""Starts of tags that cannot nest deep enough to matter."""
_MOST = 300_000
"""Tags in all, ends included."""
_DEEP = 24_000
"""Starts that may nest, wherever they stand: should none end, so many take a second or two."""
_SEARCH = 8
"""How often the same text may be looked at: one tag may stand in the attribute of another."""

_START = (
    rf"(?=(?P<start>[a-zA-Z][^{_SPACE}/>]*+)(?P<attributes>(?:[{_SPACE}/]++|[^{_SPACE}/>]"
    rf"[^{_SPACE}/>=]*+(?:[{_SPACE}]*+=[{_SPACE}]*+(?:\"[^\"]*+\"?|'[^']*+'?|[^{_SPACE}>]*+))?+)"
    rf"{{0,{2 * _ATTRIBUTES}}}+)(?P<whole>>|\Z)?)"
)
"""A tag as tokenizers read it (HTML, "tokenization"), wherever one may begin."""
_STARTS = re.compile(f"<{_START}")
_TAME = (
    rf"[a-zA-Z][^{_SPACE}/><]*+(?:[{_SPACE}/]++|[^{_SPACE}/><=][^{_SPACE}/><=]*+"
    rf"(?:[{_SPACE}]*+=[{_SPACE}]*+(?:\"[^\"<]*+\"|'[^'<]*+'|[^{_SPACE}><\"'][^{_SPACE}><]*+))?+)"
    rf"{{0,{2 * _ATTRIBUTES}}}+>"
)
"""What is a harmless tag whatever stands around it: no other begins in it."""
_USUAL = '[^<>"\'=]{0,24}+(?:="[^<>"=]{0,120}+"[^<>"\'=]{0,24}+){0,6}+>'
"""The same for most, and seen in less time."""
_WILD = re.compile(rf"<(?=[a-zA-Z])(?!{_USUAL}|{_TAME})")
_TAGS = re.compile(rf"<(?:/(?P<end>[a-zA-Z][^{_SPACE}/>]{{0,30}})|(?P<comment>!--)|{_START})")
_SCRIPT_ENDS = re.compile(rf"</script(?=[{_SPACE}/>])", re.IGNORECASE)
_FOREIGN = ("svg", "math")
_NEVER_DEEP = frozenset(
    """
    area base body br col colgroup dd dt embed head hr html img input li link meta optgroup option
    p param rp rt source tbody td tfoot th thead tr track wbr
    """.split()  # noqa: SIM905 - as it is read best
)
"""Empty, or ended by the next of their kind: they nest within others alone."""
_DEEP_STARTS = re.compile(
    rf"<(?=[a-zA-Z])(?!(?:{'|'.join(sorted(_NEVER_DEEP))})[{_SPACE}/>])", re.IGNORECASE
)


def readable(html: str) -> int:
    """How many letters from the start are harmless; all of them for any page that means well."""
    if html.count("<") - html.count("</") <= _FEW:
        return _until_odd(html, _wild(html), None)
    last = next(islice(_DEEP_STARTS.finditer(html), _DEEP, None), None)
    nesting = Nesting()
    odd = _until_odd(html, _tags(html, nesting), nesting)
    return min(odd, last.start()) if last else odd


def _until_odd(html: str, tags: Iterator[re.Match[str]], nesting: "Nesting | None") -> int:
    effort = _SEARCH * len(html) + 1_000_000
    for number, tag in enumerate(tags):
        begun = tag.start()
        if tag["start"]:
            effort -= tag.end("attributes") - begun
        is_odd = tag["start"] and tag["whole"] is None
        if is_odd or effort < 0 or number > _MOST or (nesting and not nesting.take(html, tag)):
            return begun
    return len(html)


def _wild(html: str) -> Iterator[re.Match[str]]:
    """Those that are worth a look where nothing nests deeply."""
    for place in _WILD.finditer(html):
        tag = _STARTS.match(html, place.start())
        if tag:
            yield tag


def _tags(html: str, nesting: "Nesting") -> Iterator[re.Match[str]]:
    """Whatever may be one; scripts are only left out where nothing else can be meant."""
    position = 0
    while tag := _TAGS.search(html, position):
        yield tag
        position = tag.end()
        if tag["start"] and tag["start"].lower() == "script" and not nesting.is_foreign:
            end = _SCRIPT_ENDS.search(html, position)
            position = end.start() if end else len(html)


class Nesting:
    """Guesses how deep elements are, rather too deep than not deep enough."""

    def __init__(self) -> None:
        self._open = Counter[str]()
        self._levels = 0
        self._blind_until = 0

    @property
    def is_foreign(self) -> bool:
        """Whether it may be in SVG or MathML, where other rules hold."""
        return any(self._open[name] for name in _FOREIGN)

    def take(self, html: str, tag: re.Match[str]) -> bool:
        """The next tag; False when it is too deep."""
        if tag["comment"]:
            self._comment(html, tag.start())
        elif tag["end"]:
            self._end(tag["end"].lower(), tag.start())
        else:
            self._begin(tag["start"].lower(), html[tag.end("attributes") - 1])
        return self._levels <= _LEVELS

    def _comment(self, html: str, place: int) -> None:
        """Nothing ends in what may be a comment; something may begin, were it none."""
        if place >= self._blind_until:
            end = html.find("-->", place + 2)
            self._blind_until = len(html) if end < 0 else end

    def _begin(self, name: str, last: str) -> None:
        if name in _NEVER_DEEP or (last == "/" and self.is_foreign):
            return
        self._open[name] += 1
        self._levels += 1

    def _end(self, name: str, place: int) -> None:
        if place >= self._blind_until and self._open[name]:
            self._open[name] -= 1
            self._levels -= 1


_FORMATTING = re.compile(
    r"<(?:big|b|code|em|font|i|nobr|small|strike|strong|s|tt|u)(?=[\s/>])[^>]*", re.IGNORECASE
)
_MANY = 250_000
"""Elements that may come about by it, of half a kilobyte each; usual pages stay far below."""
_MEBIBYTE = 1024 * 1024
_PATIENCE_S = 20
_MEMORY = 640 * _MEBIBYTE


def harmless(html: str) -> str:
    """The beginning of ``html`` that the parser reads in time and memory; empty when none is."""
    page = html[: readable(html)]
    return page if _multiplies(page) <= _MANY or _goes_well(page) else ""


def _multiplies(page: str) -> int:
    different = set(_FORMATTING.findall(page))
    return len(different) * (page.count("<") - page.count("</"))


def _goes_well(page: str) -> bool:
    from mergegate.sandbox.files.stage import Stage  # noqa: PLC0415
    from mergegate.sandbox.process import run  # noqa: PLC0415 - hardly any page takes one

    limits = run.Limits(timeout_s=_PATIENCE_S, memory_bytes=_MEMORY, output_bytes=_MEBIBYTE)
    with Stage() as stage:
        try:
            done = run.run(
                run.python_module(__name__),
                cwd=stage.room("page"),
                limits=limits,
                stdin=page.encode("utf-8", "replace"),
            )
        except EngineError:
            return False
    return done.exit_code == 0


if __name__ == "__main__":
    LexborHTMLParser(sys.stdin.buffer.read().decode("utf-8", "replace"))


__all__ = ["harmless"]
