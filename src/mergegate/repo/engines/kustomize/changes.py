"""What the short fields of a kustomization change: images, namespace, labels, replicas."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mergegate.repo.engines.kustomize.patches import Change, map_of, merged
from mergegate.repo.engines.terraform.values import Budget
from mergegate.repo.facts.documents import Form, Node

_CONTAINERS = frozenset({"containers", "initContainers", "ephemeralContainers"})
_SCALED = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})
_TEMPLATE = ("spec", "template")


def of(root: Node) -> Iterator[Change]:
    """The changes that a kustomization makes to each of its resources, in Kustomize's order."""
    if (name := root["namespace"]).text:
        yield _merging(_nested(name, "metadata", "namespace"))
    for key in ("labels", "annotations"):
        if (common := root[f"common{key.capitalize()}"]).present:
            yield _merging(_nested(common, "metadata", key))
            yield _merging(_nested(common, *_TEMPLATE, "metadata", key), within=_TEMPLATE)
    for one in root["labels"].items:
        yield _merging(_nested(one["pairs"], "metadata", "labels"))
    for one in root["images"].items:
        yield _renamed(one)
    for one in root["replicas"].items:
        yield _scaled(one)


def _nested(value: Node, *path: str) -> Node:
    for name in reversed(path):
        value = map_of(value.line, {name: value})
    return value


def _merging(patch: Node, within: Sequence[str] = ()) -> Change:
    """Merges a patch, where there is something at the path ``within``."""
    return lambda root, budget: merged(root, patch, budget) if root.at(*within).present else root


def _scaled(one: Node) -> Change:
    patch = _nested(one["count"], "spec", "replicas")

    def change(root: Node, budget: Budget) -> Node:
        is_named = root["metadata"]["name"].text == one["name"].text
        is_it = is_named and root["kind"].text in _SCALED
        return merged(root, patch, budget) if is_it else root

    return change


def _renamed(one: Node) -> Change:
    def change(root: Node, budget: Budget) -> Node:
        return _with_image(root, one, budget)

    return change


def _with_image(node: Node, one: Node, budget: Budget, key: str = "") -> Node:
    budget.spend(1 + len(node.children))
    if node.form is Form.SCALAR:
        return node
    if node.form is Form.LIST:
        items = [_with_image(item, one, budget) for item in node.items]
        if key in _CONTAINERS:
            items = [_container(item, one) for item in items]
        return _unless_same(node, items)
    return _unless_same(
        node, [_with_image(value, one, budget, name) for name, value in node.entries]
    )


def _unless_same(node: Node, children: list[Node]) -> Node:
    same = all(old is new for old, new in zip(node.children, children, strict=True))
    return node if same else replace(node, children=tuple(children))


def _container(item: Node, one: Node) -> Node:
    image = item["image"]
    name, tag = _split(image.text)
    if not image.is_literal or name != one["name"].text:
        return item
    name = one["newName"].text or name
    if digest := one["digest"].text:
        text = f"{name}@{digest}"
    else:
        text = f"{name}:{one['newTag'].text}" if one["newTag"].text else f"{name}{tag}"
    pairs = {**dict(item.entries), "image": Node(image.line, text=text)}
    return replace(item, keys=tuple(pairs), children=tuple(pairs.values()))


def _split(image: str) -> tuple[str, str]:
    """Name and the rest, ``:tag`` or ``@digest``."""
    name, at, digest = image.partition("@")
    if at:
        return name, at + digest
    path, slash, last = name.rpartition("/")
    base, colon, tag = last.partition(":")
    return path + slash + base, colon + tag
