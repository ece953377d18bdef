"""Secrets that Terraform's files write out come from variables, of which plans show nothing."""

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from mergegate.repo.engines.documents.nodes import is_secret_name, masked_pairs, masked_text
from mergegate.repo.facts.documents import MASKED, Node
from mergegate.repo.fixes.blocks import Block
from mergegate.repo.fixes.edits import Splice, UncertainError, still_says
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import Source, above

_Node = tree_sitter.Node
_Pair = tuple[str, _Node]
"""A name, and the text that it is set to."""
_HOLDERS = {"body": "attribute", "object": "object_elem"}
"""What sets names, and the kind of what it holds."""
_NAMES = frozenset({"name", "key"})
"""What tells, beside a ``value``, whose it is."""
_FOLDED = re.compile(r"\W+")


def from_variable(found: Found) -> Sequence[Splice]:
    """Every secret of a resource or provider is a variable's, which stands right below it."""
    try:
        return tuple(_taken_out(Block.around(found).resource))
    except UncertainError:
        return ()


def _taken_out(block: Block) -> Iterator[Splice]:
    if block.kind not in {"resource", "provider"}:
        raise UncertainError
    source, told = block.source, list(_secrets(block))
    if not told:
        raise UncertainError  # it comes from elsewhere
    variables: dict[str, str] = {}
    referring: list[Splice] = []
    for name, value in told:
        variable = _variable(block, name, source.of(value), variables)
        variables[variable] = source.of(value)
        referring.append(Splice(value.start_byte, value.end_byte, f"var.{variable}"))
    if still_says(source.text, referring, (one.strip('"') for one in variables.values())):
        raise UncertainError
    yield from referring
    for name in variables:
        if f'"{name}"' in source.text:
            raise UncertainError  # it has a variable of that name
    declared = "".join(map(_declaration, variables))
    yield Splice(block.node.end_byte, block.node.end_byte, declared)


def _declaration(name: str) -> str:
    return f'\n\nvariable "{name}" {{\n  type      = string\n  sensitive = true\n}}'


def _variable(block: Block, name: str, value: str, taken: dict[str, str]) -> str:
    """A name that no other block of the module comes to; one for each value."""
    kind, *labels = block.labels
    if block.kind == "provider":
        labels = [one for one in [block.text("alias")] if one]
    else:
        kind = kind.partition("_")[2]
    plain = "_".join(_FOLDED.sub("_", one).strip("_") for one in (kind, *labels, name)).lower()
    number, variable = 1, plain
    while taken.get(variable, value) != value:
        number += 1
        variable = f"{plain}_{number}"
    return variable


def _secrets(block: Block) -> Iterator[_Pair]:
    """The texts that the reader of these files takes for secrets, and the one that was found."""
    source = block.source
    found = above(source.at(*block.found), {"attribute"})
    for holder in source.walk(block.node):
        if holder.type in _HOLDERS:
            pairs = list(_pairs(source, holder))
            read = masked_pairs([(name, Node(1, text=_said(source, one))) for name, one in pairs])
            beside = next((_said(source, one) for name, one in pairs if name in _NAMES), "")
            for (name, value), (_, told) in zip(pairs, read, strict=True):
                is_meant = value.parent == found or _is_of_secret(source, holder)
                if is_meant or MASKED in {told.text, masked_text(told.text)}:
                    yield beside if beside and name == "value" else name, value


def _is_of_secret(source: Source, holder: _Node) -> bool:
    """Whether a map is all of what a name calls a secret, such as ``secret_string``."""
    around = above(holder, {"attribute"})
    return around is not None and is_secret_name(source.of(around.named_children[0]))


def _pairs(source: Source, holder: _Node) -> Iterator[_Pair]:
    """The names that are set to a text without gaps."""
    for one in holder.named_children:
        if one.type == _HOLDERS[holder.type]:
            name, value = one.named_children[0], one.named_children[-1]
            if _is_text(value):
                yield source.of(name).strip('"'), value


def _is_text(value: _Node) -> bool:
    inner = value
    while inner.named_child_count == 1 and inner.type != "string_lit":
        inner = inner.named_children[0]
    return inner.type == "string_lit"


def _said(source: Source, value: _Node) -> str:
    return source.of(value)[1:-1]
