"""Commands that a shell reads become a program and its words.

Only where the command is certain to be split as a shell would: its constant text has no sign that
means anything to one, the program is constant, and each value stands for a word or a part of one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Built, Text, Value, built
from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import assigned, function_around, uses, value_of
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import certain

_Node = tree_sitter.Node

_SIGNS = re.compile(r"[|&;<>()$`\\*?\[\]#~!{}\n\r\0]")
"""What a shell reads as more than a letter of a word."""
_BUILT_IN = frozenset(
    {"alias", "bg", "bind", "break", "builtin", "cd", "command", "continue", "declare", "eval"}
    | {"exec", "exit", "export", "fg", "hash", "help", "history", "jobs", "local", "logout", "popd"}
    | {"pushd", "read", "readonly", "return", "set", "shift", "shopt", "source", "time", "times"}
    | {"trap", "type", "ulimit", "umask", "unalias", "unset", "wait", ".", ":"}
)
"""Commands that are no programs."""
_SCRIPTS = frozenset(
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
class _Word:
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
        is_own = len(self.parts) == 1 and isinstance(self.parts[0], Value)
        if is_own and isinstance(self.parts[0], Value) and self.parts[0].said in _OWN_PROGRAM:
            return self.parts[0].said
        return self.constant


_OWN_PROGRAM = frozenset({"sys.executable", "process.execPath"})
"""What runs the program itself, by its path."""


@certain
def listed(source: Source, node: _Node) -> Sequence[Splice]:
    """The command as a list of words; nothing where a shell is needed, or may be."""
    if source.language.name == "python":
        return tuple(_Python(source).changed(node))
    return tuple(_JavaScript(source).changed(node))


def words(source: Source, node: _Node) -> Sequence[_Word]:
    """The words of a command; raises UncertainError where a shell may read others."""
    text = built(source, node)
    if text.escapes:
        raise UncertainError
    split = _Splitter(source).split(text)
    first = split[0].program if split else None
    if not first or "=" in first or first in _BUILT_IN | _SCRIPTS:
        raise UncertainError
    return split


class _Splitter:
    """Reads a command from the left as a shell does."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[_Word] = []
        self.word: _Word | None = None
        self.quote = ""

    def split(self, text: Built) -> Sequence[_Word]:
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
        self.word = self.word or _Word()
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
            if given is not None and not _inside(one, given):
                yield source.of(given)


_GIVES = frozenset(
    {"assignment", "augmented_assignment", "assignment_expression", "variable_declarator"}
    | {"augmented_assignment_expression", "named_expression"}
)
_RUN = frozenset(
    f"subprocess.{one}" for one in ("run", "call", "check_call", "check_output", "Popen")
)
_KNOWN = _RUN | {"subprocess.getoutput", "os.system", "os.popen"}
_COMMANDS = frozenset(
    {"identifier", "string", "concatenated_string", "binary_operator", "call", "list"}
    | {"parenthesized_expression"}
)
_SHELLED = (r"['\"](?:/bin/)?(?:ba|da|z)?sh['\"]", r"['\"]-l?c['\"]", r"(?s).+")
_SUBPROCESS = "import subprocess"
_OUTPUT = (
    "subprocess.run({}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)"
    '.stdout.removesuffix("\\n")'
)
_READS = {
    "read": "subprocess.run({}, stdout=subprocess.PIPE, text=True, check=False).stdout",
    "readlines": (
        "subprocess.run({}, stdout=subprocess.PIPE, text=True, check=False)"
        ".stdout.splitlines(keepends=True)"
    ),
}


_STREAM = "subprocess.Popen({}, stdout=subprocess.PIPE, text=True).stdout"


