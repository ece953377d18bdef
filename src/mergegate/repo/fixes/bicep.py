"""The safe value in the place of an unsafe one in Bicep, and where one is missing.

A literal is changed where it stands; a setting that is missing is put at the end of the object that
lacks it. Expressions, spreads and what stands on one line with more are left alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mergegate.repo.checks.infrastructure.judgement import meets
from mergegate.repo.engines.documents.bicep import File
from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.templates import LOOP, SPREAD
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.infrastructure import Entry, Subject, steps

SUFFIX = ".bicep"
IsWrong = Callable[[Subject, str | None], bool]
"""Takes a subject and the text of a setting, None where it is missing."""
Ways = Callable[[Entry, str], Iterator[tuple[Subject, tuple[str, ...]]]]
"""Answers each setting of a kind for which there is a safe value."""
_LITERAL = re.compile(r"'(?!'')(?:[^'\\$\n]|\\.)*'|true\b|false\b|-?\d+")
_ENDS = re.compile(r"[ \t]*(?:,|\}|\]|//|/\*|\n|$)")
_KEY = re.compile(r"(?:[A-Za-z_]\w*|'(?:[^'\\\n]|\\.)*')[ \t]*:[ \t]*")
_BARE = re.compile(r"true|false|-?\d+")
_PARAMETER = re.compile(r"(?P<indent>[ \t]*)param[ \t]+\w+[ \t]+(?:string|object)\b")
_DECORATED = {"securestring": "@secure()"}
"""Types of templates that Bicep says by a decorator."""
_STEP = "  "


class _Located(File):
    """Reads a file, and keeps from where to where its values and objects go."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.values: dict[int, tuple[int, int]] = {}
        """By the identity of a node."""
        self._ends: dict[int, int] = {}
        self._kept: list[Node] = []

    def entry(self, depth: int) -> tuple[str, Node]:
        self.skip()
        key = _KEY.match(self.text, self.at)
        name, value = super().entry(depth)
        if key is not None:
            self._keep(value, key.end())
        return name, value

    def object(self, depth: int) -> Node:
        self.skip()
        start = self.at
        made = super().object(depth)
        self._ends[start] = self.at
        self._keep(made, start)
        return made

    def _keep(self, node: Node, start: int) -> None:
        literal = _LITERAL.match(self.text, start)
        end = self._ends.get(start)
        if node.form is Form.SCALAR and not node.tag and literal is not None:
            end = literal.end() if _ENDS.match(self.text, literal.end()) else None
        if end is not None:
            self.values[id(node)] = (start, end)
            self._kept.append(node)  # so that no other node is ever called the same


@dataclass(frozen=True, slots=True)
class _Made:
    """A resource as it is written, with its whole type."""

    kind: str
    body: Node
    line: int


class _Template:
    """A file's text, and where its resources stand in it."""

    def __init__(self, text: str) -> None:
        """Raises UncertainError where the text cannot be read."""
        ends = text.count("\n")
        self.is_windows = "\r" in text
        if self.is_windows and not text.count("\r\n") == text.count("\r") == ends:
            raise UncertainError
        self.text = text.replace("\r\n", "\n")
        located = _Located(self.text)
        try:
            root = located.template()
        except (Unreadable, RecursionError) as error:
            raise UncertainError from error
        self.values = located.values
        self.made = list(_made(root["resources"], ""))

    def splice(self, start: int, end: int, text: str) -> Splice:
        """Characters as bytes of the file's own text."""
        first, last = (
            len(self.text[:at].encode()) + (self.text.count("\n", 0, at) if self.is_windows else 0)
            for at in (start, end)
        )
        return Splice(first, last, text)

    def changed(self, value: Node, new: str) -> Splice:
        """Another literal; raises UncertainError where the old one is none."""
        place = self.values.get(id(value))
        if place is None:
            raise UncertainError
        old = self.text[slice(*place)]
        is_bare = _BARE.fullmatch(new) and not old.startswith("'")
        return self.splice(*place, new if is_bare else f"'{new}'")

    def put_in(self, holder: Node, way: Sequence[str], new: str) -> Splice:
        """A setting at the end of an object of several lines, or of an empty one."""
        place = self.values.get(id(holder))
        if place is None or any(one.tag == SPREAD for one in holder.children):
            raise UncertainError
        start, end = place
        line = self.text.rfind("\n", 0, end) + 1
        outer = self.text[line : end - 1]
        if not self.text[start + 1 : end - 1].strip():
            before = self.text[self.text.rfind("\n", 0, start) + 1 : start]
            outer = before.removesuffix(before.lstrip())
            said = "\n".join(_nested(way, new, outer + _STEP))
            return self.splice(start, end, f"{{\n{said}\n{outer}}}")
        if outer.strip() or line <= start:
            raise UncertainError  # the last entry stands on the line of the bracket
        said = "".join(f"{one}\n" for one in _nested(way, new, outer + _STEP))
        return self.splice(line, line, said)


def _nested(way: Sequence[str], new: str, indent: str) -> Iterator[str]:
    name, *rest = way
    key = name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"'{name}'"
    if not rest:
        yield f"{indent}{key}: {new if _BARE.fullmatch(new) else repr(new)}"
        return
    yield f"{indent}{key}: {{"
    yield from _nested(rest, new, indent + _STEP)
    yield f"{indent}}}"


