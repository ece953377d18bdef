"""A command as a shell would split it: its program and its words, where that is certain.

Only where its constant text has no sign that means anything to a shell, the program is constant,
and each value stands for a word or a part of one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import tree_sitter

from mergegate.repo.fixes.built import Built, Text, Value, built
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.names import function_around, uses
from mergegate.repo.fixes.syntax import Source

Node = tree_sitter.Node

OWN_PROGRAM = frozenset({"sys.executable", "process.execPath"})
"""What runs the program itself, by its path."""
SHELLED = (r"['\"](?:/bin/)?(?:ba|da|z)?sh['\"]", r"['\"]-l?c['\"]", r"(?s).+")
"""A shell, its option, and the command that it is given, as the items of a list."""
_SIGNS = re.compile(r"[|&;<>()$`\\*?\[\]#~!{}\n\r\0]")
"""What a shell reads as more than a letter of a word."""
BUILT_IN = frozenset(
    {"alias", "bg", "bind", "break", "builtin", "cd", "command", "continue", "declare", "eval"}
    | {"exec", "exit", "export", "fg", "hash", "help", "history", "jobs", "local", "logout", "popd"}
    | {"pushd", "read", "readonly", "return", "set", "shift", "shopt", "source", "time", "times"}
    | {"trap", "type", "ulimit", "umask", "unalias", "unset", "wait", ".", ":"}
)
"""Commands that are no programs."""
SCRIPTS = frozenset(
    {"assoc", "cls", "copy", "del", "dir", "erase", "ftype", "md", "mklink", "move", "pause", "rd"}
    | {"ren", "start", "title", "ver", "vol"}
    | {"npm", "npx", "pnpm", "yarn", "bower", "gulp", "grunt", "tsc", "webpack", "ng", "vite"}
)
"""What Windows finds through its shell alone: commands of it, and scripts of Node's packages."""
_MANY = re.compile(
    r"(?i)(?:^|_|\b)(?:args?|arguments|argv|opts?|options|flags?|params?|parameters|cmds?|commands?"
    r"|files|paths|names|hosts|words|parts|extra|rest|list)\Z"
)
"""Names of what may be several words, or a command of its own."""
_MADE_OF_MANY = re.compile(
    r"(?<!path)\.join\(|\.map\(|list2cmdline|\bquote\(|escape|stringify|\bif\b|\?(?![.?])"
)


@dataclass(slots=True)
class Word:
    """A word in its parts."""

    parts: list[str | Value] = field(default_factory=list)

    @property
    def constant(self) -> str | None:
        """The word, where no value is a part of it."""
        if any(isinstance(one, Value) for one in self.parts):
            return None
        return "".join(one for one in self.parts if isinstance(one, str))

    @property
    def program(self) -> str | None:
        """The program that it names: constant, or the one that runs."""
        match self.parts:
            case [Value(said=said)] if said in OWN_PROGRAM:
                return said
        return self.constant


def words(source: Source, node: Node) -> Sequence[Word]:
    """The words of a command; raises UncertainError where a shell may read others."""
    text = built(source, node)
    if text.escapes:
        raise UncertainError
    split = _Splitter(source).split(text)
    first = split[0].program if split else None
    if not first or "=" in first or first in BUILT_IN | SCRIPTS:
        raise UncertainError
    return split


class _Splitter:
    """Reads a command from the left as a shell does."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Word] = []
        self.word: Word | None = None
        self.quote = ""

    def split(self, text: Built) -> Sequence[Word]:
        """The words; raises UncertainError where a sign means more than a letter."""
        for part in text.parts:
            if isinstance(part, Value):
                if not self.quote and _may_be_many(self.source, part):
                    raise UncertainError
                self._add(part)
            else:
                for sign in _plain(part):
                    self._read(sign)
        if self.quote:
            raise UncertainError
        self._end()
        return self.found

    def _read(self, sign: str) -> None:
        if self.quote:
            self._read_quoted(sign)
        elif sign in "'\"":
            self.quote = sign
            self._add("")
        elif sign in " \t":
            self._end()
        elif _SIGNS.match(sign):
            raise UncertainError
        else:
            self._add(sign)

    def _read_quoted(self, sign: str) -> None:
        if sign == self.quote:
            self.quote = ""
        elif sign in "\0\n" or (self.quote == '"' and sign in "$`\\!"):
            raise UncertainError
        else:
            self._add(sign)

    def _add(self, part: "str | Value") -> None:
        self.word = self.word or Word()
        if part:
            self.word.parts.append(part)

    def _end(self) -> None:
        if self.word is not None:
            self.found.append(self.word)
        self.word = None


def _plain(text: Text) -> str:
    """The text between the quotes, where only quotes are escaped."""
    if text.prefix or re.search(r"\\[^'\"`]", text.raw):
        raise UncertainError
    return re.sub(r"\\(['\"`])", r"\1", text.raw)


def _may_be_many(source: Source, value: Value) -> bool:
    said = re.sub(r"\s+", "", value.said)
    if _MADE_OF_MANY.search(said) or any(map(_MADE_OF_MANY.search, _given_to(source, value))):
        return True
    name = re.split(r"[^\w]+", re.sub(r"[)\]'\"]+\Z", "", said))[-1]
    return _MANY.search(name) is not None


def _given_to(source: Source, value: Value) -> Iterator[str]:
    """All that a name is given in the function around it."""
    if value.node.type != "identifier":
        return
    for one in uses(source, value.said, function_around(source, value.node)):
        holder = one.parent
        if holder is not None and holder.type in _GIVES:
            given = holder.child_by_field_name("right") or holder.child_by_field_name("value")
            if given is not None and not inside(one, given):
                yield source.of(given)


_GIVES = frozenset(
    {"assignment", "augmented_assignment", "assignment_expression", "variable_declarator"}
    | {"augmented_assignment_expression", "named_expression"}
)


def inside(node: Node, outer: Node) -> bool:
    """Whether ``node`` lies in ``outer``."""
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def arguments_of(call: Node) -> Sequence[Node]:
    """The arguments of a call."""
    return [one for one in field_of(call, "arguments").named_children if one.type != "comment"]


def field_of(node: Node, name: str) -> Node:
    """The part of a node that has this name; raises UncertainError where there is none."""
    found = node.child_by_field_name(name)
    if found is None:
        raise UncertainError
    return found
