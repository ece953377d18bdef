"""What a patch makes of a resource: strategic merges and JSON patches, on nodes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mergegate.repo.engines.documents.nodes import DEPTH_BUDGET
from mergegate.repo.engines.patterns import bounded
from mergegate.repo.engines.terraform.values import Budget
from mergegate.repo.facts.documents import ABSENT, UNDECIDED, Form, Node

_DIRECTIVE = "$patch"
_NULL = frozenset({"", "null", "~", "Null", "NULL"})
_MERGE_KEYS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(
        ("containers", "initContainers", "ephemeralContainers", "volumes", "env"), ("name",)
    ),
    "imagePullSecrets": ("name",),
    "ports": ("containerPort", "port"),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey",),
}
"""The lists whose items are told apart by a key, as the API's own types say; others are replaced
whole."""


def map_of(line: int, pairs: Mapping[str, Node], tag: str = "") -> Node:
    """A map."""
    return Node(line, Form.MAP, "", tag, tuple(pairs), tuple(pairs.values()))


def list_of(line: int, items: Sequence[Node]) -> Node:
    """A list."""
    return Node(line, Form.LIST, children=tuple(items))


def merged(base: Node, patch: Node, budget: Budget, key: str = "") -> Node:
    """``base`` with what a strategic merge changes; ABSENT where it takes it away."""
    budget.spend(1 + len(base.children) + len(patch.children))
    directive = patch[_DIRECTIVE].text if patch.form is Form.MAP and not patch.tag else ""
    if directive == "delete" or (patch.form is Form.SCALAR and patch.text in _NULL):
        return ABSENT
    if patch.form is Form.MAP and base.form is Form.MAP and directive != "replace":
        pairs = dict(base.entries)
        for name, value in patch.entries:
            if name.startswith("$"):
                continue
            made = merged(pairs.get(name, ABSENT), value, budget, name)
            if made.present:
                pairs[name] = made
            else:
                pairs.pop(name, None)
        return replace(base, keys=tuple(pairs), children=tuple(pairs.values()))
    if patch.form is Form.LIST and base.form is Form.LIST and key in _MERGE_KEYS:
        return _merged_list(base, patch, budget, key)
    return base if _says_same(base, patch) else _plain(patch)


def _says_same(base: Node, patch: Node) -> bool:
    """Whether a patch repeats a text, most often a name, wherever that stands."""
    is_text = base.form is Form.SCALAR and base.present
    return is_text and replace(patch, line=base.line) == base


def _merged_list(base: Node, patch: Node, budget: Budget, key: str) -> Node:
    left = list(base.items)
    first: list[Node] = []
    for one in patch.items:
        if one[_DIRECTIVE].text == "replace":
            return list_of(base.line, [_plain(item) for item in patch.items if item is not one])
        name = identity(one, key)
        budget.spend(len(left))
        at = next((at for at, item in enumerate(left) if name and identity(item, key) == name), -1)
        made = _plain(one) if at < 0 else merged(left.pop(at), one, budget)
        if made.present:
            first.append(made)
    # Kustomize has what a patch names before what it does not.
    return replace(base, children=(*first, *left))


def identity(item: Node, key: str) -> str:
    """What an item of a list under ``key`` is told apart by; empty where it is by nothing."""
    return next((item[one].text for one in _MERGE_KEYS.get(key, ()) if item[one].present), "")


def _plain(patch: Node) -> Node:
    """What a patch says, without its directives."""
    if patch.form is not Form.MAP:
        return replace(patch, children=tuple(map(_plain, patch.children)))
    kept = {name: _plain(value) for name, value in patch.entries if not name.startswith("$")}
    return map_of(patch.line, kept, patch.tag)


def opened(patch: Node) -> Node:
    """A patch as a resource of which nothing else is known: what it lacks the base may have."""
    if patch.form is Form.MAP:
        kept = {name: opened(value) for name, value in patch.entries if not name.startswith("$")}
        return map_of(patch.line, kept, UNDECIDED)
    return replace(patch, children=tuple(map(opened, patch.children)))


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of a JSON patch."""

    kind: str
    path: tuple[str, ...]
    value: Node


