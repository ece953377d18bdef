"""Joins the files of a folder into a module, and modules into what would be made of them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from posixpath import join, normpath

from mergegate.core.tree import Role
from mergegate.repo.engines.terraform import syntax
from mergegate.repo.engines.terraform.evaluation import Scope, Steps
from mergegate.repo.engines.terraform.files import Texts, path_in_tree, places
from mergegate.repo.engines.terraform.policies import document, written_out
from mergegate.repo.engines.terraform.values import (
    Budget,
    is_null,
    is_open,
    mapped,
    number,
    scalar,
    unknown,
    unset,
)
from mergegate.repo.facts.documents import ABSENT, Node
from mergegate.repo.facts.resources import REFERENCE, Dialect, Resource

POLICY_DOCUMENT = "data.aws_iam_policy_document"
_DEEPEST = 8
"""Modules within modules."""
_REGISTERED = re.compile(r"(?:registry\.[\w.-]+/)?([\w-]+/[\w-]+/[\w-]+(?://[\w/-]+)?)")
_COMMUNITY = re.compile(
    r"[/:]terraform-aws-modules/terraform-aws-([\w-]+?)(?:\.git)?(//[\w/-]+)?(?:\?|$)"
)
"""The same modules by the address of their repository."""
_STEPS_OF_MODULE = 50
"""What it takes to begin one."""
_META = frozenset({"source", "version", "count", "for_each", "providers", "depends_on"})
_DECIDED_LATER = frozenset({"path", "terraform", "each", "count", "self"})


def _no_text(_: str) -> None:
    """A tree without other files."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One file of a module."""

    path: str
    role: Role
    body: Node
    alone: bool = False
    """Whether it is a changed copy, without the files beside it."""


@dataclass(slots=True)
class Folder:
    """The files of one module."""

    files: list[Configuration] = field(default_factory=list)
    values: list[Configuration] = field(default_factory=list)
    """The files that set its variables where it is applied, in the order in which they count."""
    calls: Sequence[tuple[Node, str]] = ()
    """Its calls of modules whose code is in the tree, each with the module's folder."""

    def blocks(self, kind: str) -> Iterator[tuple[Configuration, Node]]:
        """The blocks of a kind, with their files."""
        for file in self.files:
            for block in file.body[kind].items:
                yield file, block

    def named(self, kind: str) -> Mapping[str, Node]:
        """The blocks of a kind by their labels."""
        return {block.text: block for _, block in self.blocks(kind)}

    @property
    def is_production(self) -> bool:
        """Whether any of it is production code."""
        return any(one.role is Role.SOURCE for one in self.files)


Folders = Mapping[str, Folder]
_Read = Callable[[str, int], Node]
"""Takes a name and how deep the question stands."""


def source_of(folder: str, block: Node) -> str | None:
    """The folder that a module is called from; None where it comes from elsewhere."""
    source = block["source"]
    if not source.is_literal or not source.text.startswith(("./", "../")):
        return None
    found = normpath(join(folder, source.text))
    return None if found.startswith("..") else found


def registered(source: str) -> str:
    """The address in the registry of a module's source; empty where it has none."""
    if match := _REGISTERED.fullmatch(source):
        return match[1]
    if match := _COMMUNITY.search(source):
        return f"terraform-aws-modules/{match[1]}/aws{match[2] or ''}"
    return ""


def link(folders: Folders) -> None:
    """Find what each folder calls.

    What an example or test hands over decides nothing about production code.
    """
    for name, folder in folders.items():
        folder.calls = [
            (block, source)
            for file, block in folder.blocks("module")
            if (source := source_of(name, block)) is not None
            and (inside := folders.get(source)) is not None
            and (file.role is Role.SOURCE or not inside.is_production)
        ]


