"""Blocks of nginx: each as it is written, servers and locations with what they inherit as well."""

import re
from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.dialects.parts import (
    WORDS,
    any_text,
    evaluated,
    listed,
    mapping,
    resource,
    says,
)
from mergegate.repo.checks.infrastructure.dialects.web_servers import (
    PLACEHOLDER,
    blocks,
    directives,
    headers,
    title,
)
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

_OF_ONE_LEVEL = frozenset(WORDS["nginx-of-one-level"])
_WITHOUT_SETTINGS = WORDS["nginx-without-settings"]
_RULES_OF_ACCESS = ("allow", "deny")
_PAIRS = frozenset({"map", "geo", "types", "split_clients", "match"})
"""Blocks whose lines are no directives."""
_GROUP = re.compile(r"(?<!\\)\((?!\?[:=!])(?:\?P?<(?P<name>\w+)>)?(?P<what>[^()]*)")
_ANYTHING = re.compile(r"(?<!\\)\.[*+]|\[\^[^\]]*\][*+]|\\[SDW][*+]")
"""What in a group lets a visitor write a host of any name."""
_HOST = re.compile(r"(?:(?:https?|\$\{?\w+\}?)://)?\$\{?(?P<name>\w+)\}?(?=[/:?]|$)")

_Settings = Mapping[str, Node]


def resources(documents: Documents) -> Iterator[Resource]:
    """Every block of every file, twice: what stands in it, and what holds there."""
    for file, root in documents.of(DocumentKind.NGINX):
        settings = evaluated(root, PLACEHOLDER)
        whole = any(name == "http" for name, _ in blocks(settings))
        yield from _block(file, "main", settings, {"whole": says(1, whole)})


def _block(file: DocumentFile, name: str, node: Node, around: _Settings) -> Iterator[Resource]:
    own = _own(node)
    address = title(name, node)
    written = mapping(node.line, {**own, "block": Node(node.line, text=name)})
    yield resource(file, Dialect.NGINX, "block", address, written)
    held = {**_inherited(around, own), **own}
    in_effect = {**held, **_derived(node, own, held, around)}
    yield resource(file, Dialect.NGINX, name, address, mapping(node.line, in_effect))
    for inner, block in blocks(node):
        if inner not in _PAIRS:
            yield from _block(file, inner, block, in_effect)


def _own(node: Node) -> dict[str, Node]:
    own = dict(directives(node))
    included = tuple(
        one
        for one in own.pop("include", Node()).each
        if not any(name in one.text for name in _WITHOUT_SETTINGS)
    )
    if included:
        own["include"] = Node(included[0].line, Form.LIST, children=included)
    return own


def _inherited(around: _Settings, own: _Settings) -> dict[str, Node]:
    """What holds of the block around; rules of access are inherited all or none."""
    dropped = _OF_ONE_LEVEL | {
        name for name in _RULES_OF_ACCESS if any(one in own for one in _RULES_OF_ACCESS)
    }
    return {name: value for name, value in around.items() if name not in dropped}


def _derived(node: Node, own: _Settings, held: _Settings, around: _Settings) -> _Settings:
    """What follows from several directives."""
    here = headers(held["add_header"]) if "add_header" in held else mapping(node.line, {})
    derived = {"header": here}
    if "add_header" in own and "add_header" in around and "include" not in own:
        lost = [one for one in headers(around["add_header"]).keys if not here[one].present]
        derived["dropped"] = listed(own["add_header"].line, lost)
    if "listen" in own:
        derived["tls"] = says(node.line, _is_tls(own))
    if (target := _visitors_host(own)) is not None:
        derived["visitors_host"] = target
    return derived


def _visitors_host(own: _Settings) -> Node | None:
    """Where a request goes whose host is a part of the path; None where it is not."""
    path = own["argument"].text if "argument" in own else ""
    if not path.startswith("~") or "proxy_pass" not in own:
        return None
    groups = list(_GROUP.finditer(path))
    taken = {str(at): one["what"] for at, one in enumerate(groups, start=1)}
    taken |= {one["name"]: one["what"] for one in groups if one["name"]}
    free = {name for name, what in taken.items() if _ANYTHING.search(what)}
    for one in own["set"].each if "set" in own else ():
        name, _, value = one.text.partition(" ")
        if value.lstrip("$") in free:
            free.add(name.lstrip("$"))
    for one in own["proxy_pass"].each:
        match = _HOST.match(one.text)
        if match and match["name"] in free:
            return one
    return None


def _is_tls(own: _Settings) -> bool:
    by_port = any_text(own["listen"], lambda text: bool({"ssl", "quic"} & set(text.split())))
    return by_port or ("ssl" in own and own["ssl"].is_true)