def operations(patch: Node) -> Iterator[Operation]:
    """The steps of a JSON patch, those that move and copy as what is not known."""
    for one in patch.items:
        kind, value = one["op"].text, one["value"]
        if kind in {"move", "copy"}:
            kind, value = "add", Node(one.line, tag=UNDECIDED)
        if kind in {"add", "replace", "remove"}:
            steps = one["path"].text.split("/")[1:]
            path = tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)
            if len(path) <= DEPTH_BUDGET:
                yield Operation(kind, path, value)


def changed(base: Node, step: Operation, budget: Budget, at: int = 0) -> Node:
    """``base`` with what a step of a JSON patch changes; itself where the path leads nowhere."""
    budget.spend(1 + len(base.children))
    if at >= len(step.path):
        value = base if _says_same(base, step.value) else step.value
        return value if step.kind != "remove" else ABSENT
    name = step.path[at]
    if base.form is Form.LIST:
        return _changed_item(base, name, step, budget, at)
    if base.form is not Form.MAP:
        return base
    pairs = dict(base.entries)
    if name not in pairs and at < len(step.path) - 1:
        return base
    made = changed(pairs.get(name, ABSENT), step, budget, at + 1)
    if made.present:
        pairs[name] = made
    else:
        pairs.pop(name, None)
    return replace(base, keys=tuple(pairs), children=tuple(pairs.values()))


def _changed_item(base: Node, name: str, step: Operation, budget: Budget, at: int) -> Node:
    items, is_last = list(base.items), at == len(step.path) - 1
    if name == "-" and is_last and step.kind == "add":
        return replace(base, children=(*items, step.value))
    if not name.isdecimal() or len(name) > 6 or int(name) > len(items):
        return base
    place = int(name)
    if is_last and step.kind == "add":
        items.insert(place, step.value)
    elif place < len(items):
        made = changed(items[place], step, budget, at + 1)
        items[place : place + 1] = [made] if made.present else []
    return replace(base, children=tuple(items))


def told(kind: Node, step: Operation) -> Node:
    """What a step of a JSON patch sets, as a resource of which nothing else is known."""
    node = opened(step.value)
    for name in reversed(step.path):
        line, is_item = node.line, name == "-" or name.isdecimal()
        node = list_of(line, [node]) if is_item else map_of(line, {name: node}, UNDECIDED)
    return map_of(step.value.line, {**dict(kind.entries), **dict(node.entries)}, UNDECIDED)


@dataclass(frozen=True, slots=True)
class Target:
    """Which resources a patch is for; an empty text asks for nothing."""

    group: str = ""
    version: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""
    labels: str = ""
    annotations: str = ""

    def holds(self, root: Node) -> bool:
        """Whether it is for the resource."""
        group, _, version = root["apiVersion"].text.rpartition("/")
        about = root["metadata"]
        return (
            _same(self.group, group)
            and _same(self.version, version)
            and _same(self.kind, root["kind"].text)
            and _same(self.name, about["name"].text)
            and _same(self.namespace, about["namespace"].text)
            and _selects(self.labels, about["labels"])
            and _selects(self.annotations, about["annotations"])
        )


def _same(wanted: str, said: str) -> bool:
    """Whether a text is what a pattern asks for; a pattern that may take long asks for itself."""
    if not wanted or wanted == said:
        return True
    pattern = bounded(wanted, said)
    return pattern is not None and pattern.fullmatch(said) is not None


def _selects(wanted: str, said: Node) -> bool:
    terms = [one.partition("=") for one in wanted.split(",") if one]
    return all(sign and said[key.strip()].text == value.strip("= ") for key, sign, value in terms)


Change = Callable[[Node, Budget], Node]
"""What becomes of a resource; ABSENT where nothing does."""
