"""Bicep's expressions as nodes. No grammar that is kept reads spreads and extensions (issue 20)."""

import re
from collections.abc import Callable
from dataclasses import replace

from mergegate.repo.engines.documents.nodes import (
    DEPTH_BUDGET,
    NODE_BUDGET,
    Unreadable,
    masked_pairs,
    masked_text,
)
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.templates import LOOP, SPREAD, call

_BLANK = re.compile(r"(?:[ \t]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_BLANK_LINES = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|(?<=\n)[ \t]*#[\w-]+[^\n]*)*", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"\d+")
_LONG_TEXT = re.compile(r"'''(.*?)'''(?!')", re.DOTALL)
_FILLED_TEXT = re.compile(r"\$+'''.*?'''(?!')", re.DOTALL)
_TEXT = re.compile(r"(?:[^'\\$\n]|\\.|\$(?!\{))*")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_LOOP = re.compile(r"\[\s*for\b")
_LAMBDA = re.compile(r"(?:[A-Za-z_]\w*|\([\w\s,]*\))\s*=>")
_OPERATOR = re.compile(r"\?\?|\|\||&&|==|!=|=~|!~|<=|>=|[<>+*/%]|-(?!\d*\s*\n)")
_LEVELS = {
    "??": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "=~": 4, "!~": 4,
    "<": 5, "<=": 5, ">": 5, ">=": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}  # fmt: skip
_FUNCTIONS = {
    "??": "coalesce", "||": "or", "&&": "and", "==": "equals", "<": "less", ">": "greater",
    "<=": "lessorequals", ">=": "greaterorequals", "+": "add", "-": "sub", "*": "mul",
    "/": "div", "%": "mod",
}  # fmt: skip
_NEVER_FIRST = re.compile(r"\?|:(?!:)|\|\||&&|==|!=|=~|!~|<|>|\+|\*|/(?![/*])|%|\.(?!\.)|::")
"""What begins a line only where that goes on with the one above."""