def _made(resources: Node, parent: str) -> Iterator[_Made]:
    for _, node in resources.entries:
        body = node.children[1] if node.tag == LOOP else node
        if body.form is not Form.MAP or body["existing"].present:
            continue
        name = body["type"].text.partition("@")[0]
        kind = f"{parent}/{name}" if parent and "." not in name.partition("/")[0] else name
        yield _Made(kind, body, node.line)
        yield from _made(body["resources"], kind)


def change(
    entry: Entry, text: str, line: int, ways: Ways, is_wrong: IsWrong
) -> tuple[Sequence[Splice], Mapping[str, str]]:
    """What makes the settings on a line safe, and their names; raises UncertainError."""
    template = _Template(text)
    made = [one for one in template.made if one.line <= line]
    if not made:
        raise UncertainError
    one = made[-1]
    kinds = {kind.lower(): kind for each in entry.subjects for kind in each.kinds}
    known = [
        (subject, way)
        for subject, way in ways(entry, kinds.get(one.kind.lower(), ""))
        if subject.each or all(meets(each, one.body) for each in subject.only_where)
    ]
    changes = list(_written(template, one.body, line, known, is_wrong))
    changes = changes or list(_missing(template, one.body, known, is_wrong))
    if not changes:
        raise UncertainError
    return tuple(splice for splice, _ in changes), dict(named for _, named in changes)


_Known = Sequence[tuple[Subject, tuple[str, ...]]]
_Change = tuple[Splice, tuple[str, str]]
"""What is changed, and the setting with its new value."""


def _written(
    template: _Template, body: Node, line: int, known: _Known, is_wrong: IsWrong
) -> Iterator[_Change]:
    for subject, way in known:
        for value in _leaves(body, way):
            if value.line == line and not value.tag and is_wrong(subject, value.text):
                yield template.changed(value, subject.wanted), (".".join(way), subject.wanted)


def _missing(
    template: _Template, body: Node, known: _Known, is_wrong: IsWrong
) -> Iterator[_Change]:
    for subject, way in known:
        if is_wrong(subject, None) and (lacking := _lacking(body, way)):
            yield template.put_in(*lacking, subject.wanted), (".".join(way), subject.wanted)


def _child(node: Node, name: str) -> Node | None:
    found = [one for key, one in node.entries if key.lower() == name.lower()]
    if len(found) > 1:
        raise UncertainError
    return found[0] if found else None


def _leaves(node: Node, way: Sequence[str]) -> Iterator[Node]:
    """The values at the end of a way, which leads through each item of a list."""
    if node.form is Form.LIST and not node.tag:
        for item in node.items:
            yield from _leaves(item, way)
    elif not way:
        yield node
    elif node.form is Form.MAP and (below := _child(node, way[0])) is not None:
        yield from _leaves(below, way[1:])


def _lacking(node: Node, way: Sequence[str]) -> tuple[Node, Sequence[str]] | None:
    """The object that lacks a setting, and the way from there; None where it has it."""
    for at, name in enumerate(way):
        if node.form is not Form.MAP:
            raise UncertainError
        below = _child(node, name)
        if below is None:
            if not at:
                raise UncertainError  # a resource without properties
            return node, way[at:]
        node = below
    return None


def steps_of(found: Found) -> Sequence[Splice]:
    """What a recipe sets of a parameter: a decorator above it."""
    lines = found.text.split("\n")
    at = found.place.start_line - 1
    said = [_DECORATED.get(one, "") for one in found.recipe.set.values()]
    parameter = _PARAMETER.match(lines[at]) if 0 <= at < len(lines) else None
    if parameter is None or len(said) != 1 or not said[0]:
        return []
    start = len("".join(f"{one}\n" for one in lines[:at]).encode())
    return [Splice(start, start, f"{parameter['indent']}{said[0]}\n")]


def read(text: str) -> Node | None:
    """The template that a file stands for; None where it cannot be read."""
    try:
        return File(text.replace("\r\n", "\n")).template()
    except (Unreadable, RecursionError):
        return None


def strays(before: str, after: str, named: Mapping[str, str]) -> bool:
    """Whether anything else changes than settings of those names, of one resource or parameter."""
    old, new = read(before), read(after)
    if old is None or new is None:
        return True
    was, now = Counter(_said(old, ())), Counter(_said(new, ()))
    changed = {way for way, _ in ((was - now) + (now - was))}
    ends = [tuple(name.lower() for name in steps(one)) for one in named]
    return len({way[:2] for way in changed}) != 1 or not all(
        any(way[-len(end) :] == end for end in ends) for way in changed
    )


def _said(node: Node, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What stands at the end of each way, without the numbers of items."""
    if not node.children:
        yield way, f"{node.form} {node.tag} {node.text}"
    elif node.form is Form.MAP:
        for key, one in node.entries:
            yield from _said(one, (*way, key.lower()))
    else:
        for one in node.children:
            yield from _said(one, way if not node.tag else (*way, node.tag + node.text))
