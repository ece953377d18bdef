"""Recipes for programs: calls, arguments, names and literals change in the syntax tree."""

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from mergegate.repo.fixes import go_imports, imports, java_imports
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found, Recipe
from mergegate.repo.fixes.syntax import Source, above, language_of

_Node = tree_sitter.Node


def steps(found: Found) -> Sequence[Splice]:
    """What the recipe changes; nothing where what was found is not as it expects."""
    language = language_of(found.language, found.suffix)
    if language is None:
        return ()
    source = Source(found.text, language)
    if source.root.has_error:
        return ()
    try:
        return tuple(_Kitchen(source, found).splices())
    except UncertainError:
        return ()


class _Kitchen:
    def __init__(self, source: Source, found: Found) -> None:
        self.source = source
        self.recipe: Recipe = found.recipe
        self.start, self.end = source.range_of(found.place)
        self.node = source.at(self.start, self.end)

    def splices(self) -> Iterator[Splice]:
        recipe = self.recipe
        if recipe.callee or recipe.drop or recipe.set or recipe.arguments:
            yield from self._call(self._meant())
        if recipe.entries:
            yield from self._entries(recipe.entries)
        if recipe.replace:
            yield from self._replaced(recipe.replace)
        if recipe.wrap:
            yield self._over(self.node, recipe.wrap.replace("{}", self.source.of(self.node)))
        if recipe.remove:
            yield self._without(recipe.remove)
        for line in recipe.imports:
            if imports.clashes(self.source, line):
                raise UncertainError
            yield from imported(self.source, line)

    def _meant(self) -> _Node:
        """The call that the recipe is about."""
        kinds = self.source.language.calls or {}
        around = above(self.node, kinds)
        while around is not None:
            if self._is_meant(around):
                return around
            around = above(around.parent, kinds)
        inside = [
            one
            for one in self.source.walk(self.node)
            if one.type in kinds
            and self.start <= one.start_byte
            and one.end_byte <= self.end
            and self._is_meant(one)
        ]
        if len(inside) != 1:
            raise UncertainError
        return inside[0]

    def _is_meant(self, call: _Node) -> bool:
        if not self.recipe.on:
            return True
        return re.fullmatch(self.recipe.on, self._called(call)) is not None

    def _called(self, call: _Node) -> str:
        """What is called, without blanks: ``a.b`` for a method of ``a``."""
        callee = self._part(call, 0)
        on = call.child_by_field_name("object")
        name = f"{self.source.of(on)}.{self.source.of(callee)}" if on else self.source.of(callee)
        return re.sub(r"\s+", "", name)

    def _part(self, call: _Node, which: int) -> _Node:
        field = (self.source.language.calls or {})[call.type][which]
        part = call.child_by_field_name(field)
        if part is None:
            raise UncertainError
        return part

    def _call(self, call: _Node) -> Iterator[Splice]:
        recipe = self.recipe
        if recipe.callee:
            yield self._callee(call, recipe.callee)
        arguments = self._part(call, 1)
        listed = _Arguments(self.source, arguments)
        for name in recipe.drop:
            yield from self._named(listed).dropped(name)
        for number, text in recipe.arguments.items():
            old = listed.plain[int(number)] if int(number) < len(listed.plain) else None
            if old is None:
                raise UncertainError
            yield self._over(old, text.replace("{}", self.source.of(old)))
        if recipe.set:
            holder = listed.options(recipe.options, recipe.set) if listed.in_options else listed
            yield from (holder,) if isinstance(holder, Splice) else holder.put(recipe.set)

    def _named(self, listed: "_Arguments") -> "_Arguments":
        """What names are of: the arguments, or the literal of options among them."""
        if not listed.in_options:
            return listed
        options = listed.options(self.recipe.options, {})
        if isinstance(options, Splice):
            raise UncertainError
        return options

    def _callee(self, call: _Node, new: str) -> Splice:
        callee, on = self._part(call, 0), call.child_by_field_name("object")
        if "{object}" not in new:
            first = call if call.type == "new_expression" else on or callee
            start = first.start_byte
            return Splice(start, callee.end_byte, new)
        if on is None:
            on = callee.named_children[0] if len(callee.named_children) > 1 else None
        if on is None:
            raise UncertainError
        return Splice(on.start_byte, callee.end_byte, new.replace("{object}", self.source.of(on)))

    def _entries(self, wanted: Mapping[str, str]) -> Iterator[Splice]:
        """Entries which a variable stands for are none that are seen: at least one is."""
        kinds, unknown = {self.source.language.keyword, "pair"}, True
        for one in self.source.walk(self.node):
            key = one.child_by_field_name("name") or one.child_by_field_name("key")
            value = one.child_by_field_name("value")
            if one.type not in kinds or key is None or value is None:
                continue
            new = wanted.get(self.source.of(key).strip("'\""))
            if new is not None and new != self.source.of(value):
                unknown = False
                yield self._over(value, new)
        if unknown:
            raise UncertainError

    def _replaced(self, names: Mapping[str, str]) -> Iterator[Splice]:
        """Outermost nodes first: of ``a.b`` no part is replaced as well."""
        waiting, unknown = [self.node], True
        while waiting:
            one = waiting.pop()
            inside = self.start <= one.start_byte and one.end_byte <= self.end
            new = names.get(self.source.of(one)) if inside else None
            if new is None:
                waiting.extend(one.named_children)
            else:
                unknown = False
                yield self._over(one, new)
        if unknown:
            raise UncertainError

    def _without(self, kind: str) -> Splice:
        node = above(self.node, {kind})
        if node is None:
            raise UncertainError
        return alone(self.source, node)

    def _over(self, node: _Node, text: str) -> Splice:
        return Splice(node.start_byte, node.end_byte, text)


