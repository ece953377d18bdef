"""Tasks of Ansible's modules for clouds, as the kinds of resource that they make.

Which module makes what is data, one file a provider: a table is ``[module.kind]``. The names are
those that the collections document; what a module cannot set is not known of the resource.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mergegate.core.data_table import read_tables
from mergegate.repo.checks.infrastructure.dialects.parts import WORDS, of_kind
from mergegate.repo.facts.documents import ABSENT, DocumentFile, Form, Node
from mergegate.repo.facts.resources import (
    GAP,
    NULL,
    UNKNOWN,
    Resource,
    found,
    is_known,
)
from mergegate.repo.infrastructure import steps

_MADE = frozenset({"", "present", "running", "started", "available", "create", "created"})
"""What `state` says where a task makes something; of what it ends or asks nothing is judged."""
_GROUPS = {"azure_rm_": "group/azure", "gcp_": "group/gcp"}
_WORDS = {"yes": "true", "no": "false"}
_POLICY = re.compile(r"\s*\{.*\}\s*", re.DOTALL)
_LONGEST = 64 * 1024
"""Characters of a policy that is read."""

Ways = Sequence[tuple[tuple[str, ...], tuple[str, ...]]]
"""Where a value stands in the task, and where in the resource."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """How what a task gives its module becomes the settings of a resource."""

    settings: Mapping[str, str] = field(default_factory=dict)
    """The way to a parameter, and to the setting that it is."""
    same: tuple[str, ...] = ()
    """Parameters that are called as the setting is."""
    switched: tuple[str, ...] = ()
    """Blocks that count for nothing unless they say `enabled`."""
    lacks: tuple[str, ...] = ()
    """Settings that the module never makes."""
    each: str = ""
    """The parameter of which each item is a resource; the ways begin in the item."""
    needs: tuple[str, ...] = ()
    """One of these has to be given; without them the task makes nothing that is judged."""
    where: Mapping[str, str] = field(default_factory=dict)
    """What other parameters have to be."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """What the module gives where a parameter is missing, and the provider would not."""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By parameter, what a value is called in the resource."""

    @property
    def ways(self) -> Ways:
        """Every parameter with its setting."""
        both = {**{one: one for one in self.same}, **self.settings}
        return [(steps(given), steps(setting)) for given, setting in both.items()]


def made(file: DocumentFile, module: str, given: Node, name: str) -> Iterator[Resource]:
    """The resources that a task makes; none where its module is not known, or it makes nothing."""
    if given["state"].text.lower() not in _MADE or given["state"].tag:
        return
    for kind, how in modules().get(module, {}).items():
        if not _applies(how, given):
            continue
        for one in given[how.each].each if how.each else (given,):
            if one.form is Form.MAP:
                yield of_kind(file, kind, name, _settings(how, one))


def group_of(module: str) -> str:
    """The group under which a play gives a cloud's modules what all of them are given."""
    kinds = modules().get(module, {})
    if any(kind.startswith("aws_") for kind in kinds):
        return "group/aws"
    return next((group for prefix, group in _GROUPS.items() if module.startswith(prefix)), "")


@cache
def modules() -> Mapping[str, Mapping[str, Made]]:
    """What each module makes, by its short name, former ones among them, and by kind."""
    read = read_tables(Path(__file__).parent, Mapping[str, Made], key="")  # type: ignore[type-abstract]
    renamed = (one.split("=") for one in WORDS["ansible-renamed"])
    return {**read, **{former: read[now] for former, now in renamed if now in read}}


def _applies(how: Made, given: Node) -> bool:
    if how.needs and not any(given[one].present for one in how.needs):
        return False
    return all(_text(how, given, name) == value for name, value in how.where.items())


def _text(how: Made, given: Node, name: str) -> str:
    return (given[name].text or how.defaults.get(name, "")).lower()


def _settings(how: Made, given: Node) -> Node:
    """A map that may have more settings than are known; what is not given is known to be absent."""
    built = _built(how, how.ways, given, ())
    missing = Node(given.line, text="", tag=NULL)
    entries = dict.fromkeys(how.lacks, missing) | dict(built.entries)
    return Node(
        given.line,
        Form.MAP,
        tag=UNKNOWN,
        keys=tuple(entries),
        children=tuple(entries.values()),
    )


