"""JavaScript, TypeScript, Java and Go as semgrep follows them.

It believes that only calls raise, that no case comes after a ``default`` and that only loops have
labels, and it leaves out what is deferred.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mergegate.repo.engines.flow.edits import MAY_RAISE, Edit

_GAP = rb"(?:\s|//[^\n]*|/\*.*?\*/)*+"
_COMMENT = rb"(?<!:)//[^\n]*|/\*.*?(?:\*/|\Z)"
"""None begins in an address, which may stand in the text of a page."""
_DOUBLE, _SINGLE, _BLOCK, _RAW = (
    rb'"(?:[^"\\\n]|\\.)*+(?:"|(?=\n)|\\?\Z)',
    rb"'(?:[^'\\\n]|\\.)*+(?:'|(?=\n)|\\?\Z)",
    rb'"""(?:[^\\"]|\\.|"(?!""))*+(?:"""|\\?\Z)',
    rb"`[^`]*+(?:`|\Z)",
)
"""Each ends with its line or the text at the latest, so that nothing is read twice."""
_LETTER = rb"[\w$\x80-\xff]"
_SIGN = (
    rb"(?!\d)"
    + _LETTER
    + rb"++(?:\."
    + _LETTER
    + rb"++)*+|\([^()\[\]{}\"'`/]*+\)|=>|->|\?\.|\w+|[^\s\w]"
)


def _any(*patterns: bytes) -> re.Pattern[bytes]:
    return re.compile(b"|".join(patterns), re.DOTALL)


def _next(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(_GAP + b"(?:" + pattern + b")", re.DOTALL)


_SIGNS = {
    "go": _any(_COMMENT, _DOUBLE, _SINGLE, _RAW, _SIGN),
    "java": _any(_COMMENT, _BLOCK, _DOUBLE, _SINGLE, _SIGN),
    "javascript": _any(_COMMENT, _DOUBLE, _SINGLE, _SIGN),
    "typescript": _any(_COMMENT, _DOUBLE, _SINGLE, _SIGN),
}
LANGUAGES = tuple(_SIGNS)
_BREAK = re.compile(rb"\bbreak[ \t]+([A-Za-z_$][\w$]*)")
_DEFAULT = re.compile(rb"\bdefault\s*+(?::|->)")
_HANDLED = {
    "go": _BREAK,
    "java": _any(rb"\btry\b", rb"\byield\b", rb"\bstatic\s*+\{", _BREAK.pattern),
    "javascript": _any(rb"\btry\b", _BREAK.pattern),
    "typescript": _any(rb"\btry\b", _BREAK.pattern),
}
_DEFER = re.compile(rb"\bdefer\b(?=\s)")
_REGEX = re.compile(rb"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,99}+\]){1,299}+/[a-z]*+")
_BEFORE_REGEX = re.compile(
    rb"[^\w$)\]}'\"`]|return|typeof|case|in|of|do|else|void|delete|throw|await|yield"
)
_TEMPLATE = re.compile(rb"(?:[^`\\$]|\\.|\$(?!\{))*+(?:`|\$\{|\\?\Z)", re.DOTALL)
_CONTROLS = frozenset(b"if for while switch with synchronized try catch".split())
_OPENERS = frozenset(b"else do finally try catch".split())
_STARTS = frozenset((b";", b"{", b"}", b"case:"))
"""Behind what a statement begins."""
_COLON = _next(rb":(?!:)")
_BRACE = _next(rb"\{")
_VALUE = re.compile(rb"""\s+[\w"'(!~+-]|\(""")
_NO_LOOP = _next(rb"\{|(?:if|switch|try|synchronized|with|select)\b")
_ENDS_OR_GOES_ON = _next(rb"\}|(?:else|while|catch|finally)\b")
_CALLS = _next(
    rb"(?:(?:return|throw|await|const|let|var|final)\s+|[\w$.]++\s*=(?![=>])\s*"
    rb"|[\w$.]++(?:<[\w$., ?]*+>)?\s+(?=[\w$]+\s*=)){0,4}"
    rb"(?!(?:if|for|while|switch|synchronized|with|return|throw|typeof|void|delete|await|yield"
    rb"|case|function|new|super|eval|require|assert|in|of|instanceof|catch|import)\b)"
    rb"[A-Za-z_$][\w$.]*+\("
)
"""How a statement begins that calls something before all else."""


@dataclass(slots=True)
class _Open:
    """A pair of brackets that is open."""

    sign: bytes
    word: bytes = b""
    """What stands before it."""
    is_block: bool = False
    """Whether statements stand in it."""
    tries: bool = False
    """Whether it is a block that a handler may follow."""
    of_class: bool = False
    """Whether the braces behind these parentheses are those of a class."""
    switches: bool = False
    in_case: bool = False
    """Whether a case began whose colon or arrow did not come yet."""
    arrows: bool = False
    """Whether its cases are written with arrows."""
    default: int = -1
    """Where a ``default`` stands that no other case followed yet."""
    closing: bytes = b""
    """What has to be put behind it."""


def edits(text: bytes, language: str) -> Iterator[Edit]:
    """What makes handlers, later cases, ends of labels and deferred calls a part of the flow."""
    if language == "go":
        for found in _DEFER.finditer(text):
            yield Edit(found.start(), b"go   ", replaces=True)
    default = _DEFAULT.search(text)
    has_later_case = default is not None and text.rfind(b"case") > default.start()
    if has_later_case or _HANDLED[language].search(text):
        yield from _Walk(text, language).edits()


class _Walk:
    """One text from its first sign to its last."""

    def __init__(self, text: bytes, language: str) -> None:
        self.text = text
        self.signs = _SIGNS[language]
        self.is_go, self.is_java = language == "go", language == "java"
        self.is_script = not (self.is_go or self.is_java)
        self.labels = frozenset(_BREAK.findall(text))
        self.inside = [_Open(b"", is_block=True)]
        self.before = b";"
        """The sign before, or what it means."""
        self.closed = self.inside[0]
        """The parentheses that were closed last."""
        self.names_class = False
        """Whether the next parentheses are those behind ``new`` or ``record``."""
        self.ends_head = False
        """Whether a function's parameters were closed and what it returns or throws follows."""
        self.switch_in = 0
        """How many brackets are open around a ``switch`` whose own did not open yet."""
        self.closing = b""

    @property
    def top(self) -> _Open:
        return self.inside[-1]

    def edits(self) -> Iterator[Edit]:
        at = 0
        while found := self.signs.search(self.text, at):
            sign, at = found[0], found.end()
            if sign[:2] in (b"//", b"/*"):
                continue
            if self.is_script and sign in (b"/", b"`", b"}"):
                behind = self._behind_text(sign, found)
                at = behind or at
                if behind:
                    continue
            if step := _STEPS.get(sign):
                yield from step(self, found.start(), at)
            elif sign[:1].isalpha() or sign[:1] in b"_$":
                yield from self._word(sign, found.start(), at)
            elif sign[:1] == b"(":
                self._pass(sign)
            else:
                self.before = sign

    def _behind_text(self, sign: bytes, found: re.Match[bytes]) -> int:
        """Where a pattern, or a text with expressions in it, ends or is left; 0 where none is."""
        if sign == b"/":
            whole = _BEFORE_REGEX.fullmatch(self.before) and _REGEX.match(self.text, found.start())
            self.before = b"text" if whole else sign
            return whole.end() if whole else 0
        if sign == b"}" and self.top.sign != b"`":
            return 0
        if sign == b"}":
            self.inside.pop()
        part = _TEMPLATE.match(self.text, found.end())
        self.before = b"text"
        if part and part[0].endswith(b"{"):
            self.inside.append(_Open(b"`"))
            self.before = b"("
        return part.end() if part else found.end()

    def _open(self, start: int, end: int) -> Iterator[Edit]:
        sign = self.text[start:end]
        self.inside.append(_Open(sign, self.before, of_class=sign == b"(" and self.names_class))
        self.names_class = self.names_class and sign != b"("
        self.before = sign
        yield from ()

    def _close(self, start: int, end: int) -> Iterator[Edit]:
        if self.top.sign in (b"(", b"["):
            self.closed = self.inside.pop()
        self.before = self.text[start:end]
        yield from ()

    def _pass(self, sign: bytes) -> None:
        """Parentheses with nothing but words and signs in them."""
        self.closed = _Open(sign, self.before, of_class=self.names_class)
        self.names_class, self.before = False, b")"

    def _open_brace(self, _: int, end: int) -> Iterator[Edit]:
        body = self._body()
        if self.switch_in == len(self.inside):
            body = _Open(b"{", b"switch", True, self.top.tries, switches=True, closing=self.closing)
            self.closing, self.switch_in = b"", 0
        self.inside.append(body)
        self.before, self.names_class, self.ends_head = b"{", False, False
        if body.word == b"try" and body.tries and not _CALLS.match(self.text, end):
            yield Edit(end, MAY_RAISE)

    def _body(self) -> _Open:
        """The braces that open behind ``before``."""
        before, top = self.before, self.top
        word = self.closed.word if before == b")" else before
        if before == b")" or before in _OPENERS:
            follows = word in _CONTROLS or word in _OPENERS
            tries = word in (b"try", b"catch") or (follows and top.tries)
            return _Open(b"{", word, not (before == b")" and self.closed.of_class), tries)
        if before == b"=>" or (self.ends_head and before != b":"):
            return _Open(b"{", before, is_block=True)
        is_block = before in _STARTS and top.is_block
        return _Open(b"{", before, is_block, is_block and top.tries)

    def _close_brace(self, start: int, end: int) -> Iterator[Edit]:
        top = self.top
        ends_line = self.before not in (b";", b"{", b"}")
        if self.is_script and top.tries and not top.switches and ends_line:
            yield Edit(start, b";" + MAY_RAISE)
        while len(self.inside) > 1 and self.inside.pop().sign != b"{":
            pass
        if top.closing:
            yield Edit(end, top.closing)
        self.before = b"}"

    def _semicolon(self, _: int, end: int) -> Iterator[Edit]:
        self.before, self.ends_head = b";", False
        if not self.top.tries or self.top.arrows:
            return
        is_followed = _ENDS_OR_GOES_ON.match(self.text, end) or _CALLS.match(self.text, end)
        if not is_followed:
            yield Edit(end, MAY_RAISE)

    def _arrow(self, *_: int) -> Iterator[Edit]:
        top = self.top
        self.before = b"case:" if top.in_case else b"=>"
        top.arrows, top.in_case = top.arrows or top.in_case, False
        yield from ()

    def _colon(self, *_: int) -> Iterator[Edit]:
        self.ends_head = self.before == b")" and not self.top.in_case
        self.before = b"case:" if self.top.in_case else b":"
        self.top.in_case = False
        yield from ()

    def _word(self, word: bytes, start: int, end: int) -> Iterator[Edit]:
        before, self.before = self.before, word
        if before in (b".", b"?."):
            self.before = b"name"
        elif step := _WORDS.get(word):
            yield from step(self, before, start, end)
        elif word in self.labels and self._is_label(before, end):
            yield from self._label(end)

    def _new(self, *_: object) -> Iterator[Edit]:
        self.names_class = True
        yield from ()

    def _record(self, *_: object) -> Iterator[Edit]:
        self.names_class = self.is_java
        yield from ()

    def _throws(self, *_: object) -> Iterator[Edit]:
        self.ends_head = self.is_java
        yield from ()

    def _switch(self, *_: object) -> Iterator[Edit]:
        if self.before == b"switch" or self.is_go:
            self.switch_in = len(self.inside)
        yield from ()

    def _case(self, *_: object) -> Iterator[Edit]:
        top = self.top
        top.in_case = top.switches
        if top.default >= 0:
            yield Edit(top.default, b"case x ", replaces=True)
            top.default = -1

    def _default(self, before: bytes, start: int, _: int) -> Iterator[Edit]:
        if self.top.switches and before != b",":
            self.top.in_case, self.top.default = True, start
        yield from ()

    def _yield(self, before: bytes, start: int, end: int) -> Iterator[Edit]:
        if self.is_java and self._begins(before) and _VALUE.match(self.text, end):
            yield Edit(start, b"y   =", replaces=True)

    def _static(self, _: bytes, start: int, end: int) -> Iterator[Edit]:
        if self.is_java and _BRACE.match(self.text, end):
            yield Edit(start, b"      ", replaces=True)

    def _leave(self, before: bytes, start: int, end: int) -> Iterator[Edit]:
        """Before what ends the flow, where no semicolon ended the statement before."""
        goes_on = before in (b";", b"{") or self._is_controlled(before) or self.top.arrows
        if self.top.tries and not goes_on and not _COLON.match(self.text, end):
            yield Edit(start, MAY_RAISE)

    def _begins(self, before: bytes) -> bool:
        return before in _STARTS or self._is_controlled(before)

    def _is_controlled(self, before: bytes) -> bool:
        """Whether a statement that follows is all of a branch, so that nothing fits before it."""
        return before in (b"else", b"do") or (before == b")" and self.closed.word in _CONTROLS)

    def _is_label(self, before: bytes, end: int) -> bool:
        begins = self.is_script or self._begins(before)
        return begins and self.top.is_block and _COLON.match(self.text, end) is not None

    def _label(self, end: int) -> Iterator[Edit]:
        colon = self.text.index(b":", end) + 1
        found = _NO_LOOP.match(self.text, colon)
        if found and not self.is_go:
            yield Edit(colon, b"while(may_raise())")
        elif found and found[0].endswith((b"switch", b"select")):
            self.closing = b"}"
            yield Edit(colon, b"for may_raise() {")


_STEPS: Mapping[bytes, Callable[[_Walk, int, int], Iterator[Edit]]] = {
    b"(": _Walk._open,
    b"[": _Walk._open,
    b")": _Walk._close,
    b"]": _Walk._close,
    b"{": _Walk._open_brace,
    b"}": _Walk._close_brace,
    b";": _Walk._semicolon,
    b"=>": _Walk._arrow,
    b"->": _Walk._arrow,
    b":": _Walk._colon,
}
_WORDS: Mapping[bytes, Callable[[_Walk, bytes, int, int], Iterator[Edit]]] = {
    b"new": _Walk._new,
    b"record": _Walk._record,
    b"throws": _Walk._throws,
    b"switch": _Walk._switch,
    b"select": _Walk._switch,
    b"case": _Walk._case,
    b"default": _Walk._default,
    b"yield": _Walk._yield,
    b"static": _Walk._static,
    b"return": _Walk._leave,
    b"break": _Walk._leave,
    b"continue": _Walk._leave,
}