class _Arguments:
    """The arguments of a call, or the entries of a literal of options."""

    def __init__(self, source: Source, node: _Node) -> None:
        self.source = source
        self.node = node
        language = source.language
        if node.type == "generator_expression":
            raise UncertainError  # it takes no other argument beside it
        self.all = [one for one in node.named_children if one.type not in language.comments]
        self.named = [one for one in self.all if one.type == language.keyword]
        self.plain = [one for one in self.all if one.type != language.keyword]
        self.in_options = bool(language.options) and node.type == "arguments"

    def options(self, which: int, wanted: Mapping[str, str]) -> "_Arguments | Splice":
        """The literal that holds the options, or what makes one."""
        kind = self.source.language.options
        if which < 0:
            literals = [one for one in self.plain if one.type == kind]
            if not literals:
                raise UncertainError
            return _Arguments(self.source, literals[-1])
        if which < len(self.plain):
            if self.plain[which].type != kind:
                raise UncertainError
            return _Arguments(self.source, self.plain[which])
        if which > len(self.plain):
            raise UncertainError
        entries = ", ".join(f"{name}: {value}" for name, value in wanted.items())
        return self._put_in(f"{{ {entries} }}")

    def _name(self, one: _Node) -> str:
        key = one.child_by_field_name("name") or one.child_by_field_name("key")
        return self.source.of(key).strip("'\"") if key else ""

    def _value(self, one: _Node) -> _Node:
        value = one.child_by_field_name("value")
        if value is None:
            raise UncertainError
        return value

    def dropped(self, name: str) -> Iterator[Splice]:
        """Without the argument of this name, if there is one, and the comma with it."""
        for one in self.named:
            if self._name(one) == name:
                before, after = one.prev_sibling, one.next_sibling
                if before is not None and before.type == ",":
                    yield Splice(before.start_byte, one.end_byte, "")
                elif after is not None and after.type == ",":
                    following = after.next_sibling
                    end = following.start_byte if following else after.end_byte
                    yield Splice(one.start_byte, end, "")
                else:
                    opening, closing = self.node.children[0], self.node.children[-1]
                    yield Splice(opening.end_byte, closing.start_byte, "")

    def put(self, wanted: Mapping[str, str]) -> Iterator[Splice]:
        """Each wanted value in place of the old one, or at the end where there is none."""
        missing = []
        for name, value in wanted.items():
            here = [one for one in self.named if self._name(one) == name]
            if here:
                old = self._value(here[-1])
                yield Splice(old.start_byte, old.end_byte, value)
            else:
                missing.append((name, value))
        if missing:
            if any(one.type in _SPREAD for one in self.all):
                raise UncertainError  # the argument may be among them
            yield self._put_in(", ".join(self._entry(*one) for one in missing))

    def _entry(self, name: str, value: str) -> str:
        return f"{name}={value}" if self.source.language.keyword == _NAMED else f"{name}: {value}"

    def _put_in(self, text: str) -> Splice:
        """``text`` as the last argument, laid out as the others are."""
        if not self.all:
            opening = self.node.children[0]
            inside = f" {text} " if self.node.type == "object" else text
            return Splice(opening.end_byte, self.node.children[-1].start_byte, inside)
        last = self.all[-1]
        follows = last.next_sibling
        has_comma = follows is not None and follows.type == ","
        between = ", "
        if len(self.source.lines(self.node)) > len(self.source.lines(last)) and (
            last.start_point.row > self.node.start_point.row
        ):
            line = self.source.bytes.rfind(b"\n", 0, last.start_byte) + 1
            indent = self.source.bytes[line : last.start_byte]
            if not indent.strip():
                between = f",\n{indent.decode()}"
        if has_comma and follows is not None:
            return Splice(follows.start_byte, follows.end_byte, f"{between}{text},")
        return Splice(last.end_byte, last.end_byte, f"{between}{text}")


