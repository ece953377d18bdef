"""Resources of Google's Deployment Manager, as the kinds of Terraform that say the same.

Their settings are what Google's interfaces take. Templates in Jinja and Python are not read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.repo.checks.infrastructure.dialects.parts import of_kind
from mergegate.repo.checks.infrastructure.dialects.providers import renamed
from mergegate.repo.facts.documents import ABSENT, DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import GAP, REFERENCE, UNKNOWN, Resource

_TYPE = re.compile(
    r"(?:gcp-types/)?([a-z]+)[.-](?:v\d\w*|alpha|beta)[.:](?:\w+\.)*(\w+)", re.IGNORECASE
)
_REFERENCE = re.compile(r"\$\(ref\.([\w-]+)\.[^)]*\)")
_POLICY = ("accessControl", "gcpIamPolicy", "bindings")
_MAPS = frozenset({"metadata"})
"""Settings that are a list of keys and values there, and a map in Terraform."""


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """One of Terraform's kinds, and how Google's interface says the same."""

    id: str
    types: tuple[str, ...]
    inside: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    switched: Mapping[str, str] = field(default_factory=dict)


def resources(documents: Documents) -> Iterator[Resource]:
    """Every resource whose kind is known, and what it says of others' rights."""
    for file, root in documents.of(DocumentKind.DEPLOYMENT_MANAGER):
        for node in root["resources"].items:
            kind = _kind(node["type"].text)
            if kind is None:
                continue
            stated = _on(_value(_inner(node["properties"], kind.inside), kind), kind.switched)
            for path, name in kind.moved.items():
                stated = _moved(stated, tuple(path.split(".")), tuple(name.split(".")))
            yield _resource(file, node, kind.id, stated)
            for key, part in kind.parts.items():
                for item in stated[key].items:
                    yield _resource(file, node, part, item)
            for binding in node.at(*_POLICY).items:
                yield _resource(file, node, f"{kind.id}_iam_binding", binding)


def _resource(file: DocumentFile, node: Node, kind: str, stated: Node) -> Resource:
    value = renamed(stated, kind)
    is_there = value.form is Form.MAP and value.present
    found = value if is_there else replace(value, line=node.line)
    return of_kind(file, kind, node["name"].text, found)


@cache
def _kinds() -> Mapping[str, _Kind]:
    """The kinds by each of their types, in small letters."""
    read = read_table(Path(__file__).with_suffix(".toml"), _Kind)
    return {type.lower(): one for one in read.values() for type in one.types}


def _kind(type: str) -> _Kind | None:
    """The kind that a type stands for; of types in the plural too."""
    match = _TYPE.fullmatch(type)
    if match is None:
        return None
    service, name = match[1].lower(), match[2].lower()
    singular = (name, name.removesuffix("s"), re.sub("ies$", "y", name))
    found = (_kinds().get(f"{service}.{one}") for one in singular)
    return next((one for one in found if one), None)


def _inner(properties: Node, inside: str) -> Node:
    """The resource itself, where the request that makes it holds it."""
    within = properties[inside] if inside else ABSENT
    return within if within.form is Form.MAP and within.present else properties


def _value(node: Node, kind: _Kind) -> Node:
    """A value in Terraform's form; what other resources decide is known by their names alone."""
    if node.form is Form.SCALAR:
        return _text(node)
    keys = tuple(kind.names.get(key, key) for key in node.keys)
    return replace(node, keys=keys, children=tuple(_value(one, kind) for one in _plain(node)))


def _plain(node: Node) -> tuple[Node, ...]:
    """What a node holds, lists of keys and values as the maps that they stand for."""
    if node.form is not Form.MAP:
        return node.children
    return tuple(_pairs(one) if key in _MAPS else one for key, one in node.entries)


def _text(node: Node) -> Node:
    if match := _REFERENCE.fullmatch(node.text):
        return Node(node.line, text=match[1], tag=REFERENCE)
    return Node(node.line, text=GAP, tag=UNKNOWN) if "$(" in node.text else node


def _pairs(node: Node) -> Node:
    """The map that a list of keys and values stands for."""
    items = [one for one in node["items"].items if one["key"].text]
    keys = tuple(one["key"].text for one in items)
    return Node(node.line, Form.MAP, keys=keys, children=tuple(one["value"] for one in items))


def _on(stated: Node, switches: Mapping[str, str]) -> Node:
    """The settings without those that are switched off, which Terraform leaves out."""
    off = {name for name, switch in switches.items() if stated[name][switch].text == "false"}
    if stated.form is not Form.MAP or not off:
        return stated
    kept = [(key, value) for key, value in stated.entries if key not in off]
    keys, values = tuple(key for key, _ in kept), tuple(value for _, value in kept)
    return replace(stated, keys=keys, children=values)


def _moved(stated: Node, path: tuple[str, ...], to: tuple[str, ...]) -> Node:
    """The settings with the one at ``path`` at ``to`` as well."""
    value = stated.at(*path)
    if not value.present or stated.form is not Form.MAP:
        return stated
    for name in reversed(to[1:]):
        value = Node(value.line, Form.MAP, keys=(name,), children=(value,))
    return replace(stated, keys=(*stated.keys, to[0]), children=(*stated.children, value))
