"""Commands of Python without a shell: ``subprocess``, ``os.system`` and ``os.popen``."""

import re
from collections.abc import Iterator

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Value
from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.command_line import (
    OWN_PROGRAM,
    SHELLED,
    Node,
    Word,
    arguments_of,
    field_of,
    inside,
    words,
)
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import assigned, function_around, uses, value_of
from mergegate.repo.fixes.syntax import Source, above

_RUN = frozenset(
    f"subprocess.{one}" for one in ("run", "call", "check_call", "check_output", "Popen")
)
_KNOWN = _RUN | {"subprocess.getoutput", "os.system", "os.popen"}
_COMMANDS = frozenset(
    {"identifier", "string", "concatenated_string", "binary_operator", "call", "list"}
    | {"parenthesized_expression"}
)
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


class Python:
    """``subprocess`` with ``shell=True``, ``os.system`` and ``os.popen``."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def changed(self, node: Node) -> Iterator[Splice]:
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

    def _call(self, node: Node) -> tuple[Node, Node]:
        """The call, and the command that it gets as its first argument."""
        call = above(node, {"call"})
        while call is not None:
            given = arguments_of(call)
            if given and (call == node or inside(node, given[0])):
                if self._called(call) in _KNOWN and given[0].type in _COMMANDS:
                    return call, given[0]
                if call == node:
                    break
            call = above(call.parent, {"call"})
        raise UncertainError

    def _called(self, call: Node) -> str:
        """The full name of what is called, whatever it was imported as."""
        said = self.source.of(field_of(call, "function"))
        head, _, rest = said.partition(".")
        module, what = imports.origins(self.source).get(head, ("", ""))
        return ".".join(filter(None, (module, what, rest)))

    def _without_shell(self, command: Node) -> Splice:
        """``["sh", "-c", command]`` as the words of the command."""
        items = command.named_children
        if len(items) != len(SHELLED) or not all(
            re.fullmatch(pattern, self.source.of(one))
            for pattern, one in zip(SHELLED, items, strict=True)
        ):
            raise UncertainError
        return Splice(command.start_byte, command.end_byte, self._list(items[2]))

    def _run(self, call: Node, command: Node) -> Iterator[Splice]:
        given = {
            self.source.of(field_of(one, "name")): one
            for one in arguments_of(call)
            if one.type == "keyword_argument"
        }
        shell = given.get("shell")
        others = [one for one in arguments_of(call)[1:] if one.type != "keyword_argument"]
        if shell is None or others or "executable" in given:
            raise UncertainError
        if self.source.of(field_of(shell, "value")) not in {"True", "1"}:
            raise UncertainError
        yield from self._words(command)
        before = shell.prev_sibling
        if before is None or before.type != ",":
            raise UncertainError
        yield Splice(before.start_byte, shell.end_byte, "")

    def _words(self, command: Node) -> Iterator[Splice]:
        """The list in place of the text, which may have been put together just before."""
        node = command
        if command.type == "identifier":
            node = value_of(self.source, command)
        yield Splice(node.start_byte, node.end_byte, self._list(node))

    def _list(self, node: Node) -> str:
        return f"[{', '.join(self._word(one) for one in words(self.source, node))}]"

    def _word(self, word: Word) -> str:
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
        if value.joined or said in OWN_PROGRAM or re.match(r"(?:str\(|[\"']|f[\"'])", said):
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

    def _system(self, call: Node, command: Node) -> Iterator[Splice]:
        if len(arguments_of(call)) != 1:
            raise UncertainError
        holder = call.parent
        if holder is not None and holder.type == "expression_statement":
            yield from self._over(call, command, "subprocess.run({}, check=False)")
        elif self._as_truth(call):
            yield from self._over(call, command, "subprocess.call({})")
        else:
            raise UncertainError
        yield from self._import()

    def _as_truth(self, call: Node) -> bool:
        """Whether the result is only asked to be zero."""
        holder = call.parent
        if holder is None:
            return False
        if holder.type == "comparison_operator":
            return bool(re.search(r"(?:==|!=|>)\s*0\Z", self.source.of(holder)))
        if holder.type in {"if_statement", "while_statement"}:
            return holder.child_by_field_name("condition") == call
        return holder.type == "not_operator"

    def _popen(self, call: Node, command: Node) -> Iterator[Splice]:
        if len(arguments_of(call)) != 1:
            raise UncertainError
        member = call.parent
        after = member.parent if member is not None and member.type == "attribute" else None
        if member is not None and after is not None and after.type == "call":
            read = self.source.of(field_of(member, "attribute"))
            if read not in _READS or arguments_of(after):
                raise UncertainError
            yield from self._over(after, command, _READS[read])
        elif member is not None and member.type == "expression_statement":
            yield from self._over(call, command, "subprocess.Popen({}, stdout=subprocess.PIPE)")
        elif member is not None and self._is_read_later(member):
            yield from self._over(call, command, _STREAM)
        else:
            raise UncertainError
        yield from self._import()

    def _is_read_later(self, holder: Node) -> bool:
        """Whether a variable gets the output, and nothing is done with that but reading it."""
        name = holder.child_by_field_name("left")
        if holder.type != "assignment" or name is None or name.type != "identifier":
            return False
        around = function_around(self.source, name)
        others = [one for one in uses(self.source, self.source.of(name), around) if one != name]
        return around != self.source.root and bool(others) and all(map(self._reads, others))

    def _reads(self, one: Node) -> bool:
        holder = one.parent
        if holder is None:
            return False
        if holder.type == "for_statement":
            return holder.child_by_field_name("right") == one
        what = holder.child_by_field_name("attribute")
        return what is not None and self.source.of(what) in {"read", "readline", "readlines"}

    def _over(self, call: Node, command: Node, said: str) -> Iterator[Splice]:
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


def _literal(text: str) -> str:
    if '"' in text and "'" in text:
        raise UncertainError
    return f"'{text}'" if '"' in text else f'"{text}"'


def _is_target(one: Node) -> bool:
    return (
        one.parent is not None
        and one.parent.type == "assignment"
        and (one.parent.child_by_field_name("left") == one)
    )