class _Python:
    """``subprocess`` with ``shell=True``, ``os.system`` and ``os.popen``."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def changed(self, node: _Node) -> Iterator[Splice]:
        """What makes of a command its words: of the call that was found, or of its argument."""
        call, command = self._call(node)
        name = self._called(call)
        if command.type == "list":
            yield self._without_shell(command)
        elif name in _RUN:
            yield from self._run(call, command)
        elif name == "subprocess.getoutput":
            yield from self._over(call, command, _OUTPUT)
            yield from self._import()
        elif name == "os.system":
            yield from self._system(call, command)
        elif name == "os.popen":
            yield from self._popen(call, command)
        else:
            raise UncertainError

    def _call(self, node: _Node) -> tuple[_Node, _Node]:
        """The call, and the command that it gets as its first argument."""
        call = above(node, {"call"})
        while call is not None:
            given = _arguments(call)
            if given and (call == node or _inside(node, given[0])):
                if self._called(call) in _KNOWN and given[0].type in _COMMANDS:
                    return call, given[0]
                if call == node:
                    break
            call = above(call.parent, {"call"})
        raise UncertainError

    def _called(self, call: _Node) -> str:
        """The full name of what is called, whatever it was imported as."""
        said = self.source.of(_field(call, "function"))
        head, _, rest = said.partition(".")
        module, what = imports.origins(self.source).get(head, ("", ""))
        return ".".join(filter(None, (module, what, rest)))

    def _without_shell(self, command: _Node) -> Splice:
        """``["sh", "-c", command]`` as the words of the command."""
        items = command.named_children
        if len(items) != len(_SHELLED) or not all(
            re.fullmatch(pattern, self.source.of(one))
            for pattern, one in zip(_SHELLED, items, strict=True)
        ):
            raise UncertainError
        return Splice(command.start_byte, command.end_byte, self._list(items[2]))

    def _run(self, call: _Node, command: _Node) -> Iterator[Splice]:
        given = {
            self.source.of(_field(one, "name")): one
            for one in _arguments(call)
            if one.type == "keyword_argument"
        }
        shell = given.get("shell")
        others = [one for one in _arguments(call)[1:] if one.type != "keyword_argument"]
        if shell is None or others or "executable" in given:
            raise UncertainError
        if self.source.of(_field(shell, "value")) not in {"True", "1"}:
            raise UncertainError
        yield from self._words(command)
        before = shell.prev_sibling
        if before is None or before.type != ",":
            raise UncertainError
        yield Splice(before.start_byte, shell.end_byte, "")

    def _words(self, command: _Node) -> Iterator[Splice]:
        """The list in place of the text, which may have been put together just before."""
        node = command
        if command.type == "identifier":
            node = value_of(self.source, command)
        yield Splice(node.start_byte, node.end_byte, self._list(node))

    def _list(self, node: _Node) -> str:
        return f"[{', '.join(self._word(one) for one in words(self.source, node))}]"

    def _word(self, word: _Word) -> str:
        if word.constant is not None:
            return _literal(word.constant)
        if len(word.parts) == 1 and isinstance(word.parts[0], Value):
            value = word.parts[0]
            return value.said if self._is_text(value) else f"str({value.said})"
        said = "".join(f"{{{one.said}}}" if isinstance(one, Value) else one for one in word.parts)
        if re.search(r"[\"\\\n]", said):
            raise UncertainError
        return f'f"{said}"'

    def _is_text(self, value: Value) -> bool:
        """Whether a value is a text for certain, as ``+`` and many methods tell."""
        said = value.said
        if value.joined or said in _OWN_PROGRAM or re.match(r"(?:str\(|[\"']|f[\"'])", said):
            return True
        if re.search(
            r"\.(?:strip|lower|upper|replace|format|decode|rstrip|lstrip)\([^()]*\)\Z", said
        ):
            return True
        if value.node.type != "identifier":
            return bool(re.match(r"request\.(?:args|form|GET|POST|cookies|headers)\b", said))
        around = function_around(self.source, value.node)
        parameters = around.child_by_field_name("parameters")
        said_so = rf"\b{re.escape(said)}\s*:\s*(?:str|Path|pathlib\.Path|os\.PathLike)\s*[,)=]"
        if parameters is not None and re.search(said_so, self.source.of(parameters) + ")"):
            return True
        given = [one for one in uses(self.source, said, around) if _is_target(one)]
        return len(given) == 1 and bool(
            re.match(
                r"(?:f?[\"']|request\.(?:args|form|GET|POST|cookies|headers)\b|input\(|str\(|os\.path\.)",
                self.source.of(assigned(given[0])),
            )
        )

    def _system(self, call: _Node, command: _Node) -> Iterator[Splice]:
        if len(_arguments(call)) != 1:
            raise UncertainError
        holder = call.parent
        if holder is not None and holder.type == "expression_statement":
            yield from self._over(call, command, "subprocess.run({}, check=False)")
        elif self._as_truth(call):
            yield from self._over(call, command, "subprocess.call({})")
        else:
            raise UncertainError
        yield from self._import()

    def _as_truth(self, call: _Node) -> bool:
        """Whether the result is only asked to be zero."""
        holder = call.parent
        if holder is None:
            return False
        if holder.type == "comparison_operator":
            return bool(re.search(r"(?:==|!=|>)\s*0\Z", self.source.of(holder)))
        if holder.type in {"if_statement", "while_statement"}:
            return holder.child_by_field_name("condition") == call
        return holder.type == "not_operator"

    def _popen(self, call: _Node, command: _Node) -> Iterator[Splice]:
        if len(_arguments(call)) != 1:
            raise UncertainError
        member = call.parent
        after = member.parent if member is not None and member.type == "attribute" else None
        if member is not None and after is not None and after.type == "call":
            read = self.source.of(_field(member, "attribute"))
            if read not in _READS or _arguments(after):
                raise UncertainError
            yield from self._over(after, command, _READS[read])
        elif member is not None and member.type == "expression_statement":
            yield from self._over(call, command, "subprocess.Popen({}, stdout=subprocess.PIPE)")
        elif member is not None and self._is_read_later(member):
            yield from self._over(call, command, _STREAM)
        else:
            raise UncertainError
        yield from self._import()

    def _is_read_later(self, holder: _Node) -> bool:
        """Whether a variable gets the output, and nothing is done with that but reading it."""
        name = holder.child_by_field_name("left")
        if holder.type != "assignment" or name is None or name.type != "identifier":
            return False
        around = function_around(self.source, name)
        others = [one for one in uses(self.source, self.source.of(name), around) if one != name]
        return around != self.source.root and bool(others) and all(map(self._reads, others))

    def _reads(self, one: _Node) -> bool:
        holder = one.parent
        if holder is None:
            return False
        if holder.type == "for_statement":
            return holder.child_by_field_name("right") == one
        what = holder.child_by_field_name("attribute")
        return what is not None and self.source.of(what) in {"read", "readline", "readlines"}

    def _over(self, call: _Node, command: _Node, said: str) -> Iterator[Splice]:
        if command.type == "identifier":
            yield from self._words(command)
            text = self.source.of(command)
        else:
            text = self._list(command)
        yield Splice(call.start_byte, call.end_byte, said.replace("{}", text))

    def _import(self) -> Iterator[Splice]:
        if imports.clashes(self.source, _SUBPROCESS):
            raise UncertainError
        yield from imported(self.source, _SUBPROCESS)


class _JavaScript:
    """``exec``, ``execSync`` and ``spawn`` with a shell, of ``child_process``."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def changed(self, node: _Node) -> Iterator[Splice]:
        """What makes of a command a program and the list of its arguments."""
        call = _call_of(node)
        function = _field(call, "function")
        given = _arguments(call)
        name = self._called(function)
        if name in {"exec", "execSync"} and given[0] == node:
            if any(re.search(r"\bshell\b", self.source.of(one)) for one in given[1:]):
                raise UncertainError
            program, arguments = self._split(node)
            yield Splice(node.start_byte, node.end_byte, f"{program}, {arguments}")
            yield from self._file(function, name)
        elif name in {"spawn", "spawnSync", "execFile", "execFileSync"}:
            yield from self._spawned(node, given)
        else:
            raise UncertainError

    def _called(self, function: _Node) -> str:
        """The name of a function of ``child_process``; raises UncertainError for any other."""
        said = re.sub(r"\s+", "", self.source.of(function))
        if direct := re.fullmatch(r"require\(['\"](?:node:)?child_process['\"]\)\.(\w+)", said):
            return direct[1]
        head, _, rest = said.partition(".")
        module, what = imports.origins(self.source).get(head, ("", ""))
        name = what or rest
        if module != "child_process" or (what and rest) or not name:
            raise UncertainError
        return name

    def _split(self, command: _Node) -> tuple[str, str]:
        first, *rest = [self._word(one) for one in words(self.source, command)]
        return first, f"[{', '.join(rest)}]"

    def _word(self, word: _Word) -> str:
        if word.constant is not None:
            return self._literal(word.constant)
        if len(word.parts) == 1 and isinstance(word.parts[0], Value):
            said = word.parts[0].said
            return said if self._is_text(word.parts[0]) else f"String({said})"
        said = "".join(f"${{{one.said}}}" if isinstance(one, Value) else one for one in word.parts)
        if re.search(r"[`\\\n]", said):
            raise UncertainError
        return f"`{said}`"

    def _is_text(self, value: Value) -> bool:
        return value.said in _OWN_PROGRAM or bool(
            re.match(r"(?:String\(|path\.|['\"`])", value.said)
            or re.search(r"\.(?:trim|toString|toLowerCase|replace)\([^()]*\)\Z", value.said)
        )

    def _literal(self, text: str) -> str:
        """In the quotes that the program has more of."""
        quote = "'" if self.source.text.count("'") >= self.source.text.count('"') else '"'
        if quote in text:
            quote = '"' if quote == "'" else "'"
        if quote in text:
            raise UncertainError
        return f"{quote}{text}{quote}"

    def _file(self, function: _Node, name: str) -> Iterator[Splice]:
        """``execFile`` in place of ``exec``, from where that came."""
        wanted = name.replace("exec", "execFile")
        member = function.child_by_field_name("property")
        if member is not None:
            yield Splice(member.start_byte, member.end_byte, wanted)
            return
        yield Splice(function.start_byte, function.end_byte, wanted)
        line = f"import {{ {wanted} }} from 'child_process';"
        if imports.clashes(self.source, line):
            raise UncertainError
        yield from imported(self.source, line)

    def _spawned(self, node: _Node, given: Sequence[_Node]) -> Iterator[Splice]:
        """Without a shell between: neither as an option nor as the program."""
        if len(given) == 1 or given[1].type != "array" or not _inside(node, given[1]):
            raise UncertainError
        items = given[1].named_children
        shelled = [given[0], *items]
        if len(shelled) == len(_SHELLED) and all(
            re.fullmatch(pattern, self.source.of(one))
            for pattern, one in zip(_SHELLED, shelled, strict=True)
        ):
            first, rest = self._split(items[1])
            yield Splice(given[0].start_byte, given[1].end_byte, f"{first}, {rest}")
            return
        program = self.source.of(given[0]).strip("'\"")
        if not re.fullmatch(r"[\w./-]+", program) or program in _BUILT_IN | _SCRIPTS:
            raise UncertainError
        for option in given[2:]:
            for one in option.named_children:
                if re.fullmatch(r"['\"]?shell['\"]?\s*:\s*true", self.source.of(one)):
                    yield Splice(*self._value(one), "false")

    def _value(self, pair: _Node) -> tuple[int, int]:
        value = _field(pair, "value")
        return value.start_byte, value.end_byte


def _literal(text: str) -> str:
    if '"' in text and "'" in text:
        raise UncertainError
    return f"'{text}'" if '"' in text else f'"{text}"'


def _is_target(one: _Node) -> bool:
    return (
        one.parent is not None
        and one.parent.type == "assignment"
        and (one.parent.child_by_field_name("left") == one)
    )


def _inside(node: _Node, outer: _Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _call_of(node: _Node) -> _Node:
    """The nearest call around ``node``, of which it is in an argument."""
    around = node.parent
    while around is not None and around.type not in {"call", "call_expression"}:
        around = around.parent
    if around is None:
        raise UncertainError
    return around


def _arguments(call: _Node) -> Sequence[_Node]:
    return [one for one in _field(call, "arguments").named_children if one.type != "comment"]


def _field(node: _Node, name: str) -> _Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise UncertainError
    return found
