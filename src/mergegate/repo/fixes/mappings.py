"""Recipes for YAML and JSON: keys, values and items change in the text, the rest stays as it is.

Nothing is written anew: comments, quotes, order and indentation stay. What several places share by
an alias is left alone, and so is a template that something else fills in.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import yaml

from mergegate.repo import infrastructure as ways
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found, Recipe

LANGUAGES = frozenset({"yaml", "json"})
"""Whose files are mappings."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEMPLATE = re.compile(r"(?<!\$)\{\{(?!resolve:)|\{%")
_MERGE = "<<"
_STEP = 2
MOST_CHARACTERS = 200_000
"""The longest file that is changed: each change is read anew, and people write shorter ones."""
_STANDARD_TAG = "tag:yaml.org,2002:"
_PARTS_ITEMS = re.compile(r"^[^\"'].*[,\[\]{}]")
"""A value that needs quotes between brackets."""
_PLAIN = re.compile(r"(?i)true|false|null|-?\d+(\.\d+)?")


@dataclass(eq=False)
class Spot:
    """A value in a document, with the key or the place in a list that leads to it."""

    path: tuple[str, ...]
    value: yaml.Node
    key: yaml.ScalarNode | None = None
    """None for an item of a list, and for a document."""
    parent: "Spot | None" = None
    children: list["Spot"] = field(default_factory=list)
    shared: bool = False
    """Whether an alias leads here as well."""

    @property
    def name(self) -> str:
        """Its key or number; empty for a document."""
        return self.path[-1] if self.path else ""

    @property
    def line(self) -> int:
        """The line from 1 on which it begins: that of its key, where it has one."""
        return int((self.key or self.value).start_mark.line) + 1

    @property
    def start(self) -> int:
        """Where it begins, in characters."""
        return int((self.key or self.value).start_mark.index)

    @property
    def text(self) -> str:
        """A scalar's text; empty for what is none."""
        return str(self.value.value) if isinstance(self.value, yaml.ScalarNode) else ""

    @property
    def is_flow(self) -> bool:
        """Whether it is written in brackets."""
        return bool(getattr(self.value, "flow_style", False))

    @property
    def is_plain(self) -> bool:
        """Whether it is a value written out, which no tag such as ``!Ref`` decides."""
        tag = self.value.tag or ""
        return isinstance(self.value, yaml.ScalarNode) and tag.startswith(_STANDARD_TAG)

    @property
    def is_map(self) -> bool:
        """Whether it holds keys."""
        return isinstance(self.value, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether it holds items."""
        return isinstance(self.value, yaml.SequenceNode)

    def child(self, key: str) -> "Spot | None":
        """The value of ``key``, the last one where it stands twice."""
        return next((one for one in reversed(self.children) if one.name == key), None)

    def at(self, *path: str) -> "Spot | None":
        """The value at the end of a path of keys."""
        spot: Spot | None = self
        for key in path:
            spot = spot.child(key) if spot is not None and spot.is_map else None
        return spot

    def says(self, *path: str) -> str:
        """The text of the scalar at the end of a path of keys; empty where there is none."""
        spot = self.at(*path)
        return spot.text if spot is not None else ""

    @property
    def items(self) -> Sequence["Spot"]:
        """The items of a list; nothing for other values."""
        return self.children if self.is_list else ()

    @property
    def above(self) -> Iterator["Spot"]:
        """The value itself and what it stands in, from within."""
        spot: Spot | None = self
        while spot is not None:
            yield spot
            spot = spot.parent

    def walk(self) -> Iterator["Spot"]:
        """The value and all below it, in order."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.children))


class Manifest:
    """A file's documents, with where everything stands in its text."""

    def __init__(self, text: str) -> None:
        """Raises UncertainError where the text cannot be read, or is a template."""
        if text.startswith("\ufeff") or len(text) > MOST_CHARACTERS or _TEMPLATE.search(text):
            raise UncertainError
        self.text = text
        try:
            roots = [root for root in yaml.compose_all(text, Loader=_LOADER) if root is not None]
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise UncertainError from error
        self._first: dict[int, Spot] = {}
        self.documents = [self._spot(Spot((), root)) for root in roots]

    def _spot(self, top: Spot) -> Spot:
        waiting = [top]
        while waiting:
            spot = waiting.pop()
            known = self._first.setdefault(id(spot.value), spot)
            spot.shared = known is not spot or (spot.parent is not None and spot.parent.shared)
            if known is not spot:
                for one in known.walk():
                    one.shared = True
                continue
            spot.children = list(_children(spot))
            waiting.extend(reversed(spot.children))
        return top

    @property
    def spots(self) -> Iterator[Spot]:
        """Everything, in order."""
        for document in self.documents:
            yield from document.walk()

    def on_line(self, line: int) -> list[Spot]:
        """What begins on a line, from the outside in."""
        return [one for one in self.spots if one.path and one.line == line]

    def meant(self, line: int, on: str) -> Spot:
        """The innermost mapping around the line whose path is ``on``; raises UncertainError.

        A path's keys and the numbers of its items are joined by dots.
        """
        meant = {
            around
            for one in self.on_line(line)
            if (around := next((up for up in one.above if _is(up, on)), None)) is not None
        }
        if len(meant) > 1:  # of mappings within one another the innermost
            meant = {one for one in meant if not any(one in tuple(up.above)[1:] for up in meant)}
        if len(meant) != 1 or (spot := meant.pop()).shared:
            raise UncertainError
        return spot

    def end(self, spot: Spot) -> int:
        """Behind the last character of a value, in characters."""
        if spot.children and not spot.is_flow:
            return max(self.end(spot.children[-1]), self._key_end(spot))
        end = int(spot.value.end_mark.index)
        return max(len(self.text[:end].rstrip()) if self._is_block(spot) else end, spot.start)

    def _is_block(self, spot: Spot) -> bool:
        style = getattr(spot.value, "style", None)
        return style in {"|", ">"} or not isinstance(spot.value, yaml.ScalarNode)

    def _key_end(self, spot: Spot) -> int:
        return int(spot.key.end_mark.index) if spot.key is not None else 0

    def splice(self, start: int, end: int, text: str) -> Splice:
        """Characters as bytes."""
        before = len(self.text[:start].encode())
        return Splice(before, before + len(self.text[start:end].encode()), text)

    def line_start(self, index: int) -> int:
        """Where the line of a character begins."""
        return self.text.rfind("\n", 0, index) + 1

    def next_line(self, index: int) -> int:
        """Where the line below a character begins; the end of the text where there is none."""
        newline = self.text.find("\n", index)
        return len(self.text) if newline < 0 else newline + 1

    def above_comments(self, index: int) -> int:
        """Where the comments right above the line of a character begin, which are about it."""
        at = self.line_start(index)
        while at and self.text[self.line_start(at - 1) : at].lstrip().startswith("#"):
            at = self.line_start(at - 1)
        return at

    def put(self, spot: Spot, wanted: Mapping[str, object]) -> Iterator[Splice]:
        """Values by key, changed or put in at the end; what is no plain value is left alone."""
        if not spot.is_map or spot.shared:
            raise UncertainError
        missing: dict[str, object] = {}
        for key, new in wanted.items():
            old = spot.child(key)
            if old is None:
                missing[key] = new
            elif isinstance(new, Mapping):
                yield from self.put(old, new)
            elif old.is_plain and not old.shared:
                yield from self.changed(old, str(new))
        if missing:
            if spot.child(_MERGE) is not None:
                raise UncertainError  # the key may be among those that are merged
            yield self._put_in(spot, missing)

    def changed(self, spot: Spot, new: str) -> Iterator[Splice]:
        """Another plain value, in the quotes of the old one."""
        style = getattr(spot.value, "style", None)
        if style in {"|", ">"} or spot.shared or not spot.is_plain:
            raise UncertainError
        if style in {"'", '"'} and not new.startswith(("'", '"')):
            new = f"{style}{new}{style}"
        elif _PARTS_ITEMS.search(new) and spot.parent is not None and spot.parent.is_flow:
            new = json.dumps(new)
        start, end = int(spot.value.start_mark.index), int(spot.value.end_mark.index)
        if self.text[start : start + 1] in {"!", "&"}:
            raise UncertainError  # without its tag it may be another value, without its anchor none
        if self.text[start:end] != new:
            yield self.splice(start, end, new if start != self._key_end(spot) + 1 else f" {new}")

    def _put_in(self, spot: Spot, missing: Mapping[str, object]) -> Splice:
        if spot.is_flow:
            return self._put_in_brackets(spot, missing)
        last = spot.children[-1]
        indent = int(spot.children[0].key.start_mark.column) if spot.children[0].key else 0
        step = self._step()
        lines = "".join(f"{line}\n" for line in _lines(missing, " " * indent, " " * step))
        at = self.next_line(self.end(last))
        if not self.text[:at].endswith("\n"):
            lines = "\n" + lines.removesuffix("\n")
        elif at == len(self.text) and self.text.endswith("\r\n"):
            at, lines = at - 2, "\n" + lines.removesuffix("\n")  # so that it ends as they do
        return self.splice(at, at, lines)

    def put_above(self, spot: Spot, key: str, wanted: Mapping[str, object]) -> Splice:
        """New keys of a mapping above ``key`` and what is said about it; in brackets at the end."""
        below = spot.child(key)
        if below is None or spot.shared or spot.child(_MERGE) is not None:
            raise UncertainError
        if spot.is_flow:
            return self._put_in_brackets(spot, wanted)
        indent, at = self.text[self.line_start(below.start) : below.start], below.start
        if indent.strip():
            raise UncertainError  # it stands behind the sign that begins a document
        lines = "".join(f"{line}\n" for line in _lines(wanted, indent, " " * self._step()))
        at = self.above_comments(at)
        apart = "\n" if self.text[:at].replace("\r", "").endswith("\n\n") else ""
        return self.splice(at, at, lines + apart)

    def _step(self) -> int:
        """By how much the file indents what stands in something else."""
        for spot in self.spots:
            if spot.is_map and not spot.is_flow and spot.key is not None and spot.children:
                inner, outer = spot.children[0].key, spot.key
                if inner is not None and inner.start_mark.column > outer.start_mark.column:
                    return int(inner.start_mark.column - outer.start_mark.column)
        return _STEP

    def _put_in_brackets(self, spot: Spot, missing: Mapping[str, object]) -> Splice:
        quoted = all(one.key is not None and one.key.style == '"' for one in spot.children)
        quoted = quoted and (bool(spot.children) or self.text.lstrip().startswith("{"))
        entries = [_in_brackets(key, value, quoted=quoted) for key, value in missing.items()]
        if not spot.children:
            start, end = int(spot.value.start_mark.index), int(spot.value.end_mark.index)
            return self.splice(start, end, f"{{{', '.join(entries)}}}")
        last, between = spot.children[-1], ", "
        start = self.line_start(last.start)
        if not self.text[start : last.start].strip():
            between = f",\n{self.text[start : last.start]}"
        end = self.end(last)
        return self.splice(end, end, "".join(between + entry for entry in entries))

    def without(self, spot: Spot) -> Splice:
        """Without a key or an item, and without what would be empty then."""
        parent = spot.parent
        if parent is None or spot.shared:
            raise UncertainError
        if len(parent.children) == 1:
            return self.without(parent)
        return self._from_brackets(spot) if parent.is_flow else self._lines_of(spot)

    def _lines_of(self, spot: Spot) -> Splice:
        start, end = self.line_start(spot.start), self.next_line(self.end(spot))
        before = self.text[start : spot.start].strip()
        if before == ("" if spot.key is not None else "-"):
            return self.splice(start, end, "")
        siblings = spot.parent.children if spot.parent else []
        after = siblings[siblings.index(spot) + 1 :]
        if before != "-" or spot.key is None or not after:
            raise UncertainError
        return self.splice(spot.start, after[0].start, "")  # the first key beside a dash

    def _from_brackets(self, spot: Spot) -> Splice:
        siblings = spot.parent.children if spot.parent else []
        at = siblings.index(spot)
        if at + 1 < len(siblings):
            return self.splice(spot.start, siblings[at + 1].start, "")
        return self.splice(self.end(siblings[at - 1]), self.end(spot), "")


@lru_cache(maxsize=4)
def manifest_of(text: str) -> Manifest:
    """The documents of ``text``, kept for the next finding in it. Raises UncertainError."""
    return Manifest(text)


def _children(spot: Spot) -> Iterator[Spot]:
    if isinstance(spot.value, yaml.MappingNode):
        for key, value in spot.value.value:
            if isinstance(key, yaml.ScalarNode):
                yield Spot((*spot.path, str(key.value)), value, key, spot)
            else:
                raise UncertainError
    elif isinstance(spot.value, yaml.SequenceNode):
        for number, value in enumerate(spot.value.value):
            yield Spot((*spot.path, str(number)), value, None, spot)


def _is(spot: Spot, on: str) -> bool:
    return spot.is_map and (not on or re.fullmatch(on, ".".join(spot.path)) is not None)


def _lines(values: Mapping[str, object], indent: str, step: str) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield f"{indent}{key}:"
            yield from _lines(value, indent + step, step)
        else:
            yield f"{indent}{key}: {value}"


def _in_brackets(key: str, value: object, *, quoted: bool) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(_in_brackets(*entry, quoted=quoted) for entry in value.items())
        shown = f"{{{inner}}}"
    else:
        shown = str(value)
        if quoted and not _PLAIN.fullmatch(shown) and not shown.startswith('"'):
            shown = json.dumps(shown)
    return f"{json.dumps(key) if quoted else key}: {shown}"


def way_of(names: Iterable[str]) -> str:
    """Names as one dotted name, from which ``steps`` tells them again."""
    return ".".join(f'"{name}"' if "." in name else name for name in names)


def nested(wanted: Mapping[str, str]) -> dict[str, object]:
    """Values by dotted name as mappings within one another."""
    tree: dict[str, object] = {}
    for name, value in wanted.items():
        *path, last = ways.steps(name)
        inner = tree
        for key in path:
            below = inner.setdefault(key, {})
            if not isinstance(below, dict):
                raise ValueError(f"{name}: {key} has a value")
            inner = below
        inner[last] = value
    return tree


def steps(found: Found) -> Sequence[Splice]:
    """What the recipe changes; nothing where what was found is not as it expects."""
    try:
        return tuple(_splices(manifest_of(found.text), found))
    except UncertainError:
        return ()


def _splices(manifest: Manifest, found: Found) -> Iterator[Splice]:
    recipe, line = found.recipe, found.place.start_line
    if recipe.set or recipe.drop:
        spot = manifest.meant(line, recipe.on)
        yield from manifest.put(spot, nested(recipe.set))
        for name in recipe.drop:
            if (old := spot.at(*ways.steps(name))) is not None:
                yield manifest.without(old)
    if recipe.replace:
        here = [one for one in manifest.on_line(line) if one.text in recipe.replace]
        if len(here) != 1:
            raise UncertainError
        yield from manifest.changed(here[0], recipe.replace[here[0].text])


_RESOURCES = ("Resources", "services", "networks")
"""Under which keys a file names its parts."""
PARAMETERS = "Parameters"
"""Under which key a template names what it asks for."""


def declarations(text: str) -> range:
    """The lines of a template's parameters; where it has none, that above its resources."""
    try:
        manifest = manifest_of(text)
    except UncertainError:
        return range(0)
    for key in (PARAMETERS, _RESOURCES[0]):
        for document in manifest.documents:
            if (one := document.child(key)) is None:
                continue
            if key == PARAMETERS:
                return range(one.line, text.count("\n", 0, manifest.end(one)) + 2)
            above = text.count("\n", 0, manifest.above_comments(one.start)) + 1
            end = text.count("\n", 0, manifest.end(document)) + 1 if document.is_flow else above
            return range(above, end + 1)
    return range(0)


def scope(text: str, line: int) -> range | None:
    """The lines of the object that a finding on ``line`` is about; None where it is not known.

    A resource, a service, a job of GitLab's; else the document, since a workflow is one thing.
    """
    try:
        manifest = manifest_of(text)
    except UncertainError:
        return None
    document = next((one for one in reversed(manifest.documents) if one.line <= line), None)
    if document is None:
        return None
    parts = [one for key in _RESOURCES if (one := document.child(key)) is not None]
    if not parts and not any(map(document.child, ("apiVersion", "jobs", "runs", "on"))):
        parts = [document]
    meant = [one for part in parts for one in part.children if one.line <= line]
    spot = meant[-1] if meant else document
    return range(spot.line, text.count("\n", 0, manifest.end(spot)) + 2)


def strays(before: str, after: str, recipe: Recipe) -> bool:
    """Whether something else changed than the keys and values that the recipe names.

    Of what code of ours makes no keys are named.
    """
    named = [ways.steps(name) for name in (*recipe.set, *recipe.drop)]
    values = {*recipe.replace, *recipe.replace.values()}
    if not named and not values:
        return False
    try:
        old, new = (_leaves(manifest_of(text)) for text in (before, after))
    except UncertainError:
        return True
    changed = (old - new) + (new - old)
    return any(text not in values and not _is_named(path, named) for path, _, text in changed)


def _leaves(manifest: Manifest) -> Counter[tuple[tuple[str, ...], str, str]]:
    """What stands at the end of each path, without the numbers of items."""
    return Counter(
        (tuple(part for part in spot.path if not part.isdigit()), spot.value.tag, spot.text)
        for spot in manifest.spots
        if not spot.children
    )


def _is_named(path: tuple[str, ...], named: Sequence[tuple[str, ...]]) -> bool:
    """Whether a path leads through a name, or to a mapping that was empty without it."""
    return any(
        path[at : at + len(name)] == name[: len(path) - at]
        for name in named
        for at in range(len(path))
    )