def _built(how: Made, ways: Ways, given: Node, above: tuple[str, ...]) -> Node:
    """The node with the parameters at these ways under the names of their settings."""
    if given.form is Form.LIST:
        items = tuple(_built(how, ways, one, above) for one in given.items)
        return Node(given.line, Form.LIST, children=items)
    if given.form is not Form.MAP:
        return given
    deeper: dict[tuple[str, str], list[tuple[tuple[str, ...], tuple[str, ...]]]]
    deeper = defaultdict(list)
    entries: dict[str, Node] = {}
    for way, to in ways:
        if way[1:] and to[1:]:
            deeper[way[0], to[0]].append((way[1:], to[1:]))
        else:
            value = _nested(_value(how, given, way, above), to[1:])
            entries[to[0]] = _joined(entries.get(to[0], ABSENT), value, given.line)
    for (first, name), inner in deeper.items():
        value = _built(how, inner, given[first], (*above, first))
        entries[name] = _joined(entries.get(name, ABSENT), value, given.line)
    return Node(given.line, Form.MAP, keys=tuple(entries), children=tuple(entries.values()))


def _joined(one: Node, other: Node, line: int) -> Node:
    """What two parameters say of one setting: both parts of a block, else the one that is given."""
    if one.form is Form.MAP and other.form is Form.MAP:
        both = {**dict(one.entries), **dict(other.entries)}
        return Node(one.line, Form.MAP, keys=tuple(both), children=tuple(both.values()))
    given = [each for each in (one, other) if each.present and each.tag != NULL]
    return given[0] if given else Node(line, text="", tag=NULL)


def _nested(value: Node, inside: tuple[str, ...]) -> Node:
    """A value within the blocks that the resource has around it; an absent one is in none."""
    if value.tag == NULL:
        return value
    for name in reversed(inside):
        value = Node(value.line, Form.MAP, keys=(name,), children=(value,))
    return value


def _value(how: Made, given: Node, way: tuple[str, ...], above: tuple[str, ...]) -> Node:
    each = [value for value, _ in found(given, way) if _is_given(value)]
    is_list = len(way) > 1 and given[way[0]].form is Form.LIST
    name = ".".join((*above, *way))
    if is_list and each:
        return Node(each[0].line, Form.LIST, children=tuple(each))
    is_off = name in how.switched and each and not _may_be_true(each[0]["enabled"])
    if each and not is_off:
        return _named(each[0], how.values.get(name, {}))
    if name in how.defaults:
        return _named(Node(given.line, text=how.defaults[name]), how.values.get(name, {}))
    return Node(given.line, text="", tag=NULL)


def _is_given(value: Node) -> bool:
    """Whether anything is said: an empty parameter is none."""
    return value.present and (value.form is not Form.SCALAR or bool(value.text or value.tag))


def _may_be_true(value: Node) -> bool:
    return value.present and not value.is_false


def _named(value: Node, values: Mapping[str, str]) -> Node:
    """The value as the resource has it: truth in one spelling, a policy in JSON read."""
    if value.form is not Form.SCALAR:
        children = tuple(_named(one, values) for one in value.children)
        return Node(value.line, value.form, value.text, value.tag, value.keys, children)
    if _POLICY.fullmatch(value.text) and len(value.text) <= _LONGEST:
        return _read(value)
    if not is_known(value):
        return value
    text = _WORDS.get(value.text.lower(), value.text)
    by_name = {name.lower(): said for name, said in values.items()}
    return Node(value.line, text=by_name.get(text.lower(), text), tag=value.tag)


def _read(value: Node) -> Node:
    """A text of JSON as what it says; in full or not at all."""
    try:
        return _node(json.loads(value.text), value.line)
    except (ValueError, RecursionError):
        return Node(value.line, text=GAP, tag=UNKNOWN)


def _node(said: Any, line: int) -> Node:
    if isinstance(said, dict):
        children = tuple(_node(one, line) for one in said.values())
        return Node(line, Form.MAP, keys=tuple(said), children=children)
    if isinstance(said, list):
        return Node(line, Form.LIST, children=tuple(_node(one, line) for one in said))
    text = json.dumps(said) if isinstance(said, bool | int | float) else str(said or "")
    return Node(line, text=text, tag=UNKNOWN if GAP in text else "")
