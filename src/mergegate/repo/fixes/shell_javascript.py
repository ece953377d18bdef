"""Commands of JavaScript without a shell: what ``child_process`` starts."""

import re
from collections.abc import Iterator, Sequence

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Value
from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.command_line import (
    BUILT_IN,
    OWN_PROGRAM,
    SCRIPTS,
    SHELLED,
    Node,
    Word,
    arguments_of,
    field_of,
    inside,
    words,
)
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.syntax import Source


class JavaScript:
    """``exec``, ``execSync`` and ``spawn`` with a shell, of ``child_process``."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def changed(self, node: Node) -> Iterator[Splice]:
        """What makes of a command a program and the list of its arguments."""
        call = _call_of(node)
        function = field_of(call, "function")
        given = arguments_of(call)
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

    def _called(self, function: Node) -> str:
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

    def _split(self, command: Node) -> tuple[str, str]:
        first, *rest = [self._word(one) for one in words(self.source, command)]
        return first, f"[{', '.join(rest)}]"

    def _word(self, word: Word) -> str:
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
        return value.said in OWN_PROGRAM or bool(
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

    def _file(self, function: Node, name: str) -> Iterator[Splice]:
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

    def _spawned(self, node: Node, given: Sequence[Node]) -> Iterator[Splice]:
        """Without a shell between: neither as an option nor as the program."""
        if len(given) == 1 or given[1].type != "array" or not inside(node, given[1]):
            raise UncertainError
        items = given[1].named_children
        shelled = [given[0], *items]
        if len(shelled) == len(SHELLED) and all(
            re.fullmatch(pattern, self.source.of(one))
            for pattern, one in zip(SHELLED, shelled, strict=True)
        ):
            first, rest = self._split(items[1])
            yield Splice(given[0].start_byte, given[1].end_byte, f"{first}, {rest}")
            return
        program = self.source.of(given[0]).strip("'\"")
        if not re.fullmatch(r"[\w./-]+", program) or program in BUILT_IN | SCRIPTS:
            raise UncertainError
        for option in given[2:]:
            for one in option.named_children:
                if re.fullmatch(r"['\"]?shell['\"]?\s*:\s*true", self.source.of(one)):
                    yield Splice(*self._value(one), "false")

    def _value(self, pair: Node) -> tuple[int, int]:
        value = field_of(pair, "value")
        return value.start_byte, value.end_byte


def _call_of(node: Node) -> Node:
    """The nearest call around ``node``, of which it is in an argument."""
    around = node.parent
    while around is not None and around.type not in {"call", "call_expression"}:
        around = around.parent
    if around is None:
        raise UncertainError
    return around
