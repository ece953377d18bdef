"""Resources of Pulumi's YAML and of exported stacks, as the kinds that its providers are made from.

The classic providers are Terraform's, with names in another notation; ``aws-native`` is
CloudFormation's. Others are not known.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from mergegate.repo.checks.infrastructure.dialects.providers import (
    provider_kind,
    renamed,
    template_kind,
)
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import (
    GAP,
    REFERENCE,
    UNKNOWN,
    Resource,
    dialect_of,
    is_known,
)

_DEEPEST = 60
_MOST_STEPS = 200_000
"""What a program may take; an honest one takes some thousands."""
_PROVIDERS = {"azure": "azurerm", "gcp": "google"}
"""What a provider is called in Terraform, where that is another name."""
_LONGEST = 16 * 1024
"""Characters of a text that is put together."""
_PLACE = re.compile(r"(\$?)\$\{([^}]*)\}")
_SAID_ITSELF = frozenset({"fn::toJSON", "fn::secret"})


def resources(documents: Documents) -> Iterator[Resource]:
    """Every resource whose kind is known."""
    for file, root in documents.of(DocumentKind.PULUMI):
        program = _Program(root)
        for name, node in program.declared():
            if kind := _kind(node["type"].text):
                yield program.resource(file, name, node, kind)


class _Program:
    """One program or exported stack."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._left = _MOST_STEPS
        self._is_cut = False

    def declared(self) -> Iterator[tuple[str, Node]]:
        """The resources by name."""
        yield from self._root["resources"].entries
        for node in self._root["deployment"]["resources"].items:
            yield node["urn"].text.rpartition("::")[2], node

    def resource(self, file: DocumentFile, name: str, node: Node, kind: str) -> Resource:
        """A resource with its settings as they are called in ``kind``."""
        stated = node["properties"] if node["properties"].present else node["inputs"]
        value = renamed(self._value(stated, 0), kind)
        is_map = value.form is Form.MAP
        return Resource(
            dialect=dialect_of(kind),
            kind=kind,
            address=name,
            root=file.path,
            path=file.path,
            role=file.role,
            line=node.line,
            properties=replace(value if is_map else Node(form=Form.MAP), line=node.line),
            is_cut=self._is_cut,
        )

    def _value(self, node: Node, depth: int) -> Node:
        """What a value says; what the program does not decide is unknown."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            self._is_cut = True
            return _unknown(node)
        if (
            node.form is Form.MAP
            and len(node.keys) == 1
            and node.keys[0].lower().startswith("fn::")
        ):
            itself = node.keys[0] in _SAID_ITSELF
            return self._value(node.children[0], depth + 1) if itself else _unknown(node)
        if node.form is Form.SCALAR:
            return self._text(node, depth)
        values = tuple(self._value(one, depth + 1) for one in node.children)
        return replace(node, children=values)

    def _text(self, node: Node, depth: int) -> Node:
        whole = _PLACE.fullmatch(node.text)
        if whole and not whole[1]:
            return self._named(whole[2], node, depth)

        def put(match: re.Match[str]) -> str:
            if match[1]:
                return f"${{{match[2]}}}"
            value = self._named(match[2], node, depth)
            return value.text if is_known(value) and value.form is Form.SCALAR else GAP

        filled = _PLACE.sub(put, node.text)
        self._is_cut |= len(filled) > _LONGEST
        is_whole = GAP not in filled and len(filled) <= _LONGEST
        return replace(node, text=filled) if is_whole else _unknown(node)

    def _named(self, name: str, at: Node, depth: int) -> Node:
        first = re.split(r"[.\[]", name, maxsplit=1)[0]
        if first in self._root["resources"].keys:
            return Node(at.line, text=first, tag=REFERENCE)
        if first != name:
            return _unknown(at)
        variable = self._root["variables"][name]
        default = self._root["config"][name]["default"]
        decided = variable if variable.present else default
        return self._value(decided, depth + 1) if decided.present else _unknown(at)


def _kind(type: str) -> str:
    """The kind that a type stands for; empty where nothing is known of it."""
    provider, module, name = ([*type.split(":"), "", ""])[:3]
    module = module.partition("/")[0]
    if provider == "aws-native":
        return template_kind(module, name)
    return provider_kind(_PROVIDERS.get(provider, provider), module, re.sub(r"V2$", "", name))


def _unknown(node: Node) -> Node:
    return Node(node.line, text=GAP, tag=UNKNOWN)