class Reader:
    """Reads the text of a file from one place on."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._nodes = 0
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._enclosed = 0
        """How many parentheses are open: in them a line's end is a blank."""

    @property
    def line(self) -> int:
        """The line of what comes next."""
        low, high = 0, len(self._breaks)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._breaks[middle] < self.at else (low, middle)
        return low + 1

    def broken(self) -> Unreadable:
        """What is raised where the text is no Bicep."""
        return Unreadable(f"it is not valid Bicep: line {self.line}", is_syntax=True)

    def skip(self, *, lines: bool = False) -> None:
        """Go over blanks and comments, and over ends of lines where they do not matter."""
        blank = _BLANK_LINES if lines or self._enclosed else _BLANK
        if match := blank.match(self.text, self.at):
            self.at = match.end()

    def sees(self, sign: str) -> bool:
        """Whether ``sign`` comes next, blanks aside."""
        self.skip()
        return self.text.startswith(sign, self.at)

    def takes(self, sign: str) -> bool:
        """Go over ``sign`` if it comes next."""
        found = self.sees(sign)
        self.at += len(sign) if found else 0
        return found

    def take(self, sign: str) -> None:
        """Go over ``sign``, which has to come next."""
        if not self.takes(sign):
            raise self.broken()

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What comes next, if it is as the pattern says."""
        self.skip()
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def name(self) -> str:
        """The name that comes next."""
        found = self.match(NAME)
        if found is None:
            raise self.broken()
        return found[0]

    def expression(self, depth: int = 0) -> Node:
        """An expression of any form."""
        self._nodes += 1
        if depth > DEPTH_BUDGET or self._nodes > NODE_BUDGET:
            raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep, or too large")
        self.skip()
        line = self.line
        if _LAMBDA.match(self.text, self.at):
            self.match(_LAMBDA)
            self.expression(depth + 1)
            return call(line, "lambda")
        value = self._binary(0, depth)
        self._go_on()
        if self.sees("?") and not self.sees("??"):
            self.at += 1
            self.skip(lines=True)
            yes = self.expression(depth + 1)
            self.skip(lines=True)
            self.take(":")
            self.skip(lines=True)
            return call(line, "if", value, yes, self.expression(depth + 1))
        return value

    def _go_on(self) -> None:
        """Go to the next line where it goes on with this one."""
        before = self.at
        self.skip(lines=True)
        if not _NEVER_FIRST.match(self.text, self.at):
            self.at = before

    def _binary(self, level: int, depth: int) -> Node:
        line = self.line
        left = self._unary(depth)
        while True:
            self._go_on()
            self.skip()
            found = _OPERATOR.match(self.text, self.at)
            if found is None or _LEVELS[found[0]] <= level:
                return left
            self.at = found.end()
            self.skip(lines=True)
            right = self._binary(_LEVELS[found[0]], depth + 1)
            left = _operation(line, found[0], left, right)

    def _unary(self, depth: int) -> Node:
        line = self.line
        if depth > DEPTH_BUDGET:
            raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep")
        if self.takes("!"):
            return call(line, "not", self._unary(depth + 1))
        if self.takes("-"):
            return call(line, "sub", Node(line, text="0"), self._unary(depth + 1))
        return self._parts(self._primary(depth), depth)

    def _parts(self, value: Node, depth: int) -> Node:
        while True:
            line = self.line
            self._go_on()
            if self.takes("::"):
                self.name()
                value = call(line, "reference")
            elif self.sees(".") and not self.sees("..."):
                self.at += 1
                value = self._member(value, line, depth)
            elif self.text.startswith("[", self.at):
                self.at += 1
                function = "partornull" if self.takes("?") else "part"
                value = call(line, function, value, self._enclosed_until("]", depth))
            elif self.sees("!") and not self.sees("!=") and not self.sees("!~"):
                self.at += 1
            else:
                return value

    def _member(self, value: Node, line: int, depth: int) -> Node:
        function = "partornull" if self.takes("?") else "part"
        name = self.name()
        if not self.text.startswith("(", self.at):
            return call(line, function, value, Node(line, text=name))
        arguments = self._arguments(depth)
        is_space = value.text == "symbol" and value.children[0].text in {"sys", "az"}
        is_named = is_space or name.lower().startswith("list")
        return call(line, name.lower(), *arguments) if is_named else call(line, "reference")

    def _enclosed_until(self, end: str, depth: int) -> Node:
        self._enclosed += 1
        value = self.expression(depth + 1)
        self.skip()
        self._enclosed -= 1
        self.take(end)
        return value

    def _arguments(self, depth: int) -> list[Node]:
        self.take("(")
        self._enclosed += 1
        found: list[Node] = []
        while not self.sees(")"):
            found.append(self.expression(depth + 1))
            if not self.takes(",") and not self.sees(")"):
                raise self.broken()
        self._enclosed -= 1
        self.take(")")
        return found

    def _primary(self, depth: int) -> Node:
        self.skip()
        line = self.line
        if self.match(_FILLED_TEXT):
            return call(line, "filled")
        if self.sees("("):
            self.at += 1
            return self._enclosed_until(")", depth)
        if self.sees("{") or self.sees("["):
            return self.object(depth) if self.sees("{") else self.list(depth)
        if self.sees("'"):
            return self.string(depth)
        number = self.match(_NUMBER)
        return Node(line, text=number[0]) if number else self._named(line, depth)

    def _named(self, line: int, depth: int) -> Node:
        name = self.name()
        if self.text.startswith("(", self.at):
            arguments = self._arguments(depth)
            is_cast = name == "any" and len(arguments) == 1
            return arguments[0] if is_cast else call(line, name.lower(), *arguments)
        if name in {"true", "false"}:
            return Node(line, text=name)
        return call(line, "null") if name == "null" else call(line, "symbol", Node(line, text=name))

    def string(self, depth: int) -> Node:
        """A text between quotes, with what is filled in."""
        line = self.line
        if long := self.match(_LONG_TEXT):
            return _text(line, long[1].removeprefix("\n"))
        self.take("'")
        parts: list[Node] = []
        while True:
            literal = _TEXT.match(self.text, self.at)
            self.at = literal.end() if literal else self.at
            if literal and literal[0]:
                parts.append(_text(line, _ESCAPE.sub(_unescaped, literal[0])))
            if self.text.startswith("'", self.at):
                self.at += 1
                break
            if not self.text.startswith("${", self.at):
                raise self.broken()
            self.at += 2
            parts.append(self._enclosed_until("}", depth))
        if all(not one.tag for one in parts) and len(parts) < 2:
            return parts[0] if parts else Node(line)
        return call(line, "concat", *parts)

    def list(self, depth: int) -> Node:
        """A list, or a loop that makes one."""
        self.skip()
        line = self.line
        if _LOOP.match(self.text, self.at):
            return self.loop(self.expression, depth)
        self.take("[")
        outside, self._enclosed = self._enclosed, 0
        items: list[Node] = []
        while not self._closes("]"):
            at = self.line
            spread = self.takes("...")
            value = self.expression(depth + 1)
            items.append(_spread(at, value) if spread else value)
        self._enclosed = outside
        return Node(line, Form.LIST, children=tuple(items))

    def loop(self, body: Callable[[int], Node], depth: int) -> Node:
        """``[for item in collection: body]``."""
        self.skip()
        line = self.line
        self.match(_LOOP)
        outside, self._enclosed = self._enclosed, 1
        names = [self.name()] if not self.takes("(") else []
        if not names:
            names.append(self.name())
            self.take(",")
            names.append(self.name())
            self.take(")")
        self.take("in")
        collection = self.expression(depth + 1)
        self.take(":")
        self._enclosed = 0
        self.skip(lines=True)
        made = body(depth + 1)
        self.skip(lines=True)
        self._enclosed = outside
        self.take("]")
        return Node(line, Form.LIST, " ".join(names), LOOP, children=(collection, made))

    def object(self, depth: int) -> Node:
        """A map."""
        self.skip()
        line = self.line
        self.take("{")
        outside, self._enclosed = self._enclosed, 0
        pairs: list[tuple[str, Node]] = []
        while not self._closes("}"):
            pairs.append(self.entry(depth + 1))
        self._enclosed = outside
        return _map(line, pairs)

    def _closes(self, end: str) -> bool:
        """Whether the map or list ends here; else what separates its entries is gone over."""
        while True:
            self.skip(lines=True)
            if not self.takes(","):
                return self.takes(end)

    def entry(self, depth: int) -> tuple[str, Node]:
        """A key with its value, which stands where the key does."""
        self.skip()
        line = self.line
        if self.takes("..."):
            return "", _spread(line, self.expression(depth))
        key = self.string(depth).text if self.sees("'") else self.name()
        self.skip(lines=True)
        self.take(":")
        self.skip(lines=True)
        return key, replace(self.expression(depth), line=line)


def _map(line: int, pairs: list[tuple[str, Node]]) -> Node:
    shown = masked_pairs(pairs)
    keys, values = tuple(key for key, _ in shown), tuple(value for _, value in shown)
    return Node(line, Form.MAP, keys=keys, children=values)


def _spread(line: int, value: Node) -> Node:
    return Node(line, Form.LIST, tag=SPREAD, children=(value,))


def _text(line: int, text: str) -> Node:
    """A literal text, where one that begins like an expression of JSON says that it is none."""
    shown = masked_text(text)
    return Node(line, text=f"[{shown}" if shown.startswith("[") else shown)


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        number = int(match[1], 16)
        return chr(number) if number < 0xD800 or 0xDFFF < number < 0x110000 else "\ufffd"
    return _ESCAPES.get(match[2], match[2])


def _operation(line: int, sign: str, left: Node, right: Node) -> Node:
    if sign == "!=":
        return call(line, "not", call(line, "equals", left, right))
    if sign in {"=~", "!~"}:
        both = [call(line, "tolower", one) for one in (left, right)]
        same = call(line, "equals", *both)
        return same if sign == "=~" else call(line, "not", same)
    return call(line, _FUNCTIONS[sign], left, right)