class Module:
    """One module with its arguments; values are looked up when they are asked for."""

    def __init__(
        self,
        folders: Folders,
        name: str,
        budget: Budget,
        *,
        texts: Texts = _no_text,
        given: Mapping[str, tuple[Scope, Node]] | None = None,
        chain: tuple[str, ...] = (),
        prefix: str = "",
    ) -> None:
        self.folder = folders[name]
        self.budget = budget
        self.prefix = prefix
        self._name = name
        self._texts = texts
        self._folders = folders
        self._root = chain[0] if chain else name
        self._given = given
        self._chain = (*chain, name)
        self._known: dict[str, Node] = {}
        self._made_of: dict[str, Sequence[Module]] = {}

    def scope(self, depth: int = 0) -> Scope:
        """Where the module's expressions stand."""
        return Scope(self, self.budget, depth=depth)

    def resources(self) -> Iterator[Resource]:
        """What the module and those that it calls would make."""
        for kind, mark in (("resource", ""), ("data", "data.")):
            for file, block in self.folder.blocks(kind):
                yield from self._made(file, block, mark)
        yield from self._reached()
        for name in dict.fromkeys(block.text for block, _ in self.folder.calls):
            for one in self._children(name):
                yield from one.resources()

    def _reached(self) -> Iterator[Resource]:
        """Providers, backends, and modules whose code is elsewhere."""
        for file, block in self.folder.blocks("provider"):
            yield self._resource(file, block, f"provider.{block.text}", self.scope(), "")
        for file, block in self.folder.blocks("terraform"):
            for backend in block["backend"].items:
                yield self._resource(file, backend, f"backend.{backend.text}", self.scope(), "")
        for file, block in self.folder.blocks("module"):
            yield from self._fetched(file, block)

    def _made(self, file: Configuration, block: Node, mark: str) -> Iterator[Resource]:
        kind, _, name = block.text.partition(" ")
        for key, scope in self._instances(block):
            yield self._resource(file, block, f"{mark}{kind}", scope, f".{name}{key}")

    def _fetched(self, file: Configuration, block: Node) -> Iterator[Resource]:
        """A module whose code is elsewhere, by its source alone and as the registry knows it."""
        source = block["source"]
        if not source.is_literal or source.text.startswith("."):
            return
        for key, scope in self._instances(block):
            name = f".{block.text}{key}"
            yield self._resource(file, block, "module", scope, name)
            if known := registered(source.text):
                one = self._resource(file, block, f"module.{known}", scope, name)
                yield replace(one, address=f"{self.prefix}module{name}")

    def _resource(
        self, file: Configuration, block: Node, kind: str, scope: Scope, name: str
    ) -> Resource:
        body = scope.body(block)
        if kind == POLICY_DOCUMENT:
            body = document(body)
        return Resource(
            dialect=Dialect.TERRAFORM,
            kind=kind,
            address=f"{self.prefix}{kind}{name}",
            root=self._root,
            path=file.path,
            role=file.role,
            line=block.line,
            properties=written_out(body, self.budget),
            alone=file.alone,
        )

    def _instances(self, block: Node) -> Iterator[tuple[str, Scope]]:
        """The instances of a block: what stands behind its name, and where each is evaluated.

        Where their number is not known there is one, with an unknown key and value. So there is
        where a root has none by default, as its user may ask for some.
        """
        scope = self.scope()
        count, each = block["count"], block["for_each"]
        if count.present:
            many = scope.evaluate(count)
            if (found := number(many)) is None or (found == 0 and self._is_open(count)):
                yield "", scope.binding(count=unknown(block.line))
                return
            for at in range(int(found)):
                scope.budget.spend()
                index = {"index": scalar(block.line, at)}
                yield f"[{at}]", scope.binding(count=mapped(block.line, index))
        elif each.present:
            over = scope.evaluate(each)
            if is_open(over) or (not over.children and self._is_open(each)):
                yield "", scope.binding(each=unknown(block.line))
                return
            for key, value in scope.loop(over):
                entry = {"key": scalar(value.line, key), "value": value}
                yield f'["{key}"]', scope.binding(each=mapped(value.line, entry))
        else:
            yield "", scope

    def _is_open(self, expression: Node) -> bool:
        """Whether somebody else may decide an expression: it is no literal, and nobody calls."""
        return self._given is None and bool(expression.tag)

    def _children(self, name: str) -> Sequence["Module"]:
        """The instances of a module that this one calls; nothing for one that is being made."""
        if name not in self._made_of:
            self._made_of[name] = ()
            self._made_of[name] = tuple(self._called(name))
        return self._made_of[name]

    def _called(self, name: str) -> Iterator["Module"]:
        if len(self._chain) > _DEEPEST:
            return
        for block, source in self.folder.calls:
            if block.text != name or source in self._chain:
                continue
            for key, scope in self._instances(block):
                given = {at: (scope, one) for at, one in block.entries if at not in _META}
                prefix = f"{self.prefix}module.{name}{key}."
                self.budget.spend(_STEPS_OF_MODULE)
                yield Module(
                    self._folders,
                    source,
                    self.budget,
                    texts=self._texts,
                    given=given,
                    chain=self._chain,
                    prefix=prefix,
                )

    def value(self, name: str, steps: Steps, line: int, depth: int) -> tuple[Node, Steps]:
        """What a name and the first of its steps stand for, and the steps that are left."""
        if name in _DECIDED_LATER or not steps or steps[0].tag != syntax.ATTRIBUTE:
            return unknown(line), ()
        first, left = steps[0].text, steps[1:]
        if name == "var":
            return self._once(f"var.{first}", line, depth, self._variable), left
        if name == "local":
            return self._once(f"local.{first}", line, depth, self._local), left
        if name == "module":
            return self._output(first, left, line, depth)
        if name == "data" and left:
            return self._data(first, left, line, depth)
        return Node(line, text=f"{self.prefix}{name}.{first}", tag=REFERENCE), ()

    def places(self, line: int) -> Node:
        """What ``path`` stands for where a file is read."""
        return places(line, self._name, self._root)

    def text(self, path: str) -> str | None:
        """The text of a file; None where the tree has none of that name."""
        return self._texts(path_in_tree(path, self._root))

    def _once(self, name: str, line: int, depth: int, read: _Read) -> Node:
        """The value of a name; what depends on itself is unknown."""
        if name not in self._known:
            self._known[name] = unknown(line)
            self._known[name] = read(name.partition(".")[2], depth)
        return self._known[name]

    def _variable(self, name: str, depth: int) -> Node:
        """What the caller hands over or a file sets; else the default, where it says something."""
        if self._given is not None and name in self._given:
            scope, expression = self._given[name]
            return replace(scope, depth=depth).evaluate(expression)
        if name in self._set:
            return self._set[name]
        default = self._variables.get(name, ABSENT)["default"]
        if not default.present:
            return unknown(1)
        if is_null(default):
            return unset(default.line)
        return self.scope(depth).evaluate(default)

    @cached_property
    def _variables(self) -> Mapping[str, Node]:
        return self.folder.named("variable")

    @cached_property
    def _set(self) -> Mapping[str, Node]:
        if self._given is not None:
            return {}
        scope = self.scope()
        return {
            name: scope.evaluate(value)
            for file in self.folder.values
            for name, value in file.body.entries
        }

    def _local(self, name: str, depth: int) -> Node:
        expression = self._locals.get(name, ABSENT)
        return self.scope(depth).evaluate(expression) if expression.present else unknown(1)

    @cached_property
    def _locals(self) -> Mapping[str, Node]:
        return {
            name: value
            for _, block in self.folder.blocks("locals")
            for name, value in block.entries
        }

    def _output(self, name: str, steps: Steps, line: int, depth: int) -> tuple[Node, Steps]:
        while steps and steps[0].tag == syntax.INDEX:
            steps = steps[1:]
        children = self._children(name)
        if not steps or not children or steps[0].tag != syntax.ATTRIBUTE:
            return unknown(line), ()
        child, wanted = children[0], steps[0].text
        return child._once(f"output.{wanted}", line, depth, child._told), steps[1:]

    def _told(self, name: str, depth: int) -> Node:
        value = self.folder.named("output").get(name, ABSENT)["value"]
        return self.scope(depth).evaluate(value) if value.present else unknown(1)

    def _data(self, kind: str, steps: Steps, line: int, depth: int) -> tuple[Node, Steps]:
        name, left = steps[0].text, steps[1:]
        is_policy = f"data.{kind}" == POLICY_DOCUMENT
        while left and left[0].tag == syntax.INDEX:
            left = left[1:]
        if is_policy and left and left[0].text in {"json", "minified_json"}:
            known = self._once(f"policy.{name}", line, depth, self._policy)
            return known, ()
        return Node(line, text=f"{self.prefix}data.{kind}.{name}", tag=REFERENCE), ()

    def _policy(self, name: str, depth: int) -> Node:
        block = self.folder.named("data").get(f"aws_iam_policy_document {name}", ABSENT)
        if not block.present or block["count"].present or block["for_each"].present:
            return unknown(1)
        return document(self.scope(depth).body(block))