_NAMED = "keyword_argument"
_SPREAD = frozenset(
    {"dictionary_splat", "list_splat", "spread_element", "spread_pattern", "generator_expression"}
)


def imported(source: Source, line: str) -> Iterator[Splice]:
    """``line`` behind the imports that the text begins with, unless it stands there."""
    if source.language.name == "go":
        yield from go_imports.added(source, line)
        return
    if source.language.name == "java" and java_imports.is_there(source, line):
        return
    if imports.brings(source, line):
        return
    line = _as_required(source, line)
    standing = (one for one in source.walk() if one.type in source.language.imports)
    if line in source.text.split("\n") or line in map(source.of, standing):
        return
    at, after = _place_of_import(source)
    if after is None:
        yield Splice(at, at, f"{line}\n\n" if source.language.name == "python" else f"{line}\n")
        return
    newline = source.bytes.find(b"\n", after.end_byte)
    end = len(source.bytes) if newline < 0 else newline - source.bytes.endswith(b"\r", 0, newline)
    yield Splice(end, end, f"\n{line}")


_IMPORT_FROM = re.compile(r"import ([\w{}, ]+) from (['\"].+['\"]);?")


def _as_required(source: Source, line: str) -> str:
    """An import as the modules of JavaScript are loaded here: by ``require`` where others are."""
    said = _IMPORT_FROM.fullmatch(line)
    kinds = {one.type for one in source.root.named_children}
    if said is None or "import_statement" in kinds or "require(" not in source.text:
        return line
    return f"const {said[1]} = require({said[2]});"


def _place_of_import(source: Source) -> tuple[int, _Node | None]:
    """Where the first statement begins, and the last import or package clause before it."""
    last = None
    for one in source.root.named_children:
        is_text = one.type == "expression_statement" and all(
            child.type in source.language.texts for child in one.named_children
        )
        required = source.language.options and "require(" in source.of(one).split("\n")[0]
        if one.type in {*source.language.imports, "package_declaration"} or required:
            last = one
        elif not is_text and one.type not in {*source.language.comments, "hash_bang_line"}:
            return one.start_byte, last
    return len(source.bytes), last


def alone(source: Source, node: _Node) -> Splice:
    """Without ``node``, and without its lines where nothing else stands on them."""
    start = source.bytes.rfind(b"\n", 0, node.start_byte) + 1
    newline = source.bytes.find(b"\n", node.end_byte)
    end = len(source.bytes) if newline < 0 else newline
    around = source.bytes[start : node.start_byte] + source.bytes[node.end_byte : end]
    if around.strip():
        return Splice(node.start_byte, node.end_byte, "")
    return Splice(start, end, "")
