"""Unresolved merges, and statements that belong to the developer's desk."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.markers.hit import Hit
from mergegate.repo.facts.markers import MarkerKind

_CONFLICT = re.compile(rb"^(?:<{7} |={7}(?=\r?$)|>{7} )", re.MULTILINE)


def conflicts(data: bytes) -> Iterator[Hit]:
    """Merges of which all three markers stand in order."""
    if b"<<<<<<< " not in data or b">>>>>>> " not in data:
        return
    opened, halved = -1, False
    for mark in _CONFLICT.finditer(data):
        sign = mark[0][:1]
        if sign == b"<":
            opened, halved = mark.start(), False
        elif sign == b"=":
            halved = opened >= 0
        elif halved:
            yield Hit(opened, MarkerKind.CONFLICT, "<<<<<<<")
            opened, halved = -1, False


class Statement:
    """A statement that starts a line, tried only where its word occurs."""

    def __init__(self, kind: MarkerKind, words: str, pattern: str) -> None:
        self.kind = kind
        self.words = tuple(word.encode() for word in words.split())
        """In lower case."""
        self.pattern = re.compile(rb"^[ \t]{0,200}(" + pattern.encode() + rb")", re.MULTILINE)

    def search(self, data: bytes, lower: bytes) -> Iterator[Hit]:
        """Each occurrence in ``data``, which in lower case is ``lower``."""
        if any(word in lower for word in self.words):
            for hit in self.pattern.finditer(data):
                yield Hit(hit.start(1), self.kind, hit[1].decode("ascii", "replace").strip())


_JAVASCRIPT = (
    Statement(MarkerKind.DEBUGGER, "debugger", r"debugger(?=[ \t]*;?[ \t]*\r?$)"),
    Statement(
        MarkerKind.FOCUSED_TEST,
        "fdescribe fit( fcontext .only(",
        r"(?:fdescribe|fit|fcontext)(?=\([ \t]*['\"`])"
        r"|(?:describe|context|suite|it|test|specify)\.only(?=\()",
    ),
)
STATEMENTS = {
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "python": (
        Statement(
            MarkerKind.DEBUGGER,
            "breakpoint() set_trace(",
            r"breakpoint\(\)(?=[ \t]*(?:[;#]|\r?$))"
            r"|(?:import[ ](?:pdb|ipdb|pudb|bpdb)[ ]*;[ ]*)?(?:pdb|ipdb|pudb|bpdb)\.set_trace\(\)",
        ),
    ),
    "ruby": (
        Statement(
            MarkerKind.DEBUGGER,
            "binding. byebug",
            r"(?:binding\.(?:pry|irb|b|break)|byebug)(?=[ \t]*(?:#|\r?$))",
        ),
        Statement(
            MarkerKind.FOCUSED_TEST,
            "fdescribe fit fcontext",
            r"(?:fdescribe|fit|fcontext)(?= ['\"])",
        ),
    ),
    "php": (Statement(MarkerKind.DEBUGGER, "xdebug_break", r"xdebug_break\(\)"),),
    "go": (
        Statement(MarkerKind.DEBUGGER, "runtime.breakpoint", r"runtime\.Breakpoint\(\)"),
        Statement(
            MarkerKind.FOCUSED_TEST,
            "fdescribe fit( fcontext",
            r"(?:FDescribe|FIt|FContext|FDescribeTable|FEntry)(?=\(\")",
        ),
    ),
    "rust": (Statement(MarkerKind.DEBUGGER, "dbg!(", r"dbg!(?=\()"),),
}

"""Language → what to look for."""
