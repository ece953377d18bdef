"""Objects of Kubernetes that Terraform makes, as the manifests that would declare them.

Its provider writes blocks and underscores where a manifest has lists and capital letters, which
``manifests.toml`` says. So what is known of manifests is known of these objects as well.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mergegate.repo.engines.documents import kinds
from mergegate.repo.engines.terraform.functions import said
from mergegate.repo.engines.terraform.values import Spent, listed, mapped, scalar, unknown
from mergegate.repo.facts.documents import Document, DocumentFile, FileDocuments, Form, Node
from mergegate.repo.facts.resources import GAP, REFERENCE, UNKNOWN, Resource, Resources

_PREFIX = "kubernetes_"
_VERSION = re.compile(r"_v\d\w*$")
_WORD = re.compile(r"_([a-z0-9])")
_WRITTEN_OUT = {"kubernetes_manifest": "manifest", "kubectl_manifest": "yaml_body"}
"""Resources of which one setting is the manifest itself."""
_FREE = frozenset(
    {
        *("labels", "annotations", "match_labels", "node_selector", "data", "string_data"),
        *("binary_data", "limits", "requests", "parameters", "hard", "volume_attributes"),
    }
)
"""Maps whose keys are the team's own, also where old code writes them as a block."""
_SELECTOR = "selector"
"""Such a map as well where it is one, of a service; else it is a block."""
_FLATTENED = "persistentVolumeSource"
"""A block whose content a manifest has one step higher."""


def files(resources: Resources) -> Iterator[DocumentFile]:
    """The files that declare such objects, each with all of its objects, in order of path."""
    by_path: dict[str, list[Document]] = defaultdict(list)
    roles = {}
    for one in resources.found:
        root = _manifest(one)
        if root.form is Form.MAP:
            by_path[one.path] += kinds.documents(root)
            roles[one.path] = one.role
    for path, made in sorted(by_path.items()):
        if made:
            yield DocumentFile(path, roles[path], FileDocuments(documents=tuple(made)))


def _manifest(resource: Resource) -> Node:
    """The manifest of a resource; a scalar where it makes no object, or one that is not known."""
    if key := _WRITTEN_OUT.get(resource.kind):
        return _given(resource.properties[key])
    version, kind = _objects().get(_VERSION.sub("", resource.kind), ("", ""))
    if not kind:
        return Node()
    line = resource.line
    settings = dict(_block(resource.properties).entries)
    if kind == "Secret":  # what is given as `data` is encoded by the provider
        settings["stringData"] = settings.pop("data", Node())
    if spec := settings.get("spec"):
        settings["spec"] = _flattened(spec)
    said_by_kind = {"apiVersion": scalar(line, version), "kind": scalar(line, kind)}
    kept = {key: value for key, value in settings.items() if value.present}
    return mapped(line, said_by_kind | kept)


def _given(value: Node) -> Node:
    """A manifest that is written as a map, or as YAML in a text."""
    if value.form is Form.SCALAR:
        try:
            value = said(value.line, value.text) or value
        except Spent:
            return unknown(value.line)
    return _as_it_stands(value)


def _as_it_stands(value: Node) -> Node:
    """What is decided elsewhere is not known, whatever decides it."""
    if value.form is Form.SCALAR:
        if value.tag == REFERENCE:
            return unknown(value.line)
        is_open = value.tag == UNKNOWN or GAP in value.text
        return unknown(value.line, value.text) if is_open else value
    return replace(value, children=tuple(map(_as_it_stands, value.children)))


def _block(block: Node) -> Node:
    """A block with its settings as a manifest calls them."""
    if block.form is not Form.MAP:
        return _as_it_stands(block)
    made: dict[str, Node] = {}
    for name, value in block.entries:
        key = _names().get(name) or _WORD.sub(lambda letter: letter[1].upper(), name)
        blocks = _blocks(value)
        if not blocks or name in _FREE or (name == _SELECTOR and value.form is Form.MAP):
            made[key] = _as_it_stands(blocks[0] if len(blocks) == 1 else value)
        elif plural := _lists().get(name):
            made[plural] = listed(value.line, map(_block, blocks))
        elif len(blocks) == 1:
            made[key] = _block(blocks[0])
        else:
            made[key] = listed(value.line, map(_block, blocks))
    return mapped(block.line, made)


def _blocks(value: Node) -> Sequence[Node]:
    """The blocks as which it is written, or the maps: old code has those in the place of blocks.

    Of dynamic blocks the content may not be known.
    """
    is_all = all(one.form is Form.MAP or one.tag == UNKNOWN for one in value.each)
    return value.each if is_all and value.form is not Form.SCALAR else ()


def _flattened(spec: Node) -> Node:
    if not (inside := spec[_FLATTENED]).present or spec.is_open:
        return spec
    around = {key: value for key, value in spec.entries if key != _FLATTENED}
    return mapped(spec.line, around | dict(inside.entries))


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("manifests.toml").read_text("utf-8"))


@cache
def _objects() -> Mapping[str, tuple[str, str]]:
    """The version and kind in a manifest, by the resource's kind."""
    return {
        f"{_PREFIX}{name}": (version, kind)
        for version, named in _table()["objects"].items()
        for name, kind in named.items()
    }


def _names() -> Mapping[str, str]:
    names: Mapping[str, str] = _table()["names"]
    return names


def _lists() -> Mapping[str, str]:
    lists: Mapping[str, str] = _table()["lists"]
    return lists
